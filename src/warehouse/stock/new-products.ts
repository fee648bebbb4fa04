import type { SharedWork, Work } from '../../platform/db/work.ts'
import { lookUpProducts } from '../catalogue/product-lookup.ts'
import {
  type InsertedProducts,
  insertProducts,
  type NewProduct,
  type StoredBarcode,
  updateProduct,
} from '../catalogue/products.ts'
import { openBalances } from './ledger.ts'
import type { ReportedStock } from './marketplace-stock.ts'

/**
 * Registers products that the client does not have yet: they enter the product list and, with no unit
 * in the warehouse, the stock list. Known products stay as they are. Returns under which barcodes they are stored.
 */
export async function registerProducts(
  work: SharedWork,
  clientId: string,
  drafts: readonly NewProduct[],
): Promise<StoredBarcode> {
  return (await register(work, clientId, drafts)).storedAs
}

/** Makes a product what the draft says, new or known (see updateProduct). Answers with its barcode. */
export async function putProduct(
  work: Work,
  clientId: string,
  draft: NewProduct,
): Promise<{ barcode: string; outcome: 'created' | 'changed' | 'unchanged' }> {
  const { created, storedAs } = await register(work, clientId, [draft])
  const barcode = storedAs(draft.barcode)
  if (created.length > 0) return { barcode, outcome: 'created' }
  const isChanged = await updateProduct(work, clientId, { ...draft, barcode })
  return { barcode, outcome: isChanged ? 'changed' : 'unchanged' }
}

async function register(
  work: SharedWork,
  clientId: string,
  drafts: readonly NewProduct[],
): Promise<InsertedProducts> {
  const inserted = await insertProducts(work, clientId, drafts)
  await openBalances(work, clientId, inserted.created)
  return inserted
}

/**
 * Puts goods that the marketplace offers into the stock list, where no unit of them was ever received: the seller
 * sees what is promised and not there. A card without a name of its own can't be listed, and sellers see nothing of
 * an observed cabinet.
 */
export async function listShownGoods(
  work: Work,
  clientId: string,
  cabinetId: string,
  figures: readonly ReportedStock[],
): Promise<void> {
  const shown = figures.filter(({ quantity }) => quantity > 0).map(({ barcode }) => barcode)
  if (shown.length === 0) return
  const unknown = await work.tx<{ barcode: string }[]>`
    select distinct s.barcode from unnest(${shown}::text[]) as s (barcode)
    where not exists (
      select from products p where p.client_id = ${clientId} and p.barcode = s.barcode)
      and exists (
        select from cabinets k
        where k.client_id = ${clientId} and k.id = ${cabinetId} and k.shipments <> 'observe'
          and not k.has_hidden_rows)`
  if (unknown.length === 0) return
  const barcodes = unknown.map(({ barcode }) => barcode)
  const cards = await lookUpProducts(work.tx, clientId, barcodes, cabinetId)
  const drafts = [...cards.values()].map(({ marked, ...card }) => ({ ...card, honestMark: marked }))
  await registerProducts(work, clientId, drafts)
}
