import { account } from '../api.ts'

const barcodesMax = 100

/** Adds to goods what they are called. Where that can't be had, they are shown without. */
export async function withNames<Goods extends { readonly barcode?: string | undefined }>(
  items: readonly Goods[],
  signal: AbortSignal,
): Promise<(Goods & { name?: string | undefined })[]> {
  const wanted = [...new Set(items.flatMap(({ barcode }) => barcode ?? []))]
  const starts = Array.from({ length: Math.ceil(wanted.length / barcodesMax) }, (_, part) => part)
  const parts = starts.map(async (part) => {
    const barcodes = wanted.slice(part * barcodesMax, (part + 1) * barcodesMax).join()
    const answer = await account('GET /names', { query: { barcodes }, signal })
    return answer.items
  })
  const found = await Promise.all(parts).catch(() => [])
  const names = new Map(found.flat().map(({ barcode, name }) => [barcode, name]))
  return items.map((item) => ({ ...item, name: names.get(item.barcode ?? '') }))
}
