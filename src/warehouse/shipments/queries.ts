import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf, createdConditions } from '../../platform/db/filter.ts'
import { afterPosition } from '../../platform/db/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../../platform/db/page.ts'
import { inSnapshot } from '../../platform/db/snapshot.ts'
import type { Tag } from '../../platform/db/tag.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { hasNumber } from '../clients/list-conditions.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { ordersOfShipment } from '../orders/queries.ts'
import type { ShipmentStatus } from './state.ts'
import { type Shipment, type ShipmentRow, shipmentView } from './view.ts'

export interface ShipmentFilter {
  readonly marketplace: Marketplace | undefined
  readonly status: ShipmentStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** The number in the cabinet. */
  readonly external_id?: string | undefined
}

export function shipmentColumns(db: Tag) {
  return db`
    s.id, s.marketplace, s.external_id, s.name, s.status, s.orders_count, s.created_at,
    s.closed_at, s.accepted_at`
}

/** The conditions of a filter on the shipments called `alias`, without the client. */
export function shipmentConditions(db: Queryable, alias: string, filter: ShipmentFilter) {
  const column = (name: string) => db(`${alias}.${name}`)
  return conditionsOf(db, filter, {
    marketplace: (marketplace) => db`${column('marketplace')} = ${marketplace}`,
    status: (status) => db`${column('status')} = ${status}`,
    external_id: (number) => hasNumber(db, alias, number),
    ...createdConditions(db, alias),
  })
}

function matches(db: Database, clientId: string, filter: ShipmentFilter) {
  return db`s.client_id = ${clientId} ${shipmentConditions(db, 's', filter)}`
}

/** Shipments, newest first, without their orders. */
export async function listShipments(
  db: Database,
  clientId: string,
  filter: ShipmentFilter,
  page: PageRequest,
): Promise<Page<Shipment>> {
  const total = db`select count(*) from seller_shipments s where ${matches(db, clientId, filter)}`
  const rows = await db<(ShipmentRow & { total: number })[]>`
    select ${shipmentColumns(db)}, (${total}) as total from seller_shipments s
    where ${matches(db, clientId, filter)} ${afterPosition(db, 's', page.after)}
    order by s.created_at desc, s.id desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: (row) => shipmentView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A shipment with its orders, newest first; undefined where the client has none of that id. */
export async function findShipment(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Shipment | undefined> {
  const [[row], orders] = await inSnapshot(db, (tx) =>
    Promise.all([
      tx<ShipmentRow[]>`
        select ${shipmentColumns(tx)} from seller_shipments s
        where s.client_id = ${clientId} and s.id = ${id}`,
      ordersOfShipment(tx, clientId, id),
    ]),
  )
  return row && shipmentView(row, orders)
}
