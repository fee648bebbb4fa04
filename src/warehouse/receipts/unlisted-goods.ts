import type { SharedWork } from '../../platform/db/work.ts'
import { barcodesOfGtin } from '../../platform/kernel/codes/gs1.ts'
import { lookUpProducts } from '../catalogue/product-lookup.ts'
import type { StoredBarcode } from '../catalogue/products.ts'
import { registerProducts } from '../stock/new-products.ts'
import {
  type HandheldScan,
  possibleBarcodes,
  type ScannableLine,
  type ScanReading,
} from './scanned-line.ts'

/**
 * Goods that arrive though their receipt does not list them. They get a line with expected 0, so all of
 * their units are in question until a manager decides.
 */

export interface UnlistedGoods extends ScannableLine {
  readonly article: string | null
}

/**
 * The goods that a scan may mean: products of the warehouse, else of cards, else new goods under the name that the
 * worker typed. New goods are marked if the scan has a marking code. Empty where nobody has named them. `ofCards` has
 * the barcodes that cards connect with the scan, for goods that its own barcodes do not name.
 */
export async function unlistedGoods(
  { tx }: SharedWork,
  scan: HandheldScan & { readonly clientId: string },
  reading: ScanReading,
  cabinetId: string | null,
  ofCards: readonly string[],
): Promise<UnlistedGoods[]> {
  if (reading.barcode !== undefined) {
    await tx`select refuse_merged(${scan.clientId}, ${possibleBarcodes(reading)})`
  }
  for (const barcodes of [possibleBarcodes(reading), ofCards]) {
    if (barcodes.length === 0) continue
    const known = await lookUpProducts(tx, scan.clientId, barcodes, cabinetId ?? undefined)
    // Each spelling names the same product.
    const goods = new Map([...known.values()].map((product) => [product.barcode, product]))
    if (goods.size > 0) return [...goods.values()]
  }
  const barcode = barcodeOfNewGoods(reading)
  if (scan.name === undefined || barcode === undefined) return []
  return [{ barcode, name: scan.name, article: null, marked: reading.code !== undefined }]
}

/** The scanned barcode without the scanner's additions; of a marking code, the EAN-13 of its GTIN. */
function barcodeOfNewGoods({ barcode, code }: ScanReading): string | undefined {
  if (barcode !== undefined) return barcode.exact.at(-1)
  if (!code?.ok) return undefined
  const spellings = barcodesOfGtin(code.gtin)
  return spellings.find(({ length }) => length === 13) ?? spellings[0]
}

export interface UnlistedLine {
  readonly clientId: string
  readonly receiptId: string
  readonly goods: UnlistedGoods
}

/**
 * Adds lines for unlisted goods, which become products. A line that another transaction has added stays
 * as it is. The caller has locked the receipts. Answers with the barcodes under which clients have the goods.
 */
export async function addUnlistedLines(
  work: SharedWork,
  lines: readonly UnlistedLine[],
): Promise<(clientId: string, barcode: string) => string> {
  const stored = new Map<string, StoredBarcode>()
  const storedAs = (clientId: string, barcode: string) => stored.get(clientId)?.(barcode) ?? barcode
  if (lines.length === 0) return storedAs
  const clients = Map.groupBy(lines, ({ clientId }) => clientId)
  for (const clientId of [...clients.keys()].sort()) {
    const goods = (clients.get(clientId) ?? []).map(({ goods: { marked, ...product } }) => ({
      ...product,
      honestMark: marked,
    }))
    stored.set(clientId, await registerProducts(work, clientId, goods))
  }
  const rows = lines.map(({ clientId, receiptId, goods }) => ({
    client_id: clientId,
    receipt_id: receiptId,
    ...goods,
    barcode: storedAs(clientId, goods.barcode),
  }))
  await work.tx`
    insert into receipt_items
      (client_id, receipt_id, barcode, line, name, article, honest_mark, expected_qty)
    select n.client_id, n.receipt_id, n.barcode, (
        select coalesce(max(i.line), 0) + 1 from receipt_items i
        where i.client_id = n.client_id and i.receipt_id = n.receipt_id
      ), n.name, n.article, n.marked, 0
    from jsonb_to_recordset(${work.tx.json(rows)}) as n
      (client_id uuid, receipt_id uuid, barcode text, name text, article text, marked boolean)
    order by n.client_id, n.receipt_id, n.barcode collate "C"
    on conflict do nothing`
  return storedAs
}
