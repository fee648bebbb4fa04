import type { LookupMatch, StaffReceipt } from '../../api/staff-calls.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import type { UnlistedUnit } from './receipt.ts'

/** Goods of the receipt's client, if the warehouse knows them and answers in time. */
export async function ownGoods(
  { client_id: client }: StaffReceipt,
  { barcode }: UnlistedUnit,
): Promise<LookupMatch | undefined> {
  try {
    const matches = await askLookup(barcode)
    return matches.find((match) => match.kind === 'goods' && match.client_id === client)
  } catch {
    return undefined
  }
}
