import { createHash } from 'node:crypto'
import type { OrderDraft } from '../../../warehouse/orders/draft.ts'
import { mapInParallel } from '../calls/chunks.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import type { ReportedOrder, ReportedPage } from '../connector.ts'
import { parsePostingOrder } from './answers/postings.ts'
import type { OzonContext } from './context.ts'
import { awaitsPacking } from './status.ts'

/**
 * What OZON shows of a posting alone, and not in lists: of which goods it wants the weight, and whether it
 * wants several boxes. Packing needs both, so they are read when the posting comes in, and again when its
 * goods or requirements change.
 */

/** What a list shows of a posting, as a hash; null where it says all that matters. */
export function listedHash({ lines, reading, facts }: OrderDraft): string | null {
  const isWhole = lines.every(({ unnamedMarks = [] }) => unnamedMarks.length === 0)
  if (isWhole || !awaitsPacking(reading?.supplier)) return null
  const goods = lines.map(({ itemId, quantity, requiredMarks }) => [
    itemId,
    quantity,
    requiredMarks,
  ])
  const shown = JSON.stringify([goods, facts?.needsBoxes])
  return createHash('sha256').update(shown).digest('base64url').slice(0, 16)
}

export async function readOzonDetails(
  { client, now }: OzonContext,
  numbers: readonly string[],
): Promise<ReportedPage<ReportedOrder>> {
  const requestedAt = now()
  const reader = openPartialReader()
  const postings = await mapInParallel(numbers, (number) => reader.attempt(client.posting(number)))
  const found = postings.filter((posting) => posting !== undefined)
  return { requestedAt, items: reader.each(found, parsePostingOrder) }
}
