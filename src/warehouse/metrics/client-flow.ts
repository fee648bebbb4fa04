import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { moscowDate, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, oneOfValues } from '../../platform/kernel/schema.ts'
import { type FlowPeriod, flowKinds, flowSlots, flowSteps, type Moved, movedUnits } from './flow.ts'

/**
 * What buyers ordered of a client, and what the warehouse received, shipped and took back, by hours or days. The sums
 * agree with the managers' figures and with the sales. That of one product is read from its movements and tallies.
 */

const ClientFlowSlot = Type.Object({
  at: moment('Начало часа или суток по Москве.'),
  ordered: count('Заказано единиц, отменённые тоже.'),
  received: Type.Integer({ description: 'Принято единиц за вычетом отменённых сканов.' }),
  shipped: Type.Integer({ description: 'Отгружено единиц.' }),
  returned: Type.Integer({ description: 'Вернулось единиц за вычетом отменённых сканов.' }),
})

export const ClientFlow = Type.Object(
  {
    from: moment('Начало, включительно.'),
    to: moment('Конец, не включая.'),
    step: oneOfValues(flowSteps, 'Шаг: час или сутки.'),
    items: Type.Array(ClientFlowSlot, {
      description: 'Каждый час или сутки по порядку, пустые тоже.',
    }),
  },
  { $id: 'ClientFlow', description: 'Что заказали, принято, отгружено и вернулось за период.' },
)
export type ClientFlow = Static<typeof ClientFlow>

/** Both ends of the period are the beginning of a step. */
export async function readClientFlow(
  db: Queryable,
  clientId: string,
  period: FlowPeriod,
  barcode: string | undefined,
): Promise<ClientFlow> {
  const { from, to, step } = period
  const [moved, orders] = await Promise.all([
    barcode === undefined
      ? movedUnits(db, db`c.id = ${clientId}`, period)
      : movedOfProduct(db, clientId, barcode, period),
    step === 'hour'
      ? orderedByHour(db, clientId, period, barcode)
      : orderedByDay(db, clientId, period, barcode),
  ])
  const ordered = new Map(orders.map(({ start, units }) => [toTimestamp(start), units]))
  return {
    from: toTimestamp(from),
    to: toTimestamp(to),
    step,
    items: flowSlots(period, moved).map(({ at, received, shipped, returned }) => ({
      at,
      ordered: ordered.get(at) ?? 0,
      received,
      shipped,
      returned,
    })),
  }
}

function movedOfProduct(
  db: Queryable,
  clientId: string,
  barcode: string,
  { from, to, step }: FlowPeriod,
): Promise<Moved[]> {
  return db<Moved[]>`
    select (extract(epoch from date_trunc(${step}::text, at, 'Europe/Moscow')) * 1000)::bigint as start, kind,
      sum(delta)::bigint as units
    from stock_movements
    where client_id = ${clientId} and barcode = ${barcode} and kind = any(${flowKinds}::text[])
      and at >= ${toTimestamp(from)} and at < ${toTimestamp(to)}
    group by 1, 2`
}

interface Ordered {
  /** Milliseconds. */
  readonly start: number
  readonly units: number
}

function orderedByDay(
  db: Queryable,
  clientId: string,
  { from, to }: FlowPeriod,
  barcode: string | undefined,
): Promise<Ordered[]> {
  const tallies =
    barcode === undefined
      ? db`sales_days t where true`
      : db`sales_tallies t where t.span = 'day' and t.barcode = ${barcode}`
  return db<Ordered[]>`
    select (extract(epoch from t.day::timestamp at time zone 'Europe/Moscow') * 1000)::bigint as start,
      sum(t.ordered)::bigint as units
    from ${tallies} and t.client_id = ${clientId}
      and t.day between ${moscowDate(from)}::date and ${moscowDate(to - 1)}::date
    group by 1`
}

function orderedByHour(
  db: Queryable,
  clientId: string,
  { from, to }: FlowPeriod,
  barcode: string | undefined,
): Promise<Ordered[]> {
  const ofProduct = barcode === undefined ? db`true` : db`l.barcode = ${barcode}`
  return db<Ordered[]>`
    select (extract(epoch from date_trunc('hour', o.created_at)) * 1000)::bigint as start,
      sum(l.quantity)::bigint as units
    from seller_orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id and ${ofProduct}
    where o.client_id = ${clientId}
      and o.created_at >= ${toTimestamp(from)} and o.created_at < ${toTimestamp(to)}
    group by 1`
}
