import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { firstNames } from '../../platform/kernel/sentences.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { kindColumns, kindDifference, type OrderKind, sharedProperties } from '../orders/kinds.ts'
import { waitsForShipment } from '../orders/stages.ts'
import { type OrderStatus, orderStatusLabels } from '../orders/state.ts'
import { type Composition, compositionsOf } from '../stock/parts-allow.ts'
import { serveWanted } from '../stock/serve.ts'
import { isForeignOrder } from './own-warehouses.ts'

/** Which of the orders that wait in a cabinet can leave with one shipment now, and what keeps each other one. */

interface WaitingLine {
  readonly barcode: string | null
  readonly name: string | null
  readonly units: number
}

export interface WaitingOrder extends OrderKind {
  readonly order_id: string
  readonly external_id: string
  readonly deadline: Timestamp | null
  /** Of a warehouse that is not ours, or delivered by the seller. */
  readonly foreign: boolean
  readonly lines: readonly WaitingLine[]
}

interface WaitingView {
  readonly order_id: string
  readonly external_id: string
  readonly deadline: Timestamp | null
  readonly goods: string
  readonly units: number
}

export interface DayShipment {
  readonly leaving: readonly WaitingView[]
  readonly staying: readonly (WaitingView & { readonly reason: string })[]
}

/** What lies free, and what the sets among the goods are made of. */
export interface FreeGoods {
  readonly units: ReadonlyMap<string, number>
  readonly sets: ReadonlyMap<string, Pick<Composition, 'parts'>>
}

/**
 * Orders take goods one after the other, the most urgent first. All must be of one kind: that of the orders that are
 * `inside` already, else that of the first which can leave.
 */
export function planDay(
  orders: readonly WaitingOrder[],
  { units, sets }: FreeGoods,
  marketplace: Marketplace,
  inside: readonly OrderKind[] = [],
): DayShipment {
  const left = { units: new Map(units), sets }
  const taken: WaitingOrder[] = []
  const staying: (WaitingView & { reason: string })[] = []
  for (const order of orders) {
    const reason = obstacleOf(order, [...inside, ...taken], left, marketplace)
    if (reason === undefined) {
      taken.push(order)
      serveWanted(wanted(order), left.units, sets)
    } else {
      staying.push({ ...waitingView(order), reason })
    }
  }
  return { leaving: taken.map(waitingView), staying }
}

function obstacleOf(
  order: WaitingOrder,
  taken: readonly OrderKind[],
  free: FreeGoods,
  marketplace: Marketplace,
): string | undefined {
  if (order.foreign) return 'едет не с этого склада'
  if (order.lines.some(({ barcode }) => barcode === null)) return 'штрихкод товара не указан'
  const served = serveWanted(wanted(order), new Map(free.units), free.sets)
  const lacking = served.filter(({ short }) => short > 0)
  if (lacking.length > 0) {
    const goods = lacking.map(({ wanted: { barcode, units }, ready, fromParts }) => {
      const { name } = order.lines.find((line) => line.barcode === barcode) ?? {}
      const parts = free.sets.has(barcode) ? `, из частей выйдет ${fromParts}` : ''
      return `${name ?? barcode} (нужно ${units}, свободно ${ready}${parts})`
    })
    return `не хватает: ${firstNames(goods)}`
  }
  const difference = kindDifference(order, taken, sharedProperties[marketplace])
  return difference === undefined ? undefined : `в другую отгрузку: ${difference}`
}

/** Units by barcode: an order may have the same goods in two lines. */
function wanted({ lines }: WaitingOrder): { barcode: string; units: number }[] {
  const units = new Map<string, number>()
  for (const { barcode, units: more } of lines) {
    if (barcode !== null) units.set(barcode, (units.get(barcode) ?? 0) + more)
  }
  return [...units].map(([barcode, all]) => ({ barcode, units: all }))
}

function waitingView({ order_id, external_id, deadline, lines }: WaitingOrder): WaitingView {
  const names = lines.map(({ name, barcode }) => name ?? barcode ?? 'товар без штрихкода')
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  return { order_id, external_id, deadline, goods: firstNames([...new Set(names)]), units }
}

/** Plans the shipment of a cabinet from at most so many of its orders. Undefined where the cabinet is unknown. */
export async function dayShipment(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  ordersMax: number,
): Promise<DayShipment | undefined> {
  const [cabinet] = await db<{ marketplace: Marketplace }[]>`
    select marketplace from cabinets where client_id = ${clientId} and id = ${cabinetId}`
  if (cabinet === undefined) return undefined
  const orders = await waitingOrders(db, clientId, cabinetId, db`true`, ordersMax)
  return planDay(orders, await freeFor(db, clientId, orders), cabinet.marketplace)
}

/** Units that no order has reserved and nobody questions, of the goods of these orders and their parts. */
async function freeFor(
  db: Queryable,
  clientId: string,
  orders: readonly WaitingOrder[],
): Promise<FreeGoods> {
  const ordered = orders.flatMap(({ lines }) => lines.flatMap(({ barcode }) => barcode ?? []))
  const sets = await compositionsOf(db, clientId, ordered)
  const parts = [...sets.values()].flatMap((set) => set.parts.map(({ barcode }) => barcode))
  const barcodes = [...ordered, ...parts]
  const balances = await db<{ barcode: string; free: number }[]>`
    select barcode, quantity - in_question - reserved as free from stock_balances
    where client_id = ${clientId} and barcode = any(${[...new Set(barcodes)]})`
  return { units: new Map(balances.map((balance) => [balance.barcode, balance.free])), sets }
}

/** Those of the cabinet that are in no shipment, the most urgent first. */
function waitingOrders(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  which: Fragment,
  limit: number,
): Promise<WaitingOrder[]> {
  return db<WaitingOrder[]>`
    select o.id as order_id, o.external_id, o.deadline_at as deadline, ${kindColumns(db)},
      ${isForeignOrder(db)} as foreign, (
        select json_agg(json_build_object('barcode', l.barcode, 'units', l.quantity, 'name', p.name)
          order by l.line)
        from order_lines l
        left join products p on p.client_id = l.client_id and p.barcode = l.barcode
        where l.client_id = o.client_id and l.order_id = o.id
      ) as lines
    from orders o
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and ${waitsForShipment(db)} and ${which}
    order by o.deadline_at nulls last, o.created_at, o.id limit ${limit}`
}

/** Orders that somebody chose, by where they are. */
export interface ChosenOrder {
  readonly id: string
  readonly external_id: string
  readonly client_id: string
  readonly cabinet_id: string
  readonly marketplace: Marketplace
  readonly status: OrderStatus
  readonly shipment_id: string | null
  readonly shipment_external_id: string | null
}

export function chosenOrders(db: Queryable, ids: readonly string[]): Promise<ChosenOrder[]> {
  return db<ChosenOrder[]>`
    select o.id, o.external_id, o.client_id, o.cabinet_id, o.marketplace, o.status, o.shipment_id,
      s.external_id as shipment_external_id
    from orders o left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    where o.id = any(${[...ids]}::uuid[])`
}

export interface ChosenShipment {
  /** The ids of those that are in the shipment already, and of those that can join, the most urgent first. */
  readonly leaving: readonly string[]
  readonly staying: readonly {
    readonly order_id: string
    readonly external_id: string
    readonly reason: string
  }[]
}

/** Which of the chosen orders, all of one cabinet, can leave with a new shipment or an open one. */
export async function planChosen(
  db: Queryable,
  chosen: readonly [ChosenOrder, ...ChosenOrder[]],
  shipmentId: string | undefined,
): Promise<ChosenShipment> {
  const [{ client_id: clientId, cabinet_id: cabinetId, marketplace }] = chosen
  const ids = chosen.map(({ id }) => id)
  const which = db`o.id = any(${ids}::uuid[])`
  const orders = await waitingOrders(db, clientId, cabinetId, which, ids.length)
  const inside =
    shipmentId === undefined
      ? []
      : await db<OrderKind[]>`
          select ${kindColumns(db)} from orders o
          left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
          where o.client_id = ${clientId} and o.shipment_id = ${shipmentId} and o.status <> 'CANCELLED'`
  const plan = planDay(orders, await freeFor(db, clientId, orders), marketplace, inside)
  const waiting = new Set(orders.map(({ order_id }) => order_id))
  const others = chosen.filter(({ id }) => !waiting.has(id))
  const isInside = (order: ChosenOrder) =>
    shipmentId !== undefined && order.shipment_id === shipmentId
  return {
    leaving: [
      ...others.filter(isInside).map(({ id }) => id),
      ...plan.leaving.map(({ order_id }) => order_id),
    ],
    staying: [
      ...others
        .filter((order) => !isInside(order))
        .map((order) => ({
          order_id: order.id,
          external_id: order.external_id,
          reason: whereItIs(order),
        })),
      ...plan.staying.map(({ order_id, external_id, reason }) => ({
        order_id,
        external_id,
        reason,
      })),
    ],
  }
}

function whereItIs({ status, shipment_external_id: shipment }: ChosenOrder): string {
  if (shipment !== null) return `уже в отгрузке ${shipment}`
  return status === 'NEW' || status === 'ASSEMBLING'
    ? 'из наблюдаемого кабинета: его отгружают не здесь'
    : `заказ не ждёт отгрузки: статус «${orderStatusLabels[status]}»`
}
