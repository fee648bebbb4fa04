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
import { type ClientId, hasNumber } from '../clients/list-conditions.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { orderColumns } from '../orders/queries.ts'
import { type OrderRow, orderView } from '../orders/view.ts'
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
    select ${shipmentColumns(db)}, ${totalFor(db, total, page)} as total from seller_shipments s
    where ${matches(db, clientId, filterOfPage(filter, page))} ${afterPosition(db, 's', page.after)}
    order by s.created_at desc, s.id desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: (row) => shipmentView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A shipment beside each of its orders; beside none where it has no order. */
type ShipmentOrderRow = (OrderRow | { readonly id: null }) & {
  [Column in keyof ShipmentRow as `of_${Column}`]: ShipmentRow[Column]
}

/** A shipment with its orders, newest first; undefined where the client has none of that id. */
export async function findShipment(
  db: Tag,
  clientId: ClientId,
  id: string,
): Promise<Shipment | undefined> {
  const rows = await db<ShipmentOrderRow[]>`
    select ${orderColumns(db)}, s.id as of_id, s.marketplace as of_marketplace,
      s.external_id as of_external_id, s.name as of_name, s.status as of_status,
      s.orders_count as of_orders_count, s.created_at as of_created_at, s.closed_at as of_closed_at,
      s.accepted_at as of_accepted_at
    from seller_shipments s
    left join seller_orders o on o.client_id = s.client_id and o.shipment_id = s.id
    where s.client_id = ${clientId} and s.id = ${id}
    order by o.created_at desc, o.id desc`
  const [first] = rows
  if (first === undefined) return undefined
  const shipment = {
    id: first.of_id,
    marketplace: first.of_marketplace,
    external_id: first.of_external_id,
    name: first.of_name,
    status: first.of_status,
    orders_count: first.of_orders_count,
    created_at: first.of_created_at,
    closed_at: first.of_closed_at,
    accepted_at: first.of_accepted_at,
  }
  return shipmentView(shipment, rows.filter((row) => row.id !== null).map(orderView))
}
