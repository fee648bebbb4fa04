import type { SharedWork, Work } from '../../platform/db/work.ts'
import {
  type InsertedProducts,
  insertProducts,
  type NewProduct,
  type StoredBarcode,
  updateProduct,
} from '../catalogue/products.ts'
import { openBalances } from './ledger.ts'

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
