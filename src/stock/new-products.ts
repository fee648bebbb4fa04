import { insertProducts, type NewProduct, updateProduct } from '../catalogue/products.ts'
import type { SharedWork, Work } from '../db/work.ts'
import { openBalances } from './ledger.ts'

/**
 * Registers products that the client does not have yet: they enter the product list and, with no unit
 * in the warehouse, the stock list. Known products stay as they are. Returns how many are new.
 */
export async function registerProducts(
  work: SharedWork,
  clientId: string,
  drafts: readonly NewProduct[],
): Promise<number> {
  const barcodes = await insertProducts(work, clientId, drafts)
  await openBalances(work, clientId, barcodes)
  return barcodes.length
}

/** Makes a product what the draft says, new or known (see updateProduct). */
export async function putProduct(
  work: Work,
  clientId: string,
  draft: NewProduct,
): Promise<'created' | 'changed' | 'unchanged'> {
  if ((await registerProducts(work, clientId, [draft])) > 0) return 'created'
  return (await updateProduct(work, clientId, draft)) ? 'changed' : 'unchanged'
}
