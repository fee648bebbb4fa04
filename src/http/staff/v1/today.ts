import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { seenClients } from '../../../clients/list-conditions.ts'
import { cabinetsOfToday, TodayCabinets } from '../../../clients/today-cabinets.ts'
import { KeptAnswer } from '../../../concurrency/kept-answer.ts'
import { countsOfToday, TodayCounts } from '../../../counts/today-counts.ts'
import type { Queryable } from '../../../db/connection.ts'
import { inSnapshot } from '../../../db/snapshot.ts'
import { exceptionsOfToday, TodayExceptions } from '../../../exceptions/today-exceptions.ts'
import type { Instant } from '../../../kernel/moscow-time.ts'
import { named } from '../../../kernel/schema.ts'
import { TodayUncovered, uncoveredOfToday } from '../../../orders/today-uncovered.ts'
import { receiptsOfToday, TodayReceipts } from '../../../receipts/today-receipts.ts'
import { returnsOfToday, TodayReturns } from '../../../returns/today-returns.ts'
import { shipmentsOfToday, TodayShipments } from '../../../shipments/today-shipments.ts'
import { covers } from '../../../staff/roles.ts'
import { inQuestionOfToday, TodayInQuestion } from '../../../stock/today-in-question.ts'
import { TodayWebhooks, webhooksOfToday } from '../../../webhooks/today-webhooks.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { memberOn, ownScope } from '../gate.ts'
import { staffOperation } from '../operation.ts'

/** A section for each kind of things that wait; each is bounded. */
export const Today = Type.Object(
  {
    receipts: Type.Optional(TodayReceipts),
    exceptions: Type.Optional(TodayExceptions),
    shipments: TodayShipments,
    uncovered: TodayUncovered,
    in_question: TodayInQuestion,
    returns: TodayReturns,
    counts: TodayCounts,
    cabinets: TodayCabinets,
    webhooks: TodayWebhooks,
  },
  { $id: 'Today', description: 'Что ждёт внимания склада.' },
)

export function addToday(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const uncovered = uncoveredByWarehouses(({ warehouses }) =>
    uncoveredOfToday(db, seenClients(db, warehouses), clock.now()),
  )
  const schema = staffOperation({
    id: 'getToday',
    tag: 'Сегодня',
    summary: 'Что ждёт внимания',
    description:
      'Всё, что ждёт ваши склады сегодня, по разделам, в каждом сначала самое срочное. Приёмки, которые ' +
      'ждут решения (`receipts`), и исключения (`exceptions`) видят менеджеры.',
    answers: { 200: { description: 'По разделам.', schema: named(Today) } },
    errors: [],
  })
  app.get('/today', { schema }, async (request) => {
    const decides = covers(memberOn(request).role, 'manager')
    const scope = ownScope(request)
    const [{ receipts, exceptions, ...others }, { shown }] = await Promise.all([
      inSnapshot(db, (tx) => sectionsOf(tx, { ...scope, now: clock.now(), decides })),
      uncovered(scope),
    ])
    return { ...(decides && { receipts, exceptions }), ...others, uncovered: shown }
  })
}

interface Scope {
  /** Codes; none: all. */
  readonly warehouses: readonly string[]
}

/**
 * The only section whose cost grows with the waiting orders of all clients: reading 20 000 takes about 70 ms. So an
 * answer over many is kept for those who see the same warehouses; small warehouses get it fresh.
 */
function uncoveredByWarehouses(make: (scope: Scope) => ReturnType<typeof uncoveredOfToday>) {
  const keptMs = ({ ordersRead }: { ordersRead: number }) =>
    ordersRead < 2_000 ? 0 : Math.min(15_000, ordersRead / 10)
  const kept = new Map<string, KeptAnswer<Awaited<ReturnType<typeof make>>>>()
  return (scope: Scope) => {
    const key = JSON.stringify(scope.warehouses)
    const answer = kept.get(key) ?? new KeptAnswer({ make: () => make(scope), keptMs })
    kept.set(key, answer)
    return answer.get()
  }
}

/** All statements are sent without waiting for each other, on one connection. */
async function sectionsOf(
  db: Queryable,
  { warehouses, now, decides }: Scope & { readonly now: Instant; readonly decides: boolean },
) {
  const seen = seenClients(db, warehouses)
  const [receipts, exceptions, shipments, inQuestion, returns, counts, cabinets, webhooks] =
    await Promise.all([
      decides ? receiptsOfToday(db, seen) : undefined,
      decides ? exceptionsOfToday(db, seen) : undefined,
      shipmentsOfToday(db, seen, now),
      inQuestionOfToday(db, seen),
      returnsOfToday(db, seen),
      countsOfToday(db, seen),
      cabinetsOfToday(db, seen),
      webhooksOfToday(db, seen),
    ])
  const goods = { in_question: inQuestion, returns, counts }
  return { receipts, exceptions, shipments, ...goods, cabinets, webhooks }
}
