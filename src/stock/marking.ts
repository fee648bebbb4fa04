import type { Queryable, Transaction } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict, invalidField } from '../kernel/errors.ts'

/**
 * Marking codes, each of which is one unit in the whole warehouse: the only writer of them.
 *
 *   (none) --store--> stored --pick--> picked --ship--> shipped --store--> stored …
 *                     stored <-return- picked
 *                     stored --forget--> (none)
 *
 * Locks are taken after those of receipts, shipments and orders, and before those of balances. No
 * message tells whether a code is known from another client.
 */
type Fragment = ReturnType<Transaction>
export type MarkState = 'stored' | 'picked' | 'shipped'

export interface NewMark {
  /** GTIN and serial: what `readMarkingCode` calls identity. */
  readonly identity: string
  /** As it was scanned. */
  readonly code: string
  readonly barcode: string
  /** Undefined where the unit was received without its code, which is first seen in an order. */
  readonly receiptId?: string
}

/**
 * A unit is received. Of any number of receipts that store one code at once, one does. Throws
 * conflict for a code that is stored or picked, whoever's it is; one that was shipped may come back.
 */
export async function storeMark(work: Work, clientId: string, mark: NewMark): Promise<void> {
  const stored = await work.tx`${storing(work, clientId, mark, work.tx`true`)}`
  if (stored.length === 0) throw alreadyHere()
}

/** As storeMark, for a part of a statement: a row comes back where `condition` holds and it went well. */
export function storing(
  { tx, at }: Work,
  clientId: string,
  { identity, code, barcode, receiptId }: NewMark,
  condition: Fragment,
): Fragment {
  return tx`
    insert into marking_codes as m
      (identity, code, client_id, barcode, state, receipt_id, changed_at)
    select ${identity}, ${code}, ${clientId}, ${barcode}, 'stored', ${receiptId ?? null}, ${at}
    where ${condition}
    on conflict (identity) do update set
      code = excluded.code, client_id = excluded.client_id, barcode = excluded.barcode,
      state = excluded.state, receipt_id = excluded.receipt_id, order_id = null,
      changed_at = excluded.changed_at
    where m.state = 'shipped'
    returning identity`
}

/** For a code that could not be stored. */
export function alreadyHere(): Error {
  return conflict('Единица с этим кодом маркировки уже принята на склад: проверьте, не повтор ли')
}

/** The unit was counted by mistake. Throws conflict where it lies here no more. */
export async function forgetMark(
  work: Work,
  clientId: string,
  mark: { readonly identity: string; readonly receiptId: string },
): Promise<void> {
  const forgotten = await work.tx`
    delete from marking_codes
    where identity = ${mark.identity} and client_id = ${clientId}
      and receipt_id = ${mark.receiptId} and state = 'stored'
    returning identity`
  if (forgotten.length === 0) {
    throw conflict('Единица с этим кодом маркировки уже собрана в заказ: сначала верните её')
  }
}

export interface PickedMark {
  /** GTIN and serial: what `readMarkingCode` calls identity. */
  readonly mark: string
  readonly barcode: string
  readonly orderId: string
}

/** The unit goes into an order. Throws validation_error or conflict, which tell why it can't. */
export async function pickMark(work: Work, clientId: string, pick: PickedMark): Promise<void> {
  const { tx } = work
  const [known] = await tx<{ barcode: string; state: MarkState }[]>`
    select barcode, state from marking_codes
    where identity = ${pick.mark} and client_id = ${clientId} for update`
  if (known === undefined) {
    throw invalidField('marking_code', 'единицы с таким кодом на складе нет')
  }
  if (known.state === 'shipped') throw conflict('Единица с этим кодом маркировки уже отгружена')
  if (known.state === 'picked') {
    throw conflict('Единица с этим кодом маркировки уже собрана в заказ')
  }
  if (known.barcode !== pick.barcode) {
    throw invalidField('marking_code', `это код товара ${known.barcode}, а нужен ${pick.barcode}`)
  }
  await tx`
    update marking_codes set state = 'picked', order_id = ${pick.orderId}, changed_at = ${work.at}
    where identity = ${pick.mark} and client_id = ${clientId}`
}

/** The order's units go back to the shelf; units that have left are not touched. */
export async function returnMarksOfOrder(
  work: Work,
  clientId: string,
  orderId: string,
): Promise<void> {
  await work.tx`
    update marking_codes set state = 'stored', order_id = null, changed_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and state = 'picked'`
}

/** The orders' units leave the warehouse. */
export async function shipMarksOfOrders(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return
  await work.tx`
    update marking_codes set state = 'shipped', changed_at = ${work.at}
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}) and state = 'picked'`
}

/** The codes of units in orders, as they were scanned, by order. */
export async function codesOfOrders(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db<{ order_id: string; codes: string[] }[]>`
    select order_id, array_agg(code order by identity) as codes from marking_codes
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
    group by order_id`
  return new Map(rows.map(({ order_id, codes }) => [order_id, codes]))
}
