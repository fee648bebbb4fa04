import { day, type Instant } from '../../../../platform/kernel/moscow-time.ts'
import type { OrderDraft, ReportedStatus } from '../../../../warehouse/orders/draft.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { openPartialReader, type PartialReader } from '../../calls/partial-reader.ts'
import { isRemoteId } from '../../calls/response-fields.ts'
import type { ReportedPage } from '../../connector.ts'
import { parseAssemblyOrder, parseOrderStatus } from '../answers/orders.ts'
import { type WildberriesClient, wildberriesIdsMax, wildberriesPages } from '../client.ts'

const second = 1000
/** The longest period that one request for orders may cover. */
const periodSecondsMax = (30 * day) / second
/** WB does not report older orders. */
const ordersKeptMs = 90 * day

/**
 * Lists new orders first, because they are urgent, and then the orders created since `from`, each
 * order once. WB reports statuses separately: each page waits for its statuses and has the time of
 * that request.
 */
export async function* listWildberriesOrders(
  client: WildberriesClient,
  from: Instant,
  now: () => Instant,
): AsyncGenerator<ReportedPage<OrderDraft>> {
  const reader = openPartialReader()
  const fresh = reader.each((await client.newOrders()).items, parseAssemblyOrder)
  const listed = new Set(fresh.map(({ externalId }) => externalId))
  yield* pagesWithStatuses(client, fresh, reader)
  // After the first answer: it tells the time where our clock is wrong.
  const until = now()
  const end = Math.floor(until / second)
  let start = Math.floor(Math.max(from, until - ordersKeptMs) / second)
  while (start < end) {
    const [dateFrom, dateTo] = [start, Math.min(start + periodSecondsMax, end)]
    const pages = wildberriesPages((next) => client.orders(dateFrom, dateTo, next))
    for await (const { items } of pages) {
      const orders = reader.each(items, parseAssemblyOrder)
      const others = orders.filter(({ externalId }) => !listed.has(externalId))
      yield* pagesWithStatuses(client, others, reader)
    }
    start = dateTo
  }
  reader.finish()
}

/**
 * An order whose status WB does not report has no reading, and keeps the status that it has here.
 */
async function* pagesWithStatuses(
  client: WildberriesClient,
  orders: readonly OrderDraft[],
  reader: PartialReader,
): AsyncGenerator<ReportedPage<OrderDraft>> {
  for (const page of chunksOf(orders, wildberriesIdsMax.statuses)) {
    const { requestedAt, items } = await client.statuses(page.map(({ externalId }) => externalId))
    const statuses = reader.each(items, parseOrderStatus)
    const byNumber = new Map(statuses.map((status) => [status.externalId, status]))
    const withStatus = (order: OrderDraft): OrderDraft => {
      const { reading, facts } = byNumber.get(order.externalId) ?? {}
      return { ...order, reading, facts: { ...order.facts, ...facts } }
    }
    yield { requestedAt, items: page.map(withStatus) }
  }
}

export async function* listWildberriesStatuses(
  client: WildberriesClient,
  externalIds: readonly string[],
): AsyncGenerator<ReportedPage<ReportedStatus>> {
  const reader = openPartialReader()
  for (const ids of chunksOf(externalIds.filter(isRemoteId), wildberriesIdsMax.statuses)) {
    const { requestedAt, items } = await client.statuses(ids)
    yield { requestedAt, items: reader.each(items, parseOrderStatus) }
  }
  reader.finish()
}
