import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { type FigureRow, type FigureRows, ofSource, periodBounds } from './figure-rows.ts'
import { milestoneFigures, milestonesOf, orderFigures, orderFiguresOf } from './order-figures.ts'
import type { Period } from './period.ts'
import { storedNow, storedNowOf } from './stored-now.ts'
import { type UnitsMoved, unitsMoved, unitsMovedOf } from './units-moved.ts'
import type { Metrics, ReasonCount } from './view.ts'
import { type WarehouseFigures, warehouseFigures, warehouseFiguresOf } from './warehouse-figures.ts'

/**
 * The figures of a client for a period, all at one moment: one statement adds up what triggers keep. Sums over many
 * days come from tallies by day and by month, so a year costs hardly more than two months.
 */
export async function readMetrics(
  db: Queryable,
  clientId: string,
  period: Period,
): Promise<Metrics> {
  return metricsOf(period, await readFigures(db, clientId, period))
}

async function readFigures(db: Queryable, clientId: string, period: Period): Promise<FigureRows> {
  // Planning takes as long as all else, and the plan is the same for every client and period.
  return await db<FigureRow[]>`
    select f.source, f.name, f.detail, r.label, f.amount from (
      ${unitsMoved(db, clientId, period)}
      union all
      ${storedNow(db, clientId)}
      union all
      ${warehouseFigures(db, clientId, period)}
      union all
      ${orderFigures(db, clientId, period)}
      union all
      ${milestoneFigures(db, clientId, period)}
      union all
      ${historyCovers(db, clientId, period)}
    ) f
    left join reasons r on f.source = 'warehouse' and r.kind = f.name and r.code = f.detail
    order by f.amount desc, f.detail`.planOnce()
}

function metricsOf(period: Period, rows: FigureRows): Metrics {
  const moved = unitsMovedOf(rows)
  const storage = storedNowOf(rows)
  const done = warehouseFiguresOf(rows)
  const orders = orderFiguresOf(rows)
  const byCurrentStatus = ofSource(rows, 'history').length === 0
  const milestones = byCurrentStatus ? orders : milestonesOf(rows)
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
      : 'sorted_by_marketplace и delivered посчитаны по переходам внутри периода, когда бы заказ ни был создан: ' +
        'delivered — заказы, которые получил покупатель, sorted_by_marketplace — они же и впервые отсортированные.',
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

/** A row where the history of all cabinets is complete since the period began. */
function historyCovers(db: Queryable, clientId: string, period: Period): Fragment {
  const { start } = periodBounds(db, period)
  return db`
    select 'history' as source, 'covers' as name, '' as detail, 1::bigint as amount from cabinets
    where client_id = ${clientId} and shipments <> 'observe' and not has_hidden_rows
    having max(history_since) <= ${start}`
}
