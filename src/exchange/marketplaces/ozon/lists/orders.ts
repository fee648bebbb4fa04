import { day, type Instant } from '../../../../platform/kernel/moscow-time.ts'
import type { OrderDraft } from '../../../../warehouse/orders/draft.ts'
import { clockSkewMsMax } from '../../calls/marketplace-clock.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import type { Fields } from '../../calls/response-fields.ts'
import type { ReportedOrderPage } from '../../connector.ts'
import { parsePostingOrder, parsePostingStatus } from '../answers/postings.ts'
import { type OzonClient, ozonPages } from '../client.ts'
import { listedHash } from '../posting-details.ts'

/**
 * OZON lists postings that came in within a year; one day of it is left for the difference of
 * clocks.
 */
const postingsKeptMs = 364 * day

/** A listing in parts covers so much of the changes at a time. */
const partMs = 3 * day

/**
 * Lists postings whose status changed since `from`; a new posting counts as changed. A posting
 * whose goods cannot be read is listed with its status alone.
 */
export async function* listOzonOrders(
  client: OzonClient,
  from: Instant,
  now: () => Instant,
  inParts = false,
): AsyncGenerator<ReportedOrderPage> {
  const horizon = () => now() + clockSkewMsMax
  const time = (instant: Instant) => new Date(instant).toISOString()
  const reader = openPartialReader()
  let until = horizon()
  for (let begin = Math.max(from, until - postingsKeptMs); begin < until; ) {
    const end = inParts ? Math.min(begin + partMs, until) : until
    const changed = { from: time(begin), to: time(end) }
    const created = { since: time(until - postingsKeptMs), to: time(until) }
    const filter = { ...created, last_changed_status_date: changed }
    const pages = ozonPages((cursor) => client.postings(filter, cursor))
    let requestedAt = now()
    for await (const page of pages) {
      const { items } = page
      requestedAt = page.requestedAt
      const orders = reader.each(items, parseListedOrder)
      const read = new Set(orders.map(({ externalId }) => externalId))
      const statuses = openPartialReader()
        .each(items, parsePostingStatus)
        .filter(({ externalId }) => !read.has(externalId))
      yield { requestedAt, items: orders, statuses }
    }
    if (end < until && reader.isComplete()) yield { requestedAt, items: [], readUntil: end }
    begin = end
    // The answers may have shown that it is later than our clock says.
    if (begin < now()) until = horizon()
  }
  reader.finish()
}

function parseListedOrder(posting: Fields): OrderDraft {
  const order = parsePostingOrder(posting)
  return { ...order, facts: { ...order.facts, listed: listedHash(order) } }
}
