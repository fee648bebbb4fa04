import type { Database, Queryable } from '../../platform/db/connection.ts'
import { anyTime, conditionsOf } from '../../platform/db/lists/filter.ts'
import { byStatus, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { byClient, clientsOf } from '../clients/list-conditions.ts'
import {
  lineColumns,
  linesOfReceipt,
  type ReceiptFilter,
  receiptColumns,
  receiptConditions,
} from './queries.ts'
import { requestVersion } from './request-version.ts'
import { openReceiptStatuses, receiptStatuses } from './state.ts'
import {
  type OtherAnnouncements,
  type StaffItemRow,
  type StaffReceipt,
  type StaffReceiptRow,
  staffReceiptView,
} from './view.ts'

/** Receipts as staff read them. */

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

function shownTo(db: Queryable, { seesPending }: ReceiptViewer) {
  return seesPending ? db`` : db`and x.status <> 'PENDING_CONFIRMATION'`
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
  return db`${receiptColumns(db)}, r.external_ref, r.client_id, r.cabinet_id, owner.name as client_name,
    r.walk_in, r.approved_at, r.cancelled_at, r.cancel_comment, d.short_qty, d.surplus_qty,
    case when r.status = 'PENDING_CONFIRMATION' then ${requestVersion(db)} end as version`
}

/**
 * Receipts `r` with their clients, and what their lines lack or have too many of (`d`). Both are added up line by line,
 * so that they do not cancel out.
 */
function staffTables(db: Queryable) {
  return db`
    receipts r join clients owner on owner.id = r.client_id
    cross join lateral (
      select coalesce(sum(greatest(i.expected_qty - i.accepted_qty, 0)), 0)::bigint as short_qty,
        coalesce(sum(greatest(i.accepted_qty - i.expected_qty, 0)), 0)::bigint as surplus_qty
      from receipt_items i
      where i.client_id = r.client_id and i.receipt_id = r.id and not r.walk_in
        and r.status = 'RECEIVED_WITH_DISCREPANCY'
    ) d`
}

function approvalCondition(db: Queryable, approval: ReceiptApproval) {
  return approval === 'waiting'
    ? db`(x.walk_in and x.approved_at is null)`
    : db`x.approved_at is not null`
}

/** What staff list receipts by. By planned date stand those that have one. */
export const receiptSorts = ['created', 'planned', 'client', 'status'] as const

/** Receipts of one client or of all, without their lines. */
export async function listReceiptsOfAll(
  db: Database,
  {
    client_id: client,
    warehouses,
    approval,
    created_from,
    created_to,
    ...filter
  }: StaffReceiptFilter,
  viewer: ReceiptViewer,
  page: PageRequest,
): Promise<Page<StaffReceipt>> {
  if (!areIds(client)) return emptyPage
  const clients = clientsOf(db, client, warehouses)
  const matching = db`true ${receiptConditions(db, 'x', { ...filter, ...anyTime })} ${shownTo(db, viewer)}
    ${conditionsOf(db, { approval }, { approval: (wanted) => approvalCondition(db, wanted) })}`
  const orders = {
    created: { column: 'created_at' },
    planned: {
      column: 'planned_date',
      oneIndex: true,
      only: db`x.planned_date is not null`,
    },
    client: byClient(db, clients),
    status: byStatus(db, receiptStatuses),
  }
  const within = { from: created_from, to: created_to }
  const across = { clients, table: 'receipts', where: matching, within }
  const total = (where: Fragment) => db`
    select coalesce(sum(counted.receipts), 0)::bigint from ${clients}
    cross join lateral (
      select count(*) as receipts from receipts x where x.client_id = c.id and ${where}
    ) counted`
  const tables = db`(${staffTables(db)}) on r.client_id = k.client_id and r.id = k.id`
  const view = (row: StaffReceiptRow) => staffReceiptView(row)
  return pageInOrder(db, { across, orders, columns: staffColumns(db), tables, total, view }, page)
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
  type Row = StaffReceiptRow & { items: StaffItemRow[] | null } & AnnouncedTwice
  const [row] = await db<Row[]>`
    select ${staffColumns(db)}, (
      select json_agg(l order by l.line, l.barcode)
      from (
        select ${lineColumns(db)}, i.line, p.honest_mark as card_honest_mark, g.barcode is not null as asks_expiry
        from receipt_items i
        left join products p on p.client_id = i.client_id and p.barcode = i.barcode
        left join lot_goods g on g.client_id = i.client_id and g.barcode = i.barcode
        where ${linesOfReceipt(db)}
      ) l
    ) as items, ${alsoAnnounced(db, viewer)}
    from ${staffTables(db)}
    where r.client_id = ${clientId} and r.id = ${id}`
  return row && staffReceiptView(row, row.items ?? [], row.also_expected_in ?? {})
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
        and r.status = any(${open}) ${shownTo(db, viewer)}
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
    select ${staffColumns(db)} from ${staffTables(db)}
    where r.client_id = ${clientId} and r.id = ${id}`
  return row === undefined ? undefined : staffReceiptView(row)
}
