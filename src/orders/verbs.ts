import type { Marketplace } from '../clients/marketplace.ts'
import { startHistory } from '../clients/verbs.ts'
import type { Work } from '../db/work.ts'
import { notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { releaseUnits } from '../stock/ledger.ts'
import { returnMarksOfOrder } from '../stock/marking.ts'
import {
  changeOrders,
  isOlder,
  isTransition,
  type LockedOrder,
  lockOrderBook,
  lockOrdersOfCabinet,
  type OrderChange,
  type OrderPatch,
  recordHistory,
} from './change.ts'
import { updateGoods, withBarcodesOfArticles } from './goods.ts'
import { linesOf } from './lines.ts'
import { holdsReserve, isStepBack, orderStatus, type StatusReading } from './state.ts'

export interface OrderLineDraft {
  readonly barcode?: string
  readonly article?: string
  /** The marketplace's own number of the goods, by which a card tells the barcode. */
  readonly itemId?: number
  readonly quantity: number
}

/** An order as a marketplace, or a manager with its export, tells of it. */
export interface OrderDraft {
  /** Number in the marketplace cabinet: taking the same number in again updates, never doubles. */
  readonly externalId: string
  readonly createdAt: Instant
  readonly isB2b: boolean
  readonly nmId?: number
  /** At least one; the first line's goods are those that the order shows. */
  readonly lines: readonly OrderLineDraft[]
  /** Undefined where nobody told: an unknown order is new, a known one stays as it is. */
  readonly reading?: StatusReading | undefined
}

export interface Intake {
  readonly added: number
  /** Known orders whose status, raw pair or goods became others. */
  readonly changed: number
}

/**
 * Takes orders of one cabinet in: unknown ones are added, known ones get what is told of them. Other
 * goods than before count only where `goodsLead`, as the marketplace tells them.
 */
export async function takeInOrders(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
  goodsLead = false,
): Promise<Intake> {
  await lockOrderBook(work, clientId)
  const cabinet = await openCabinet(work, clientId, cabinetId)
  const last = [...new Map(drafts.map((draft) => [draft.externalId, draft])).values()]
  const latest = await withBarcodesOfArticles(work, clientId, last)
  const added = await insertOrders(work, clientId, cabinet, latest)
  const renamed = await updateGoods(
    work,
    clientId,
    cabinetId,
    latest.filter(({ externalId }) => !added.has(externalId)),
    goodsLead,
  )
  const readings = latest.flatMap(({ externalId, reading }) =>
    reading === undefined || added.has(externalId) ? [] : [{ externalId, reading }],
  )
  const moved = await applyTold(work, clientId, cabinetId, readings)
  return { added: added.size, changed: new Set([...renamed, ...moved]).size }
}

interface OpenedCabinet {
  readonly id: string
  readonly marketplace: Marketplace
  readonly history_since: Timestamp
}

async function openCabinet(work: Work, clientId: string, id: string): Promise<OpenedCabinet> {
  await startHistory(work, clientId, id)
  const [cabinet] = await work.tx<OpenedCabinet[]>`
    select id, marketplace, history_since from cabinets
    where client_id = ${clientId} and id = ${id}`
  if (cabinet === undefined) throw notFound('Кабинет не найден')
  return cabinet
}

async function insertOrders(
  work: Work,
  clientId: string,
  cabinet: OpenedCabinet,
  drafts: readonly OrderDraft[],
): Promise<ReadonlySet<string>> {
  const { tx } = work
  const rows = drafts.map((draft) => ({ id: newId(), ...orderColumnsOf(work, cabinet, draft) }))
  const inserted = await tx<{ id: string; external_id: string }[]>`
    insert into orders (client_id, cabinet_id, marketplace, id, external_id, status,
      marketplace_status, supplier_status, buyer_status, status_changed_at, sorted, delivered,
      sorted_at, delivered_at, article, barcode, nm_id, is_b2b, created_at, synced_at,
      announced_status)
    select ${clientId}, ${cabinet.id}, ${cabinet.marketplace}, d.*, d.status
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (id uuid, external_id text, status text, marketplace_status text, supplier_status text,
       buyer_status text, status_changed_at timestamptz, sorted boolean, delivered boolean,
       sorted_at timestamptz, delivered_at timestamptz, article text, barcode text, nm_id bigint,
       is_b2b boolean, created_at timestamptz, synced_at timestamptz)
    on conflict (client_id, cabinet_id, external_id) do nothing
    returning id, external_id`
  const ids = new Map(inserted.map((row) => [row.external_id, row.id]))
  const lines = drafts.flatMap((draft) => linesOfDraft(draft, ids.get(draft.externalId)))
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity)
    select ${clientId}, l.*
    from jsonb_to_recordset(${tx.json(lines)}) as l
      (order_id uuid, line integer, barcode text, article text, item_id bigint, quantity integer)`
  const fresh = rows.filter((row) => ids.get(row.external_id) === row.id)
  await recordHistory(work, clientId, fresh)
  return new Set(ids.keys())
}

/** An order of which no marketplace has said anything. */
const untold: StatusReading = { status: 'NEW', sorted: false, delivered: false }

function orderColumnsOf(work: Work, cabinet: OpenedCabinet, draft: OrderDraft) {
  const { reading = untold } = draft
  const toldAt = draft.reading === undefined ? null : work.at
  // When an order from before the history entered its status, nobody saw.
  const seen = draft.createdAt >= fromTimestamp(cabinet.history_since)
  const first = draft.lines[0]
  return {
    external_id: draft.externalId,
    status: orderStatus(reading.status, 'none'),
    marketplace_status: reading.status,
    supplier_status: reading.supplier ?? null,
    buyer_status: reading.buyer ?? null,
    status_changed_at: toldAt,
    sorted: reading.sorted,
    delivered: reading.delivered,
    sorted_at: seen && reading.sorted ? work.at : null,
    delivered_at: seen && reading.delivered ? work.at : null,
    article: first?.article ?? null,
    barcode: first?.barcode ?? null,
    nm_id: draft.nmId ?? null,
    is_b2b: draft.isB2b,
    created_at: toTimestamp(draft.createdAt),
    synced_at: toldAt,
  }
}

function linesOfDraft(draft: OrderDraft, orderId: string | undefined) {
  if (orderId === undefined) return []
  return draft.lines.map((line, index) => ({
    order_id: orderId,
    line: index + 1,
    barcode: line.barcode ?? null,
    article: line.article ?? null,
    item_id: line.itemId ?? null,
    quantity: line.quantity,
  }))
}

export interface ToldStatus {
  readonly externalId: string
  readonly reading: StatusReading
}

/**
 * What a marketplace says of known orders, as of the work's moment; an answer older than the last is
 * ignored, unknown numbers are passed over. A cancelled order gives its reserved units back.
 * Returns how many orders have another status or raw pair now.
 */
export async function applyReadings(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: readonly ToldStatus[],
): Promise<number> {
  return (await applyTold(work, clientId, cabinetId, told)).length
}

/** As applyReadings; answers the numbers of those orders. */
async function applyTold(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: readonly ToldStatus[],
): Promise<string[]> {
  if (told.length === 0) return []
  await lockOrderBook(work, clientId)
  const readings = new Map(told.map(({ externalId, reading }) => [externalId, reading]))
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...readings.keys()])
  const changes: OrderChange[] = []
  for (const order of orders) {
    const reading = readings.get(order.external_id)
    if (reading !== undefined && !isOlder(work, order)) {
      changes.push({ order, patch: patchOf(work, order, reading) })
    }
  }
  await changeOrders(work, clientId, changes)
  await releaseCancelled(work, clientId, changes)
  return changes.filter(isTransition).map(({ order }) => order.external_id)
}

function patchOf(work: Work, order: LockedOrder, reading: StatusReading): OrderPatch {
  const supplier = reading.supplier ?? null
  const buyer = reading.buyer ?? null
  const same = supplier === order.supplier_status && buyer === order.buyer_status
  const told = {
    supplier_status: supplier,
    buyer_status: buyer,
    status_changed_at: same ? order.status_changed_at : work.at,
    synced_at: work.at,
  }
  // The pair is shown as it was told; what had come about before stays so.
  if (isStepBack(order.marketplace_status, reading.status)) return told
  return {
    ...told,
    status: orderStatus(reading.status, order.phase),
    marketplace_status: reading.status,
    sorted: reading.sorted,
    delivered: reading.delivered,
    sorted_at: order.sorted_at ?? (reading.sorted && !order.sorted ? work.at : null),
    delivered_at: order.delivered_at ?? (reading.delivered && !order.delivered ? work.at : null),
  }
}

async function releaseCancelled(
  work: Work,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<void> {
  const cancelled = changes.filter(
    ({ order, patch }) =>
      holdsReserve(order.status, order.phase) &&
      !holdsReserve(patch.status ?? order.status, order.phase),
  )
  const ids = cancelled.map(({ order }) => order.id)
  if (ids.length === 0) return
  for (const id of ids) await returnMarksOfOrder(work, clientId, id)
  await releaseUnits(work, clientId, await linesOf(work, clientId, ids))
}
