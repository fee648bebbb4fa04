import { CallError, plainly } from '../../api/caller.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { type CountReading, notCounted } from './count.ts'

const unasked = 'Без связи этот код не узнать. Сканируйте штрихкод товара'

/** A code that may be a location or goods. The scans behind it wait: they belong to the place that it may name. */
export async function askWhat(count: StockCount, code: string): Promise<CountReading> {
  try {
    const matches = await askLookup(code)
    const goods = matches.find(
      (match) => match.kind === 'goods' && match.client_id === count.client_id,
    )
    if (goods?.barcode != null) return goodsOf(count, code, goods.barcode, goods.name)
    const place = matches.find((match) => match.kind === 'location')
    if (place?.location_code == null) return { kind: 'unknown' }
    return (count.places ?? []).length > 0
      ? { kind: 'wrong', sentence: `Место ${place.title} сейчас не считают` }
      : { kind: 'place', place: { kind: 'location', code: place.location_code } }
  } catch (error) {
    const isAnswered = error instanceof CallError && error.code !== 'offline'
    return { kind: 'wrong', sentence: isAnswered ? plainly(error) : unasked }
  }
}

function goodsOf(
  count: StockCount,
  code: string,
  barcode: string,
  name: string | null = null,
): CountReading {
  const { barcodes } = count.scope
  if (barcodes.length > 0 && !barcodes.includes(barcode)) return notCounted(count, code)
  return { kind: 'goods', goods: { code, barcode, name: name ?? barcode, isMarked: false } }
}
