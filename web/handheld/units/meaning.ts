import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readLocationCode } from '../../../src/warehouse/storage/location-code.ts'
import { plainly } from '../../api/caller.ts'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { asCallError } from '../../api/use-answer.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import type { Goods, Place } from './calls.ts'

export interface Owned extends Goods {
  readonly clientName: string
  /** Units that lie nowhere yet. */
  readonly loose: number
}

export type Meaning =
  | { readonly kind: 'place'; readonly place: Place; readonly clientId: string | undefined }
  /** Of each client that has these goods. */
  | { readonly kind: 'goods'; readonly owners: readonly Owned[] }
  | { readonly kind: 'wrong'; readonly sentence: string }

const known = new Map<string, Meaning>()

/** What a scanned code is. Places and goods are asked for once; without network a place is known by its form. */
export async function meaningOf(code: string): Promise<Meaning> {
  const before = known.get(code)
  if (before !== undefined) return before
  try {
    const meaning = meant(code, await askLookup(code))
    if (meaning.kind !== 'wrong') known.set(code, meaning)
    return meaning
  } catch (failure) {
    const error = asCallError(failure)
    return error.code === 'offline' ? guessed(code) : wrong(plainly(error))
  }
}

function meant(code: string, matches: readonly LookupMatch[]): Meaning {
  const place = matches.find(({ kind }) => kind === 'location' || kind === 'box')
  if (place?.kind === 'box') return boxOf(readSscc(code) ?? code, place.client_id ?? undefined)
  if (place !== undefined) return locationOf(place.location_code ?? code)
  if (matches.some(({ kind }) => kind === 'pallet')) {
    return wrong('Прямо на паллету не кладут. Отсканируйте короб или место')
  }
  const marked = matches.filter(({ kind }) => kind === 'marking_code')
  const goods = marked.length > 0 ? marked : matches.filter(({ kind }) => kind === 'goods')
  if (goods.length > 0) return { kind: 'goods', owners: goods.flatMap(ownedOf) }
  return matches.length === 0
    ? wrong('Склад не знает этого кода. Отсканируйте ещё раз или другой код')
    : wrong('Это не место и не товар. Отсканируйте место, короб или товар')
}

/** Without network: a place is known by its form, and whose goods these are nobody can say. */
function guessed(code: string): Meaning {
  const sscc = readSscc(code)
  if (sscc !== undefined) return boxOf(sscc, undefined)
  const location = readLocationCode(code)
  if (location !== undefined) return locationOf(location)
  return wrong('Нет связи: этого товара терминал ещё не видел. Отсканируйте, когда связь появится')
}

function boxOf(code: string, clientId: string | undefined): Meaning {
  return { kind: 'place', place: { kind: 'box', code }, clientId }
}

function locationOf(code: string): Meaning {
  return { kind: 'place', place: { kind: 'location', code }, clientId: undefined }
}

function wrong(sentence: string): Meaning {
  return { kind: 'wrong', sentence }
}

function ownedOf({
  barcode,
  name,
  client_id: clientId,
  client_name,
  loose = 0,
}: LookupMatch): Owned[] {
  if (barcode == null || clientId === null) return []
  return [{ barcode, name: name ?? barcode, clientId, clientName: client_name ?? clientId, loose }]
}
