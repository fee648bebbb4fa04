import { excerpt } from '../../../platform/kernel/errors.ts'
import type { OrderStatus, RawStatus } from '../../../warehouse/orders/state.ts'
import { chunksOf } from '../calls/chunks.ts'
import { rejection } from '../calls/failure.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { textOf } from '../calls/response-fields.ts'
import type { RefusedOrder } from '../connector.ts'
import { parseRawStatus } from './answers/orders.ts'
import { type WildberriesClient, wildberriesIdsMax } from './client.ts'
import { reshipmentNumbers } from './lists/reshipments.ts'
import { isIneligibleForSupply, readWildberriesStatus } from './status.ts'

/**
 * Checks whether orders may join a supply. WB takes a hundred orders a call and gives none back, so
 * all orders are checked before the first of them joins.
 */

/**
 * Throws `rejected`, with the order's number, if WB would refuse an order. Changes nothing. WB takes an order
 * that was handed over only from its reshipment list.
 */
export async function refuseIneligible(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<void> {
  const [first] = await ineligibleAmong(client, orders)
  if (first !== undefined) throw rejection(first.reason)
}

/** The orders that WB would refuse, each with the reason. Changes nothing. */
export async function ineligibleAmong(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<readonly RefusedOrder[]> {
  const refused: RefusedOrder[] = []
  const statuses = await fetchRawStatuses(client, orders)
  const handedOver = [...statuses.values()].some(mayComeBack)
  const reshipments = handedOver ? await reshipmentNumbers(client) : new Set<string>()
  for (const id of orders) {
    const raw = statuses.get(id)
    if (raw === undefined || !isIneligibleForSupply(raw)) continue
    if (mayComeBack(raw) && reshipments.has(id)) continue
    const state = describeOrderState(id, raw)
    const reason = `${state}: в поставку его не добавить, уберите его из отгрузки`
    refused.push({ externalId: id, reason })
  }
  // Without any status a single call is still safe: WB takes all its orders or none.
  if (statuses.size === 0 && orders.length <= wildberriesIdsMax.fill) return refused
  const unknown = orders
    .filter((id) => !statuses.has(id))
    .map((id) => ({
      externalId: id,
      reason: `WB не сообщает статус заказа ${excerpt(id)}: в поставку его не добавить`,
    }))
  return [...refused, ...unknown]
}

function mayComeBack({ supplier, buyer }: RawStatus): boolean {
  return supplier === 'complete' && buyer === 'waiting'
}

/** Throws `rejected` if an order is in no supply yet: WB gives it no sticker. */
export async function refuseOutsideSupplies(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<void> {
  const statuses = await fetchRawStatuses(client, orders)
  const fresh = orders.find((id) => statuses.get(id)?.supplier === 'new')
  if (fresh === undefined) return
  throw rejection(`WB ещё не даёт этикетку заказа ${fresh}: сначала добавьте его в отгрузку`)
}

/** Orders that are not cancelled. WB moves no cancelled order, and does not ship it either. */
export async function withoutCancelled(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<string[]> {
  const statuses = await fetchRawStatuses(client, orders)
  return orders.filter((id) => readWildberriesStatus(statuses.get(id) ?? {}).status !== 'CANCELLED')
}

/** Statuses by order. Orders that WB does not report, or reports unreadably, are absent. */
export async function fetchRawStatuses(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<ReadonlyMap<string, RawStatus>> {
  const statuses = new Map<string, RawStatus>()
  const reader = openPartialReader()
  for (const ids of chunksOf(orders, wildberriesIdsMax.statuses)) {
    const { items } = await client.statuses(ids)
    const parsed = reader.each(items, (order) => ({
      id: textOf(order, 'id'),
      raw: parseRawStatus(order),
    }))
    for (const { id, raw } of parsed) statuses.set(id, raw)
  }
  return statuses
}

const statusNames: Partial<Record<OrderStatus, string>> = {
  CANCELLED: 'отменён',
  COMPLETED: 'уже у покупателя',
  IN_DELIVERY: 'уже передан в доставку',
}

/** Names the order and its state on WB, as the beginning of a sentence. */
export function describeOrderState(id: string, raw: RawStatus): string {
  const name = statusNames[readWildberriesStatus(raw).status] ?? 'в другом статусе'
  const pair = [raw.supplier, raw.buyer].flatMap((half) => half ?? []).join(', ')
  return `Заказ ${id} на WB ${name} (${excerpt(pair)})`
}
