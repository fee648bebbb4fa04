import type { Queryable } from '../db/connection.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { talliesOf } from '../db/tallied-days.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { readMilestones, readOrderFigures } from './order-figures.ts'
import type { Period } from './period.ts'
import { periodBounds } from './period-bounds.ts'
import { type ReadStorage, readStorage } from './storage-now.ts'
import type { Metrics, ReasonCount } from './view.ts'

/**
 * The figures of a client for a period, all at one moment. Each group is one statement, and all
 * statements are sent without waiting for each other. Sums over many days come from tallies by day and by
 * month, so a year costs hardly more than two months.
 */
export function readMetrics(
  db: Queryable,
  clientId: string,
  period: Period,
  storageOf: ReadStorage = readStorage,
): Promise<Metrics> {
  // Planning takes as long as all else, and the plans are the same for every client and period.
  return inSnapshot(db, (tx) => readFigures(tx, clientId, period, storageOf), { planOnce: true })
}

async function readFigures(
  db: Queryable,
  clientId: string,
  period: Period,
  storageOf: ReadStorage,
): Promise<Metrics> {
  const [moved, storage, receiving, shortages, shipped, orders, misses, transitions, history] =
    await Promise.all([
      readUnitsMoved(db, clientId, period),
      storageOf(db, clientId),
      readReceiving(db, clientId, period),
      shortagesByReason(db, clientId, period),
      readShipped(db, clientId, period),
      readOrderFigures(db, clientId, period),
      missesByReason(db, clientId, period),
      readMilestones(db, clientId, period),
      historySince(db, clientId),
    ])
  const { cancelled, ...received } = receiving
  const byCurrentStatus = history === null || fromTimestamp(history) > period.from
  const milestones = byCurrentStatus ? orders : transitions
  return {
    period: { from: toTimestamp(period.from), to: toTimestamp(period.to) },
    funnel: {
      accepted: moved.acceptance,
      in_storage: storage.units,
      shipped: shipped.units,
      sorted_by_marketplace: milestones.sorted,
      delivered: milestones.delivered,
      by_current_status: byCurrentStatus,
    },
    storage: { ...storage, received: moved.acceptance, shipped: shipped.units },
    receiving: {
      ...received,
      fill_rate: fillRate(receiving),
      discrepancy_units: sum(shortages),
      shortages_by_reason: shortages,
    },
    shipments: {
      orders_total: orders.total,
      orders_by_status: orders.byStatus,
      shipments_closed: shipped.shipments,
      units_shipped: shipped.units,
      cancelled: orders.cancelled,
      not_found: sum(misses),
      not_found_by_reason: misses,
    },
    notes: notes(byCurrentStatus, moved, cancelled),
  }
}

function sum(counts: readonly ReasonCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function fillRate(totals: { expected_units: number; accepted_units: number }): number {
  if (totals.expected_units === 0) return 0
  return Math.min(1, totals.accepted_units / totals.expected_units)
}

function notes(byCurrentStatus: boolean, moved: UnitsMoved, cancelled: number): string[] {
  return [
    byCurrentStatus
      ? 'sorted_by_marketplace и delivered посчитаны по нынешнему статусу заказов, созданных в периоде: ' +
        'история переходов охватывает не весь период.'
      : 'sorted_by_marketplace и delivered посчитаны по переходам: заказ входит, если впервые получил ' +
        'такой статус внутри периода, когда бы ни был создан.',
    'Принято и отгружено — по времени движения в журнале склада и закрытия отгрузки; ' +
      'приёмки — по времени завершения; заказы — по времени создания на маркетплейсе.',
    ...(moved.return === 0 ? [] : [returnedNote(moved.return)]),
    ...correctionNotes(moved),
    ...(cancelled === 0 ? [] : [cancelledNote(cancelled)]),
  ]
}

function cancelledNote(receipts: number): string {
  return `Отменено приёмок за период: ${receipts}. Товар не приехал, и в показатели приёмки они не входят.`
}

function returnedNote(units: number): string {
  return (
    `Вернулось на склад за период единиц: ${units}. Они снова в остатке, как после корректировки; ` +
    'shipped и delivered от этого не уменьшаются.'
  )
}

/** What changed the stock of the period beside receipts and shipments, so that the sum comes out. */
function correctionNotes({ correction, write_off: writtenOff }: UnitsMoved): string[] {
  const changes = [
    ...(correction === 0
      ? []
      : [`корректировки ${correction > 0 ? '+' : '−'}${Math.abs(correction)}`]),
    ...(writtenOff === 0 ? [] : [`списано ${-writtenOff}`]),
  ]
  if (changes.length === 0) return []
  return [`Остаток за период изменили и сотрудники склада, единиц: ${changes.join(', ')}.`]
}

const countedKinds = ['acceptance', 'return', 'correction', 'write_off'] as const
type UnitsMoved = Readonly<Record<(typeof countedKinds)[number], number>>

/** Units that movements of the period added or, negative, took. */
async function readUnitsMoved(
  db: Queryable,
  clientId: string,
  period: Period,
): Promise<UnitsMoved> {
  const { start, end, firstDay, lastDay } = periodBounds(db, period)
  const ofClient = db`client_id = ${clientId} and kind = any(${[...countedKinds]}::text[])`
  const days = { first: firstDay, last: lastDay }
  const tallies = talliesOf(
    db,
    days,
    (within) => db`select kind, units from movement_tallies where ${ofClient} and ${within}`,
  )
  const rows = await db<{ kind: keyof UnitsMoved; units: number }[]>`
    select kind, sum(units)::bigint as units from (
      ${tallies}
      union all
      select kind, -delta from stock_movements
      where ${ofClient} and at >= ${firstDay}::timestamptz and at < ${start}
      union all
      select kind, -delta from stock_movements
      where ${ofClient} and at >= ${end} and at < (${lastDay} + 1)::timestamptz
    ) u group by kind`
  const none = { acceptance: 0, return: 0, correction: 0, write_off: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ kind, units }) => [kind, units])) }
}

interface ReceivingTotals {
  receipts: number
  expected_units: number
  accepted_units: number
  /** Cancelled receipts, which the other figures leave out. */
  cancelled: number
}

async function readReceiving(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
): Promise<ReceivingTotals> {
  const [row] = await db<[ReceivingTotals]>`
    select (count(*) filter (where cancelled_at is null))::int as receipts,
      coalesce(sum(expected_qty) filter (where cancelled_at is null), 0)::bigint as expected_units,
      coalesce(sum(accepted_qty), 0)::bigint as accepted_units,
      count(cancelled_at)::int as cancelled
    from receipts
    where client_id = ${clientId} and completed_at >= ${toTimestamp(from)}
      and completed_at < ${toTimestamp(to)}`
  return row
}

function shortagesByReason(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
): Promise<ReasonCount[]> {
  // Lines that have a reason are the short ones, which an index knows.
  return db<ReasonCount[]>`
    select i.reason, coalesce(s.label, 'Другая причина') as label, i.count from (
      select i.shortage_reason as reason, sum(i.expected_qty - i.accepted_qty)::bigint as count
      from receipts r
      join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
      where r.client_id = ${clientId} and r.status = 'RECEIVED_WITH_DISCREPANCY'
        and r.completed_at >= ${toTimestamp(from)} and r.completed_at < ${toTimestamp(to)}
        and r.cancelled_at is null and i.shortage_reason is not null
      group by 1
    ) i left join reasons s on s.kind = 'shortage' and s.code = i.reason
    order by i.count desc, i.reason`
}

async function readShipped(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
): Promise<{ shipments: number; units: number }> {
  const [row] = await db<[{ shipments: number; units: number }]>`
    select count(*)::int as shipments, coalesce(sum(units), 0)::bigint as units from seller_shipments
    where client_id = ${clientId} and closed_at >= ${toTimestamp(from)}
      and closed_at < ${toTimestamp(to)}`
  return row
}

function missesByReason(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
): Promise<ReasonCount[]> {
  return db<ReasonCount[]>`
    select m.reason, coalesce(r.label, m.reason) as label, m.count from (
      select reason, sum(units)::bigint as count from pick_misses
      where client_id = ${clientId} and at >= ${toTimestamp(from)} and at < ${toTimestamp(to)}
      group by reason
    ) m left join reasons r on r.kind = 'not_found' and r.code = m.reason
    order by m.count desc, m.reason`
}

/** The moment from which the history of all cabinets is complete; null: no cabinet has one. */
async function historySince(db: Queryable, clientId: string): Promise<Timestamp | null> {
  const [row] = await db<[{ since: Timestamp | null }]>`
    select max(history_since) as since from cabinets
    where client_id = ${clientId} and shipments <> 'observe' and not has_hidden_rows`
  return row.since
}
