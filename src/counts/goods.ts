import { knownProductOfScan } from '../catalogue/products.ts'
import type { Queryable } from '../db/connection.ts'
import { conflict, invalidField } from '../kernel/errors.ts'
import { barcodesOfGtin } from '../kernel/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../kernel/marking-code.ts'
import { unknownProduct } from '../stock/balances.ts'

export interface CountedGoods {
  readonly barcode: string
  readonly markingCode?: MarkingCode
}

/**
 * The client's goods that a scanned barcode or marking code names. Throws validation_error for unknown goods, and
 * conflict for a unit that has left or belongs to somebody else.
 */
export async function countedGoods(
  db: Queryable,
  clientId: string,
  code: string,
  units: number,
): Promise<CountedGoods> {
  const markingCode = readMarkingCode(code)
  if (!markingCode.ok) {
    const barcode = await knownProductOfScan(db, clientId, code)
    if (barcode === undefined) throw unknownProduct(code)
    return { barcode }
  }
  if (units !== 1) throw invalidField('qty', 'по коду маркировки считают по одной единице')
  const [known] = await db<{ client_id: string; barcode: string; state: string }[]>`
    select client_id, barcode, state from marking_codes where identity = ${markingCode.identity}`
  if (known === undefined) {
    return { barcode: await goodsOfGtin(db, clientId, markingCode.gtin), markingCode }
  }
  if (known.client_id !== clientId) throw conflict('Этот код маркировки — другого клиента')
  if (known.state === 'shipped') throw conflict(`Товар ${known.barcode}: эта единица уже отгружена`)
  if (known.state === 'picked')
    throw conflict(`Товар ${known.barcode}: эта единица собрана в заказ`)
  return { barcode: known.barcode, markingCode }
}

async function goodsOfGtin(db: Queryable, clientId: string, gtin: string): Promise<string> {
  const [known] = await db<{ barcode: string }[]>`
    select barcode from products
    where client_id = ${clientId} and barcode = any(${barcodesOfGtin(gtin)})
    order by barcode limit 1`
  if (known === undefined) throw unknownProduct(gtin)
  return known.barcode
}
