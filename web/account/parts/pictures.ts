import { account } from '../api.ts'

const barcodesMax = 100

/** Adds to goods the addresses of their pictures. Where these can't be had, the goods are shown without. */
export async function withPictures<Goods extends { readonly barcode: string }>(
  items: readonly Goods[],
  signal: AbortSignal,
): Promise<(Goods & { picture?: string | undefined })[]> {
  const starts = Array.from({ length: Math.ceil(items.length / barcodesMax) }, (_, part) => part)
  const parts = starts.map(async (part) => {
    const asked = items.slice(part * barcodesMax, (part + 1) * barcodesMax)
    const barcodes = asked.map(({ barcode }) => barcode).join()
    const answer = await account('GET /pictures', { query: { barcodes }, signal })
    return answer.items
  })
  const found = await Promise.all(parts).catch(() => [])
  const pictures = new Map(found.flat().map(({ barcode, picture }) => [barcode, picture]))
  return items.map((item) => ({ ...item, picture: pictures.get(item.barcode) }))
}
