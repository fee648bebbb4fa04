import type { Database, Queryable } from '../../platform/db/connection.ts'
import { anyTime } from '../../platform/db/lists/filter.ts'
import { byStatus, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { directionOf } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
} from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { inSnapshot } from '../../platform/db/work.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { byClient, clientsOf, observedParts } from '../clients/list-conditions.ts'
import { staffOrdersOfShipment } from '../orders/staff-queries.ts'
import { type ShipmentFilter, shipmentColumns, shipmentConditions } from './queries.ts'
import { shippingMethodColumn } from './shipping-view.ts'
import { type StaffShipment, type StaffShipmentRow, staffShipmentView } from './staff-view.ts'
import { shipmentStatuses } from './state.ts'

/** The client that a shipment belongs to. Throws not_found. */
export const ownerOfShipment = ownerLookup('shipments', 'Отгрузка не найдена')

export interface StaffShipmentFilter extends ShipmentFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  /** Undefined: both those of observed cabinets and all others. */
  readonly observed: 'true' | 'false' | undefined
  /** Being assembled, with an order whose deadline is before this moment. */
  readonly deadline_to: Instant | undefined
}

/** The conditions of a filter on the shipments `x`, without the client. */
function staffConditions(
  db: Queryable,
  { client_id: _, warehouses: __, observed, deadline_to: to, ...filter }: StaffShipmentFilter,
) {
  const ofPart = observed === undefined ? db`true` : db`x.observed = ${observed}::boolean`
  // By the index of orders by shipment and deadline.
  const isDue =
    to === undefined
      ? db`true`
      : db`
        x.status = 'ASSEMBLING' and exists (
          select from orders d where d.client_id = x.client_id and d.shipment_id = x.id
            and d.status in ('NEW', 'ASSEMBLING') and d.deadline_at < ${toTimestamp(to)})`
  return db`${ofPart} and ${isDue} ${shipmentConditions(db, 'x', filter)}`
}

function staffColumns(db: Queryable) {
  return db`
    ${shipmentColumns(db)}, s.client_id,
    (select owner.name from clients owner where owner.id = s.client_id) as client_name,
    s.cabinet_id, s.observed, t.id as picking_task_id, coalesce((
      select sum(m.units) from shipment_shortages m
      where m.client_id = s.client_id and m.shipment_id = s.id), 0)::int as shortage_units, (
      select count(*)::int from pick_misses x
      join orders o on o.client_id = x.client_id and o.id = x.order_id and o.status <> 'CANCELLED'
      where x.client_id = s.client_id and x.task_id = t.id and x.outcome is null) as open_misses, (
      select min(o.deadline_at) from orders o
      where o.client_id = s.client_id and o.shipment_id = s.id
        and o.status in ('NEW', 'ASSEMBLING')) as deadline,
    ${shippingMethodColumn(db)} as shipping_method`
}

function staffTables(db: Queryable) {
  return db`
    shipments s
    left join picking_tasks t on t.client_id = s.client_id and t.shipment_id = s.id`
}

/** What staff list shipments by. By deadline stand those that are being assembled and have one. */
export const shipmentSorts = ['created', 'deadline', 'client', 'status'] as const

/** Shipments of one client or of all, without their orders. */
export async function listShipmentsOfAll(
  db: Database,
  filter: StaffShipmentFilter,
  page: PageRequest,
): Promise<Page<StaffShipment>> {
  const { client_id: client, warehouses, observed } = filter
  if (!areIds(client)) return emptyPage
  if (page.sort?.endsWith('deadline')) return listShipmentsByDeadline(db, filter, page)
  const where = staffConditions(db, { ...filter, ...anyTime })
  const within = { from: filter.created_from, to: filter.created_to }
  const parts = observedParts(db, observed)
  const clients = clientsOf(db, client, warehouses)
  const across = { clients, table: 'shipments', where, within, parts }
  const orders = {
    created: { column: 'created_at' },
    client: byClient(db, clients),
    status: byStatus(db, shipmentStatuses),
  }
  const tables = db`(${staffTables(db)}) on s.client_id = k.client_id and s.id = k.id`
  const view = (row: StaffShipmentRow) => staffShipmentView(row)
  return pageInOrder(db, { across, orders, columns: staffColumns(db), tables, view }, page)
}

/**
 * Shipments that are being assembled and have a deadline, by it. They are few, whatever the
 * history. One index has the shipments that have not ended; the first entry of its orders in another index is the
 * deadline of each. So no column and no trigger keeps it.
 */
async function listShipmentsByDeadline(
  db: Database,
  filter: StaffShipmentFilter,
  page: PageRequest,
): Promise<Page<StaffShipment>> {
  const { client_id: client, warehouses } = filter
  const due = db`
    select x.client_id, x.id, d.deadline_at
    from ${clientsOf(db, client, warehouses)} join shipments x on x.client_id = c.id
    cross join lateral (
      select o.deadline_at from orders o
      where o.client_id = x.client_id and o.shipment_id = x.id
        and o.status in ('NEW', 'ASSEMBLING') and o.deadline_at is not null
      order by o.deadline_at limit 1) d
    where x.status = 'ASSEMBLING' and ${staffConditions(db, filter)}`
  const total = db`select count(*) from (${due}) d`
  const { way, follows } = directionOf(db, page.sort === 'deadline')
  const [deadline = '', id] = (page.after ?? []).map(String)
  const after =
    id === undefined
      ? db`true`
      : db`(d.deadline_at, d.id) ${follows} (${deadline}::timestamptz, ${id}::uuid)`
  const rows = await db<(StaffShipmentRow & { total: number })[]>`
    select ${staffColumns(db)}, (${total}) as total
    from (select d.* from (${due}) d where ${after}
      order by d.deadline_at ${way}, d.id ${way} limit ${page.limit + 1}) k
    join (${staffTables(db)}) on s.client_id = k.client_id and s.id = k.id
    order by k.deadline_at ${way}, k.id ${way}`
  return pageOf(rows, page, {
    view: (row) => staffShipmentView(row),
    position: ({ deadline, id }) => [deadline ?? '', id],
    count: () => countOf(db, total),
  })
}

/** A shipment with its orders, or undefined where the client has none of that id. */
export async function findStaffShipment(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffShipment | undefined> {
  const [row, orders] = await inSnapshot(db, (tx) =>
    Promise.all([shipmentRow(tx, clientId, id), staffOrdersOfShipment(tx, clientId, id)]),
  )
  return row && staffShipmentView(row, orders)
}

/** A shipment without its orders, as lists show it. */
export async function findStaffShipmentSummary(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffShipment | undefined> {
  const row = await shipmentRow(db, clientId, id)
  return row && staffShipmentView(row)
}

async function shipmentRow(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffShipmentRow | undefined> {
  const [row] = await db<StaffShipmentRow[]>`
    select ${staffColumns(db)} from ${staffTables(db)}
    where s.client_id = ${clientId} and s.id = ${id}`
  return row
}
