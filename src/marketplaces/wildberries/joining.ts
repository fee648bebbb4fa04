import { excerpt } from '../../kernel/errors.ts'
import type { OrderStatus, RawStatus } from '../../orders/state.ts'
import { openReading, textOf } from '../calls/answer.ts'
import { MarketplaceError } from '../calls/failure.ts'
import { inPieces } from '../calls/pages.ts'
import { idsMax, type WildberriesClient } from './client.ts'
import { pairOf } from './mapper.ts'
import { isBarredFromSupply, readWildberriesStatus } from './status.ts'

/**
 * Which orders a supply may take. WB takes a hundred at once and gives none back, so whoever brings
 * more asks about all of them before any of them joins.
 */

/** Throws rejected, with its number, for an order that WB would refuse; nothing is changed. */
export async function refuseBarred(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<void> {
  const told = await statusesOf(client, orders)
  for (const id of orders) {
    const raw = told.get(id)
    if (raw !== undefined && isBarredFromSupply(raw)) throw barred(id, raw)
  }
  // Where nothing is told at all, one call is safe yet: WB takes all that it names, or nothing.
  if (told.size === 0 && orders.length <= idsMax.fill) return
  const untold = orders.find((id) => !told.has(id))
  if (untold === undefined) return
  throw refused(`WB не сообщает статус заказа ${excerpt(untold)}: в поставку его не добавить`)
}

/** Throws rejected for an order that is in no supply yet: WB gives no sticker for it. */
export async function refuseInNone(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<void> {
  const told = await statusesOf(client, orders)
  const fresh = orders.find((id) => told.get(id)?.supplier === 'new')
  if (fresh === undefined) return
  throw refused(`WB ещё не даёт этикетку заказа ${fresh}: сначала добавьте его в отгрузку`)
}

/** Those that were not cancelled: WB moves no others, and knows itself that they do not leave. */
export async function withoutCancelled(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<string[]> {
  const told = await statusesOf(client, orders)
  return orders.filter((id) => readWildberriesStatus(told.get(id) ?? {}).status !== 'CANCELLED')
}

/** Of the orders that WB tells of; what can't be read of its answer is not told. */
export async function statusesOf(
  client: WildberriesClient,
  orders: readonly string[],
): Promise<ReadonlyMap<string, RawStatus>> {
  const told = new Map<string, RawStatus>()
  const reading = openReading()
  for (const ids of inPieces(orders, idsMax.statuses)) {
    const { items } = await client.statuses(ids)
    const read = reading.of(items, (order) => ({ id: textOf(order, 'id'), raw: pairOf(order) }))
    for (const { id, raw } of read) told.set(id, raw)
  }
  return told
}

const statusNames: Partial<Record<OrderStatus, string>> = {
  CANCELLED: 'отменён',
  COMPLETED: 'уже у покупателя',
  IN_DELIVERY: 'уже передан в доставку',
}

function barred(id: string, raw: RawStatus): MarketplaceError {
  return refused(`${standingInWords(id, raw)}: в поставку его не добавить, уберите его из отгрузки`)
}

function refused(message: string): MarketplaceError {
  return new MarketplaceError('rejected', message)
}

/** Where an order stands there, as the beginning of a sentence. */
export function standingInWords(id: string, raw: RawStatus): string {
  const name = statusNames[readWildberriesStatus(raw).status] ?? 'в другом статусе'
  const pair = [raw.supplier, raw.buyer].flatMap((half) => half ?? []).join(', ')
  return `Заказ ${id} на WB ${name} (${excerpt(pair)})`
}
