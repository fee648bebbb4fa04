import { excerpt } from '../../kernel/errors.ts'
import type { ShippedOrder } from '../connector.ts'
import { MarketplaceError } from '../failure.ts'
import type { Time } from '../limits.ts'
import type { OzonClient } from './client.ts'
import { type Posting, postingOf } from './mapper.ts'
import { attachMarks } from './marks.ts'
import { refused } from './refusal.ts'
import { seen } from './waiting.ts'

/** Makes a posting ready to join a carriage; one that is ready is left alone. */
export async function pack(client: OzonClient, time: Time, order: ShippedOrder): Promise<Posting> {
  const number = order.externalId
  const found = postingOf(await client.posting(number))
  if (isPacked(found)) return found
  if (found.status !== 'awaiting_packaging') {
    throw refused(
      `Заказ ${number} на OZON в статусе ${excerpt(found.status)}, отгрузить его нельзя`,
    )
  }
  const units = found.products.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units !== order.units) {
    throw refused(`В заказе ${number} на OZON единиц: ${units}, а собирается: ${order.units}`)
  }
  if (order.codes !== undefined && order.codes.length > 0) {
    await attachMarks(client, time, number, order.codes)
  }
  try {
    await client.ship(number, found.products)
  } catch (error) {
    // The answer may have been lost, and not the call.
    if (!(error instanceof MarketplaceError) || error.kind === 'credentials') throw error
    const after = postingOf(await client.posting(number))
    if (!isPacked(after)) throw error
    return after
  }
  return seen(
    time,
    async (last) => {
      const after = postingOf(await client.posting(number))
      if (isPacked(after)) return after
      // What had failed before is told as failed until OZON gets to it.
      if (after.shipFailed && (last || !found.shipFailed)) {
        const message = `OZON не смог собрать заказ ${number}: проверьте его в кабинете`
        throw new MarketplaceError('rejected', message, { code: 'ship_failed' })
      }
      return undefined
    },
    `OZON ещё собирает заказ ${number}, повторим позже`,
  )
}

function isPacked({ status }: Posting): boolean {
  return status === 'awaiting_deliver'
}
