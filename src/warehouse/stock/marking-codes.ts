import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import type { Merging } from '../catalogue/merged-products.ts'

/**
 * Marking codes: the only writer of marking_codes. A code is one unit in the whole warehouse.
 *
 *   (none) --store--> stored --pick--> picked --ship--> shipped --store--> stored …
 *                     stored <-return- picked
 *                     stored <-bring back- shipped, stored -send out-> shipped undoes it
 *                     stored --forget--> (none)
 *
 * - The primary key is the code alone, without the client: of any number of receipts that store one
 *   code at once, one does.
 * - Locks are taken after those of receipts, shipments and orders, and before those of balances.
 * - No message reveals whether another client has the code.
 */

export type MarkingCodeState = 'stored' | 'picked' | 'shipped'

export interface NewMarkingCode {
  /** GTIN and serial: what `readMarkingCode` calls identity. */
  readonly identity: string
  /** With its separators: what `readMarkingCode` calls code. */
  readonly code: string
  readonly barcode: string
  /** Undefined where the unit was received without its code, which is first scanned for an order. */
  readonly receiptId?: string
}

/**
 * A unit is received. Throws conflict for a code that is stored or picked, of this client or another;
 * a unit that was shipped may come back.
 */
export async function storeMarkingCode(
  work: SharedWork,
  clientId: string,
  code: NewMarkingCode,
): Promise<void> {
  await storeMarkingCodes(work, clientId, [code])
}

/** storeMarkingCode for several codes, each once: all of them or, with a conflict, none. */
export async function storeMarkingCodes(
  work: SharedWork,
  clientId: string,
  codes: readonly NewMarkingCode[],
): Promise<void> {
  if (codes.length === 0) return
  const { tx } = work
  const rows = codes.map(({ receiptId, ...code }) => ({ ...code, receipt_id: receiptId }))
  const stored = await tx`${storeStatement(
    work,
    tx`
      select identity, code, ${clientId}::uuid as client_id, barcode, receipt_id
      from jsonb_to_recordset(${tx.json(rows)}) as c
        (identity text, code text, barcode text, receipt_id uuid)`,
  )}`
  if (stored.length < codes.length) throw alreadyStored()
}

/**
 * storeMarkingCode as a part of another statement. `codes` is a select of (identity, code, client_id, barcode,
 * receipt_id) with each identity once. It returns the identities of the codes that it could store.
 */
export function storeStatement({ tx, at }: SharedWork, codes: Fragment): Fragment {
  return tx`
    insert into marking_codes as m
      (identity, code, client_id, barcode, state, receipt_id, changed_at)
    select identity, code, client_id, barcode, 'stored', receipt_id, ${at}::timestamptz
    from (${codes}) new_codes order by identity
    on conflict (identity) do update set
      code = excluded.code, client_id = excluded.client_id, barcode = excluded.barcode,
      state = excluded.state, receipt_id = excluded.receipt_id, order_id = null,
      changed_at = excluded.changed_at
    where m.state = 'shipped'
    returning identity`
}

/** The error for a code that is stored or picked already. */
export function alreadyStored(): Error {
  return conflict('Единица с этим кодом маркировки уже принята на склад: проверьте, не повтор ли')
}

/** A unit was counted by mistake. Throws conflict where the unit is no longer stored. */
export async function forgetMarkingCode(
  work: Work,
  clientId: string,
  code: { readonly identity: string; readonly receiptId: string },
): Promise<void> {
  const forgotten = await work.tx`
    delete from marking_codes
    where identity = ${code.identity} and client_id = ${clientId}
      and receipt_id = ${code.receiptId} and state = 'stored'
    returning identity`
  if (forgotten.length === 0) throw notStored()
}

export interface PickedMarkingCode {
  /** GTIN and serial: what `readMarkingCode` calls identity. */
  readonly identity: string
  readonly barcode: string
  readonly orderId: string
}

/**
 * Units of goods that became another product are units of that product. No index finds them: merging is rare, and all
 * codes of the client are read.
 */
export async function mergeMarkingCodes(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    update marking_codes set barcode = ${into}
    where client_id = ${clientId} and barcode = ${from}`
}

export interface KnownMarkingCode {
  readonly barcode: string
  readonly state: MarkingCodeState
}

/** Locks those of the codes that the client has, and answers them by identity. */
export async function lockMarkingCodes(
  { tx }: SharedWork,
  clientId: string,
  identities: readonly string[],
): Promise<ReadonlyMap<string, KnownMarkingCode>> {
  if (identities.length === 0) return new Map()
  const rows = await tx<(KnownMarkingCode & { identity: string })[]>`
    select identity, barcode, state from marking_codes
    where identity = any(${identities}) and client_id = ${clientId}
    order by identity for update`
  return new Map(rows.map(({ identity, ...code }) => [identity, code]))
}

/** Throws validation_error or conflict unless the unit may go into an order that needs `barcode`. */
export function refuseUnpickable(known: KnownMarkingCode | undefined, barcode: string): void {
  if (known === undefined) {
    throw invalidField('marking_code', 'единицы с таким кодом на складе нет')
  }
  if (known.state === 'shipped') throw conflict('Единица с этим кодом маркировки уже отгружена')
  if (known.state === 'picked') {
    throw conflict('Единица с этим кодом маркировки уже собрана в заказ')
  }
  if (known.barcode !== barcode) {
    throw invalidField('marking_code', `это код товара ${known.barcode}, а нужен ${barcode}`)
  }
}

/** Units go into orders. The caller has locked or stored their codes. */
export async function markPicked(
  { tx, at }: SharedWork,
  clientId: string,
  picks: readonly PickedMarkingCode[],
): Promise<void> {
  if (picks.length === 0) return
  const rows = picks.map(({ identity, orderId }) => ({ identity, order_id: orderId }))
  await tx`
    update marking_codes m set state = 'picked', order_id = p.order_id, changed_at = ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(rows)}) as p (identity text, order_id uuid)
    where m.identity = any(${picks.map(({ identity }) => identity)})
      and m.identity = p.identity and m.client_id = ${clientId}`
}

/** Picked units of an order are stored again; shipped units stay shipped. */
export async function returnMarkingCodes(
  work: Work,
  clientId: string,
  orderId: string,
): Promise<void> {
  await work.tx`
    update marking_codes set state = 'stored', order_id = null, changed_at = ${work.at}
    where client_id = ${clientId} and order_id = ${orderId} and state = 'picked'`
}

/** One picked unit of an order is stored again. */
export async function returnMarkingCode(
  { tx, at }: Work,
  clientId: string,
  { identity, orderId }: { readonly identity: string; readonly orderId: string },
): Promise<void> {
  await tx`
    update marking_codes set state = 'stored', order_id = null, changed_at = ${at}
    where client_id = ${clientId} and identity = ${identity} and order_id = ${orderId}
      and state = 'picked'`
}

/** Picked units of orders leave the warehouse. */
export async function shipMarkingCodes(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return
  await work.tx`
    update marking_codes set state = 'shipped', changed_at = ${work.at}
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}) and state = 'picked'`
}

/** Units that left with these orders are in the warehouse again. */
export async function bringBackMarkingCodes(
  { tx, at }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx`
    update marking_codes set state = 'stored', order_id = null, changed_at = ${at}
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
      and state = 'shipped'`
}

export interface WarehouseMarkingCode {
  readonly client_id: string
  readonly barcode: string
  readonly state: MarkingCodeState
  readonly order_id: string | null
}

/** A marking code, whosever unit it is. */
export async function findMarkingCode(
  db: Queryable,
  identity: string,
): Promise<WarehouseMarkingCode | undefined> {
  const [code] = await db<WarehouseMarkingCode[]>`
    select client_id, barcode, state, order_id from marking_codes where identity = ${identity}`
  return code
}

/** The unit that left with an order is in the warehouse again. Throws conflict where it is already. */
export async function bringBackMarkingCode(
  { tx, at }: Work,
  clientId: string,
  { identity, orderId }: { readonly identity: string; readonly orderId: string },
): Promise<void> {
  const back = await tx`
    update marking_codes set state = 'stored', order_id = null, changed_at = ${at}
    where identity = ${identity} and client_id = ${clientId} and order_id = ${orderId}
      and state = 'shipped'
    returning identity`
  if (back.length === 0) throw alreadyStored()
}

/** Undoes bringBackMarkingCode. Throws conflict where the unit is in another order, or gone. */
export async function sendOutMarkingCode(
  { tx, at }: Work,
  clientId: string,
  { identity, orderId }: { readonly identity: string; readonly orderId: string },
): Promise<void> {
  const sent = await tx`
    update marking_codes set state = 'shipped', order_id = ${orderId}, changed_at = ${at}
    where identity = ${identity} and client_id = ${clientId} and state = 'stored'
    returning identity`
  if (sent.length === 0) throw notStored()
}

/** Undoes the storing of a code that a return brought. Throws conflict where its unit is in an order. */
export async function forgetReturnedCode(
  { tx }: Work,
  clientId: string,
  identity: string,
): Promise<void> {
  const forgotten = await tx`
    delete from marking_codes
    where identity = ${identity} and client_id = ${clientId} and receipt_id is null
      and state = 'stored'
    returning identity`
  if (forgotten.length === 0) throw notStored()
}

function notStored(): Error {
  return conflict('Единица с этим кодом маркировки уже собрана в заказ: сначала верните её')
}
