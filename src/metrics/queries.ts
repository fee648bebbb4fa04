import type { Queryable } from '../db/connection.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { talliesOf } from '../db/tallied-days.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { readMilestones, readOrderFigures } from './order-figures.ts'
import type { Period } from './period.ts'
import { periodBounds } from './period-bounds.ts'
import { type ReadStorage, readStorage } from './storage-now.ts'
import type { Metrics, ReasonCount } from './view.ts'
import { readWarehouseFigures, type WarehouseFigures } from './warehouse-figures.ts'

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
  const [moved, storage, done, orders, transitions, history] = await Promise.all([
    readUnitsMoved(db, clientId, period),
    storageOf(db, clientId),
    readWarehouseFigures(db, clientId, period),
    readOrderFigures(db, clientId, period),
    readMilestones(db, clientId, period),
    historySince(db, clientId),
  ])
  const byCurrentStatus = history === null || fromTimestamp(history) > period.from
  const milestones = byCurrentStatus ? orders : transitions
  return {
    period: { from: toTimestamp(period.from), to: toTimestamp(period.to) },
    funnel: {
      accepted: moved.acceptance,
      in_storage: storage.units,
      shipped: done.shipped,
      sorted_by_marketplace: milestones.sorted,
      delivered: milestones.delivered,
      by_current_status: byCurrentStatus,
    },
    storage: { ...storage, received: moved.acceptance, shipped: done.shipped },
    receiving: {
      receipts: done.receipts,
      expected_units: done.expected,
      accepted_units: done.accepted,
      fill_rate: fillRate(done),
      discrepancy_units: sum(done.shortages),
      shortages_by_reason: done.shortages,
    },
    shipments: {
      orders_total: orders.total,
      orders_by_status: orders.byStatus,
      shipments_closed: done.shipments,
      units_shipped: done.shipped,
      cancelled: orders.cancelled,
      not_found: sum(done.notFound),
      not_found_by_reason: done.notFound,
    },
    notes: notes(byCurrentStatus, moved, done.cancelled),
  }
}

function sum(counts: readonly ReasonCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function fillRate({ expected, accepted }: WarehouseFigures): number {
  return expected === 0 ? 0 : Math.min(1, accepted / expected)
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

/** The moment from which the history of all cabinets is complete; null: no cabinet has one. */
async function historySince(db: Queryable, clientId: string): Promise<Timestamp | null> {
  const [row] = await db<[{ since: Timestamp | null }]>`
    select max(history_since) as since from cabinets
    where client_id = ${clientId} and shipments <> 'observe' and not has_hidden_rows`
  return row.since
}
