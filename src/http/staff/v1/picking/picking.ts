import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import type { Verdict } from '../../../../platform/db/together.ts'
import type { SharedWork, Work } from '../../../../platform/db/work.ts'
import { invalidField, notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { refusedMarksOf } from '../../../../warehouse/picking/mark-proof-queries.ts'
import { type PickedUnit, pickTogether, pickUnits } from '../../../../warehouse/picking/picks.ts'
import {
  findPick,
  findPickingTask,
  findPickingTaskSummary,
  listPickingTasks,
  ownerOfPickingTask,
} from '../../../../warehouse/picking/queries.ts'
import type { PickScan, ReceivedPick } from '../../../../warehouse/picking/recorded-pick.ts'
import { pickingTaskStatuses } from '../../../../warehouse/picking/state.ts'
import { PickingTask, PickResult } from '../../../../warehouse/picking/view.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, changeTogether, type SharedResult } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { withCardGtins, withOtherBarcodes } from '../../other-barcodes.ts'
import { withPictures } from '../../pictures.ts'
import { keptAnswer, type LateScan, queuedFields, runScan, scanId } from '../../queued-scans.ts'
import { addMissReports } from './miss-reports.ts'
import { addMisses } from './misses.ts'
import { addPickingClaims } from './picking-claims.ts'
import { addMarksOfPicks, MarksDraft, markingCodeOf, marksOf } from './picking-marks.ts'
import { pickingPlaceOf } from './picking-place.ts'
import { addUndoOfPicks } from './picking-undo.ts'

const orderId = Type.String({ description: 'Заказ из этого задания.' })

export const PickDraft = Type.Object(
  {
    scan_id: scanId,
    order_id: orderId,
    barcode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
    ),
    marking_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Код маркировки единицы, как его прочитал сканер; можно вместо barcode.',
      }),
    ),
    box_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Короб, из которого взята единица: id или SSCC; если вне коробов, поля нет.',
      }),
    ),
    location_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Место, с которого взята единица вне коробов: id или код; вместо box_id.',
      }),
    ),
    marks: Type.Optional(MarksDraft),
    ...queuedFields,
  },
  { $id: 'PickDraft', additionalProperties: false, description: 'Одна единица положена в заказ.' },
)
export const PickingTaskPage = pageSchema(PickingTask, 'PickingTaskPage', 'Страница заданий.')

export const pickingTasksQuery = query({
  client_id: text({ description: 'Задания одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  status: oneOf(pickingTaskStatuses, { description: 'Состояние; без него — все.' }),
  shipment_id: text({ description: 'Задание одной отгрузки, по её id.' }),
  ...shortPages,
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор задания.' }

export function addPicking(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addPicks(app, dependencies)
  addMarksOfPicks(app, dependencies)
  addUndoOfPicks(app, dependencies)
  addPickingClaims(app, dependencies)
  addMissReports(app, dependencies)
  addMisses(app, dependencies)
}

function addReads(app: FastifyInstance, { db, clock, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listPickingTasks',
    tag: 'Сборка',
    summary: 'Задания на сборку',
    description: 'Новые первыми; задание открывается вместе с отгрузкой.',
    query: pickingTasksQuery,
    answers: { 200: { description: 'Страница заданий.', schema: named(PickingTaskPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/picking-tasks', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = pickingTasksQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'picking-tasks', { limit, cursor }, filter)
    return list.answer(
      await listPickingTasks(
        db,
        withinWarehouse(request, filter),
        list.request,
        toTimestamp(clock.now()),
      ),
    )
  })

  const taskSchema = staffOperation({
    id: 'getPickingTask',
    tag: 'Сборка',
    summary: 'Одно задание',
    description: 'Что собрать, где это лежит, что собрано и чего не нашли.',
    params,
    answers: { 200: { description: 'Задание.', schema: named(PickingTask) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/picking-tasks/:id', { schema: taskSchema }, async (request) => {
    const { id } = request.params
    const clientId = await ownerOfPickingTask(db, id)
    const task = found(await findPickingTask(db, clientId, id, toTimestamp(clock.now())))
    const lines = await withPictures(db, clientId, task.lines ?? [])
    const named = await withOtherBarcodes(db, clientId, lines)
    return { ...task, lines: await withCardGtins(db, clientId, named) }
  })
}

function addPicks(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'pickUnit',
    tag: 'Сборка',
    summary: 'Положить единицу в заказ',
    description:
      'По штрихкоду или по коду маркировки; с последней единицей заказ собран. Чего маркетплейс ' +
      'требует о единице (required_marks строки), указывают здесь же, иначе скан не принимается. ' +
      'Тот же scan_id ничего не меняет и отвечает тем же. refused_marks — чьи коды маркетплейс не принял.',
    params,
    body: PickDraft,
    answers: {
      200: { description: 'Скан принят.', schema: named(PickResult) },
      202: keptAnswer,
    },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const pick = changeTogether<PickScan, PickResult>(dependencies, async (work, changes) => {
    const picks = changes.map(({ objectId, ...scan }) => ({ ...scan, taskId: objectId }))
    const verdicts = await pickTogether(work, picks, refuseWhileEnding)
    return Promise.all(verdicts.map((verdict, n) => resultOfPick(work, picks[n], verdict)))
  })
  app.post<IdParams>('/picking-tasks/:id/picks', { schema }, async (request, reply) => {
    const { db } = dependencies
    const draft = bodyOf(PickDraft, request)
    const { clientId, objectId } = await subjectOf(db, request.params.id)
    const find = async () => {
      const known = await findPick(db, clientId, objectId, draft.scan_id)
      return known && { ...known, repeated: true }
    }
    const run = async () => {
      const scan = pickOf(draft)
      refuseIllFormed(scan.orderId)
      const place = await pickingPlaceOf(db, clientId, draft.box_id, draft.location_id)
      return pick(request, { clientId, objectId, ...scan, ...place })
    }
    const subject = { kind: 'pick', clientId, objectId } as const
    return runScan(dependencies, request, reply, { ...subject, draft, find, run })
  })
}

export const latePick: LateScan<Static<typeof PickDraft>> = async (
  work,
  { clientId, objectId, draft },
) => {
  const scan = pickOf(draft)
  refuseIllFormed(scan.orderId)
  const place = await pickingPlaceOf(work.tx, clientId, draft.box_id, draft.location_id)
  await pickUnits(work, clientId, objectId, [{ ...scan, ...place }], refuseWhileEnding)
}

async function resultOfPick(
  work: SharedWork,
  pick: ReceivedPick | undefined,
  verdict: Verdict<PickedUnit | undefined>,
): Promise<Verdict<SharedResult<PickResult>>> {
  if (verdict.kind !== 'done' || pick === undefined) return verdict as Verdict<never>
  if (verdict.result !== undefined) {
    const after = outcomeOf(verdict.result)
    const refused = await refusedMarksOf(work.tx, pick.clientId, pick.taskId)
    const shown = refused.length === 0 ? {} : { refused_marks: refused }
    return { kind: 'done', result: { answer: { ...after, ...shown, repeated: false }, after } }
  }
  const known = found(await findPick(work.tx, pick.clientId, pick.taskId, pick.scanId))
  return { kind: 'done', result: { answer: { ...known, repeated: true }, after: undefined } }
}

function outcomeOf({
  scanId,
  orderId,
  orderNumber,
  barcode,
  name,
  orderUnits,
  orderPicked,
  packedAt,
  marks = {},
  notes,
}: PickedUnit): Omit<PickResult, 'repeated'> {
  return {
    scan_id: scanId,
    order_id: orderId,
    order_external_id: orderNumber,
    barcode,
    name,
    order_units: orderUnits,
    order_picked: orderPicked,
    undone: false,
    order_packed: packedAt !== undefined,
    packed_at: packedAt ?? null,
    marks,
    notes: [...notes],
  }
}

function pickOf(draft: Omit<Static<typeof PickDraft>, 'box_id'>) {
  const { barcode, marking_code: code, marks } = draft
  if (barcode === undefined && code === undefined) {
    throw invalidField('barcode', 'обязательно, если нет marking_code')
  }
  return {
    scanId: draft.scan_id,
    orderId: draft.order_id,
    ...(barcode === undefined ? {} : { barcode }),
    ...(code === undefined ? {} : { markingCode: markingCodeOf(code) }),
    ...(marks === undefined ? {} : { marks: marksOf(marks) }),
  }
}

function refuseIllFormed(orderId: string): void {
  if (!isId(orderId)) throw notFound('Заказа нет в этом задании')
}

async function subjectOf(db: Database, id: string) {
  const clientId = await ownerOfPickingTask(db, id)
  return {
    clientId,
    objectId: id,
    look: ({ tx, at }: Work) => findPickingTaskSummary(tx, clientId, id, at),
  }
}
