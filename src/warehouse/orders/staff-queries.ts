import type { Queryable, Transaction } from '../../platform/db/connection.ts'
import { anyTime } from '../../platform/db/lists/filter.ts'
import { byStatus, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { areIds, isId } from '../../platform/kernel/ids.ts'
import { byClient, clientsOf, observedParts } from '../clients/list-conditions.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { type OrderFilter, orderColumns, orderConditions, orderTotal } from './queries.ts'
import {
  historyMax,
  type OrderHistoryRow,
  type ReshipmentRow,
  type StaffOrder,
  type StaffOrderRow,
  type StaffOrderWithHistory,
  staffOrderView,
  staffOrderWithHistory,
} from './staff-view.ts'
import { waitsForShipment } from './stages.ts'
import { type OrderStatus, orderStatuses } from './state.ts'
import type { LackingFilter } from './today-uncovered.ts'

/** The client that an order belongs to. Throws not_found. */
export const ownerOfOrder = ownerLookup('orders', 'Заказ не найден')

export interface StaffOrderFilter extends Omit<OrderFilter, 'lacks'> {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  /** Undefined: both those of observed cabinets and all others. */
  readonly observed: 'true' | 'false' | undefined
  /** Those that lack goods; `barcode` then names the goods. */
  readonly lacking?: LackingFilter['kind'] | undefined
}

/** What staff list orders by. By deadline stand those that wait to be handed over and have one. */
export const orderSorts = ['created', 'deadline', 'client', 'status'] as const

/** Later than any deadline. */
const latest = Date.parse('9999-12-31T00:00:00Z')

/** Orders `o` with their shipments `s` and facts `f`, observed or not. */
function staffTables(db: Queryable, orders: Fragment = db`orders o`) {
  return db`
    ${orders} left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    left join order_facts f on f.client_id = o.client_id and f.order_id = o.id`
}

/** The columns of StaffOrderRow. */
function staffColumns(db: Queryable) {
  return db`
    ${orderColumns(db)}, o.client_id,
    (select owner.name from clients owner where owner.id = o.client_id) as client_name,
    o.cabinet_id, o.observed, (
      select nullif(k.shipments = 'mirrored' and k.active and k.credentials is not null, false)
      from cabinets k where k.client_id = o.client_id and k.id = o.cabinet_id
    ) as shipped_elsewhere, o.reship_since,
    case when o.status = 'CANCELLED' then 0 else (
      select count(*)::int from pick_misses m
      where m.client_id = o.client_id and m.order_id = o.id and m.outcome is null
    ) end as open_misses, o.deadline_at as deadline,
    f.deadline_without_delay_at as deadline_without_delay, f.lateness_costs,
    case when o.remote_warehouse_id is not null then json_strip_nulls(
      json_build_object('id', o.remote_warehouse_id, 'name', f.warehouse_name)) end as warehouse,
    f.scheme, f.cargo_type, f.cross_border_type, f.comment, f.cancel_reason,
    f.cancelled_by, f.cancellable,
    to_json(nullif(f.label_codes, '{}')) as label_codes, f.parent_number as parent_external_id,
    to_json(nullif(f.related_numbers, '{}')) as related_external_ids, f.boxes,
    nullif(f.needs_boxes and o.status in ('NEW', 'ASSEMBLING'), false) as needs_boxes, (
      select json_strip_nulls(json_agg(json_build_object('barcode', l.barcode, 'article', l.article,
        'qty', l.quantity, 'picked', l.picked, 'required_marks', l.required_marks,
        'optional_marks', l.optional_marks, 'set_barcode', (
          select s.barcode from order_sets s
          where s.client_id = l.client_id and s.order_id = l.order_id and s.line = l.set_line
        )) order by l.line))
      from order_lines l where l.client_id = o.client_id and l.order_id = o.id
    ) as lines`
}

/** Orders of one client or of all. */
export async function listOrdersOfAll(
  db: Queryable,
  { client_id: clientFilter, warehouses, observed, lacking, ...given }: StaffOrderFilter,
  page: PageRequest,
): Promise<Page<StaffOrder>> {
  const deadline_to = page.sort?.endsWith('deadline')
    ? (given.deadline_to ?? latest)
    : given.deadline_to
  const client = await clientOfObjects(db, clientFilter, given)
  if (client === null || !areIds(client)) return emptyPage
  const { barcode, ...others } = given
  const goods = lacking === undefined ? { barcode } : { lacks: { kind: lacking, barcode, client } }
  const filter: OrderFilter = { barcode: undefined, ...others, ...goods, deadline_to }
  const clients = clientsOf(db, client, warehouses)
  const where = db`true ${orderConditions(db, 'x', { ...filter, ...anyTime })}`
  const parts = observedParts(db, observed)
  const within = { from: filter.created_from, to: filter.created_to }
  const across = { clients, table: 'orders', where, within, parts: partsOf(db, parts, filter) }
  const orders = {
    created: { column: 'created_at' },
    // One index has both parts.
    deadline: {
      column: 'deadline_at',
      oneIndex: true,
      where: db`true ${orderConditions(db, 'x', { ...filter, ...anyTime, status: undefined })} and ${hasOpenStatus(db, given.status)}`,
      parts: [parts.reduce((one, other) => db`(${one} or ${other})`)],
    },
    client: byClient(db, clients),
    status: byStatus(db, orderStatuses),
  }
  const tables = db`(${staffTables(db)}) on o.client_id = k.client_id and o.id = k.id`
  const total = () => staffTotal(db, clients, { observed, ...filter })
  return pageInOrder(
    db,
    { across, orders, columns: staffColumns(db), tables, total, view: staffOrderView },
    page,
  )
}

/** Orders that wait to be handed over, as indexes know them. */
const openStatuses = ['NEW', 'ASSEMBLING'] as const satisfies OrderStatus[]

/** Excludes the other status: by this one the planner would find all orders that wait, and sort them. */
function hasOpenStatus(db: Queryable, status: OrderStatus | undefined): Fragment {
  if (status === undefined) return db`true`
  const others = openStatuses.filter((open) => open !== status)
  return others.reduce((all, other) => db`${all} and x.status <> ${other}`, db`true`)
}

/** The parts of orders by the indexes that find those of a filter: what has a deadline is found by its status. */
function partsOf(
  db: Queryable,
  parts: readonly Fragment[],
  { deadline_to: to, status }: OrderFilter,
) {
  if (to === undefined || status !== undefined) return parts
  return parts.flatMap((part) => openStatuses.map((open) => db`(${part} and x.status = ${open})`))
}

/** Tallies know the orders that are not observed; observed ones are counted row by row. */
function staffTotal(
  db: Queryable,
  clients: Fragment,
  { observed, ...filter }: OrderFilter & Pick<StaffOrderFilter, 'observed'>,
) {
  const others = db`
    select coalesce(sum(t.orders), 0)::bigint from ${clients}
    cross join lateral (select (${orderTotal(db, db`c.id`, filter)}) as orders) t`
  const watched = db`
    select count(*) from ${clients} join orders x on x.client_id = c.id and x.observed
    where true ${orderConditions(db, 'x', filter)}`
  if (observed === 'true') return watched
  return observed === 'false' ? others : db`select (${others}) + (${watched})`
}

/**
 * The client of the shipment and the cabinet of a filter, else the given one, if any; null where one of them is
 * unknown or another client's.
 */
async function clientOfObjects(
  db: Queryable,
  client: string | undefined,
  { shipment_id, cabinet_id }: Pick<OrderFilter, 'shipment_id' | 'cabinet_id'>,
): Promise<string | null | undefined> {
  let owner = client
  for (const [table, id] of [
    ['shipments', shipment_id],
    ['cabinets', cabinet_id],
  ] as const) {
    if (id === undefined) continue
    const [row] = isId(id)
      ? await db<{ client_id: string }[]>`select client_id from ${db(table)} where id = ${id}`
      : []
    if (row === undefined || (owner !== undefined && owner !== row.client_id)) return null
    owner = row.client_id
  }
  return owner
}

/** An order, or undefined where the client has none of that id. */
export async function findStaffOrder(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffOrder | undefined> {
  const [row] = await db<StaffOrderRow[]>`
    select ${staffColumns(db)} from ${staffTables(db)}
    where o.client_id = ${clientId} and o.id = ${id}`
  return row && staffOrderView(row)
}

/** Like findStaffOrder, with the order's history. */
export async function findStaffOrderWithHistory(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<StaffOrderWithHistory | undefined> {
  const order = await findStaffOrder(db, clientId, id)
  if (order === undefined) return undefined
  const rows = await db<OrderHistoryRow[]>`
    select at, status, supplier_status, buyer_status from order_status_history
    where client_id = ${clientId} and order_id = ${id} order by id desc limit ${historyMax}`
  const reshipments = await db<ReshipmentRow[]>`
    select at, shipment_id, supply from reshipments
    where client_id = ${clientId} and order_id = ${id} order by at, supply`
  return staffOrderWithHistory(order, rows.toReversed(), reshipments)
}

/** Orders by cabinet and number, in the order of `keys`; unknown ones are left out. */
export async function findStaffOrders(
  tx: Transaction,
  clientId: string,
  keys: readonly { readonly cabinetId: string; readonly externalId: string }[],
): Promise<StaffOrder[]> {
  const cabinets = [...new Set(keys.map(({ cabinetId }) => cabinetId))]
  const numbers = keys.map(({ externalId }) => externalId)
  // One read of all keys, and a plan made for them, to the end of the transaction. While statistics do not know a client, a
  // look-up of each key may go through all of his orders each time; a plan for any keys may go through a large client's.
  const wanted = tx`(
    select * from orders
    where client_id = ${clientId} and cabinet_id = any(${cabinets}::uuid[])
      and external_id = any(${numbers}::text[]) offset 0
  ) o`
  const [, rows] = await Promise.all([
    tx`set local plan_cache_mode = force_custom_plan`,
    tx<StaffOrderRow[]>`select ${staffColumns(tx)} from ${staffTables(tx, wanted)}`,
  ])
  const byNumber = new Map(rows.map((row) => [`${row.cabinet_id} ${row.external_id}`, row]))
  return keys.flatMap(({ cabinetId, externalId }) => {
    const row = byNumber.get(`${cabinetId} ${externalId}`)
    return row === undefined ? [] : [staffOrderView(row)]
  })
}

/** The orders of a shipment, newest first. */
export async function staffOrdersOfShipment(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<StaffOrder[]> {
  const rows = await db<StaffOrderRow[]>`
    select ${staffColumns(db)} from ${staffTables(db)}
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId}
    order by o.created_at desc, o.id desc`
  return rows.map(staffOrderView)
}

/** The orders that may join an open shipment, the most urgent first: `mayJoinShipment` in state.ts. */
export async function ordersForShipment(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  limit: number,
): Promise<StaffOrder[]> {
  const rows = await db<StaffOrderRow[]>`
    select ${staffColumns(db)} from ${staffTables(db)}
    where o.client_id = ${clientId} and ${waitsForShipment(db)} and o.cabinet_id = (
        select cabinet_id from shipments where client_id = ${clientId} and id = ${shipmentId})
    order by o.deadline_at nulls last, o.created_at, o.id limit ${limit}`
  return rows.map(staffOrderView)
}

/** What our own label of an order shows. */
export interface OrderLabelFacts {
  readonly number: string
  readonly marketplace: Marketplace
  readonly client: string
  readonly shipment: string | null
  /** Whether the marketplace prints labels of the order's cabinet. */
  readonly connected: boolean
}

function labelFacts(db: Queryable) {
  return db`
    select o.external_id as number, o.marketplace, c.name as client, s.external_id as shipment,
      k.active and k.credentials is not null as connected
    from orders o
    join clients c on c.id = o.client_id
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id`
}

export async function findOrderLabelFacts(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<OrderLabelFacts | undefined> {
  const [facts] = await db<OrderLabelFacts[]>`
    ${labelFacts(db)} where o.client_id = ${clientId} and o.id = ${id}`
  return facts
}

/** Orders of a shipment that are not cancelled, the oldest first, as picking tasks show them. */
export function orderLabelFactsOfShipment(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<OrderLabelFacts[]> {
  return db<OrderLabelFacts[]>`
    ${labelFacts(db)}
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId} and o.status <> 'CANCELLED'
    order by o.created_at, o.id limit ${limit} offset ${offset}`
}
