import type { Transaction } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'

/**
 * How the ledger writes, as parts of a statement: one that knows what it counts only while it runs
 * can enter it in the ledger in the same breath. Nothing of it is written where a balance falls short.
 *
 * A statement that has to wait for a balance goes on with what it saw before. So whatever can fall
 * short is written by a statement that begins when its balances are locked already; only what adds
 * units, of one SKU, may do without.
 */

type Fragment = ReturnType<Transaction>

/** A balance that would be short. */
export interface Shortage {
  readonly barcode: string
  readonly lacks: 'card' | 'question' | 'reserve' | 'free'
  readonly quantity: number
  readonly in_question: number
  readonly reserved: number
}

/**
 * Moves balances by the rows of `changes` (barcode, quantity, in_question, reserved; a barcode once),
 * and is followed by more parts or by a select. A reservation is no scan: it leaves updated_at alone.
 * By an array of barcodes rows are looked up one by one, where a join alone may read all that the
 * client has.
 */
export function balancing({ tx, at }: Work, clientId: string): Fragment {
  return tx`
    known as materialized (
      select barcode, quantity, in_question, reserved from stock_balances
      where client_id = ${clientId} and barcode = any(array(select barcode from changes))
    ), short as materialized (
      select c.barcode, k.quantity, k.in_question, k.reserved,
        case when k.barcode is null then 'card'
          when k.in_question + c.in_question < 0 then 'question'
          when k.reserved + c.reserved < 0 then 'reserve'
          else 'free' end as lacks
      from changes c left join known k on k.barcode = c.barcode
      where k.barcode is null or k.in_question + c.in_question < 0 or k.reserved + c.reserved < 0
        or k.quantity + c.quantity < k.in_question + c.in_question + k.reserved + c.reserved
    ), moved as (
      update stock_balances b set
        quantity = b.quantity + c.quantity,
        in_question = b.in_question + c.in_question,
        reserved = b.reserved + c.reserved,
        updated_at = case when c.quantity = 0 and c.in_question = 0 then b.updated_at
          else greatest(b.updated_at, ${at}::timestamptz) end
      from changes c
      where b.client_id = ${clientId} and b.barcode = any(array(select barcode from changes))
        and b.barcode = c.barcode and not exists (select from short)
      returning b.barcode, b.quantity, c.quantity < 0 as lessened
    )`
}

/**
 * Enters the rows of `entries` (barcode, kind, delta, question_delta, from_reserve, receipt_id,
 * shipment_id, order_id, reason, comment) as movements, and moves the balances with them.
 */
export function posting(work: Work, clientId: string): Fragment {
  return work.tx`
    changes as materialized (
      select barcode, sum(delta)::bigint as quantity, sum(question_delta)::bigint as in_question,
        -sum(from_reserve)::bigint as reserved
      from entries group by barcode
    ), ${balancing(work, clientId)}, posted as (
      insert into stock_movements (client_id, at, actor, barcode, kind, delta, question_delta,
        receipt_id, shipment_id, order_id, reason, comment)
      select ${clientId}, ${work.at}, ${work.actor}, barcode, kind, delta, question_delta,
        receipt_id, shipment_id, order_id, reason, comment
      from entries where not exists (select from short)
    )`
}

/** What fell short in the statement; null where nothing did. */
export function shortages({ tx }: Work): Fragment {
  return tx`(select json_agg(short order by barcode) from short)`
}

/** Throws conflict for the first of what fell short. */
export function refuseShortages(found: readonly Shortage[] | null): void {
  const [first] = found ?? []
  if (first === undefined) return
  const { barcode, lacks, quantity, in_question: inQuestion, reserved } = first
  const messages = {
    card: 'складу не известен',
    question: `под вопросом только ${inQuestion} шт.`,
    reserve: `в резерве только ${reserved} шт.`,
    free: `свободно только ${quantity - inQuestion - reserved} шт.`,
  }
  throw conflict(`Товар ${barcode}${lacks === 'card' ? '' : ':'} ${messages[lacks]}`)
}
