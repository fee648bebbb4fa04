import type { Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { startHistory } from '../clients/cabinets.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { recordHistory } from './change.ts'
import type { OrderDraft, OrderLineDraft } from './draft.ts'
import { insertFacts } from './facts.ts'
import { updateReportedGoods } from './goods.ts'
import { insertLines, type StoredLine } from './lines.ts'
import { lockOrderBook } from './lock.ts'
import { applyReadings } from './readings.ts'
import { orderStatus, type StatusReading } from './state.ts'

export interface Intake {
  readonly added: number
  /** Known orders whose status, raw status pair or goods changed. */
  readonly changed: number
}

/**
 * Takes orders of one cabinet in: adds unknown orders and updates known ones. Goods that differ from
 * the stored ones replace them only if `goodsLead`: set it for what a marketplace reports.
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
  const known = latest.filter(({ externalId }) => !added.has(externalId))
  const withOtherGoods = await updateReportedGoods(work, clientId, cabinetId, known, goodsLead)
  const reported = known.flatMap(({ externalId, reading }) =>
    reading === undefined ? [] : [{ externalId, reading }],
  )
  const withOtherStatus = await applyReadings(work, clientId, cabinetId, reported)
  return { added: added.size, changed: new Set([...withOtherGoods, ...withOtherStatus]).size }
}

interface OpenedCabinet {
  readonly id: string
  readonly marketplace: Marketplace
  readonly history_since: Timestamp
  readonly observed: boolean
  readonly deadline_hours: number | null
}

async function openCabinet(work: Work, clientId: string, id: string): Promise<OpenedCabinet> {
  await startHistory(work, clientId, id)
  const [cabinet] = await work.tx<OpenedCabinet[]>`
    select id, marketplace, history_since, deadline_hours, shipments = 'observe' as observed
    from cabinets
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
  // Orders of one moment go by their ids: ids that grow keep the order in which they came.
  const grown = drafts.map(() => newId()).sort()
  const rows = drafts.map((draft, n) => ({
    id: grown[n] ?? newId(),
    ...newRow(work, cabinet, draft),
  }))
  const inserted = await tx<{ id: string; external_id: string }[]>`
    insert into orders (client_id, cabinet_id, marketplace, id, external_id, status,
      marketplace_status, supplier_status, buyer_status, status_changed_at, sorted, delivered,
      sorted_at, delivered_at, article, barcode, nm_id, is_b2b, created_at, synced_at,
      remote_warehouse_id, deadline_at, announced_status, observed)
    select ${clientId}, ${cabinet.id}, ${cabinet.marketplace}, d.id, d.external_id, d.status,
      d.marketplace_status, d.supplier_status, d.buyer_status, d.status_changed_at, d.sorted,
      d.delivered, d.sorted_at, d.delivered_at, d.article, d.barcode, d.nm_id, d.is_b2b,
      d.created_at, d.synced_at, d.remote_warehouse_id,
      coalesce(d.reported_deadline_at, deadline_by_rule(d.created_at, ${cabinet.deadline_hours})),
      d.status, ${cabinet.observed}
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (id uuid, external_id text, status text, marketplace_status text, supplier_status text,
       buyer_status text, status_changed_at timestamptz, sorted boolean, delivered boolean,
       sorted_at timestamptz, delivered_at timestamptz, article text, barcode text, nm_id bigint,
       is_b2b boolean, created_at timestamptz, synced_at timestamptz, remote_warehouse_id text,
       reported_deadline_at timestamptz)
    on conflict (client_id, cabinet_id, external_id) do nothing
    returning id, external_id`
  const ids = new Map(inserted.map((row) => [row.external_id, row.id]))
  const added = drafts.flatMap(({ externalId, lines, facts = {} }) => {
    const orderId = ids.get(externalId)
    return orderId === undefined ? [] : [{ orderId, lines: lines.map(newLine), facts }]
  })
  await insertLines(work, clientId, added)
  await insertFacts(work, clientId, added)
  await recordHistory(
    work,
    clientId,
    rows.filter((row) => ids.has(row.external_id)),
  )
  return new Set(ids.keys())
}

/** The status of an order for which the marketplace has reported none. */
const unreported: StatusReading = { status: 'NEW', sorted: false, delivered: false }

function newRow(work: Work, cabinet: OpenedCabinet, draft: OrderDraft) {
  const { reading = unreported } = draft
  const reportedAt = draft.reading === undefined ? null : work.at
  // Nobody saw when an order from before the history entered its status.
  const isSeen = draft.createdAt >= fromTimestamp(cabinet.history_since)
  const [first] = draft.lines
  return {
    external_id: draft.externalId,
    status: orderStatus(reading.status, 'none'),
    marketplace_status: reading.status,
    supplier_status: reading.supplier ?? null,
    buyer_status: reading.buyer ?? null,
    status_changed_at: reportedAt,
    sorted: reading.sorted,
    delivered: reading.delivered,
    sorted_at: isSeen && reading.sorted ? work.at : null,
    delivered_at: isSeen && reading.delivered ? work.at : null,
    article: first?.article ?? null,
    barcode: first?.barcode ?? null,
    nm_id: draft.nmId ?? null,
    is_b2b: draft.isB2b,
    created_at: toTimestamp(draft.createdAt),
    synced_at: reportedAt,
    remote_warehouse_id: draft.facts?.warehouseId ?? null,
    reported_deadline_at: draft.facts?.deadline == null ? null : toTimestamp(draft.facts.deadline),
  }
}

function newLine(line: OrderLineDraft, index: number): StoredLine {
  return {
    line: index + 1,
    barcode: line.barcode ?? null,
    article: line.article ?? null,
    item_id: line.itemId ?? null,
    quantity: line.quantity,
    required_marks: line.requiredMarks ?? [],
    optional_marks: line.optionalMarks ?? [],
  }
}

/** Completes lines that have only an article with the barcode of the one product that has it. */
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
    where client_id = ${clientId} and article = any(${[...articles]}) and merged_into is null
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
