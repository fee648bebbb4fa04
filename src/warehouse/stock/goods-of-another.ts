import type { Queryable } from '../../platform/db/connection.ts'
import { readGoodsBarcode, spellingsOf } from '../../platform/kernel/codes/goods-barcode.ts'
import { barcodesOfGtin } from '../../platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { goodsUnder } from '../catalogue/other-barcodes.ts'
import { findMarkingCode } from './marking-codes.ts'

/**
 * What a scan names among the goods of the other clients of a client's warehouse, such as
 * «Чай» другого клиента, ООО «Луна»; undefined where they have no such goods.
 */
export async function goodsOfAnother(
  db: Queryable,
  clientId: string,
  code: string,
): Promise<string | undefined> {
  const { client, barcodes } = await namedBy(db, code)
  const [goods] = await db<{ name: string; client_name: string }[]>`
    select p.name, k.name as client_name from products p
    join clients k on k.id = p.client_id and k.mode = 'live' and k.id <> ${clientId}
      and k.warehouse_code = (select warehouse_code from clients where id = ${clientId})
    where (p.client_id, p.barcode) in (${goodsUnder(db, barcodes)}) and (${client}::uuid is null or k.id = ${client})
    order by k.name limit 1`
  return goods && `${quoted(goods.name)} другого клиента, ${goods.client_name}`
}

/** The barcodes that a code may mean, and whose unit it is where the warehouse knows its marking code. */
async function namedBy(db: Queryable, code: string) {
  const marking = readMarkingCode(code)
  if (!marking.ok) return { client: null, barcodes: spellingsOf(readGoodsBarcode(code)) }
  const known = await findMarkingCode(db, marking.identity)
  return known === undefined
    ? { client: null, barcodes: barcodesOfGtin(marking.gtin) }
    : { client: known.client_id, barcodes: [known.barcode] }
}
