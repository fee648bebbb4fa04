import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf, createdConditions } from '../../platform/db/lists/filter.ts'
import { afterPosition, filterOfPage } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { ClientId } from '../clients/list-conditions.ts'
import type { ReceiptStatus } from './state.ts'
import { type Receipt, type ReceiptItemRow, type ReceiptRow, receiptView } from './view.ts'

/** Receipts as a seller reads them. */

export interface ReceiptFilter {
  readonly status: ReceiptStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** The number on the papers, for staff. */
  readonly number?: string | undefined
  /** The seller's number of the document. */
  readonly external_ref?: string | undefined
}

/**
 * The columns of ReceiptRow. During counting accepted_qty is the sum of the lines, so that no scan updates the receipt's
 * row. Sellers see external_ref on receipts that came through the API only.
 */
export function receiptColumns(db: Tag) {
  return db`
    r.id, r.number, r.status, r.source, r.comment, r.planned_date::timestamptz as planned_date,
    case when r.source = 'api' then r.external_ref end as shown_ref, r.expected_qty,
    r.discrepancy_qty, r.created_at, r.confirmed_at, r.completed_at,
    case when r.status <> 'RECEIVING' then r.accepted_qty else (
      select coalesce(sum(i.accepted_qty), 0)::bigint from receipt_items i
      where i.client_id = r.client_id and i.receipt_id = r.id
    ) end as accepted_qty`
}

/**
 * The lines of the receipt r. A line for unlisted goods whose scans were all undone is not shown.
 */
export function linesOfReceipt(db: Tag) {
  return db`i.client_id = r.client_id and i.receipt_id = r.id
        and (i.expected_qty > 0 or i.accepted_qty > 0)`
}

/** The conditions of a filter on receipts named `alias`, without the client. */
export function receiptConditions(db: Queryable, alias: string, filter: ReceiptFilter) {
  return conditionsOf(db, filter, {
    status: (status) => db`${db(`${alias}.status`)} = ${status}`,
    number: (number) => db`${db(`${alias}.number`)} = ${number}`,
    external_ref: (reference) => db`${db(`${alias}.external_ref`)} = ${reference}`,
    ...createdConditions(db, alias),
  })
}

/** The conditions for a seller, who sees external_ref only on receipts that came through the API. */
function matches(db: Queryable, clientId: string, filter: ReceiptFilter) {
  return db`
    r.client_id = ${clientId} ${receiptConditions(db, 'r', filter)}
    ${filter.external_ref === undefined ? db`` : db`and r.source = 'api'`}`
}

/** The client's receipts, newest first, without their lines. */
export async function listReceipts(
  db: Database,
  clientId: string,
  filter: ReceiptFilter,
  page: PageRequest,
): Promise<Page<Receipt>> {
  const total = db`select count(*) from receipts r where ${matches(db, clientId, filter)}`
  const rows = await db<(ReceiptRow & { total: number })[]>`
    select ${receiptColumns(db)}, ${totalFor(db, total, page)} as total from receipts r
    where ${matches(db, clientId, filterOfPage(filter, page))} ${afterPosition(db, 'r', page.after)}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: (row) => receiptView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** The columns of ReceiptItemRow, of lines `i` of the receipt `r`. A line lacks units once its receipt is completed. */
export function lineColumns(db: Tag) {
  const shortage = db`case when r.completed_at is null then 0 else greatest(0, i.expected_qty - i.accepted_qty) end`
  return db`
    i.barcode, i.article, i.name, i.honest_mark, i.expected_qty, i.accepted_qty,
    ${shortage} as discrepancy_qty, case when ${shortage} > 0 then (
      select label from reasons where kind = 'shortage' and code = i.shortage_reason
    ) end as shortage_reason`
}

/** A receipt with its lines; undefined where the client has none with this id. */
export async function findReceipt(
  db: Tag,
  clientId: ClientId,
  id: string,
): Promise<Receipt | undefined> {
  const [row] = await db<RowWithLines[]>`
    select ${receiptColumns(db)}, ${linesColumn(db)}
    from receipts r where r.client_id = ${clientId} and r.id = ${id}`
  return row && withLines(row)
}

/** A receipt that the transaction has locked or written. */
export async function knownReceipt(db: Tag, clientId: ClientId, id: string): Promise<Receipt> {
  const receipt = await findReceipt(db, clientId, id)
  if (receipt === undefined) throw new Error(`receipt ${id} is gone`)
  return receipt
}

type RowWithLines = ReceiptRow & { readonly items: ReceiptItemRow[] | null }

function linesColumn(db: Tag) {
  return db`(
    select json_agg(l order by l.line, l.barcode)
    from (select ${lineColumns(db)}, i.line from receipt_items i where ${linesOfReceipt(db)}) l
  ) as items`
}

/** Receipts with their lines, by id, in one snapshot; each is named with its client. */
export async function findReceipts(
  db: Tag,
  wanted: readonly { readonly clientId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, Receipt>> {
  const rows = await db<RowWithLines[]>`
    select ${receiptColumns(db)}, ${linesColumn(db)}
    from unnest(${wanted.map(({ clientId }) => clientId)}::uuid[], ${wanted.map(({ id }) => id)}::uuid[])
      as w (client_id, id)
    cross join lateral (
      select * from receipts where client_id = w.client_id and id = w.id offset 0
    ) r`
  return new Map(rows.map((row) => [row.id, withLines(row)]))
}

function withLines({ items, ...row }: RowWithLines): Receipt {
  return receiptView(row, items ?? [])
}
