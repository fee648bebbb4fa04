import { excerpt } from '../../kernel/errors.ts'
import { orderStatusLabels } from '../../orders/state.ts'
import { listOrNone } from '../calls/answer.ts'
import { isRejected, MarketplaceError, passing, unlessRejected } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import type { ShippedOrder } from '../connector.ts'
import type { OzonClient } from './client.ts'
import { undeclared } from './declarations.ts'
import { type Posting, postingOf } from './mapper.ts'
import { refused, says } from './refusal.ts'
import { isPacked, readOzonStatus } from './status.ts'
import { seen, withEach } from './waiting.ts'

/**
 * Packing by OZON's book: it takes a posting from awaiting_packaging to awaiting_deliver, some time
 * after it was promised, and may fail in between. What is packed may join a carriage and has a label.
 */

export interface Packing {
  /** All of them, but for those that wait. */
  readonly packed: readonly Posting[]
  /** Those that need marking codes, where these may follow. */
  readonly waiting: readonly Posting[]
}

export async function packAll(
  client: OzonClient,
  time: Time,
  orders: readonly ShippedOrder[],
  { marksMayFollow }: { readonly marksMayFollow: boolean },
): Promise<Packing> {
  const found = await withEach(unique(orders), async (order) => ({
    order,
    posting: postingOf(await client.posting(order.externalId)),
  }))
  for (const { order, posting } of found) check(order, posting)
  const {
    packed = [],
    waiting = [],
    due = [],
  } = Object.groupBy(found, ({ posting }) => {
    if (isPacked(posting.status)) return 'packed'
    return marksMayFollow && posting.needsMarks ? 'waiting' : 'due'
  })
  await withEach(due, ({ posting }) => ship(client, posting))
  const done = packed.map(({ posting }) => posting)
  return {
    packed: [...done, ...(await seenPacked(client, time, due))],
    waiting: waiting.map(({ posting }) => posting),
  }
}

function unique(orders: readonly ShippedOrder[]): ShippedOrder[] {
  return [...new Map(orders.map((order) => [order.externalId, order])).values()]
}

function check(order: ShippedOrder, posting: Posting): void {
  const { number, status, products } = posting
  if (isPacked(status)) return
  if (status !== 'awaiting_packaging') {
    throw refused(`${standingInWords(posting)}: отгрузить его нельзя, уберите его из отгрузки`)
  }
  const units = products.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units === order.units) return
  throw refused(`В заказе ${number} на OZON единиц: ${units}, а собирается: ${order.units}`)
}

/** Where an order stands there, as the beginning of a sentence. */
export function standingInWords({ number, status }: Pick<Posting, 'number' | 'status'>): string {
  const label = orderStatusLabels[readOzonStatus({ supplier: status }).status]
  return `Заказ ${number} на OZON в статусе «${label}» (${excerpt(status)})`
}

async function ship(client: OzonClient, { number, products }: Posting): Promise<void> {
  try {
    await client.ship(number, products)
  } catch (error) {
    // The answer may have been lost, and not the call.
    if (!(error instanceof MarketplaceError) || error.kind === 'credentials') throw error
    if (isPacked(postingOf(await client.posting(number)).status)) return
    throw (await declarationMissing(client, number, error)) ?? error
  }
}

const notFilled = /EXEMPLAR_INFO_NOT_FILLED/

async function declarationMissing(client: OzonClient, number: string, error: MarketplaceError) {
  if (!isRejected(error) || !says(error, notFilled)) return undefined
  const exemplars = await unlessRejected(client.exemplars(number))
  return exemplars && undeclared(number, listOrNone(exemplars, 'products'))
}

/** Looks at all that are under way together, so that many wait no longer than one. */
async function seenPacked(
  client: OzonClient,
  time: Time,
  due: readonly { readonly posting: Posting }[],
): Promise<readonly Posting[]> {
  const packed: Posting[] = []
  let left = due.map(({ posting }) => posting)
  return seen(
    time,
    async (last) => {
      const looked = await withEach(left, async (before) => {
        const after = postingOf(await client.posting(before.number))
        // What had failed before is told as failed until OZON gets to it.
        if (after.shipFailed && (last || !before.shipFailed)) throw failed(after)
        return { before, after }
      })
      packed.push(...looked.flatMap(({ after }) => (isPacked(after.status) ? after : [])))
      left = looked.flatMap(({ before, after }) => (isPacked(after.status) ? [] : before))
      return left.length === 0 ? packed : undefined
    },
    passing('OZON ещё собирает заказы'),
  )
}

function failed({ number }: Posting): MarketplaceError {
  return refused(`OZON не смог собрать заказ ${number}: проверьте его в кабинете`, 'ship_failed')
}
