import { day, type Instant } from '../../kernel/moscow-time.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import type { ReportedOrderPage } from '../connector.ts'
import { clockSkewMsMax, type OzonClient, ozonPages } from './client.ts'
import { parsePostingOrder, parsePostingStatus } from './parse-postings.ts'

/**
 * OZON lists postings that came in within a year; one day of it is left for the difference of
 * clocks.
 */
const postingsKeptMs = 364 * day

/**
 * Lists postings whose status changed since `from`; a new posting counts as changed. A posting
 * whose goods cannot be read is listed with its status alone.
 */
export async function* listOzonOrders(
  client: OzonClient,
  from: Instant,
  now: Instant,
): AsyncGenerator<ReportedOrderPage> {
  const until = now + clockSkewMsMax
  const time = (instant: Instant) => new Date(instant).toISOString()
  const earliest = until - postingsKeptMs
  const filter = {
    since: time(earliest),
    to: time(until),
    last_changed_status_date: { from: time(Math.max(from, earliest)), to: time(until) },
  }
  const reader = openPartialReader()
  const pages = ozonPages((cursor) => client.postings(filter, cursor))
  for await (const { requestedAt, items } of pages) {
    const orders = reader.each(items, parsePostingOrder)
    const read = new Set(orders.map(({ externalId }) => externalId))
    const statuses = openPartialReader()
      .each(items, parsePostingStatus)
      .filter(({ externalId }) => !read.has(externalId))
    yield { requestedAt, items: orders, statuses }
  }
  reader.finish()
}
