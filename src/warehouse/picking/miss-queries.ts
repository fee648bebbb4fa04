import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { type Placed, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { areIds, isId } from '../../platform/kernel/ids.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { byClient, clientsOf } from '../clients/list-conditions.ts'
import { placesWith } from './content.ts'
import { missColumns, missTables } from './miss-columns.ts'
import { type MissStatus, missDecisions } from './miss-state.ts'
import {
  type MissFactsRow,
  type MissWithPlaces,
  missFactsView,
  type ShownMiss,
} from './miss-view.ts'
import type { PickPlace } from './walk.ts'

export const ownerOfMiss = ownerLookup('pick_misses', 'Такой ненайденный товар не записан')

export interface MissFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly status: MissStatus | undefined
  readonly shipment_id: string | undefined
  readonly order_id: string | undefined
}

interface MissRow extends MissFactsRow {
  client_id: string
  client_name: string
  deadline: Timestamp | null
  picking_task_id: string | null
  shipment_id: string | null
  shipment_external_id: string | null
  name: string
  reported_by: string | null
  ended_at: Timestamp | null
  ended_by: string | null
}

function columns(db: Queryable) {
  const name = (actor: 'actor' | 'ended_by') => db`(
    select u.shown_name from staff_users u
    where u.id = case when ${db(`m.${actor}`)} like 'staff:%' then substr(${db(`m.${actor}`)}, 7)::uuid end)`
  return db`${missColumns(db)}, m.client_id, owner.name as client_name,
    o.deadline_at as deadline, m.task_id as picking_task_id, s.id as shipment_id,
    s.external_id as shipment_external_id, coalesce(p.name, m.barcode) as name, m.ended_at,
    ${name('actor')} as reported_by, ${name('ended_by')} as ended_by`
}

function tables(db: Queryable) {
  return db`
    ${missTables(db)}
    join clients owner on owner.id = m.client_id
    left join products p on p.client_id = m.client_id and p.barcode = m.barcode
    left join picking_tasks t on t.client_id = m.client_id and t.id = m.task_id
    left join shipments s on s.client_id = t.client_id and s.id = t.shipment_id`
}

/** What misses are listed by. */
export const missSorts = ['created', 'client'] as const

/** Misses of one client or of all. */
export async function listMisses(
  db: Database,
  { client_id: client, warehouses, ...filter }: MissFilter,
  page: PageRequest,
): Promise<Page<ShownMiss>> {
  if (!areIds(client, filter.shipment_id, filter.order_id)) return emptyPage
  const cancelled = db`exists (
    select from orders o where o.client_id = x.client_id and o.id = x.order_id and o.status = 'CANCELLED')`
  const byStatus = {
    OPEN: db`x.outcome is null and not ${cancelled}`,
    DECIDED: db`x.outcome = any(${[...missDecisions]}::text[])`,
    CLOSED: db`(x.outcome <> all(${[...missDecisions]}::text[]) or x.outcome is null and ${cancelled})`,
  }
  const where = db`true ${conditionsOf(db, filter, {
    status: (status) => byStatus[status],
    shipment_id: (shipment) => db`x.task_id = (
      select t.id from picking_tasks t where t.client_id = x.client_id and t.shipment_id = ${shipment})`,
    order_id: (order) => db`x.order_id = ${order}`,
  })}`
  const clients = clientsOf(db, client, warehouses)
  const across = { clients, table: 'pick_misses', time: 'at', where }
  const orders = { created: { column: 'at' }, client: byClient(db, clients) }
  return pageInOrder(
    db,
    {
      ...{ across, orders, columns: columns(db) },
      tables: db`(${tables(db)}) on m.client_id = k.client_id and m.id = k.id`,
      view: ({ total: _, position: __, ...row }: MissRow & Placed) => missFactsView(row),
    },
    page,
  )
}

/** A miss as lists show it, or undefined where the client has none of that id. */
export async function findMiss(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ShownMiss | undefined> {
  const [row] = await db<MissRow[]>`
    select ${columns(db)} from ${tables(db)} where m.client_id = ${clientId} and m.id = ${id}`
  return row && missFactsView(row)
}

/** Places shown of one product. */
const placesMax = 20

/** A miss with what a decision needs: what the order lacks, what is free, and where else the goods lie. */
export async function findMissWithPlaces(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<MissWithPlaces | undefined> {
  const miss = await findMiss(db, clientId, id)
  if (miss === undefined) return undefined
  const { order_id: orderId, barcode, place } = miss
  const [[figures], places] = await Promise.all([
    db<[{ missing: number; free: number }]>`
      select (
          select coalesce(sum(quantity - picked), 0)::int from order_lines
          where client_id = ${clientId} and order_id = ${orderId} and barcode = ${barcode}
        ) as missing, coalesce((
          select quantity - in_question - reserved from stock_balances
          where client_id = ${clientId} and barcode = ${barcode}), 0) as free`,
    placesWith(db, clientId, [barcode]),
  ])
  const others = places.filter((other) => !isPlaceOf(place, other)).map(placeView)
  return { ...miss, ...figures, places: others.slice(0, placesMax) }
}

function isPlaceOf(place: ShownMiss['place'], { location_id, box_id }: PickPlace): boolean {
  if ((place?.box_id ?? null) !== box_id) return false
  return box_id !== null || place?.location_id === location_id
}

function placeView({ location_id, location_code, box_id, sscc, qty }: PickPlace) {
  return {
    ...(location_id === null ? {} : { location_id }),
    ...(location_code === null ? {} : { location_code }),
    ...(box_id === null ? {} : { box_id }),
    ...(sscc === null ? {} : { sscc }),
    qty,
  }
}

/** The misses of one order, or of all orders of a shipment, and where they were reported; none of another id. */
export async function missesAbout(db: Queryable, id: string) {
  if (!isId(id)) return { misses: [], tasks: [], orders: [] }
  const rows = await db<{ id: string; task_id: string; order_id: string }[]>`
    select m.id, m.task_id, m.order_id from orders o
    join pick_misses m on m.client_id = o.client_id and m.order_id = o.id
    where o.id = ${id}
    union
    select m.id, m.task_id, m.order_id from shipments s
    join picking_tasks t on t.client_id = s.client_id and t.shipment_id = s.id
    join pick_misses m on m.client_id = t.client_id and m.task_id = t.id
    where s.id = ${id}`
  return {
    misses: rows.map((row) => row.id),
    tasks: [...new Set(rows.map((row) => row.task_id))],
    orders: [...new Set(rows.map((row) => row.order_id))],
  }
}
