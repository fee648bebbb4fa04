import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'
import { type Balance, lockBalances, takeExcess } from './contents.ts'

/**
 * The stock ledger: the only writer of movements and balances.
 *
 * - A movement is never changed or deleted; the database refuses it. A balance is the sum of its
 *   movements, and changes only beside one, in the same transaction, under the balance's row lock.
 * - Locks are taken in barcode order, so two writers never wait for each other in a circle.
 * - A unit on the shelf is free, reserved by an open picking task, or in question. What would take
 *   more than there is, is refused as a conflict that names the goods, and nothing is written.
 * - It outranks storage: where units leave that boxes still hold, boxes give them up.
 */

export const movementKinds = [
  'acceptance',
  'shipment',
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
  readonly reason?: string
  readonly comment?: string
}

interface Change {
  quantity: number
  inQuestion: number
  reserved: number
}

/** Writes movements and moves the balances with them. All goods must be known to the client. */
export async function recordMovements(
  work: Work,
  clientId: string,
  movements: readonly Movement[],
): Promise<void> {
  if (movements.length === 0) return
  const changes = new Map<string, Change>()
  for (const movement of movements) {
    add(changes, movement.barcode, {
      quantity: movement.delta,
      inQuestion: movement.questionDelta ?? 0,
      reserved: -(movement.fromReserve ?? 0),
    })
  }
  await changeBalances(work, clientId, changes)
  await insertMovements(work, clientId, movements)
}

export interface Units {
  readonly barcode: string
  readonly units: number
}

/** Claims free units for an open picking task: all of them, or a conflict and none. */
export async function reserveUnits(
  work: Work,
  clientId: string,
  claims: readonly Units[],
): Promise<void> {
  await changeReserves(work, clientId, claims, 1)
}

/** Gives claimed units back to the free stock. */
export async function releaseUnits(
  work: Work,
  clientId: string,
  claims: readonly Units[],
): Promise<void> {
  await changeReserves(work, clientId, claims, -1)
}

/** Units that nobody has a claim on, by barcode; they stay free until the transaction ends. */
export async function freeUnits(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<Map<string, number>> {
  const balances = await lockBalances(work, clientId, [...new Set(barcodes)])
  return new Map(
    [...balances].map(([barcode, { quantity, in_question, reserved }]) => [
      barcode,
      quantity - in_question - reserved,
    ]),
  )
}

async function changeReserves(
  work: Work,
  clientId: string,
  claims: readonly Units[],
  sign: 1 | -1,
): Promise<void> {
  if (claims.length === 0) return
  const changes = new Map<string, Change>()
  for (const { barcode, units } of claims) {
    add(changes, barcode, { quantity: 0, inQuestion: 0, reserved: sign * units })
  }
  await changeBalances(work, clientId, changes)
}

function add(changes: Map<string, Change>, barcode: string, change: Change): void {
  const sum = changes.get(barcode) ?? { quantity: 0, inQuestion: 0, reserved: 0 }
  changes.set(barcode, {
    quantity: sum.quantity + change.quantity,
    inQuestion: sum.inQuestion + change.inQuestion,
    reserved: sum.reserved + change.reserved,
  })
}

async function changeBalances(
  work: Work,
  clientId: string,
  changes: ReadonlyMap<string, Change>,
): Promise<void> {
  const { tx } = work
  const known = await lockBalances(work, clientId, [...changes.keys()])
  for (const [barcode, change] of changes) refuseShortage(known.get(barcode), barcode, change)
  const rows = [...changes].map(([barcode, change]) => ({
    barcode,
    quantity: change.quantity,
    in_question: change.inQuestion,
    reserved: change.reserved,
  }))
  // A reservation is no scan: it leaves updated_at alone.
  await tx`
    update stock_balances b set
      quantity = b.quantity + c.quantity,
      in_question = b.in_question + c.in_question,
      reserved = b.reserved + c.reserved,
      updated_at = case when c.quantity = 0 and c.in_question = 0 then b.updated_at
        else greatest(b.updated_at, ${work.at}::timestamptz) end
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (barcode text, quantity bigint, in_question bigint, reserved bigint)
    where b.client_id = ${clientId} and b.barcode = c.barcode`
  await takeExcess(work, clientId, leftOfLeaving(changes, known))
}

/** What is left of the goods that units left of, by barcode: boxes may hold no more. */
function leftOfLeaving(
  changes: ReadonlyMap<string, Change>,
  known: ReadonlyMap<string, Balance>,
): Map<string, number> {
  const leaving = [...changes].filter(([, change]) => change.quantity < 0)
  return new Map(
    leaving.map(([barcode, change]) => [
      barcode,
      (known.get(barcode)?.quantity ?? 0) + change.quantity,
    ]),
  )
}

function refuseShortage(balance: Balance | undefined, barcode: string, change: Change): void {
  if (balance === undefined) throw conflict(`Товар ${barcode} складу не известен`)
  const inQuestion = balance.in_question + change.inQuestion
  const reserved = balance.reserved + change.reserved
  const quantity = balance.quantity + change.quantity
  if (inQuestion < 0) {
    throw conflict(`Товар ${barcode}: под вопросом только ${balance.in_question} шт.`)
  }
  if (reserved < 0) throw conflict(`Товар ${barcode}: в резерве только ${balance.reserved} шт.`)
  if (quantity < inQuestion + reserved) {
    const free = balance.quantity - balance.in_question - balance.reserved
    throw conflict(`Товар ${barcode}: свободно только ${free} шт.`)
  }
}

async function insertMovements(
  work: Work,
  clientId: string,
  movements: readonly Movement[],
): Promise<void> {
  const rows = movements.map((movement) => ({
    barcode: movement.barcode,
    kind: movement.kind,
    delta: movement.delta,
    question_delta: movement.questionDelta ?? 0,
    receipt_id: movement.receiptId ?? null,
    shipment_id: movement.shipmentId ?? null,
    order_id: movement.orderId ?? null,
    reason: movement.reason ?? null,
    comment: movement.comment ?? null,
  }))
  await work.tx`
    insert into stock_movements (client_id, at, actor, barcode, kind, delta, question_delta,
      receipt_id, shipment_id, order_id, reason, comment)
    select ${clientId}, ${work.at}, ${work.actor}, m.*
    from jsonb_to_recordset(${work.tx.json(rows)}) as m
      (barcode text, kind text, delta bigint, question_delta bigint,
       receipt_id uuid, shipment_id uuid, order_id uuid, reason text, comment text)`
}
