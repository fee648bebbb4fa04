import { excerpt } from '../../../../platform/kernel/errors.ts'
import type { MarkKind } from '../../../../warehouse/orders/fact-kinds.ts'
import { orderStatusLabels } from '../../../../warehouse/orders/state.ts'
import { mapInParallel } from '../../calls/chunks.ts'
import {
  isFailure,
  isRejected,
  type MarketplaceError,
  rejection,
  temporaryFailure,
} from '../../calls/failure.ts'
import type { Time } from '../../calls/limits.ts'
import type { ShippedOrder } from '../../connector.ts'
import { type Posting, parsePosting } from '../answers/postings.ts'
import type { OzonClient } from '../client.ts'
import { namesError } from '../errors.ts'
import { explainIncomplete, lackingOf } from '../marks/refusals.ts'
import { pollUntil } from '../polling.ts'
import { awaitsPacking, isPacked, readOzonStatus } from '../status.ts'

/**
 * Asks OZON to pack postings: awaiting_packaging becomes awaiting_deliver. OZON accepts the call at once, packs
 * later, and may fail to. A packed posting may join a carriage and has a label.
 */

export interface Packing {
  /** All postings except the waiting ones. */
  readonly packed: readonly Posting[]
  /** Postings that need marks of their units or a number of boxes, if these may follow. */
  readonly waiting: readonly Posting[]
}

/** Throws if OZON refuses a posting, or has not packed all of them when polling ends. */
export async function packAll(
  client: OzonClient,
  time: Time,
  orders: readonly ShippedOrder[],
  { marksMayFollow }: { readonly marksMayFollow: boolean },
): Promise<Packing> {
  const found = await mapInParallel(unique(orders), async (order) => ({
    order,
    posting: parsePosting(await client.posting(order.externalId)),
  }))
  for (const { order, posting } of found) refuseUnpackable(order, posting)
  const {
    packed = [],
    waiting = [],
    due = [],
  } = Object.groupBy(found, ({ posting }) => {
    if (isPacked(posting.status)) return 'packed'
    const waits = posting.needsMarks || posting.needsBoxes
    return marksMayFollow && waits ? 'waiting' : 'due'
  })
  for (const { posting } of due) refuseWithoutBoxes(posting)
  await mapInParallel(due, ({ posting }) => pack(client, posting))
  const before = packed.map(({ posting }) => posting)
  const duePostings = due.map(({ posting }) => posting)
  return {
    packed: [...before, ...(await pollPacked(client, time, duePostings))],
    waiting: waiting.map(({ posting }) => posting),
  }
}

function unique(orders: readonly ShippedOrder[]): ShippedOrder[] {
  return [...new Map(orders.map((order) => [order.externalId, order])).values()]
}

function refuseUnpackable(order: ShippedOrder, posting: Posting): void {
  const { number, status, products, foreignScheme } = posting
  if (foreignScheme !== undefined) {
    throw rejection(
      `Заказ ${number} продавец доставляет сам (схема ${excerpt(foreignScheme)}): уберите его из отгрузки`,
    )
  }
  if (isPacked(status)) return
  if (!awaitsPacking(status)) {
    throw rejection(
      `${describePostingState(posting)}: отгрузить его нельзя, уберите его из отгрузки`,
    )
  }
  const units = products.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units === order.units) return
  throw rejection(`В заказе ${number} на OZON единиц: ${units}, а собирается: ${order.units}`)
}

function refuseWithoutBoxes({ number, needsBoxes }: Posting): void {
  if (!needsBoxes) return
  throw rejection(
    `Заказ ${number} едет в нескольких коробках: укажите их число у заказа и закройте отгрузку ещё раз`,
  )
}

/** Names the posting and its status on OZON, as the beginning of a sentence. */
export function describePostingState({
  number,
  status,
}: Pick<Posting, 'number' | 'status'>): string {
  const label = orderStatusLabels[readOzonStatus({ supplier: status }).status]
  return `Заказ ${number} на OZON в статусе «${label}» (${excerpt(status)})`
}

async function pack(client: OzonClient, { number, products }: Posting): Promise<void> {
  try {
    await client.ship(number, [products])
  } catch (error) {
    if (!isFailure(error) || error.kind === 'credentials') throw error
    // OZON may have carried out the call although its response was lost.
    if (isPacked(parsePosting(await client.posting(number)).status)) return
    throw (isIncomplete(error) ? await explainIncomplete(client, number) : undefined) ?? error
  }
}

function isIncomplete(error: unknown): boolean {
  return isRejected(error) && namesError(error, /EXEMPLAR_INFO_NOT_FILLED/)
}

/** The marks for want of which OZON refused to pack. */
export async function lackingForPacking(
  client: OzonClient,
  number: string,
  error: unknown,
): Promise<readonly MarkKind[]> {
  return isIncomplete(error) ? lackingOf(client, number) : []
}

/** Polls all postings together, so that many take no longer than one. */
async function pollPacked(
  client: OzonClient,
  time: Time,
  due: readonly Posting[],
): Promise<readonly Posting[]> {
  const packed: Posting[] = []
  let pending = due
  return pollUntil(
    time,
    async (isLast) => {
      const looked = await mapInParallel(pending, async (before) => {
        const after = parsePosting(await client.posting(before.number))
        // A posting that failed before still shows that failure until OZON tries again.
        if (after.shipFailed && (isLast || !before.shipFailed)) throw packingFailed(after)
        return { before, after }
      })
      packed.push(...looked.flatMap(({ after }) => (isPacked(after.status) ? after : [])))
      pending = looked.flatMap(({ before, after }) => (isPacked(after.status) ? [] : before))
      return pending.length === 0 ? packed : undefined
    },
    () => temporaryFailure('OZON ещё собирает заказы'),
  )
}

function packingFailed({ number }: Posting): MarketplaceError {
  return rejection(`OZON не смог собрать заказ ${number}: проверьте его в кабинете`, 'ship_failed')
}
