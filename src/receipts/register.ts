import { type KnownGoods, knownGoods } from '../clients/known-goods.ts'
import type { Work } from '../db/work.ts'
import { ApiError, invalidField, notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { readPlannedDate, refuseRepeatedBarcodes } from './draft.ts'
import { named } from './naming.ts'
import { registerReceipt } from './verbs.ts'

/** A delivery that a manager announces for a client, by hand or from a file. */
export interface DeliveryDraft {
  readonly source: 'manual' | 'file'
  readonly cabinetId?: string | undefined
  readonly externalRef?: string | undefined
  readonly comment?: string | undefined
  /** YYYY-MM-DD or RFC 3339. */
  readonly plannedDate?: string | undefined
  readonly items: readonly DeliveryItem[]
}

export interface DeliveryItem {
  readonly barcode: string
  /** Needed for goods that neither the warehouse nor a marketplace's card knows. */
  readonly name?: string | undefined
  readonly article?: string | undefined
  readonly qty: number
  /** Where it is not told, the product tells, or the marketplace's card of goods that are new. */
  readonly honestMark?: boolean | undefined
  /** The row of the file it came from. */
  readonly row?: number
}

/**
 * Registers a delivery by the rules of a seller's own request; it needs no confirmation. All of it
 * or nothing. Throws not_found, validation_error or mixed_marking.
 */
export async function registerDelivery(
  work: Work,
  clientId: string,
  draft: DeliveryDraft,
): Promise<string> {
  const { items } = draft
  refuseRepeatedBarcodes(items)
  const plannedDate = readPlannedDate(draft.plannedDate)
  const cabinetId = await chooseCabinet(work, clientId, draft.cabinetId)
  const barcodes = items.map((item) => item.barcode)
  const known = await knownGoods(work.tx, clientId, barcodes, cabinetId)
  const goods = named(items, known)
  refuseMixed(items, known)
  // Goods that are new need marking where their card says so; the line keeps what was told.
  const learned = goods.map((item) => ({ ...item, honestMark: isMarked(item, known) }))
  const receipt = {
    source: draft.source,
    cabinetId,
    externalRef: draft.externalRef,
    comment: draft.comment,
    plannedDate,
    items: goods,
  }
  return registerReceipt(work, clientId, receipt, learned)
}

/** The cabinet that was asked for, or the only one there is. */
async function chooseCabinet(
  work: Work,
  clientId: string,
  asked: string | undefined,
): Promise<string | undefined> {
  const [client] = isId(clientId)
    ? await work.tx<{ cabinets: string[] }[]>`
        select array(select k.id from cabinets k where k.client_id = c.id) as cabinets
        from clients c where c.id = ${clientId}`
    : []
  if (client === undefined) throw notFound('Клиент не найден')
  const { cabinets } = client
  if (asked === undefined) return cabinets.length === 1 ? cabinets[0] : undefined
  if (cabinets.includes(asked)) return asked
  throw invalidField('cabinet_id', 'у этого клиента нет такого кабинета')
}

function isMarked(
  { barcode, honestMark }: DeliveryItem,
  known: ReadonlyMap<string, KnownGoods>,
): boolean {
  return honestMark ?? known.get(barcode)?.marked ?? false
}

/** Marked and unmarked goods are counted in different ways, so one receipt has one kind of them. */
function refuseMixed(items: readonly DeliveryItem[], known: ReadonlyMap<string, KnownGoods>): void {
  const [first] = items
  if (first === undefined) return
  const other = items.find((item) => isMarked(item, known) !== isMarked(first, known))
  if (other === undefined) return
  const place = (item: DeliveryItem) =>
    item.row === undefined ? item.barcode : `строка ${item.row}, ${item.barcode}`
  const [marked, plain] = isMarked(first, known) ? [first, other] : [other, first]
  throw new ApiError(
    'mixed_marking',
    'Товары с маркировкой и без неё принимаются двумя приёмками: ' +
      `с маркировкой — ${place(marked)}, без неё — ${place(plain)}`,
  )
}
