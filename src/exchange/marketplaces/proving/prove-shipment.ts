import type { Database } from '../../../platform/db/connection.ts'
import { perform, type Work } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { minute, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import {
  formerMarksOf,
  type GivenUnit,
  givenMarksOf,
} from '../../../warehouse/picking/given-marks.ts'
import {
  type DueShipment,
  ordersToProve,
  type ProvedOrder,
} from '../../../warehouse/picking/mark-proof-queries.ts'
import {
  type MarkVerdict,
  postponeProofs,
  recordSending,
  recordVerdict,
} from '../../../warehouse/picking/mark-proofs.ts'
import { isFailure, isRejected } from '../calls/failure.ts'
import type { MarkedOrder, MarkProving } from '../connector.ts'
import { refuseWhileEnding } from '../coordination/request-command.ts'
import { type RefusedUnitOfOrder, refuseUnit } from './refuse-unit.ts'

/**
 * One turn of a shipment: sends marks of some orders, and asks what became of those that were sent. The caller holds the lock of
 * the shipment's remote commands: no mark is sent during a hand-over, and marks go in the order of their units. Every
 * step is repeatable: if the process is killed between two of them, the rest stays due.
 */
export interface ProvingParts {
  readonly db: Database
  readonly clock: Clock
}

/** Orders whose marks are sent in one turn: a hand-over waits no longer than that. */
const sentMax = 10
/** WB tells of a hundred orders in one call. */
const askedMax = 100

export async function proveShipment(
  parts: ProvingParts,
  shipment: DueShipment,
  proving: MarkProving,
): Promise<void> {
  const turn = openTurn(parts, shipment)
  try {
    if (await turn.isEnding()) return await turn.postpone(endingPauseMs)
    for (const order of await turn.orders('unsent', sentMax)) {
      await sendOrder(turn, proving, order)
    }
    const asked = await turn.orders('sent', askedMax)
    if (asked.length > 0) await askAbout(turn, proving, asked)
  } catch (error) {
    if (!isFailure(error)) throw error
    // All that is due waits: the marketplace does not answer, or refuses the key.
    await turn.postpone((error.retryAfterSeconds ?? 0) * 1000 || failurePauseMs)
  }
}

const endingPauseMs = 5_000
const failurePauseMs = 30_000
/** A refusal of an order says nothing of its marks. WB takes ten calls for one refusal. */
const refusalPauseMs = 5 * minute

interface Turn {
  readonly shipment: DueShipment
  /** The marketplace may have taken the shipment over. */
  isEnding(): Promise<boolean>
  orders(state: 'unsent' | 'sent', limit: number): Promise<readonly MarkedProofs[]>
  postpone(pauseMs: number, orderIds?: readonly string[]): Promise<void>
  perform(verbs: (work: Work) => Promise<unknown>): Promise<void>
}

/** The units of an order as the marketplace gets them, each with its proof. */
interface MarkedProofs extends ProvedOrder {
  readonly units: readonly GivenUnit[]
  readonly marked: MarkedOrder
}

function openTurn({ db, clock }: ProvingParts, shipment: DueShipment): Turn {
  const { clientId, cabinetId, shipmentId } = shipment
  const run = async (verbs: (work: Work) => Promise<unknown>) => {
    await perform(db, clock, { kind: 'sync', cabinetId }, verbs)
  }
  return {
    shipment,
    perform: run,
    async isEnding() {
      try {
        await run((work) => refuseWhileEnding(work, clientId, shipmentId))
        return false
      } catch (error) {
        if (error instanceof ServiceError) return true
        throw error
      }
    },
    async orders(state, limit) {
      const due = await ordersToProve(db, shipment, state, toTimestamp(clock.now()), limit)
      const ids = due.map(({ id }) => id)
      const [given, former] = await Promise.all([
        givenMarksOf(db, clientId, ids),
        formerMarksOf(db, clientId, ids),
      ])
      return due.map((order) => {
        const [units = [], formerUnits = []] = [given.get(order.id), former.get(order.id)]
        return { ...order, units, marked: { externalId: order.externalId, units, formerUnits } }
      })
    },
    postpone: (pauseMs, orderIds) =>
      run((work) => postponeProofs(work, shipment, work.now + pauseMs, orderIds)),
  }
}

async function sendOrder(turn: Turn, proving: MarkProving, order: MarkedProofs): Promise<void> {
  const { clientId, taskId } = turn.shipment
  const mayBeKnown = order.proofs.some(({ attempted }) => attempted)
  await turn.perform((work) => recordSending(work, { clientId, taskId, orderId: order.id }))
  try {
    const sent = { ...order.marked, isWhole: order.isWhole, mayBeKnown }
    await recordAll(turn, order, await proving.send(sent))
  } catch (error) {
    if (!isRejected(error)) throw error
    await turn.postpone(refusalPauseMs, [order.id])
  }
}

async function askAbout(
  turn: Turn,
  proving: MarkProving,
  orders: readonly MarkedProofs[],
): Promise<void> {
  try {
    const verdicts = await proving.verdicts(orders.map(({ marked }) => marked))
    for (const [n, order] of orders.entries()) {
      // No verdict of the marketplace is about marks that it has not got yet.
      const proofs = order.proofs.filter(({ state }) => state !== 'unsent')
      await recordAll(turn, { ...order, proofs }, verdicts[n] ?? [])
    }
  } catch (error) {
    if (!isRejected(error)) throw error
    const ids = orders.map(({ id }) => id)
    await turn.postpone(refusalPauseMs, ids)
  }
}

/** A unit without a verdict is asked about later. */
async function recordAll(
  turn: Turn,
  order: MarkedProofs,
  verdicts: readonly MarkVerdict[],
): Promise<void> {
  const { clientId, taskId, marketplace } = turn.shipment
  const proofs = new Map(order.proofs.map((proof) => [proof.scanId, proof]))
  for (const [n, unit] of order.units.entries()) {
    const proof = proofs.get(unit.scanId)
    if (proof === undefined) continue
    const { scanId, givenAt } = proof
    const proved = { clientId, taskId, scanId, givenAt }
    const verdict = verdicts[n] ?? { kind: 'waiting' }
    if (verdict.kind !== 'refused') {
      await turn.perform((work) => recordVerdict(work, proved, verdict))
      continue
    }
    const refused = { ...proved, marketplace, order, unit, refused: verdict }
    await recordRefusal(turn, refused)
  }
}

async function recordRefusal(turn: Turn, refused: RefusedUnitOfOrder): Promise<void> {
  try {
    await turn.perform((work) => refuseUnit(work, refused))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // The order is cancelled, or its shipment leaves.
    await turn.postpone(refusalPauseMs, [refused.order.id])
  }
}
