import type { Work } from '../db/work.ts'
import { lockBalances, takeExcess } from './contents.ts'
import { balancing, posting, refuseShortages, type Shortage, shortages } from './posting.ts'

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

/** Writes movements and moves the balances with them. All goods must be known to the client. */
export async function recordMovements(
  work: Work,
  clientId: string,
  movements: readonly Movement[],
): Promise<void> {
  if (movements.length === 0) return
  const { tx } = work
  const rows = movements.map((movement) => ({
    barcode: movement.barcode,
    kind: movement.kind,
    delta: movement.delta,
    question_delta: movement.questionDelta ?? 0,
    from_reserve: movement.fromReserve ?? 0,
    receipt_id: movement.receiptId ?? null,
    shipment_id: movement.shipmentId ?? null,
    order_id: movement.orderId ?? null,
    reason: movement.reason ?? null,
    comment: movement.comment ?? null,
  }))
  await lockBalances(work, clientId, [...new Set(rows.map(({ barcode }) => barcode))])
  const [outcome] = await tx<[Outcome]>`
    with entries as materialized (
      select * from jsonb_to_recordset(${tx.json(rows)}) as m
        (barcode text, kind text, delta bigint, question_delta bigint, from_reserve bigint,
         receipt_id uuid, shipment_id uuid, order_id uuid, reason text, comment text)
    ), ${posting(work, clientId)}
    select ${shortages(work)} as short,
      (select json_object_agg(barcode, quantity) from moved where lessened) as left`
  refuseShortages(outcome.short)
  await takeExcess(work, clientId, new Map(Object.entries(outcome.left ?? {})))
}

interface Outcome {
  readonly short: Shortage[] | null
  /** Units that are left of goods that units left of, by barcode: boxes may hold no more. */
  readonly left: Readonly<Record<string, number>> | null
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
  const { tx } = work
  const rows = claims.map(({ barcode, units }) => ({ barcode, units: sign * units }))
  await lockBalances(work, clientId, [...new Set(rows.map(({ barcode }) => barcode))])
  const [outcome] = await tx<[Pick<Outcome, 'short'>]>`
    with changes as materialized (
      select barcode, 0::bigint as quantity, 0::bigint as in_question,
        sum(units)::bigint as reserved
      from jsonb_to_recordset(${tx.json(rows)}) as c (barcode text, units bigint)
      group by barcode
    ), ${balancing(work, clientId)}
    select ${shortages(work)} as short`
  refuseShortages(outcome.short)
}
