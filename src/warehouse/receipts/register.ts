import type { Work } from '../../platform/db/work.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type KnownProduct, lookUpProducts } from '../catalogue/product-lookup.ts'
import { registerProducts } from '../stock/new-products.ts'
import { cabinetOfReceipt, insertReceipts, type NewReceipt } from './new-receipt.ts'
import {
  nameItems,
  readPlannedDate,
  refuseSameGoods,
  refuseWrongBarcodes,
} from './new-receipt-rules.ts'
import type { ReceiptSource } from './view.ts'

/** A receipt that a manager registers for a client, by hand or from a file. */
export interface Registration {
  /** Null only in the sandbox's receipts from before the source was recorded. */
  readonly source: Exclude<ReceiptSource, 'api'> | null
  readonly cabinetId?: string | undefined
  readonly externalRef?: string | undefined
  readonly comment?: string | undefined
  /** YYYY-MM-DD or RFC 3339. */
  readonly plannedDate?: string | undefined
  readonly items: readonly RegisteredItem[]
}

export interface RegisteredItem {
  readonly barcode: string
  /** May be left out for goods that the warehouse or a marketplace's card names. */
  readonly name?: string | undefined
  readonly article?: string | undefined
  readonly qty: number
  /** Undefined: the product decides, or the marketplace's card of new goods. */
  readonly honestMark?: boolean | undefined
  /** The row of the file that the line comes from. */
  readonly row?: number
}

/**
 * Registers a receipt under the rules of a seller's own request. It needs no confirmation and
 * starts EXPECTED; its goods become products. Writes everything or nothing. Returns the receipt's
 * id. Throws not_found, validation_error or mixed_marking.
 */
export async function registerReceipt(
  work: Work,
  clientId: string,
  registration: Registration,
): Promise<string> {
  const { items, source, externalRef, comment } = registration
  refuseWrongBarcodes(items)
  const plannedDate = readPlannedDate(registration.plannedDate)
  const cabinetId = await cabinetOfReceipt(work, clientId, registration.cabinetId, 'staff')
  const barcodes = items.map((item) => item.barcode)
  const products = await lookUpProducts(work.tx, clientId, barcodes, cabinetId)
  const named = nameItems(items, products)
  refuseMixed(items, products)
  // A new product is marked where its card says so; the line keeps what the manager entered.
  const drafts = named.map((item, at) => ({
    ...item,
    honestMark: isMarked(items[at] ?? item, products),
  }))
  const storedAs = await registerProducts(work, clientId, drafts)
  const own = named.map(({ barcode }) => storedAs(barcode))
  refuseSameGoods(items, own)
  const id = newId()
  const receipt: NewReceipt = {
    clientId,
    id,
    status: 'EXPECTED',
    source,
    cabinetId,
    externalRef,
    comment,
    plannedDate,
    items: named.map((item, at) => ({ ...item, barcode: own[at] ?? item.barcode })),
  }
  await insertReceipts(work, [receipt])
  return id
}

function isMarked(
  { barcode, honestMark }: RegisteredItem,
  products: ReadonlyMap<string, KnownProduct>,
): boolean {
  return honestMark ?? products.get(barcode)?.marked ?? false
}

/** Marked and unmarked goods are counted differently, so one receipt has one kind of them. */
function refuseMixed(
  items: readonly RegisteredItem[],
  products: ReadonlyMap<string, KnownProduct>,
): void {
  const [first] = items
  if (first === undefined) return
  const other = items.find((item) => isMarked(item, products) !== isMarked(first, products))
  if (other === undefined) return
  const place = (item: RegisteredItem) =>
    item.row === undefined ? item.barcode : `строка ${item.row}, ${item.barcode}`
  const [marked, plain] = isMarked(first, products) ? [first, other] : [other, first]
  throw new ServiceError(
    'mixed_marking',
    'Товары с маркировкой и без неё принимаются двумя приёмками: ' +
      `с маркировкой — ${place(marked)}, без неё — ${place(plain)}`,
  )
}
