import { day } from '../../../../platform/kernel/moscow-time.ts'
import { rejection, temporaryFailure, unlessMissing } from '../../calls/failure.ts'
import { clockSkewMsMax } from '../../calls/marketplace-clock.ts'
import { textOf, textOrNone } from '../../calls/response-fields.ts'
import type { SplitGoods, SplitOrders } from '../../connector.ts'
import { parsePosting, parsePostingOrder } from '../answers/postings.ts'
import { ozonPages } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { describeLacking } from '../marks/refusals.ts'
import { awaitsPacking } from '../status.ts'
import { describePostingState, lackingForPacking } from './packing.ts'

/**
 * Splits postings. OZON splits a posting while it packs it: each package becomes a posting of its own,
 * which names the first one as its parent, and the first number goes.
 */

export async function splitPosting(
  context: OzonContext,
  number: string,
  packages: readonly (readonly SplitGoods[])[],
): Promise<SplitOrders> {
  const { client } = context
  const posting = parsePosting(await client.posting(number))
  if (!awaitsPacking(posting.status)) {
    throw rejection(`${describePostingState(posting)}: разделить можно только несобранный заказ`)
  }
  const goods = packages.map((products) =>
    products.map(({ itemId, quantity }) => ({ sku: String(itemId), quantity })),
  )
  const made = await client.ship(number, goods).catch(async (error: unknown) => {
    const lacking = await lackingForPacking(client, number, error)
    if (lacking.length === 0) throw error
    const what = describeLacking(lacking)
    throw rejection(
      `Разделить заказ ${number} можно, когда OZON знает ${what} его товаров: укажите в кабинете OZON и повторите`,
    )
  })
  const parts = await partsOfPosting(context, number)
  if (parts !== undefined && parts.items.length >= Math.max(packages.length, made.length)) {
    return parts
  }
  const late = temporaryFailure(`OZON ещё делит заказ ${number}`)
  late.outcomeUnknown = true
  throw late
}

/** OZON lists postings of a year. */
const listedMs = 364 * day

export async function partsOfPosting(
  { client, now }: OzonContext,
  number: string,
): Promise<SplitOrders | undefined> {
  const until = now() + clockSkewMsMax
  const filter = {
    since: new Date(until - listedMs).toISOString(),
    to: new Date(until).toISOString(),
    order_numbers: [orderNumberOf(number)],
  }
  const items = []
  let requestedAt = now()
  for await (const page of ozonPages((cursor) => client.postings(filter, cursor))) {
    requestedAt = page.requestedAt
    items.push(...page.items.filter((item) => textOrNone(item, 'parent_posting_number') === number))
  }
  if (items.length === 0) return undefined
  const first = await unlessMissing(client.posting(number))
  const keeps = first !== undefined && textOf(first, 'status') !== 'cancelled_from_split_pending'
  const numbered = keeps && textOf(first, 'status') !== 'cancelled' ? [first] : []
  return { requestedAt, items: [...numbered, ...items].map(parsePostingOrder) }
}

/** The number of a buyer's order: that of its postings without the last part. */
function orderNumberOf(number: string): string {
  return number.split('-').slice(0, 2).join('-')
}
