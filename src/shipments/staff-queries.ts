import { clientsOf, observedParts } from '../clients/list-conditions.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { newestAcrossClients } from '../db/newest-across-clients.ts'
import { ownerLookup } from '../db/owner-lookup.ts'
import { countOf, emptyPage, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { isId } from '../kernel/ids.ts'
import { staffOrdersOfShipment } from '../orders/staff-queries.ts'
import { type ShipmentFilter, shipmentColumns, shipmentConditions } from './queries.ts'
import { shippingMethodColumn } from './shipping-view.ts'
import { type StaffShipment, type StaffShipmentRow, staffShipmentView } from './staff-view.ts'

/** The client that a shipment belongs to. Throws not_found. */
export const ownerOfShipment = ownerLookup('shipments', 'Отгрузка не найдена')

export interface StaffShipmentFilter extends ShipmentFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Undefined: both those of observed cabinets and all others. */
  readonly observed: 'true' | 'false' | undefined
}

function staffColumns(db: Queryable) {
  return db`
    ${shipmentColumns(db)}, s.client_id, s.cabinet_id, s.observed, t.id as picking_task_id, coalesce((
      select sum(m.units) from shipment_shortages m
      where m.client_id = s.client_id and m.shipment_id = s.id), 0)::int as shortage_units, (
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

/** Shipments of one client or of all, newest first, without their orders. */
export async function listShipmentsOfAll(
  db: Database,
  { client_id: client, observed, ...filter }: StaffShipmentFilter,
  page: PageRequest,
): Promise<Page<StaffShipment>> {
  if (client !== undefined && !isId(client)) return emptyPage
  const where = db`true ${shipmentConditions(db, 'x', filter)}`
  const parts = observedParts(db, observed)
  const ofPart = observed === undefined ? db`true` : db`x.observed = ${observed}::boolean`
  const total = db`
    select count(*) from ${clientsOf(db, client)}
    join shipments x on x.client_id = c.id where ${ofPart} and ${where}`
  const rows = await db<(StaffShipmentRow & { total: number })[]>`
    select ${staffColumns(db)}, (${total}) as total
    from (${newestAcrossClients(db, { clients: clientsOf(db, client), table: 'shipments', where, parts }, page)}) k
    join (${staffTables(db)}) on s.client_id = k.client_id and s.id = k.id
    order by k.created_at desc, k.id desc`
  return pageOf(rows, page, {
    view: (row) => staffShipmentView(row),
    position: (row) => [row.created_at, row.id],
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
