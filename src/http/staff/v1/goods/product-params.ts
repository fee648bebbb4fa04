import type { Queryable } from '../../../../platform/db/connection.ts'
import { findProduct, type Product } from '../../../../warehouse/catalogue/products.ts'
import { found } from '../../../route/list.ts'

export type ProductParams = { Params: { id: string; barcode: string } }
export const productParams = {
  id: 'Идентификатор клиента.',
  barcode: 'Штрихкод, закодированный для адреса.',
}

/** The product that a path names: one that was merged is the product that it became. Throws not_found. */
export async function productInPath(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<Product> {
  const product = found(await findProduct(db, clientId, barcode))
  if (product.merged_into === undefined) return product
  return found(await findProduct(db, clientId, product.merged_into))
}
