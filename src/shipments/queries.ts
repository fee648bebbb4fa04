import type { Marketplace } from '../clients/marketplace.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { afterPosition, createdWithin } from '../db/newest-first.ts'
import { type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { ordersOfShipment } from '../orders/queries.ts'
import type { ShipmentStatus } from './state.ts'
import { type Shipment, type ShipmentRow, shipmentView } from './view.ts'

export interface ShipmentFilter {
  readonly marketplace: Marketplace | undefined
  readonly status: ShipmentStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

function shipmentColumns(db: Queryable) {
  return db`
    s.id, s.marketplace, s.external_id, s.name, s.status, s.orders_count, s.created_at,
    s.closed_at, s.accepted_at`
}

function matches(db: Database, clientId: string, filter: ShipmentFilter) {
  const { marketplace, status, created_from: from, created_to: to } = filter
  return db`
    s.client_id = ${clientId}
    ${marketplace === undefined ? db`` : db`and s.marketplace = ${marketplace}`}
    ${status === undefined ? db`` : db`and s.status = ${status}`}
    ${createdWithin(db, 's', from, to)}`
}

/** Shipments, newest first, without their orders. */
export async function listShipments(
  db: Database,
  clientId: string,
  filter: ShipmentFilter,
  { limit, after }: PageRequest,
): Promise<Page<Shipment>> {
  const [rows, totals] = await Promise.all([
    db<ShipmentRow[]>`
      select ${shipmentColumns(db)} from shipments s
      where ${matches(db, clientId, filter)}
        ${afterPosition(db, 's', after)}
      order by s.created_at desc, s.id desc limit ${limit + 1}`,
    db<[{ total: number }]>`
      select count(*)::int as total from shipments s where ${matches(db, clientId, filter)}`,
  ])
  return pageOf(
    rows,
    limit,
    totals[0].total,
    (row) => shipmentView(row),
    (row) => [row.created_at, row.id],
  )
}

/** A shipment with its orders, or undefined where the client has none of that id. */
export async function findShipment(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Shipment | undefined> {
  const [rows, orders] = await Promise.all([
    db<ShipmentRow[]>`
      select ${shipmentColumns(db)} from shipments s where s.client_id = ${clientId} and s.id = ${id}`,
    ordersOfShipment(db, clientId, id),
  ])
  const [row] = rows
  return row === undefined
    ? undefined
    : shipmentView({ ...row, orders_count: orders.length }, orders)
}
