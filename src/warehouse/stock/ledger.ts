import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { type Merging, mergedInto } from '../catalogue/merged-products.ts'
import { takeExcess } from '../storage/excess.ts'
import { lockBalances } from './balances.ts'

/**
 * The stock ledger: the only writer of stock_movements and stock_balances.
 *
 * - A movement is never changed or deleted; the database refuses it. A balance is the sum of its
 *   movements: it changes only beside one, in the same transaction, under the balance's row lock.
 * - A unit in the warehouse is free, reserved by an open picking task, or in question. A change that
 *   would take more units than there are throws conflict, naming the goods, and writes nothing.
 * - Balances are locked in barcode order, so two writers never deadlock.
 * - The ledger has precedence over storage: where units leave that boxes or locations still hold, it takes
 *   them from there.
 */

export const movementKinds = [
  'acceptance',
  'shipment',
  'return',
  'correction',
  'write_off',
  'question',
] as const
export type MovementKind = (typeof movementKinds)[number]

export interface Movement {
  readonly barcode: string
  readonly kind: MovementKind
  /** Units that enter (+) or leave (−) the warehouse. */
  readonly delta: number
  /** Units that become (+) or cease to be (−) in question. */
  readonly questionDelta?: number
  /** Reserved units that leave with this movement, for shipments. */
  readonly fromReserve?: number
  readonly receiptId?: string
  readonly shipmentId?: string
  readonly orderId?: string
  /** The batch in which units came back. */
  readonly returnId?: string
  /** The document by which parts became sets, or sets parts. */
  readonly assemblyId?: string
  readonly reason?: string
  readonly comment?: string
  /** Who made it, where a transaction has changes of several people; the actor of the work by default. */
  readonly actor?: Actor
}

/** Opens balances of 0 for new products: from here on the stock list shows them. */
export async function openBalances(
  work: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  if (barcodes.length === 0) return
  await work.tx`
    insert into stock_balances (client_id, barcode, updated_at)
    select ${clientId}, barcode, ${work.at}
    from unnest(${[...barcodes]}::text[]) as b (barcode) order by barcode collate "C"`
}

/** Writes movements and changes the balances with them. Throws conflict. */
export async function recordMovements(
  work: Work,
  clientId: string,
  movements: readonly Movement[],
): Promise<void> {
  if (movements.length === 0) return
  const { tx } = work
  const given = movements.map((movement) => ({
    barcode: movement.barcode,
    kind: movement.kind,
    delta: movement.delta,
    question_delta: movement.questionDelta ?? 0,
    from_reserve: movement.fromReserve ?? 0,
    receipt_id: movement.receiptId ?? null,
    shipment_id: movement.shipmentId ?? null,
    order_id: movement.orderId ?? null,
    return_id: movement.returnId ?? null,
    assembly_id: movement.assemblyId ?? null,
    reason: movement.reason ?? null,
    comment: movement.comment ?? null,
    actor: actorText(movement.actor ?? work.actor),
  }))
  const rows = await holdBalances(work, clientId, given)
  const entries = tx`
    select * from jsonb_to_recordset(${tx.json(rows)}) as m
      (barcode text, kind text, delta bigint, question_delta bigint, from_reserve bigint,
       receipt_id uuid, shipment_id uuid, order_id uuid, return_id uuid, assembly_id uuid, reason text,
       comment text, actor text)`
  const [outcome] = await tx<[Outcome]>`
    with ${posting(work, clientId, entries)}
    select ${shortages(work)} as shortages,
      (select json_object_agg(barcode, quantity) from ledger_moved where lessened) as "unitsLeft"`
  refuseShortages(outcome.shortages)
  await takeExcess(work, clientId, new Map(Object.entries(outcome.unitsLeft ?? {})))
}

/**
 * Locks the balances that a statement is about to change. Rows that name merged goods get the product that these
 * became. Throws conflict where a balance is missing. The reset of a sandbox may have deleted it; if it comes back
 * before that statement, the statement would not have locked it.
 */
async function holdBalances<Row extends { readonly barcode: string }>(
  work: Work,
  clientId: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const barcodes = [...new Set(rows.map(({ barcode }) => barcode))]
  const held = await lockBalances(work, clientId, barcodes)
  const absent = barcodes.filter((barcode) => !held.has(barcode))
  if (absent.length === 0) return rows
  const merged = await mergedInto(work.tx, clientId, absent)
  const missing = absent.find((barcode) => !merged.has(barcode))
  if (missing !== undefined) throw conflict(unknownGoods(missing))
  const renamed = rows.map((row) => ({ ...row, barcode: merged.get(row.barcode) ?? row.barcode }))
  return holdBalances(work, clientId, renamed)
}

function unknownGoods(barcode: string): string {
  return `Товар ${barcode} складу не известен`
}

interface Outcome {
  readonly shortages: readonly Shortage[] | null
  /** By barcode, the quantity that stays of goods whose units left: boxes may hold no more. */
  readonly unitsLeft: Readonly<Record<string, number>> | null
}

/** Units that are accepted by a statement that counts them while it runs. */
export interface CountedAcceptance {
  /** The parts that count, `name as (statement)` with commas between; no name begins with `ledger_`. */
  readonly counting: Fragment
  /** A select from those parts of rows (client_id, barcode, units, in_question, receipt_id, actor). */
  readonly entries: Fragment
  /** An expression of JSON that tells what the parts did. */
  readonly answer: Fragment
}

/**
 * Counts units and writes their movements in one statement, which locks the balances in the order of
 * clients and barcodes. A statement that waits for a balance continues with figures that it read before
 * the wait. Adding units is correct with old figures, too; taking or reserving units is not. Throws
 * conflict for an unknown product; goods that were merged meanwhile make the transaction run again.
 */
export async function acceptCounted<Answer>(
  { tx, at }: SharedWork,
  { counting, entries, answer }: CountedAcceptance,
): Promise<Answer> {
  const [counted] = await tx<[{ answer: Answer; unknown: readonly UnknownGoods[] | null }]>`
    with ${counting}, ledger_entries as materialized (${entries}),
    ledger_changes as materialized (
      select client_id, barcode, sum(units)::bigint as quantity, sum(in_question)::bigint as in_question
      from ledger_entries group by client_id, barcode order by client_id, barcode
    ), ledger_held as materialized (
      select c.* from ledger_changes c cross join lateral (
        select from stock_balances b where b.client_id = c.client_id and b.barcode = c.barcode
        offset 0 for no key update
      ) held
    ), ledger_moved as (
      update stock_balances b set
        quantity = b.quantity + c.quantity,
        in_question = b.in_question + c.in_question,
        updated_at = greatest(b.updated_at, ${at}::timestamptz)
      from ledger_held c
      where b.client_id = c.client_id and b.barcode = c.barcode
    ), ledger_posted as (
      insert into stock_movements
        (client_id, at, actor, barcode, kind, delta, question_delta, receipt_id)
      select client_id, ${at}::timestamptz, actor, barcode, 'acceptance', units, in_question, receipt_id
      from ledger_entries
    )
    select ${answer} as answer, (
      select json_agg(c order by c.barcode) from ledger_changes c
      where (c.client_id, c.barcode) not in (select client_id, barcode from ledger_held)
    ) as unknown`
  for (const { client_id: clientId, barcode } of counted.unknown ?? []) {
    await tx`select refuse_merged(${clientId}, array[${barcode}])`
    throw conflict(unknownGoods(barcode))
  }
  return counted.answer
}

interface UnknownGoods {
  readonly client_id: string
  readonly barcode: string
}

export interface Units {
  readonly barcode: string
  readonly units: number
}

/** Reserves free units for an open picking task: all of them, or it throws conflict and reserves none. */
export async function reserveUnits(
  work: Work,
  clientId: string,
  claims: readonly Units[],
): Promise<void> {
  await changeReserves(work, clientId, claims, 1)
}

/** Makes reserved units free again. */
export async function releaseUnits(
  work: Work,
  clientId: string,
  claims: readonly Units[],
): Promise<void> {
  await changeReserves(work, clientId, claims, -1)
}

async function changeReserves(
  work: Work,
  clientId: string,
  claims: readonly Units[],
  sign: 1 | -1,
): Promise<void> {
  if (claims.length === 0) return
  const { tx } = work
  const rows = claims.map(({ barcode, units }) => ({ barcode, units: sign * units }))
  const held = await holdBalances(work, clientId, rows)
  const changes = tx`
    select barcode, 0::bigint as quantity, 0::bigint as in_question, sum(units)::bigint as reserved,
      0::bigint as outside
    from jsonb_to_recordset(${tx.json(held)}) as c (barcode text, units bigint)
    group by barcode`
  const [outcome] = await tx<[Pick<Outcome, 'shortages'>]>`
    with ${balancing(work, clientId, changes)}
    select ${shortages(work)} as shortages`
  refuseShortages(outcome.shortages)
}

/**
 * Ends the balance of goods that became another product: two movements take its units, all free or reserved, to the
 * other balance. Units that left and may come back are counted there, too.
 */
export async function mergeBalances(
  work: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  const { tx } = work
  const balance = (await lockBalances(work, clientId, [from, into])).get(from)
  if (balance === undefined) throw conflict(unknownGoods(from))
  const { quantity: units, reserved, outside } = balance
  const entry = { kind: 'correction', reason: 'DATA_ENTRY' } as const
  await releaseUnits(work, clientId, reserved === 0 ? [] : [{ barcode: from, units: reserved }])
  await recordMovements(
    work,
    clientId,
    units === 0
      ? []
      : [
          { ...entry, barcode: from, delta: -units, comment: `Объединён с товаром ${into}` },
          { ...entry, barcode: into, delta: units, comment: `Объединён с товаром ${from}` },
        ],
  )
  await reserveUnits(work, clientId, reserved === 0 ? [] : [{ barcode: into, units: reserved }])
  await tx`
    update stock_balances set outside = outside + ${outside}
    where client_id = ${clientId} and barcode = ${into}`
  await tx`
    delete from stock_balances
    where client_id = ${clientId} and barcode = ${from} and quantity = 0 and in_question = 0 and reserved = 0`
}

/** The parts of a statement that write `entries` as movements and change the balances. */
function posting(work: Work, clientId: string, entries: Fragment): Fragment {
  const changes = work.tx`
    select barcode, sum(delta)::bigint as quantity, sum(question_delta)::bigint as in_question,
      -sum(from_reserve)::bigint as reserved,
      coalesce(-sum(delta) filter (where kind in ('shipment', 'return')), 0)::bigint as outside
    from ledger_entries group by barcode`
  return work.tx`
    ledger_entries as materialized (${entries}), ${balancing(work, clientId, changes)},
    ledger_posted as (
      insert into stock_movements (client_id, at, actor, barcode, kind, delta, question_delta,
        receipt_id, shipment_id, order_id, return_id, assembly_id, reason, comment)
      select ${clientId}, ${work.at}, actor, barcode, kind, delta, question_delta, receipt_id,
        shipment_id, order_id, return_id, assembly_id, reason, comment
      from ledger_entries where not exists (select from ledger_short)
    )`
}

/**
 * The parts of a statement that change balances by `changes`: rows (barcode, quantity, in_question,
 * reserved, outside), each barcode once. Where one falls short, no balance changes. A reservation is no scan
 * and leaves updated_at alone. The array of barcodes makes the database look rows up one by one; a
 * join alone may read all of the client's balances.
 */
function balancing({ tx, at }: Work, clientId: string, changes: Fragment): Fragment {
  return tx`
    ledger_changes as materialized (${changes}), ledger_known as materialized (
      select barcode, quantity, in_question, reserved from stock_balances
      where client_id = ${clientId} and barcode = any(array(select barcode from ledger_changes))
    ), ledger_short as materialized (
      select c.barcode, k.quantity, k.in_question, k.reserved,
        case when k.barcode is null then 'product'
          when k.in_question + c.in_question < 0 then 'question'
          when k.reserved + c.reserved < 0 then 'reserve'
          else 'free' end as lacks
      from ledger_changes c left join ledger_known k on k.barcode = c.barcode
      where k.barcode is null or k.in_question + c.in_question < 0 or k.reserved + c.reserved < 0
        or k.quantity + c.quantity < k.in_question + c.in_question + k.reserved + c.reserved
    ), ledger_moved as (
      update stock_balances b set
        quantity = b.quantity + c.quantity,
        in_question = b.in_question + c.in_question,
        reserved = b.reserved + c.reserved,
        outside = b.outside + c.outside,
        updated_at = case when c.quantity = 0 and c.in_question = 0 then b.updated_at
          else greatest(b.updated_at, ${at}::timestamptz) end
      from ledger_changes c
      where b.client_id = ${clientId}
        and b.barcode = any(array(select barcode from ledger_changes))
        and b.barcode = c.barcode and not exists (select from ledger_short)
      returning b.barcode, b.quantity, c.quantity < 0 as lessened
    )`
}

/** A balance that a change would take below zero, or that does not exist. */
interface Shortage {
  readonly barcode: string
  readonly lacks: 'product' | 'question' | 'reserve' | 'free'
  readonly quantity: number
  readonly in_question: number
  readonly reserved: number
}

/** The shortages that the parts found, as JSON; null where there are none. */
function shortages({ tx }: Work): Fragment {
  return tx`(select json_agg(ledger_short order by barcode) from ledger_short)`
}

/** Throws conflict for the first shortage. */
function refuseShortages(found: readonly Shortage[] | null): void {
  const [first] = found ?? []
  if (first === undefined) return
  const { barcode, lacks, quantity, in_question: inQuestion, reserved } = first
  if (lacks === 'product') throw conflict(unknownGoods(barcode))
  const messages = {
    question: `под вопросом только ${inQuestion} шт.`,
    reserve: `в резерве только ${reserved} шт.`,
    free: `свободно только ${quantity - inQuestion - reserved} шт.`,
  }
  throw conflict(`Товар ${barcode}: ${messages[lacks]}`)
}
