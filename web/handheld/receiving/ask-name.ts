import type { StaffReceipt } from '../../api/staff-calls.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import type { UnlistedUnit } from './receipt.ts'

/** The name of goods of the receipt's client, if the warehouse knows them and answers in time. */
export async function nameOfOwn(
  { client_id: client }: StaffReceipt,
  { barcode }: UnlistedUnit,
): Promise<string | undefined> {
  try {
    const matches = await askLookup(barcode)
    const own = matches.find((match) => match.kind === 'goods' && match.client_id === client)
    return own?.name ?? undefined
  } catch {
    return undefined
  }
}
