import type { ToldShipment } from '../../shipments/mirror.ts'
import { isFailure } from '../calls/failure.ts'
import type { KnownShipment } from '../connector.ts'
import type { WildberriesClient } from './client.ts'
import { orderIdsOf } from './mapper.ts'

/**
 * A supply that WB made long after nobody waited for its answer any more may have been made once more
 * by then, under the same mark, or been given up. The one that is known is the shipment; nobody sees
 * the other, which is empty, so that it may be deleted.
 */
export interface Twins {
  look(supply: ToldShipment): void
  /** Once all supplies were looked at. What fails is left for the next time. */
  drop(client: WildberriesClient): Promise<void>
}

/** Nobody types one in by hand. */
const ownMark = /^SK-[0-9A-F]{12}(?= |$)/

export function openTwins(known: readonly KnownShipment[], givenUp: readonly string[]): Twins {
  const numbers = new Set(known.map(({ externalId }) => externalId))
  const taken = new Set(givenUp)
  const others = new Map<string, string>()
  return {
    look({ externalId, name = '', closedAt }) {
      const mark = ownMark.exec(name)?.[0]
      if (mark === undefined) return
      if (numbers.has(externalId)) taken.add(mark)
      else if (closedAt === undefined) others.set(externalId, mark)
    },
    async drop(client) {
      for (const [id, mark] of others) if (taken.has(mark)) await deleteEmpty(client, id)
    },
  }
}

/** WB itself deletes none that holds an order. */
async function deleteEmpty(client: WildberriesClient, id: string): Promise<void> {
  try {
    if (orderIdsOf(await client.orderIds(id)).length === 0) await client.deleteSupply(id)
  } catch (error) {
    if (!isFailure(error)) throw error
  }
}
