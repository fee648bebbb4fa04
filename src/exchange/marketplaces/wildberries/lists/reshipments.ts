import type { ReportedReshipment } from '../../../../warehouse/shipments/reshipment.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { type Fields, textOf } from '../../calls/response-fields.ts'
import type { ReportedPage } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'

/** Orders per transaction: WB lists all of them in one response. */
const pageSize = 100

/** Lists the orders that are still at the seller though WB has scanned their supply. */
export async function* listWildberriesReshipments(
  client: WildberriesClient,
): AsyncGenerator<ReportedPage<ReportedReshipment>> {
  const reader = openPartialReader()
  const { requestedAt, items } = await client.reshipments()
  for (const page of chunksOf(reader.each(items, parseReshipment), pageSize)) {
    yield { requestedAt, items: page }
  }
  reader.finish()
}

/** WB spells these fields unlike those of orders and supplies. */
function parseReshipment(row: Fields): ReportedReshipment {
  return { externalId: textOf(row, 'orderID'), supply: textOf(row, 'supplyID') }
}

/** The numbers of all listed orders; unreadable rows are left out. */
export async function reshipmentNumbers(client: WildberriesClient): Promise<ReadonlySet<string>> {
  const { items } = await client.reshipments()
  const rows = openPartialReader().each(items, parseReshipment)
  return new Set(rows.map(({ externalId }) => externalId))
}
