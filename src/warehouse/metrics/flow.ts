import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import {
  day,
  hour,
  type Instant,
  moscowDate,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { moment, named, oneOfValues } from '../../platform/kernel/schema.ts'
import type { Period } from './period.ts'
import { ReasonCount } from './view.ts'

/** What went in and out of the warehouse in a period, over the clients that somebody sees. */

export const flowSteps = ['hour', 'day'] as const
export type FlowStep = (typeof flowSteps)[number]
export const stepMs: Readonly<Record<FlowStep, number>> = { hour, day }

const FlowSlot = Type.Object({
  at: moment('Начало часа или суток по Москве.'),
  received: Type.Integer({ description: 'Принято единиц за вычетом отменённых сканов.' }),
  returned: Type.Integer({ description: 'Вернулось единиц за вычетом отменённых сканов.' }),
  shipped: Type.Integer({ description: 'Отгружено единиц.' }),
})

export const Flow = Type.Object(
  {
    from: moment('Начало, включительно.'),
    to: moment('Конец, не включая.'),
    step: oneOfValues(flowSteps, 'Шаг: час или сутки.'),
    items: Type.Array(FlowSlot, { description: 'Каждый час или сутки по порядку, пустые тоже.' }),
    shortages: Type.Array(named<ReasonCount>(ReasonCount), {
      description: 'Недостача приёмок, завершённых за период, по причинам.',
    }),
    not_found: Type.Array(named<ReasonCount>(ReasonCount), {
      description: 'Не найдено при сборке за период, по причинам.',
    }),
  },
  { $id: 'Flow', description: 'Что пришло на склад и ушло с него за период.' },
)
export type Flow = Static<typeof Flow>

export interface Moved {
  /** Milliseconds. */
  start: number
  kind: 'acceptance' | 'return' | 'shipment'
  units: number
}

export interface FlowPeriod extends Period {
  readonly step: FlowStep
}

const names = { acceptance: 'received', return: 'returned', shipment: 'shipped' } as const

/** The flow of the clients `c` that are seen; both ends of the period are the beginning of a step. */
export async function readFlow(db: Queryable, seen: Fragment, period: FlowPeriod): Promise<Flow> {
  const { from, to, step } = period
  const [moved, shortages, misses] = await Promise.all([
    movedUnits(db, seen, period),
    shortagesOf(db, seen, period),
    missesOf(db, seen, period),
  ])
  return {
    from: toTimestamp(from),
    to: toTimestamp(to),
    step,
    items: flowSlots(period, moved),
    shortages,
    not_found: misses,
  }
}

/** Every hour or day of a period, with what moved in it. */
export function flowSlots({ from, to, step }: FlowPeriod, moved: readonly Moved[]) {
  const slots = new Map<Instant, Flow['items'][number]>()
  for (let at = from; at < to; at += stepMs[step]) {
    slots.set(at, { at: toTimestamp(at), received: 0, returned: 0, shipped: 0 })
  }
  for (const { start, kind, units } of moved) {
    const slot = slots.get(start)
    if (slot !== undefined) slot[names[kind]] = kind === 'shipment' ? -units : units
  }
  return [...slots.values()]
}

export const flowKinds = Object.keys(names)

export function movedUnits(db: Queryable, seen: Fragment, period: FlowPeriod): Promise<Moved[]> {
  return period.step === 'hour' ? movedByHour(db, seen, period) : movedByDay(db, seen, period)
}

function movedByHour(db: Queryable, seen: Fragment, { from, to }: Period): Promise<Moved[]> {
  return db<Moved[]>`
    select (extract(epoch from date_trunc('hour', m.at)) * 1000)::bigint as start, m.kind,
      sum(m.delta)::bigint as units
    from clients c cross join unnest(${flowKinds}::text[]) k(kind)
    join stock_movements m on m.client_id = c.id and m.kind = k.kind
      and m.at >= ${toTimestamp(from)} and m.at < ${toTimestamp(to)}
    where ${seen} group by 1, 2`
}

/** From the tallies, so that a month costs a row per client, kind and day. */
function movedByDay(db: Queryable, seen: Fragment, { from, to }: Period): Promise<Moved[]> {
  return db<Moved[]>`
    select (extract(epoch from t.day::timestamp at time zone 'Europe/Moscow') * 1000)::bigint as start,
      t.kind, sum(t.units)::bigint as units
    from clients c cross join unnest(${flowKinds}::text[]) k(kind)
    join movement_tallies t on t.client_id = c.id and t.kind = k.kind and t.span = 'day'
      and t.day between ${moscowDate(from)}::date and ${moscowDate(to - 1)}::date
    where ${seen} group by 1, 2`
}

function shortagesOf(db: Queryable, seen: Fragment, { from, to }: Period): Promise<ReasonCount[]> {
  return db<ReasonCount[]>`
    select coalesce(i.shortage_reason, 'OTHER') as reason,
      max(coalesce(s.label, 'Другая причина')) as label,
      sum(i.expected_qty - i.accepted_qty)::bigint as count
    from clients c
    join receipts r on r.client_id = c.id and r.status = 'RECEIVED_WITH_DISCREPANCY'
      and r.completed_at >= ${toTimestamp(from)} and r.completed_at < ${toTimestamp(to)}
      and r.cancelled_at is null
    join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
      and i.accepted_qty < i.expected_qty
    left join reasons s on s.kind = 'shortage' and s.code = i.shortage_reason
    where ${seen} group by 1 order by 3 desc, 1`
}

function missesOf(db: Queryable, seen: Fragment, { from, to }: Period): Promise<ReasonCount[]> {
  return db<ReasonCount[]>`
    select m.reason, max(coalesce(r.label, m.reason)) as label, sum(m.units)::bigint as count
    from clients c
    join pick_misses m on m.client_id = c.id
      and m.at >= ${toTimestamp(from)} and m.at < ${toTimestamp(to)}
    left join reasons r on r.kind = 'not_found' and r.code = m.reason
    where ${seen} group by m.reason order by 3 desc, 1`
}
