import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { type BarcodeRank, rankBarcodes } from '../stock/barcodes.ts'
import { isOlder, type LockedOrder, lockOrderBook, lockOrdersOfCabinet } from './change.ts'
import { type KnownLine, toldAgain } from './told-goods.ts'
import type { OrderDraft, OrderLineDraft } from './verbs.ts'

/**
 * What is told again of the goods of known orders. Lines get what they lack: an order may come in
 * before anybody knows the barcode, and such a line can't be collected. Other goods or quantities, as
 * of a posting that was split, count where they lead, until the order is in a shipment that is made
 * here, or has left or ended. Answers the numbers of orders that are shown or collected otherwise now.
 */
export async function updateGoods(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
  goodsLead: boolean,
): Promise<string[]> {
  if (drafts.length === 0) return []
  const told = new Map(drafts.map((draft) => [draft.externalId, draft]))
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...told.keys()])
  const known = await readLines(work, clientId, orders)
  const rank = goodsLead ? await ranksAmong(work, clientId, known, drafts) : () => 0
  const changed: ChangedGoods[] = []
  const heads = orders.flatMap((order) => {
    const { id, external_id } = order
    const draft = told.get(external_id)
    if (draft === undefined) return []
    const before = known.get(id) ?? []
    const lines = toldAgain(before, draft.lines, {
      mayChange: goodsLead && mayChange(work, order),
      rank,
    })
    if (lines !== undefined) changed.push({ id, external_id, lines })
    const [first] = lines ?? before
    const { nmId: nm_id = null, isB2b: is_b2b } = draft
    return { id, article: first?.article, barcode: first?.barcode, nm_id, is_b2b }
  })
  await writeLines(work, clientId, changed)
  const rows = await work.tx<{ external_id: string }[]>`
    update orders o set article = coalesce(d.article, o.article), barcode = d.barcode,
      nm_id = coalesce(o.nm_id, d.nm_id), is_b2b = o.is_b2b or d.is_b2b
    from jsonb_to_recordset(${work.tx.json(heads)}) as d
      (id uuid, article text, barcode text, nm_id bigint, is_b2b boolean)
    where o.client_id = ${clientId} and o.id = d.id
      and (o.article, o.barcode, o.nm_id, o.is_b2b) is distinct from
        (coalesce(d.article, o.article), d.barcode, coalesce(o.nm_id, d.nm_id),
         o.is_b2b or d.is_b2b)
    returning o.external_id`
  return [...new Set([...changed, ...rows].map(({ external_id }) => external_id))]
}

function mayChange(work: Work, order: LockedOrder): boolean {
  const hasEnded = order.status === 'COMPLETED' || order.status === 'CANCELLED'
  return ['none', 'mirrored-open'].includes(order.phase) && !hasEnded && !isOlder(work, order)
}

/** Of the barcodes that orders have, and are told to have now. */
function ranksAmong(
  { tx }: Work,
  clientId: string,
  known: ReadonlyMap<string, readonly KnownLine[]>,
  drafts: readonly OrderDraft[],
): Promise<BarcodeRank> {
  const lines = [...[...known.values()].flat(), ...drafts.flatMap((draft) => draft.lines)]
  const barcodes = new Set(lines.flatMap(({ barcode }) => barcode ?? []))
  return rankBarcodes(tx, clientId, [...barcodes])
}

interface ChangedGoods {
  readonly id: string
  readonly external_id: string
  readonly lines: readonly KnownLine[]
}

async function readLines(
  { tx }: Work,
  clientId: string,
  orders: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly KnownLine[]>> {
  const lines = await tx<(KnownLine & { readonly order_id: string })[]>`
    select order_id, line, barcode, article, item_id, quantity from order_lines
    where client_id = ${clientId} and order_id = any(${orders.map(({ id }) => id)}::uuid[])
    order by order_id, line`
  return Map.groupBy(lines, ({ order_id }) => order_id)
}

async function writeLines(
  { tx }: Work,
  clientId: string,
  changed: readonly ChangedGoods[],
): Promise<void> {
  if (changed.length === 0) return
  const counts = changed.map(({ id, lines }) => ({ id, count: lines.length }))
  const rows = changed.flatMap(({ id, lines }) => lines.map((line) => ({ ...line, order_id: id })))
  await tx`
    delete from order_lines l using jsonb_to_recordset(${tx.json(counts)}) as d (id uuid, count int)
    where l.client_id = ${clientId} and l.order_id = d.id and l.line > d.count`
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity)
    select ${clientId}, d.*
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (order_id uuid, line integer, barcode text, article text, item_id bigint, quantity integer)
    on conflict (client_id, order_id, line) do update set barcode = excluded.barcode,
      article = excluded.article, item_id = excluded.item_id, quantity = excluded.quantity`
}

/** Of orders `o`: none that the warehouse collects, or has handed over. */
export function isUncollected(db: Queryable) {
  return db`
    (o.shipment_id is null or exists (
      select from shipments s where s.client_id = o.client_id and s.id = o.shipment_id
        and s.mirrored and s.status = 'ASSEMBLING'))`
}

export interface NamedLine {
  readonly orderId: string
  readonly line: number
  readonly barcode: string
}

/** Lines of orders that nobody collects here are for goods of another barcode than was thought. */
export async function renameGoods(
  work: Work,
  clientId: string,
  lines: readonly NamedLine[],
): Promise<void> {
  await lockOrderBook(work, clientId)
  const { tx } = work
  const rows = lines.map(({ orderId, line, barcode }) => ({ order_id: orderId, line, barcode }))
  const renamed = await tx<{ orderId: string; line: number }[]>`
    update order_lines l set barcode = n.barcode
    from jsonb_to_recordset(${tx.json(rows)}) as n (order_id uuid, line integer, barcode text)
    join orders o on o.client_id = ${clientId} and o.id = n.order_id and ${isUncollected(tx)}
    where l.client_id = ${clientId} and l.order_id = n.order_id and l.line = n.line
    returning l.order_id as "orderId", l.line`
  const firsts = renamed.flatMap(({ orderId, line }) => (line === 1 ? [orderId] : []))
  await tx`
    update orders o set barcode = l.barcode from order_lines l
    where o.client_id = ${clientId} and o.id = any(${firsts}::uuid[])
      and l.client_id = o.client_id and l.order_id = o.id and l.line = 1`
}

/** Lines that name their goods by article alone get the barcode, where one product only has it. */
export async function withBarcodesOfArticles(
  { tx }: Work,
  clientId: string,
  drafts: readonly OrderDraft[],
): Promise<OrderDraft[]> {
  const lines = drafts.flatMap((draft) => draft.lines)
  const articles = new Set(lines.flatMap((line) => articleAlone(line) ?? []))
  if (articles.size === 0) return [...drafts]
  const rows = await tx<{ article: string; barcode: string }[]>`
    select article, min(barcode) as barcode from products
    where client_id = ${clientId} and article = any(${[...articles]})
    group by article having count(*) = 1`
  const known = new Map(rows.map(({ article, barcode }) => [article, barcode]))
  const lineWith = (line: OrderLineDraft): OrderLineDraft => {
    const barcode = known.get(articleAlone(line) ?? '')
    return barcode === undefined ? line : { ...line, barcode }
  }
  return drafts.map((draft) => ({ ...draft, lines: draft.lines.map(lineWith) }))
}

function articleAlone({ barcode, article }: OrderLineDraft): string | undefined {
  return barcode === undefined && article !== '' ? article : undefined
}
