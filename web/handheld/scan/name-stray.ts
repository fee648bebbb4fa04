import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { askLookup } from './ask-lookup.ts'
import { straySentence } from './stray.ts'
import type { Stray } from './verdict.ts'

/** The sentence with the name of what was scanned; undefined where the warehouse does not know it. */
export async function namedStray(stray: Stray): Promise<string | undefined> {
  const { code, clientId, reason } = stray
  const matches = await matchesOf(code)
  const match = matches.find((each) => each.client_id === clientId) ?? matches[0]
  if (match === undefined) return undefined
  const name = nameOf(match, clientId)
  return isGoods(match) ? straySentence(name, stray) : `${name}: ${reason}`
}

function isGoods({ kind }: LookupMatch): boolean {
  return kind === 'goods' || kind === 'marking_code'
}

/** Of a marking code that the warehouse has never seen its goods may be known. */
async function matchesOf(code: string): Promise<readonly LookupMatch[]> {
  const matches = await askLookup(code)
  const marking = readMarkingCode(code)
  return matches.length === 0 && marking.ok ? askLookup(marking.gtin) : matches
}

/** Such as «Чай» другого клиента, ООО «Луна». */
function nameOf(match: LookupMatch, own?: string): string {
  const { title, name, client_id, client_name } = match
  const what = isGoods(match) && name != null ? `«${name}»` : title
  const isForeign = own !== undefined && client_id !== null && client_id !== own
  return isForeign ? `${what} другого клиента, ${client_name}` : what
}
