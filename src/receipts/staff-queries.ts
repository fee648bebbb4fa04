import type { Database, Queryable } from '../db/connection.ts'
import { clientsOf, newestOf } from '../db/newest-of-all.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { type ReceiptFilter, receiptColumns, receiptConditions } from './queries.ts'
import {
  type ReceiptScan,
  type ReceiptViewer,
  type ScanRow,
  type StaffItemRow,
  type StaffReceipt,
  type StaffReceiptRow,
  scanView,
  staffReceiptView,
} from './staff-view.ts'

/** Receipts of all clients, and their scans. */

/**
 * The client of a receipt that the viewer may know of. Throws not_found. A receipt is never hidden
 * again, so whoever has this answer needs not ask twice.
 */
export async function receiptOwner(
  db: Queryable,
  id: string,
  viewer: ReceiptViewer,
): Promise<string> {
  const [row] = isId(id)
    ? await db<{ client_id: string }[]>`
        select r.client_id from receipts r where r.id = ${id} ${shownTo(db, 'r', viewer)}`
    : []
  if (row === undefined) throw notFound('Приёмка не найдена')
  return row.client_id
}

function shownTo(db: Queryable, alias: string, { seesPending }: ReceiptViewer) {
  return seesPending ? db`` : db`and ${db(`${alias}.status`)} <> 'PENDING_CONFIRMATION'`
}

export interface StaffReceiptFilter extends ReceiptFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
}

function staffColumns(db: Queryable) {
  return db`${receiptColumns(db)}, r.client_id, r.cabinet_id, owner.name as client_name`
}

/** Receipts of one client or of all, newest first, without their lines. */
export async function listReceiptsOfAll(
  db: Database,
  { client_id: client, ...filter }: StaffReceiptFilter,
  viewer: ReceiptViewer,
  page: PageRequest,
): Promise<Page<StaffReceipt>> {
  if (client !== undefined && !isId(client)) return { items: [], total: 0, next: null }
  const where = db`true ${receiptConditions(db, 'x', filter)} ${shownTo(db, 'x', viewer)}`
  const total = db`
    select coalesce(sum(counted.receipts), 0)::bigint from ${clientsOf(db, client)}
    cross join lateral (
      select count(*) as receipts from receipts x where x.client_id = c.id and ${where}
    ) counted`
  const rows = await db<(StaffReceiptRow & { total: number })[]>`
    select ${staffColumns(db)}, (${total}) as total
    from (${newestOf(db, { client, table: 'receipts', where }, page)}) k
    join receipts r on r.client_id = k.client_id and r.id = k.id
    join clients owner on owner.id = r.client_id
    order by r.created_at desc, r.id desc`
  return pageOf(rows, page, {
    view: (row) => staffReceiptView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A receipt with its lines, read in one snapshot; undefined where the client has none of that id. */
export async function findStaffReceipt(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffReceipt | undefined> {
  const [row] = await db<(StaffReceiptRow & { items: StaffItemRow[] | null })[]>`
    select ${staffColumns(db)}, (
      select json_agg(json_build_object(
          'barcode', i.barcode, 'article', i.article, 'name', i.name,
          'honest_mark', i.honest_mark, 'card_honest_mark', p.honest_mark,
          'expected_qty', i.expected_qty, 'accepted_qty', i.accepted_qty,
          'shortage_reason', s.label
        ) order by i.line)
      from receipt_items i
      left join products p on p.client_id = i.client_id and p.barcode = i.barcode
      left join reasons s on s.kind = 'shortage' and s.code = i.shortage_reason
      where i.client_id = r.client_id and i.receipt_id = r.id
    ) as items
    from receipts r join clients owner on owner.id = r.client_id
    where r.client_id = ${clientId} and r.id = ${id}`
  return row === undefined ? undefined : staffReceiptView(row, row.items ?? [])
}

/** As findStaffReceipt, without the lines: what a verb changes in the receipt itself. */
export async function findReceiptHead(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffReceipt | undefined> {
  const [row] = await db<StaffReceiptRow[]>`
    select ${staffColumns(db)} from receipts r join clients owner on owner.id = r.client_id
    where r.client_id = ${clientId} and r.id = ${id}`
  return row === undefined ? undefined : staffReceiptView(row)
}

/** Rows of ScanRow, for scans s and whatever conditions follow. */
function scans(db: Queryable) {
  return db`
    select s.scan_id, s.barcode, i.name, s.quantity as qty,
      coalesce(m.code, s.mark) as marking_code, s.box_id, s.at, s.actor, s.undone_at, s.undone_by,
      i.expected_qty as expected, i.accepted_qty as accepted
    from receipt_scans s
    join receipt_items i on i.client_id = s.client_id and i.receipt_id = s.receipt_id
      and i.barcode = s.barcode
    left join marking_codes m on m.identity = s.mark and m.client_id = s.client_id`
}

/** One scan, undefined where the receipt has none of that id. */
export async function findScan(
  db: Queryable,
  clientId: string,
  receiptId: string,
  scanId: string,
): Promise<ReceiptScan | undefined> {
  const [row] = await db<ScanRow[]>`
    ${scans(db)}
    where s.client_id = ${clientId} and s.receipt_id = ${receiptId} and s.scan_id = ${scanId}`
  return row && scanView(row)
}

/** Scans of a receipt, the newest first, those taken back too. */
export async function listScans(
  db: Database,
  clientId: string,
  receiptId: string,
  page: PageRequest,
): Promise<Page<ReceiptScan>> {
  const total = db`
    select count(*) from receipt_scans
    where client_id = ${clientId} and receipt_id = ${receiptId}`
  const [at, scanId] = page.after?.map(String) ?? []
  const rows = await db<(ScanRow & { total: number })[]>`
    select listed.*, (${total}) as total from (
      ${scans(db)}
      where s.client_id = ${clientId} and s.receipt_id = ${receiptId}
        ${at === undefined || scanId === undefined ? db`` : db`and (s.at, s.scan_id) < (${at}::timestamptz, ${scanId})`}
      order by s.at desc, s.scan_id desc limit ${page.limit + 1}
    ) listed
    order by listed.at desc, listed.scan_id desc`
  return pageOf(rows, page, {
    view: scanView,
    position: (row) => [row.at, row.scan_id],
    count: () => countOf(db, total),
  })
}
