import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { findCheck } from '../../../../warehouse/picking/check-queries.ts'
import {
  checkTogether,
  checkUnit,
  type ReceivedCheck,
} from '../../../../warehouse/picking/checks.ts'
import { PackCheck } from '../../../../warehouse/picking/view.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import { bodyOf, changeTogether } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import {
  keptAnswer,
  type LateScan,
  queuedFields,
  runScan,
  scanId,
  unitCode,
} from '../../queued-scans.ts'

export const PackCheckDraft = Type.Object(
  {
    scan_id: scanId,
    order_id: Type.String({ description: 'Заказ, чью посылку проверяют.' }),
    code: unitCode,
    ...queuedFields,
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
    answers: { 200: { description: 'Проверено.', schema: named(PackCheck) }, 202: keptAnswer },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const check = changeTogether<CheckScan, PackCheck>(dependencies, async (work, changes) => {
    const scans = changes.map(({ objectId, ...scan }) => ({ ...scan, shipmentId: objectId }))
    const verdicts = await checkTogether(work, scans, refuseWhileEnding)
    return verdicts.map((verdict) => {
      if (verdict.kind !== 'done') return verdict
      const { repeated, ...after } = verdict.result
      const result = { answer: verdict.result, after: repeated ? undefined : after }
      return { kind: 'done', result }
    })
  })
  app.post<{ Params: { id: string } }>(
    '/shipments/:id/checks',
    { schema },
    async (request, reply) => {
      const draft = bodyOf(PackCheckDraft, request)
      const { id: objectId } = request.params
      const clientId = await ownerOfShipment(db, objectId)
      const find = async () => {
        const known = await findCheck(db, clientId, objectId, draft.scan_id)
        return known && { ...known, repeated: true }
      }
      const run = async () => check(request, { clientId, objectId, ...scanOf(draft) })
      const subject = { kind: 'pack_check', clientId, objectId } as const
      return runScan(dependencies, request, reply, { ...subject, draft, find, run })
    },
  )
}

type CheckScan = Pick<ReceivedCheck, 'scanId' | 'orderId' | 'code'>

function scanOf({
  scan_id: scanId,
  order_id: orderId,
  code,
}: Static<typeof PackCheckDraft>): CheckScan {
  if (!isId(orderId)) throw notFound('Заказа нет в этой отгрузке')
  return { scanId, orderId, code }
}

export const latePackCheck: LateScan<Static<typeof PackCheckDraft>> = async (
  work,
  { clientId, objectId: shipmentId, draft },
) => checkUnit(work, { clientId, shipmentId, ...scanOf(draft) }, refuseWhileEnding)
