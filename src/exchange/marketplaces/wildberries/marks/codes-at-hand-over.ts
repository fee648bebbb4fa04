import { excerpt } from '../../../../platform/kernel/errors.ts'
import { isRejected } from '../../calls/failure.ts'
import type { WildberriesClient } from '../client.ts'
import { reworded } from '../refusals.ts'
import { isIneligibleForSupply } from '../status.ts'
import { describeOrderState, fetchRawStatuses } from '../supply-eligibility.ts'

/**
 * Attaches the marking codes of an order while it is picked. WB checks them later and reports the
 * result at hand-over (marking-code-checks.ts). Goods that need no codes are no error: the
 * warehouse may scan codes that WB does not want.
 */
export async function attachCodesToOrder(
  client: WildberriesClient,
  id: string,
  codes: readonly string[],
): Promise<void> {
  try {
    await client.attachMarkingCodes(id, codes)
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return
    if (error.code !== 'FailedToUpdateMeta') throw error
    throw reworded(error, await explainRefusedCodes(client, id))
  }
}

async function explainRefusedCodes(client: WildberriesClient, id: string): Promise<string> {
  const raw = (await fetchRawStatuses(client, [id])).get(id)
  if (raw !== undefined && isIneligibleForSupply(raw)) {
    const state = describeOrderState(id, raw)
    return `${state}: коды маркировки к нему не добавить, уберите его из отгрузки`
  }
  return `WB не принял коды маркировки заказа ${excerpt(id)}: сверьте их с его товаром`
}
