import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { goodsNow } from '../catalogue/merged-products.ts'
import { type LockedOrder, lockKnownOrders } from '../orders/lock.ts'
import { lockBalances } from '../stock/balances.ts'
import { likelyOrder, type OutsideUnits, unitsOfOrders, unitsTakenBeyondStock } from './outside.ts'
import type { NamedUnit } from './scanned-code.ts'

/**
 * Which unit came back, decided under the locks of its order and then of its balance. So when several workers scan the
 * same unit, one takes it in, and never more units come back than left.
 */
export interface ReturnedUnit {
  /** Null: the code names goods, and several orders may have taken them out. */
  readonly order: { readonly id: string; readonly shipmentId: string } | null
  readonly barcode: string
  /** The identity of the unit's marking code, which left with it. */
  readonly identity: string | undefined
  /** A marking code that the warehouse has not seen. */
  readonly newCode: MarkingCode | undefined
  /** The pick of the unit, where a mark of its own tells it. */
  readonly pickScanId: string | undefined
}

/** How often another worker may be faster at the order that a barcode stands for. */
const attemptsMax = 10

/** Throws validation_error or conflict with a sentence for the worker. */
export async function findReturnedUnit(
  work: Work,
  clientId: string,
  returnId: string,
  named: NamedUnit,
  barcode: string | undefined,
): Promise<ReturnedUnit> {
  if (named.kind === 'order') {
    const unit = { ...named, barcode: named.barcode ?? barcode }
    const orders = await lockOrdersOutside(work, clientId, [named.orderId])
    const found = unitOfNamedOrder(orders.get(named.orderId), unit)
    await refuseMoreThanLeft(work, clientId, found.barcode)
    return found
  }
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const orderId = await likelyOrder(work.tx, clientId, returnId, named.barcode)
    const found = await unitOfGoods(work, clientId, named, orderId)
    if (found === undefined) continue
    await refuseMoreThanLeft(work, clientId, named.barcode)
    return found
  }
  throw conflict('Эти единицы сейчас принимает другой сотрудник: отсканируйте ещё раз')
}

interface UnitOfOrder {
  readonly orderId: string
  readonly barcode: string | undefined
  readonly identity?: string | undefined
  readonly pickScanId?: string | undefined
}

/** An order whose row is held, what left with it, and its units with marks of their own. */
export interface OrderOutside {
  readonly order: LockedOrder
  readonly left: readonly OutsideUnits[]
  readonly picks: readonly IdentifiedPick[]
}

/** Locks orders and reads what of them is outside, by order. Unknown ones are left out. */
export async function lockOrdersOutside(
  work: SharedWork,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderOutside>> {
  // Sent at once: what is read is read under the locks of the orders.
  const [orders, left, picks] = await Promise.all([
    lockKnownOrders(work, clientId, orderIds),
    unitsOfOrders(work.tx, clientId, orderIds),
    identifiedPicks(work, clientId, orderIds),
  ])
  return new Map(
    orders.map((order) => {
      const isOfOrder = (one: { readonly order_id: string }) => one.order_id === order.id
      return [order.id, { order, left: left.filter(isOfOrder), picks: picks.filter(isOfOrder) }]
    }),
  )
}

/** Throws not_found, validation_error or conflict. */
export function unitOfNamedOrder(
  found: OrderOutside | undefined,
  named: UnitOfOrder,
): ReturnedUnit {
  if (found === undefined) throw notFound('Заказ не найден')
  const { order, left, picks } = found
  const outside = left.filter(({ units }) => units > 0)
  if (outside.length === 0) throw nothingOutside(order, left)
  const pick = picks.find(
    ({ scan_id, marking_code }) =>
      scan_id === named.pickScanId || (marking_code !== null && marking_code === named.identity),
  )
  const unit = chosenUnit(order, outside, named.barcode ?? pick?.barcode)
  return unitWithMarks(unit, picks, pick)
}

/** The unit with its own marks. Throws conflict where only a mark can tell which of several units it is. */
function unitWithMarks(
  unit: OutsideUnits,
  picks: readonly IdentifiedPick[],
  scanned: IdentifiedPick | undefined,
): ReturnedUnit {
  const possible = picks.filter(({ barcode }) => barcode === unit.barcode)
  if (scanned === undefined && possible.length > 0 && unit.units > 1) {
    throw conflict(
      'В заказе несколько таких единиц со своими кодами: отсканируйте код маркировки или IMEI единицы',
    )
  }
  const pick = scanned ?? possible[0]
  return {
    order: { id: unit.order_id, shipmentId: unit.shipment_id },
    barcode: unit.barcode,
    identity: pick?.marking_code ?? undefined,
    newCode: undefined,
    pickScanId: pick?.scan_id,
  }
}

function chosenUnit(
  { external_id: number }: LockedOrder,
  outside: readonly OutsideUnits[],
  barcode: string | undefined,
): OutsideUnits {
  const possible = outside.filter((one) => barcode === undefined || one.barcode === barcode)
  const [unit] = possible
  if (unit === undefined) {
    throw conflict(
      `Товар ${barcode} из заказа ${number} не уезжал или уже вернулся: сверьте этикетку`,
    )
  }
  if (possible.some((one) => one.barcode !== unit.barcode)) {
    const goods = [...new Set(possible.map((one) => one.barcode))].join(', ')
    throw invalidField(
      'barcode',
      `в заказе ${number} разные товары (${goods}): отсканируйте ещё и штрихкод единицы`,
    )
  }
  return unit
}

function nothingOutside(order: LockedOrder, left: readonly OutsideUnits[]): Error {
  const { external_id: number, reship_since: reshipSince } = order
  if (reshipSince !== null) {
    return conflict(
      `Заказ ${number} маркетплейс не нашёл в поставке, и склад уже вернул его на остаток: ` +
        'принимать его не нужно, его собирают для повторной отгрузки',
    )
  }
  if (order.phase === 'open') {
    return conflict(`Заказ ${number} ещё не уехал: он в открытой отгрузке, верните его на сборку`)
  }
  if (left.length > 0) {
    return conflict(
      `Все единицы заказа ${number} уже вернулись на склад: проверьте, не отсканирован ли он раньше`,
    )
  }
  return conflict(
    `Заказ ${number} с этого склада не отгружался: возвращать нечего, отложите товар и позовите менеджера`,
  )
}

interface IdentifiedPick {
  readonly order_id: string
  readonly scan_id: string
  readonly barcode: string
  readonly marking_code: string | null
}

/** Picks of orders whose units have marks of their own and did not come back. */
function identifiedPicks(
  { tx }: SharedWork,
  clientId: string,
  orderIds: readonly string[],
): Promise<IdentifiedPick[]> {
  const goods = goodsNow(tx, 'p')
  return tx<IdentifiedPick[]>`
    select p.order_id, p.scan_id, ${goods.barcode} as barcode, p.marking_code
    from picks p ${goods.join}
    join picking_tasks t on t.client_id = p.client_id and t.id = p.task_id
    where p.client_id = ${clientId} and p.order_id = any(${[...orderIds]}::uuid[])
      and p.undone_at is null
      and (p.marking_code is not null or p.marks ->> 'imei' is not null
        or p.marks ->> 'uin' is not null)
      and not exists (
        select from return_scans s
        where s.client_id = p.client_id and s.order_id = p.order_id
          and s.shipment_id = t.shipment_id and s.pick_scan_id = p.scan_id
          and s.undone_at is null)
    order by p.scan_id`
}

/** Undefined where another worker has taken in what was outside of the likely order. */
async function unitOfGoods(
  work: Work,
  clientId: string,
  named: Extract<NamedUnit, { kind: 'goods' }>,
  orderId: string | undefined,
): Promise<ReturnedUnit | undefined> {
  const { barcode, marked, newCode } = named
  const loose = { order: null, barcode, identity: undefined, newCode, pickScanId: undefined }
  if (orderId !== undefined) {
    const outside = (await lockOrdersOutside(work, clientId, [orderId])).get(orderId)
    const { left = [], picks = [] } = outside ?? {}
    const unit = left.find((one) => one.barcode === barcode && one.units > 0)
    if (unit === undefined) return undefined
    // A new marking code is none of those that left with the order.
    const coded = picks.some((pick) => pick.barcode === barcode && pick.marking_code !== null)
    if (newCode === undefined || !coded)
      return { ...unitWithMarks(unit, picks, undefined), newCode }
  }
  if (marked && newCode === undefined) {
    throw conflict(`Товар ${barcode} маркируется: отсканируйте код маркировки единицы`)
  }
  return loose
}

/** Under the balance's lock, so that units which name no order do not come back twice either. */
async function refuseMoreThanLeft(work: Work, clientId: string, barcode: string): Promise<void> {
  const outside = (await lockBalances(work, clientId, [barcode])).get(barcode)?.outside ?? 0
  if (outside > 0) return
  if (outside + (await unitsTakenBeyondStock(work.tx, clientId, barcode)) > 0) return
  throw conflict(
    `Товар ${barcode}: уехавших единиц не осталось, все уже вернулись или не отгружались. ` +
      'Проверьте клиента и не отсканирована ли единица раньше',
  )
}
