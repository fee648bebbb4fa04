import type { ClientId } from '../clients/client-id.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { conditionsOf, createdConditions } from '../db/filter.ts'
import { newestAcrossClients } from '../db/newest-across-clients.ts'
import { afterPosition } from '../db/newest-first.ts'
import { ownerLookup } from '../db/owner-lookup.ts'
import { countOf, emptyPage, type Page, type PageRequest, pageOf, totalFor } from '../db/page.ts'
import type { Tag } from '../db/tag.ts'
import { isId } from '../kernel/ids.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { openReceiptStatuses, type ReceiptStatus } from './state.ts'
import {
  type OtherAnnouncements,
  type Receipt,
  type ReceiptItemRow,
  type ReceiptRow,
  receiptView,
  type StaffItemRow,
  type StaffReceipt,
  type StaffReceiptRow,
  staffReceiptView,
} from './view.ts'

/** Receipts as a seller reads them, then as staff do. */

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
 * During counting accepted_qty is the sum of the lines, so that no scan updates the receipt's row.
 */
function receiptColumns(db: Tag) {
  return db`
    r.id, r.number, r.status, r.source, r.external_ref, r.comment, r.planned_date,
    r.expected_qty, r.discrepancy_qty, r.created_at, r.confirmed_at, r.completed_at,
    case when r.status <> 'RECEIVING' then r.accepted_qty else (
      select coalesce(sum(i.accepted_qty), 0)::bigint from receipt_items i
      where i.client_id = r.client_id and i.receipt_id = r.id
    ) end as accepted_qty`
}

/**
 * The lines of the receipt r. A line for unlisted goods whose scans were all undone is not shown.
 */
function linesOf(db: Tag) {
  return db`i.client_id = r.client_id and i.receipt_id = r.id
        and (i.expected_qty > 0 or i.accepted_qty > 0)`
}

/** The conditions of a filter on receipts named `alias`, without the client. */
function receiptConditions(db: Queryable, alias: string, filter: ReceiptFilter) {
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
    select ${receiptColumns(db)}, (${total}) as total from receipts r
    where ${matches(db, clientId, filter)} ${afterPosition(db, 'r', page.after)}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: (row) => receiptView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

type RowWithLines = ReceiptRow & { readonly items: ReceiptItemRow[] | null }

/** Selects rows with their lines from receipts `r`. */
function columnsWithLines(db: Tag) {
  return db`${receiptColumns(db)}, (
      select json_agg(json_build_object(
          'barcode', i.barcode, 'article', i.article, 'name', i.name,
          'honest_mark', i.honest_mark, 'expected_qty', i.expected_qty,
          'accepted_qty', i.accepted_qty, 'shortage_reason', s.label
        ) order by i.line, i.barcode)
      from receipt_items i
      left join reasons s on s.kind = 'shortage' and s.code = i.shortage_reason
      where ${linesOf(db)}
    ) as items`
}

/** A receipt with its lines, in one snapshot; undefined where the client has none with this id. */
export async function findReceipt(
  db: Tag,
  clientId: ClientId,
  id: string,
): Promise<Receipt | undefined> {
  const [row] = await db<RowWithLines[]>`
    select ${columnsWithLines(db)}
    from receipts r where r.client_id = ${clientId} and r.id = ${id}`
  return row && withLines(row)
}

/** Receipts with their lines, by id, in one snapshot; each is named with its client. */
export async function findReceipts(
  db: Tag,
  wanted: readonly { readonly clientId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, Receipt>> {
  const rows = await db<RowWithLines[]>`
    select ${columnsWithLines(db)}
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

export interface ReceiptViewer {
  /** Workers do not see requests that wait for confirmation. */
  readonly seesPending: boolean
}

/**
 * The client of a receipt that the viewer may see. A receipt stays visible, so the answer holds for
 * the whole request. Throws not_found.
 */
export function receiptOwner(
  db: Database,
  id: string,
  { seesPending }: ReceiptViewer,
): Promise<string> {
  return seesPending ? ownerOfReceipt(db, id) : ownerOfShownReceipt(db, id)
}

const unknownReceipt = 'Приёмка не найдена'
const ownerOfReceipt = ownerLookup('receipts', unknownReceipt)
const ownerOfShownReceipt = ownerLookup(
  'receipts',
  unknownReceipt,
  (db) => db`status <> 'PENDING_CONFIRMATION'`,
)

function shownTo(db: Queryable, alias: string, { seesPending }: ReceiptViewer) {
  return seesPending ? db`` : db`and ${db(`${alias}.status`)} <> 'PENDING_CONFIRMATION'`
}

export const receiptApprovals = ['waiting', 'approved'] as const
export type ReceiptApproval = (typeof receiptApprovals)[number]

export interface StaffReceiptFilter extends ReceiptFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  /** Receipts without a document only. */
  readonly approval: ReceiptApproval | undefined
}

function staffColumns(db: Queryable) {
  return db`${receiptColumns(db)}, r.client_id, r.cabinet_id, owner.name as client_name,
    r.walk_in, r.approved_at, r.cancelled_at, r.cancel_comment`
}

function approvalCondition(db: Queryable, approval: ReceiptApproval) {
  return approval === 'waiting'
    ? db`(x.walk_in and x.approved_at is null)`
    : db`x.approved_at is not null`
}

/** Receipts of one client or of all, newest first, without their lines. */
export async function listReceiptsOfAll(
  db: Database,
  { client_id: client, warehouses, approval, ...filter }: StaffReceiptFilter,
  viewer: ReceiptViewer,
  page: PageRequest,
): Promise<Page<StaffReceipt>> {
  if (client !== undefined && !isId(client)) return emptyPage
  const where = db`true ${receiptConditions(db, 'x', filter)} ${shownTo(db, 'x', viewer)}
    ${conditionsOf(db, { approval }, { approval: (wanted) => approvalCondition(db, wanted) })}`
  const total = db`
    select coalesce(sum(counted.receipts), 0)::bigint from ${clientsOf(db, client, warehouses)}
    cross join lateral (
      select count(*) as receipts from receipts x where x.client_id = c.id and ${where}
    ) counted`
  const rows = await db<(StaffReceiptRow & { total: number })[]>`
    select ${staffColumns(db)}, ${totalFor(db, total, page)} as total
    from (${newestAcrossClients(db, { clients: clientsOf(db, client, warehouses), table: 'receipts', where }, page)}) k
    join receipts r on r.client_id = k.client_id and r.id = k.id
    join clients owner on owner.id = r.client_id
    order by r.created_at desc, r.id desc`
  return pageOf(rows, page, {
    view: (row) => staffReceiptView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

interface AnnouncedTwice {
  also_expected_in: OtherAnnouncements | null
}

/**
 * A receipt with its lines, in one snapshot; undefined where the client has none with this id. The lines
 * of an open receipt name the other open receipts of the client that announce the same goods.
 */
export async function findStaffReceipt(
  db: Queryable,
  clientId: string,
  id: string,
  viewer: ReceiptViewer,
): Promise<StaffReceipt | undefined> {
  const [row] = await db<(StaffReceiptRow & { items: StaffItemRow[] | null } & AnnouncedTwice)[]>`
    select ${staffColumns(db)}, (
      select json_agg(json_build_object(
          'barcode', i.barcode, 'article', i.article, 'name', i.name,
          'honest_mark', i.honest_mark, 'card_honest_mark', p.honest_mark,
          'expected_qty', i.expected_qty, 'accepted_qty', i.accepted_qty,
          'shortage_reason', s.label
        ) order by i.line, i.barcode)
      from receipt_items i
      left join products p on p.client_id = i.client_id and p.barcode = i.barcode
      left join reasons s on s.kind = 'shortage' and s.code = i.shortage_reason
      where ${linesOf(db)}
    ) as items, ${alsoAnnounced(db, viewer)}
    from receipts r join clients owner on owner.id = r.client_id
    where r.client_id = ${clientId} and r.id = ${id}`
  return row === undefined
    ? undefined
    : staffReceiptView(row, row.items ?? [], row.also_expected_in ?? {})
}

/**
 * The open receipts, beside the open receipt r, that announce goods of r: a JSON object by barcode. It reads
 * the lines of all open receipts of the client once; a look-up per line would read them as often as r has lines.
 */
function alsoAnnounced(db: Queryable, viewer: ReceiptViewer) {
  const open = [...openReceiptStatuses]
  return db`(
    with mine as materialized (
      select barcode from receipt_items
      where client_id = r.client_id and receipt_id = r.id and expected_qty > 0
        and r.status = any(${open})
    ), announced as materialized (
      select its.barcode, json_agg(json_build_object('id', x.id, 'number', x.number,
        'status', x.status, 'expected_qty', its.expected_qty) order by x.created_at, x.id) as receipts
      from receipts x
      cross join lateral (
        select i.barcode, i.expected_qty from receipt_items i
        where i.client_id = x.client_id and i.receipt_id = x.id and i.expected_qty > 0 offset 0
      ) its
      where x.client_id = r.client_id and x.id <> r.id and x.status = any(${open})
        and r.status = any(${open}) ${shownTo(db, 'x', viewer)}
      group by its.barcode
    )
    select json_object_agg(barcode, receipts) from mine join announced using (barcode)
  ) as also_expected_in`
}

/** findStaffReceipt without the lines, for the journal of changes. */
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
