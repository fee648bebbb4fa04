import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { reportNotFound } from '../../../../warehouse/picking/misses.ts'
import {
  findPickingTaskSummary,
  ownerOfPickingTask,
} from '../../../../warehouse/picking/queries.ts'
import { PickingTask } from '../../../../warehouse/picking/view.ts'
import { found } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { pickingPlaceOf } from './picking-place.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

export const MissDraft = Type.Object(
  {
    order_id: Type.String({ description: 'Заказ из этого задания.' }),
    reason: text(100, 'Код причины из GET /staff/v1/reasons, kind not_found.'),
    barcode: Type.Optional(text(64, 'Чего нет; без него — всё, чего заказу ещё не хватает.')),
    location_id: Type.Optional(text(64, 'Место, где искали: id или код.')),
    box_id: Type.Optional(text(64, 'Короб, где искали, вместо места: id или SSCC.')),
    scan_id: Type.Optional(text(200, 'Номер скана от терминала: тот же номер ничего не меняет.')),
  },
  { $id: 'MissDraft', additionalProperties: false, description: 'Товар заказа не найден.' },
)

/** A picker reports that goods are not where they should be. */
export function addMissReports(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'reportNotFound',
    tag: 'Сборка',
    summary: 'Товар не найден',
    description:
      'Чего заказу ещё не хватает, отмечается ненайденным и ждёт решения менеджера (`GET /misses`). ' +
      'Заказ остаётся в задании: найдётся товар — его можно собрать. Повтор не считается дважды.',
    params: { id: 'Идентификатор задания.' },
    body: MissDraft,
    answers: { 200: { description: 'Отмечено; задание без строк.', schema: named(PickingTask) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<{ Params: { id: string } }>(
    '/picking-tasks/:id/not-found',
    { schema },
    async (request) => {
      const draft = bodyOf(MissDraft, request)
      const taskId = request.params.id
      const clientId = await ownerOfPickingTask(db, taskId)
      if (!isId(draft.order_id)) throw notFound('Заказа нет в этом задании')
      const { order_id: orderId, reason, barcode, scan_id: scanId } = draft
      return change(dependencies, request, { clientId, objectId: taskId }, async (work) => {
        const place = await pickingPlaceOf(work.tx, clientId, draft.box_id, draft.location_id)
        const miss = {
          ...{ orderId, reason, ...place },
          ...(barcode === undefined ? {} : { barcode }),
          ...(scanId === undefined ? {} : { scanId }),
        }
        const counted = await reportNotFound(work, clientId, taskId, miss, refuseWhileEnding)
        const answer = found(await findPickingTaskSummary(work.tx, clientId, taskId, work.at))
        return { answer, made: { objectId: taskId, after: miss }, changed: counted }
      })
    },
  )
}
