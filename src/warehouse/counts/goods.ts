import type { Queryable } from '../../platform/db/connection.ts'
import { barcodesOfGtin } from '../../platform/kernel/codes/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { knownProductOfScan } from '../catalogue/products.ts'
import { barcodesByCards } from '../stock/card-gtins.ts'
import { goodsOfAnother } from '../stock/goods-of-another.ts'

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
    if (barcode === undefined) throw await foreign(db, clientId, code)
    return { barcode }
  }
  if (units !== 1) throw invalidField('qty', 'по коду маркировки считают по одной единице')
  const [known] = await db<{ client_id: string; barcode: string; state: string }[]>`
    select client_id, barcode, state from marking_codes where identity = ${markingCode.identity}`
  if (known === undefined) {
    return { barcode: await goodsOfMarkingCode(db, clientId, markingCode), markingCode }
  }
  if (known.client_id !== clientId) throw await foreign(db, clientId, code)
  if (known.state === 'shipped') throw conflict(`Товар ${known.barcode}: эта единица уже отгружена`)
  if (known.state === 'picked')
    throw conflict(`Товар ${known.barcode}: эта единица собрана в заказ`)
  return { barcode: known.barcode, markingCode }
}

async function goodsOfMarkingCode(
  db: Queryable,
  clientId: string,
  { gtin, code }: MarkingCode,
): Promise<string> {
  const known =
    (await productAmong(db, clientId, barcodesOfGtin(gtin))) ??
    (await productAmong(db, clientId, await barcodesByCards(db, clientId, gtin)))
  if (known === undefined) throw await foreign(db, clientId, code)
  return known
}

async function productAmong(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<string | undefined> {
  const [known] = await db<{ barcode: string }[]>`
    select barcode from products
    where client_id = ${clientId} and barcode = any(${[...barcodes]}) and merged_into is null
    order by barcode limit 1`
  return known?.barcode
}

/** The client has no such goods: whose they are, and what to do with them. */
async function foreign(db: Queryable, clientId: string, code: string): Promise<Error> {
  const goods = await goodsOfAnother(db, clientId, code)
  return goods === undefined
    ? invalidField('code', `у клиента нет товара ${excerpt(code)}: отложите и покажите менеджеру`)
    : conflict(`${goods}: в этом пересчёте не считают. Отложите`)
}
