import { account } from '../api.ts'

/** What lists of goods do not say of their goods. Where it can't be had, they are shown without. */

const barcodesMax = 100

/** Adds to goods what they are called. */
export async function withNames<Goods extends { readonly barcode?: string | undefined }>(
  items: readonly Goods[],
  signal: AbortSignal,
): Promise<(Goods & { name?: string | undefined })[]> {
  const found = await byBarcode(items, (barcodes) =>
    account('GET /names', { query: { barcodes }, signal }),
  )
  return items.map((item) => ({ ...item, name: found.get(item.barcode)?.name }))
}

/** Adds to goods the addresses of their pictures. */
export async function withPictures<Goods extends { readonly barcode: string }>(
  items: readonly Goods[],
  signal: AbortSignal,
): Promise<(Goods & { picture?: string | undefined })[]> {
  const found = await byBarcode(items, (barcodes) =>
    account('GET /pictures', { query: { barcodes }, signal }),
  )
  return items.map((item) => ({ ...item, picture: found.get(item.barcode)?.picture }))
}

async function byBarcode<Answered extends { readonly barcode: string }>(
  items: readonly { readonly barcode?: string | undefined }[],
  ask: (barcodes: string) => Promise<{ readonly items: readonly Answered[] }>,
): Promise<ReadonlyMap<string | undefined, Answered>> {
  const wanted = [...new Set(items.flatMap(({ barcode }) => barcode ?? []))]
  const starts = Array.from({ length: Math.ceil(wanted.length / barcodesMax) }, (_, part) => part)
  const parts = starts.map((part) =>
    ask(wanted.slice(part * barcodesMax, (part + 1) * barcodesMax).join()),
  )
  const answers = await Promise.all(parts).catch(() => [])
  return new Map(answers.flatMap(({ items }) => items).map((each) => [each.barcode, each]))
}
