import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { TodayWebhooks, webhooksOfToday } from '../../../../exchange/webhooks/today-webhooks.ts'
import {
  keyRequestsOfToday,
  TodayKeyRequests,
} from '../../../../identity/keys/today-key-requests.ts'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { covers } from '../../../../identity/staff/roles.ts'
import type { Database, Queryable } from '../../../../platform/db/connection.ts'
import type { Fragment } from '../../../../platform/db/statements/fragment.ts'
import { inSnapshot } from '../../../../platform/db/work.ts'
import { ServiceError } from '../../../../platform/kernel/errors.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { cabinetsOfToday, TodayCabinets } from '../../../../warehouse/clients/today-cabinets.ts'
import { countsOfToday, TodayCounts } from '../../../../warehouse/counts/today-counts.ts'
import {
  exceptionsOfToday,
  TodayExceptions,
} from '../../../../warehouse/exceptions/today-exceptions.ts'
import { TodayUncovered, uncoveredOfToday } from '../../../../warehouse/orders/today-uncovered.ts'
import { missesOfToday, TodayMisses } from '../../../../warehouse/picking/today-misses.ts'
import {
  refusedMarksOfToday,
  TodayRefusedMarks,
} from '../../../../warehouse/picking/today-refused-marks.ts'
import { receiptsOfToday, TodayReceipts } from '../../../../warehouse/receipts/today-receipts.ts'
import { receivingOfToday, TodayReceiving } from '../../../../warehouse/receipts/today-receiving.ts'
import {
  expectedReturnsOfToday,
  returnBatchesOfToday,
  TodayReturns,
} from '../../../../warehouse/returns/today-returns.ts'
import {
  curveOfToday,
  ordersByHour,
  TodayCurve,
} from '../../../../warehouse/shipments/today-curve.ts'
import {
  type FlowGroup,
  type FlowPart,
  flowGroups,
  flowOfToday,
  flowParts,
  GroupedFlow,
  groupedFlow,
  TodayFlow,
} from '../../../../warehouse/shipments/today-flow.ts'
import {
  shipmentsOfToday,
  TodayShipments,
} from '../../../../warehouse/shipments/today-shipments.ts'
import { TodayToPick, toPickOfToday } from '../../../../warehouse/shipments/today-to-pick.ts'
import { expiringOfToday, TodayExpiring } from '../../../../warehouse/stock/today-expiring.ts'
import {
  inQuestionOfToday,
  TodayInQuestion,
} from '../../../../warehouse/stock/today-in-question.ts'
import { rawQuery } from '../../../route/list.ts'
import { oneOf, query } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { addCounters, addWaitingKeyRequests } from './counters.ts'
import {
  keptByScope,
  scopeParameters,
  seenInScope,
  type TodayScope,
  todayScope,
} from './today-scope.ts'

/** A section for each kind of things that wait; each is bounded. */
export const Today = Type.Object(
  {
    receipts: Type.Optional(TodayReceipts),
    exceptions: Type.Optional(TodayExceptions),
    misses: Type.Optional(TodayMisses),
    refused_marks: Type.Optional(TodayRefusedMarks),
    key_requests: Type.Optional(named<TodayKeyRequests>(TodayKeyRequests)),
    receiving: TodayReceiving,
    shipments: TodayShipments,
    flow: TodayFlow,
    to_pick: TodayToPick,
    uncovered: TodayUncovered,
    in_question: TodayInQuestion,
    expiring: TodayExpiring,
    returns: TodayReturns,
    counts: TodayCounts,
    cabinets: TodayCabinets,
    webhooks: TodayWebhooks,
  },
  { $id: 'Today', description: 'Что ждёт внимания склада.' },
)

export function addToday(app: FastifyInstance, dependencies: StaffDependencies): void {
  addSections(app, dependencies)
  addCurve(app, dependencies)
  addCounters(app, dependencies)
  addWaitingKeyRequests(app, dependencies)
}

function addSections(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const uncovered = keptByScope(
    (scope) => uncoveredOfToday(db, seenInScope(db, scope), clock.now()),
    ({ ordersRead }) => ordersRead,
  )
  const flow = keptByScope(
    async (scope) => {
      const now = clock.now()
      return { parts: await flowParts(db, seenInScope(db, scope), now), now }
    },
    ({ parts }) => parts.reduce((all, { orders_count: orders }) => all + orders, 0),
  )
  const inQuestion = keptByScope(
    (scope) => inQuestionOfToday(db, seenInScope(db, scope), clock.now()),
    ({ total }) => total,
  )
  const expiring = keptByScope(
    (scope) => expiringOfToday(db, seenInScope(db, scope), clock.now()),
    ({ total }) => total,
  )
  const expectedReturns = keptByScope(
    (scope) => expectedReturnsOfToday(db, seenInScope(db, scope), clock.now()),
    ({ returnsRead }) => returnsRead,
  )
  const schema = staffOperation({
    id: 'getToday',
    tag: 'Сегодня',
    summary: 'Что ждёт внимания',
    description:
      'Всё, что ждёт ваши склады сегодня, по разделам, в каждом сначала самое срочное. Работник видит, что считать ' +
      '(`receiving`, `counts`), что собирать и кто уже взял (`shipments`), какие возвраты принимают (`returns`). Приёмки, ' +
      'которые ждут решения (`receipts`), исключения (`exceptions`), ненайденные товары (`misses`), не принятые коды (`refused_marks`) и заявки ' +
      'на ключи (`key_requests`) видят менеджеры.',
    query: todayQuery,
    answers: { 200: { description: 'По разделам.', schema: named(Today) } },
    errors: ['bad_request'],
  })
  app.get('/today', { schema }, async (request) => {
    const decides = covers(memberOn(request).role, 'manager')
    const scope = todayScope(request, todayQuery.parse(rawQuery(request)))
    const [sections, { parts, now }, lacking, question, ending, expected] = await Promise.all([
      inSnapshot(db, (tx) => sectionsOf(tx, { ...scope, now: clock.now(), decides })),
      flow(scope),
      uncovered(scope),
      inQuestion(scope),
      expiring(scope),
      expectedReturns(scope),
    ])
    const { decisions, batches, counts, ...others } = sections
    return {
      ...decisions,
      ...others,
      counts: await withNames(db, counts),
      flow: flowOfToday(parts, now),
      to_pick: toPickOfToday(parts, now),
      uncovered: lacking.shown,
      in_question: question,
      expiring: ending,
      returns: { ...expected.shown, ...batches },
    }
  })
  addFlow(app, flow)
}

async function withNames(db: Database, counts: Static<typeof TodayCounts>) {
  const nameOf = await actorNames(
    db,
    counts.items.flatMap((each) => each.counted_by),
  )
  const items = counts.items.map((each) => ({ ...each, counted_by: each.counted_by.map(nameOf) }))
  return { ...counts, items }
}

type ReadFlow = (
  scope: TodayScope,
) => Promise<{ readonly parts: readonly FlowPart[]; readonly now: Instant }>

function addFlow(app: FastifyInstance, flow: ReadFlow): void {
  const flowSchema = staffOperation({
    id: 'getTodayFlow',
    tag: 'Сегодня',
    summary: 'Путь заказов подробно',
    description:
      'То же, что `flow` в getToday, по маркетплейсам, клиентам или складам. Сами заказы этапа показывает ' +
      'listStaffOrders с `stage`.',
    query: flowQuery,
    answers: { 200: { description: 'По этапам и группам.', schema: named(GroupedFlow) } },
    errors: ['bad_request'],
  })
  const config = { devices: ['SCREEN'] } as const
  app.get('/today/flow', { schema: flowSchema, config }, async (request) => {
    const { by = 'marketplace', ...asked } = flowQuery.parse(rawQuery(request))
    refuseNames(request, by)
    const { parts, now } = await flow(todayScope(request, asked))
    return groupedFlow(parts, by, now)
  })
}

/** The console's first page draws it, and so does a screen on a wall. */
function addCurve(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const hours = keptByScope(
    async (scope) => {
      const now = clock.now()
      return { hours: await ordersByHour(db, seenInScope(db, scope), now), now }
    },
    (answer) => answer.hours.reduce((all, each) => all + each.packed + each.handed_over, 0),
  )
  const schema = staffOperation({
    id: 'getTodayCurve',
    tag: 'Сегодня',
    summary: 'Как идёт день',
    description:
      'Сколько заказов собрано и передано в каждый час сегодня и вчера. Собранные — те, что сейчас в отгрузке, открытой ' +
      'или переданной за эти двое суток.',
    query: todayQuery,
    answers: { 200: { description: 'По часам.', schema: named(TodayCurve) } },
    errors: ['bad_request'],
  })
  app.get('/today/curve', { schema, config: { devices: ['SCREEN'] } }, async (request) => {
    const counted = await hours(todayScope(request, todayQuery.parse(rawQuery(request))))
    return curveOfToday(counted.hours, counted.now)
  })
}

/** A client may be a person: a screen on a wall shows no names. */
function refuseNames(request: FastifyRequest, by: FlowGroup): void {
  if (memberOn(request).device === undefined || by !== 'client') return
  throw new ServiceError('forbidden', 'Экран на стене клиентов не показывает')
}

const todayQuery = query(scopeParameters)

const flowQuery = query({
  ...scopeParameters,
  by: oneOf(flowGroups, { description: 'По чему разбить; без него — по маркетплейсам.' }),
})

/** All statements are sent without waiting for each other, on one connection. */
async function sectionsOf(
  db: Queryable,
  { now, decides, ...scope }: TodayScope & { readonly now: Instant; readonly decides: boolean },
) {
  const seen = seenInScope(db, scope)
  const [decisions, receiving, shipments, batches, counts, cabinets, webhooks] = await Promise.all([
    decides ? decisionsOf(db, seen) : undefined,
    receivingOfToday(db, seen),
    shipmentsOfToday(db, seen, now),
    returnBatchesOfToday(db, seen),
    countsOfToday(db, seen),
    cabinetsOfToday(db, seen),
    webhooksOfToday(db, seen),
  ])
  return { decisions, receiving, shipments, batches, counts, cabinets, webhooks }
}

/** What waits for a manager. */
async function decisionsOf(db: Queryable, seen: Fragment) {
  const [receipts, exceptions, misses, refused_marks, key_requests] = await Promise.all([
    receiptsOfToday(db, seen),
    exceptionsOfToday(db, seen),
    missesOfToday(db, seen),
    refusedMarksOfToday(db, seen),
    keyRequestsOfToday(db, seen),
  ])
  return { receipts, exceptions, misses, refused_marks, key_requests }
}
