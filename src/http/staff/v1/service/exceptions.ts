import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { conflict, ServiceError } from '../../../../platform/kernel/errors.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { type ExceptionKind, exceptionKinds } from '../../../../warehouse/exceptions/kinds.ts'
import {
  exceptionOwner,
  exceptionSorts,
  findException,
  listExceptions,
} from '../../../../warehouse/exceptions/queries.ts'
import { resolveException } from '../../../../warehouse/exceptions/verbs.ts'
import {
  exceptionDecisionRule,
  exceptionDecisions,
  exceptionKindRule,
  exceptionStatuses,
  ScanException,
} from '../../../../warehouse/exceptions/view.ts'
import { followUnit } from '../../../../warehouse/photos/exception-photos.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, range, shortPages, sortBy, text, time } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import type { LateScan } from '../../queued-scans.ts'
import { latePackCheck } from '../orders/packing-checks.ts'
import { latePick } from '../picking/picking.ts'
import { lateReceiptScan } from '../receipts/receipt-scans.ts'
import { lateReturnScan, lateReturnScanOfDay } from '../returns/return-scans.ts'
import { lateBoxMove, lateBoxPut, lateBoxTake } from '../storage/box-contents.ts'
import { lateCountScan } from '../storage/count-scans.ts'
import {
  lateLocationMove,
  lateLocationPut,
  lateLocationTake,
} from '../storage/location-contents.ts'
import { lateBoxPlace, latePalletPlace } from '../storage/placing.ts'
import type { IdParams } from '../storage/storage.ts'

export const ScanExceptionPage = pageSchema(
  ScanException,
  'ScanExceptionPage',
  'Страница исключений.',
)
export const ExceptionResolution = Type.Object(
  {
    decision: oneOfValues(exceptionDecisions, exceptionDecisionRule),
    comment: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Что выяснили и что сделали.',
    }),
  },
  { $id: 'ExceptionResolution', additionalProperties: false, description: 'Решение менеджера.' },
)

export const exceptionsQuery = query({
  client_id: text({ description: 'Клиент; без него — все.' }),
  warehouse_code: warehouseFilter,
  status: oneOf(exceptionStatuses, { description: 'OPEN — ждут решения, RESOLVED — решены.' }),
  kind: oneOf(exceptionKinds, { description: exceptionKindRule }),
  created_from: time({ description: 'Пришли не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Пришли раньше этого времени.' }),
  sort: sortBy(exceptionSorts),
  ...shortPages,
})
const config = { role: 'manager' } as const

export function addExceptions(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addResolving(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listExceptions',
    tag: 'Сегодня',
    summary: 'Исключения',
    description:
      'Сканы, которые терминал копил без связи, а склад потом не принял: приёмку закончили, ' +
      'сотрудника отключили. Новые первыми.',
    query: exceptionsQuery,
    answers: { 200: { description: 'Страница.', schema: named(ScanExceptionPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/exceptions', { schema: listSchema, config }, async (request) => {
    const { limit, cursor, sort, ...filter } = exceptionsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'exceptions', { limit, cursor, sort }, filter)
    return list.answer(await listExceptions(db, withinWarehouse(request, filter), list.request))
  })

  const oneSchema = staffOperation({
    id: 'getException',
    tag: 'Сегодня',
    summary: 'Исключение',
    description: 'Скан, каким он пришёл, почему не принят и что решено.',
    params: { id: 'Идентификатор исключения.' },
    answers: { 200: { description: 'Исключение.', schema: named(ScanException) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/exceptions/:id', { schema: oneSchema, config }, async (request) => {
    const { id } = request.params
    const clientId = await exceptionOwner(db, id)
    return found(await findException(db, clientId, id))
  })
}

function addResolving(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'resolveException',
    tag: 'Сегодня',
    summary: 'Решить исключение',
    description:
      'accepted принимает скан сейчас, тем же действием, что и вовремя, вашим именем. Если принять его всё ещё ' +
      'нельзя, исключение остаётся открытым: учтите единицы вручную — корректировкой, сканом, приёмкой — и ' +
      'решите entered, или dismissed, если учитывать нечего. Решение записывается один раз.',
    params: { id: 'Идентификатор исключения.' },
    body: ExceptionResolution,
    answers: { 200: { description: 'Решено.', schema: named(ScanException) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>('/exceptions/:id/resolve', { schema, config }, async (request) => {
    const { id } = request.params
    const resolution = bodyOf(ExceptionResolution, request)
    const clientId = await exceptionOwner(db, id)
    const look = ({ tx }: Work) => findException(tx, clientId, id)
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      await resolveException(work, clientId, id, resolution)
      const answer = found(await findException(work.tx, clientId, id))
      if (answer.decision === 'accepted') await acceptLate(work, answer)
      return { answer }
    })
  })
}

/** The verbs of all kinds. A scan is stored as its route had read it. */
const lateScans = {
  receipt_scan: lateReceiptScan,
  pick: latePick,
  pack_check: latePackCheck,
  return_scan: lateReturnScan,
  return_scan_of_day: lateReturnScanOfDay,
  count_scan: lateCountScan,
  location_put: lateLocationPut,
  location_take: lateLocationTake,
  location_move: lateLocationMove,
  box_put: lateBoxPut,
  box_take: lateBoxTake,
  box_move: lateBoxMove,
  box_place: lateBoxPlace,
  pallet_place: latePalletPlace,
} as const satisfies Record<ExceptionKind, unknown>

async function acceptLate(work: Work, kept: ScanException): Promise<void> {
  const accept = lateScans[kept.kind] as LateScan<unknown>
  try {
    await accept(work, { clientId: kept.client_id, objectId: kept.object_id, draft: kept.scan })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw conflict(
      `Скан всё ещё не принять: ${error.message}. Учтите единицы вручную и решите entered, или dismissed`,
    )
  }
  await followUnit(work, kept.client_id, kept.id)
}
