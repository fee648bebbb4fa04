import type { Database, Queryable } from '../db/connection.ts'
import { afterPosition, createdWithin } from '../db/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import type { ReceiptStatus } from './state.ts'
import { type Receipt, type ReceiptItemRow, type ReceiptRow, receiptView } from './view.ts'

export interface ReceiptFilter {
  readonly status: ReceiptStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** Both are on the papers; staff look for them. */
  readonly number?: string | undefined
  readonly external_ref?: string | undefined
}

/** While counting goes on, the lines are the truth: no scan has to lock the receipt's own row. */
export function receiptColumns(db: Queryable) {
  return db`
    r.id, r.number, r.status, r.source, r.external_ref, r.comment, r.planned_date,
    r.expected_qty, r.discrepancy_qty, r.created_at, r.confirmed_at, r.completed_at,
    case when r.status <> 'RECEIVING' then r.accepted_qty else (
      select coalesce(sum(i.accepted_qty), 0)::bigint from receipt_items i
      where i.client_id = r.client_id and i.receipt_id = r.id
    ) end as accepted_qty`
}

/** What a filter asks of the receipts called `alias`, beside whose they are. */
export function receiptConditions(db: Queryable, alias: string, filter: ReceiptFilter) {
  const { status, number, external_ref: ref, created_from: from, created_to: to } = filter
  return db`
    ${status === undefined ? db`` : db`and ${db(`${alias}.status`)} = ${status}`}
    ${number === undefined ? db`` : db`and ${db(`${alias}.number`)} = ${number}`}
    ${ref === undefined ? db`` : db`and ${db(`${alias}.external_ref`)} = ${ref}`}
    ${createdWithin(db, alias, from, to)}`
}

function matches(db: Queryable, clientId: string, filter: ReceiptFilter) {
  return db`r.client_id = ${clientId} ${receiptConditions(db, 'r', filter)}`
}

/** Receipts, newest first, without their lines. */
export async function listReceipts(
  db: Database,
  clientId: string,
  filter: ReceiptFilter,
  page: PageRequest,
): Promise<Page<Receipt>> {
  const total = db`select count(*) from receipts r where ${matches(db, clientId, filter)}`
  const rows = await db<(ReceiptRow & { total: number })[]>`
    select ${receiptColumns(db)}, (${total}) as total from receipts r
    where ${matches(db, clientId, filter)} ${afterPosition(db, 'r', page.after)}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: (row) => receiptView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A receipt with its lines, read in one snapshot; undefined where the client has none of that id. */
export async function findReceipt(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Receipt | undefined> {
  const [row] = await db<(ReceiptRow & { items: ReceiptItemRow[] | null })[]>`
    select ${receiptColumns(db)}, (
      select json_agg(json_build_object(
          'barcode', i.barcode, 'article', i.article, 'name', i.name,
          'honest_mark', i.honest_mark, 'expected_qty', i.expected_qty,
          'accepted_qty', i.accepted_qty, 'shortage_reason', s.label
        ) order by i.line)
      from receipt_items i
      left join reasons s on s.kind = 'shortage' and s.code = i.shortage_reason
      where i.client_id = r.client_id and i.receipt_id = r.id
    ) as items
    from receipts r where r.client_id = ${clientId} and r.id = ${id}`
  return row === undefined ? undefined : receiptView(row, row.items ?? [])
}
