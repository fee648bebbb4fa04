import type { Work } from '../../platform/db/work.ts'
import { readGoodsBarcode, spellingsOf } from '../../platform/kernel/goods-barcode.ts'
import { addOtherBarcode } from '../catalogue/other-barcodes.ts'
import type { Goods } from '../catalogue/pictures.ts'
import { correctLineBarcodes, isOutsideWarehouse } from './goods.ts'
import type { LineBarcode } from './lines.ts'
import { lockOrderBook } from './lock.ts'

/**
 * Gives a product another barcode, and orders that wait under it their goods: until now nobody could collect them. Orders that come
 * meanwhile wait for the lock, and then find the product. Returns false where the product has the barcode. Throws conflict.
 */
export async function nameGoodsAlso(work: Work, goods: Goods, other: string): Promise<boolean> {
  const { clientId, barcode } = goods
  await lockOrderBook(work, clientId)
  if (!(await addOtherBarcode(work, goods, other))) return false
  const lines = await work.tx<LineBarcode[]>`
    select l.order_id as "orderId", l.line, ${barcode}::text as barcode
    from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and ${isOutsideWarehouse(work.tx)}
      and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
      and l.barcode = any(${spellingsOf(readGoodsBarcode(other))})`
  if (lines.length > 0) await correctLineBarcodes(work, clientId, lines)
  return true
}
