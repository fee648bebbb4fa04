import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { named } from '../../../kernel/schema.ts'
import { refuseWhileEnding } from '../../../marketplaces/coordination/request-command.ts'
import { checkUnit, findCheck } from '../../../picking/checks.ts'
import { PackCheck } from '../../../picking/view.ts'
import { ownerOfShipment } from '../../../shipments/staff-queries.ts'
import { found } from '../../list.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'

export const PackCheckDraft = Type.Object(
  {
    scan_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Номер скана от терминала: тот же номер ничего не меняет.',
    }),
    order_id: Type.String({ description: 'Заказ, чью посылку проверяют.' }),
    code: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Штрихкод товара или код маркировки единицы, как его прочитал сканер.',
    }),
  },
  { $id: 'PackCheckDraft', additionalProperties: false, description: 'Одна проверенная единица.' },
)

export function addPackingChecks(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'checkUnit',
    tag: 'Сборка',
    summary: 'Проверить единицу при упаковке',
    description:
      'Каждую собранную единицу заказа сканируют ещё раз, прежде чем заклеить посылку; ответ говорит, чего ' +
      'не хватает. Чужой или лишний товар не принимается. Проверка не обязательна: отгрузку можно закрыть ' +
      'и без неё. Если скан сборки отменили, проверку заказа начинают заново.',
    params: { id: 'Идентификатор отгрузки.' },
    body: PackCheckDraft,
    answers: { 200: { description: 'Проверено.', schema: named(PackCheck) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<{ Params: { id: string } }>('/shipments/:id/checks', { schema }, async (request) => {
    const { scan_id: scanId, order_id: orderId, code } = bodyOf(PackCheckDraft, request)
    const { id } = request.params
    const clientId = await ownerOfShipment(db, id)
    if (!isId(orderId)) throw notFound('Заказа нет в этой отгрузке')
    return change(dependencies, request, { clientId, objectId: id }, async (work) => {
      const scan = { scanId, orderId, code }
      const changed = await checkUnit(work, clientId, id, scan, refuseWhileEnding)
      const check = found(await findCheck(work.tx, clientId, id, scanId))
      return { answer: { ...check, repeated: !changed }, made: { after: check }, changed }
    })
  })
}
