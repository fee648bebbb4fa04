import { staff } from '../../staff/api.ts'
import { type Goods, isSamePlace, type Place } from './calls.ts'

export interface Held extends Goods {
  readonly qty: number
}

/** What a place holds outside of the boxes that stand on it. */
export interface Contents {
  readonly place: Place
  readonly items: readonly Held[]
}

/** Units that came to a place, or went (below 0). */
export interface Change {
  readonly place: Place
  readonly goods: Goods
  readonly units: number
}

export async function askContents(
  place: Place | undefined,
  signal: AbortSignal,
): Promise<Contents | null> {
  if (place === undefined) return null
  const path = { id: place.code }
  if (place.kind === 'location') {
    const { contents = [] } = await staff('GET /locations/{id}', { path, signal })
    return {
      place,
      items: contents.map(({ client_id, ...item }) => ({ ...item, clientId: client_id })),
    }
  }
  const { contents = [], client_id: clientId } = await staff('GET /boxes/{id}', { path, signal })
  return { place, items: contents.map((item) => ({ ...item, clientId })) }
}

export function foldContents(
  contents: Contents | null,
  changes: readonly Change[],
  times: 1 | -1,
): Contents | null {
  if (contents === null) return null
  return changes
    .filter(({ place }) => isSamePlace(place, contents.place))
    .reduce((last, { goods, units }) => changed(last, goods, units * times), contents)
}

function changed({ place, items }: Contents, goods: Goods, units: number): Contents {
  const qty = Math.max(0, quantityOf(items, goods) + units)
  const others = items.filter((item) => !isSameGoods(item, goods))
  return { place, items: qty === 0 ? others : [{ ...goods, qty }, ...others] }
}

export function isSameGoods(a: Goods, b: Goods): boolean {
  return a.barcode === b.barcode && a.clientId === b.clientId
}

export function quantityOf(items: readonly Held[], goods: Goods): number {
  return items.find((item) => isSameGoods(item, goods))?.qty ?? 0
}
