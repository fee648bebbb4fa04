import { excerpt } from '../../kernel/errors.ts'
import { isRejected } from '../calls/failure.ts'
import type { WildberriesClient } from './client.ts'
import { standingInWords, statusesOf } from './joining.ts'
import { retold } from './refusals.ts'
import { isBarredFromSupply } from './status.ts'

/** Marking codes go to an order while it is collected; what WB thinks of them it tells later. */
export async function attachMarks(
  client: WildberriesClient,
  id: string,
  codes: readonly string[],
): Promise<void> {
  try {
    await client.attachMarks(id, codes)
  } catch (error) {
    if (!isRejected(error)) throw error
    // The warehouse scans codes of goods of which WB may not want any.
    if (error.code === 'MetaKeyNotRequired') return
    if (error.code !== 'FailedToUpdateMeta') throw error
    throw retold(error, await whyNotAttached(client, id))
  }
}

async function whyNotAttached(client: WildberriesClient, id: string): Promise<string> {
  const raw = (await statusesOf(client, [id])).get(id)
  if (raw !== undefined && isBarredFromSupply(raw)) {
    return `${standingInWords(id, raw)}: коды маркировки к нему не добавить, уберите его из отгрузки`
  }
  return `WB не принял коды маркировки заказа ${excerpt(id)}: сверьте их с его товаром`
}
