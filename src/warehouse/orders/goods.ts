import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { readGoodsBarcode, spellingsOf } from '../../platform/kernel/codes/goods-barcode.ts'
import { addOtherBarcode } from '../catalogue/other-barcodes.ts'
import type { Goods } from '../catalogue/pictures.ts'
import { type BarcodeRank, rankBarcodes } from '../stock/nearest-barcode.ts'
import { changeShownGoods, showFirstBarcodes } from './change.ts'
import type { OrderDraft, OrderLineDraft } from './draft.ts'
import { latestFacts, updateFacts } from './facts.ts'
import {
  changeLineBarcodes,
  type LineBarcode,
  type LinesOfOrder,
  replaceLines,
  type StoredLine,
  storedLines,
} from './lines.ts'
import { isReportedLater, type LockedOrder, lockOrderBook, lockOrdersOfCabinet } from './lock.ts'
import { reconcileLines } from './reconcile-lines.ts'
import { isTerminal } from './state.ts'

/**
 * Updates the goods of known orders from a later report. Lines get what they lack: an order may
 * arrive before its barcode is known, and nobody can collect such a line. Other goods or quantities
 * (OZON splits a posting) replace the stored ones only if `goodsLead`, and only until the order is in
 * a shipment made here, has left, or is terminal. Returns the numbers of the orders that changed.
 */
export async function updateReportedGoods(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
  goodsLead: boolean,
): Promise<string[]> {
  if (drafts.length === 0) return []
  const reported = new Map(drafts.map((draft) => [draft.externalId, draft]))
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...reported.keys()])
  const stored = await storedLines(
    work,
    clientId,
    orders.map(({ id }) => id),
  )
  const rank = goodsLead ? await rankAll(work, clientId, stored, drafts) : () => 0
  const changed: (LinesOfOrder & { readonly externalId: string })[] = []
  const shown = orders.flatMap((order) => {
    const { id, external_id: externalId } = order
    const draft = reported.get(externalId)
    if (draft === undefined) return []
    const before = stored.get(id) ?? []
    const mayChange = goodsLead && mayChangeGoods(work, order)
    const isLate = isReportedLater(work, order)
    const given = isLate ? draft.lines.map(withoutMarks) : draft.lines
    const lines = reconcileLines(before, given, { mayChange, rank })
    if (lines !== undefined) changed.push({ orderId: id, externalId, lines })
    const [first] = lines ?? before
    const { article = null, barcode = null } = first ?? {}
    return { id, article, barcode, nm_id: draft.nmId ?? null, is_b2b: draft.isB2b }
  })
  await replaceLines(work, clientId, changed)
  await updateFacts(work, clientId, latestFacts(work, orders, reported))
  const changedNumbers = await changeShownGoods(work, clientId, shown)
  return [...new Set([...changed.map(({ externalId }) => externalId), ...changedNumbers])]
}

/** Marks change with every report, so that an older report must not bring old ones back. */
function withoutMarks({ requiredMarks: _, optionalMarks: __, ...line }: OrderLineDraft) {
  return line
}

function mayChangeGoods(work: Work, order: LockedOrder): boolean {
  const isOutside = order.phase === 'none' || order.phase === 'mirrored-open'
  return isOutside && !isTerminal(order.status) && !isReportedLater(work, order)
}

/** Ranks the stored and the reported barcodes. */
function rankAll(
  { tx }: Work,
  clientId: string,
  stored: ReadonlyMap<string, readonly StoredLine[]>,
  drafts: readonly OrderDraft[],
): Promise<BarcodeRank> {
  const lines = [...[...stored.values()].flat(), ...drafts.flatMap((draft) => draft.lines)]
  const barcodes = new Set(lines.flatMap(({ barcode }) => barcode ?? []))
  return rankBarcodes(tx, clientId, [...barcodes])
}

/** A condition on orders o: this warehouse neither collects the order nor has handed it over, so its goods may still change. */
export function isOutsideWarehouse(db: Queryable) {
  return db`
    (o.shipment_id is null or exists (
      select from shipments s
      where s.client_id = o.client_id and s.id = o.shipment_id and s.mirrored and s.status = 'ASSEMBLING'))`
}

/** Gives lines the barcodes of their goods, unless this warehouse collects or has sent the order. */
export async function correctLineBarcodes(
  work: Work,
  clientId: string,
  barcodes: readonly LineBarcode[],
): Promise<void> {
  await lockOrderBook(work, clientId)
  const outside = await outsideAmong(work, clientId, [
    ...new Set(barcodes.map(({ orderId }) => orderId)),
  ])
  const changing = barcodes.filter(({ orderId }) => outside.has(orderId))
  await changeLineBarcodes(work, clientId, changing)
  const firsts = changing.flatMap(({ orderId, line }) => (line === 1 ? [orderId] : []))
  await showFirstBarcodes(work, clientId, firsts)
}

async function outsideAmong(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: string }[]>`
    select o.id from orders o
    where o.client_id = ${clientId} and o.id = any(${orderIds as string[]}::uuid[])
      and ${isOutsideWarehouse(tx)}
    order by o.id for update of o`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gives a product another barcode. Orders that wait under that barcode get the product: until now nobody could collect
 * them. Orders that come meanwhile wait for the lock, and then find it. Returns false where the product has the barcode.
 * Throws conflict.
 */
export async function nameGoodsAlso(work: Work, goods: Goods, other: string): Promise<boolean> {
  const { clientId, barcode } = goods
  await lockOrderBook(work, clientId)
  if (!(await addOtherBarcode(work, goods, other))) return false
  const lines = await work.tx<LineBarcode[]>`
    select l.order_id as "orderId", l.line, ${barcode}::text as barcode
    from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and ${isOutsideWarehouse(work.tx)}
      and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
      and l.barcode = any(${spellingsOf(readGoodsBarcode(other))})`
  if (lines.length > 0) await correctLineBarcodes(work, clientId, lines)
  return true
}
