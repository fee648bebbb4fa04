import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/db/connection.ts'
import { perform } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import { minute, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { isOn } from '../../../platform/process/switches.ts'
import { type Marketplace, marketplaces } from '../../../warehouse/clients/marketplace.ts'
import {
  type DueShipment,
  shipmentsWithDueMarks,
} from '../../../warehouse/picking/mark-proof-queries.ts'
import { postponeProofs } from '../../../warehouse/picking/mark-proofs.ts'
import { isFailure } from '../calls/failure.ts'
import type { Connect } from '../connect.ts'
import { connectionOfShipment, isConnected } from '../connected-cabinet.ts'
import type { AdvisoryLocks } from '../coordination/advisory-locks.ts'
import { proveShipment } from './prove-shipment.ts'

/**
 * Sends the marks of picked units to their marketplaces and learns what becomes of them, while the shipment is still being
 * picked. Any number of processes may run it: a shipment has one lock, which remote commands of the shipment take, too.
 * A process that ends in whatever way gives it back.
 */
export interface MarkProver {
  start(): void
  /** Looks once for marks that are due, and waits for what it has begun. For tests. */
  runOnce(): Promise<void>
  /** Waits a few seconds for the turns under way. What they don't finish stays due. */
  stop(): Promise<void>
}

export interface MarkProverParts {
  readonly db: Database
  readonly locks: AdvisoryLocks
  readonly clock: Clock
  readonly connect: Connect
  readonly log: WarningLog
}

const pollMs = 1_000
/** Shipments at a time for each marketplace, so that one that hangs does not delay the other. */
const turnsMax = 8
const shipmentsMax = 100
const stopMsMax = 3_000

export function openMarkProver(parts: MarkProverParts): MarkProver {
  const { db, clock, log } = parts
  const running = new Map<
    string,
    { readonly marketplace: Marketplace; readonly ended: Promise<void> }
  >()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let stopping = false

  async function poll(): Promise<void> {
    if (stopping || !(await isOn(db, 'marketplaces'))) return
    const due = await shipmentsWithDueMarks(db, toTimestamp(clock.now()), shipmentsMax)
    for (const marketplace of marketplaces) {
      const waiting = due.filter((one) => one.marketplace === marketplace)
      for (const shipment of waiting.filter(({ shipmentId }) => !running.has(shipmentId))) {
        const own = [...running.values()].filter((one) => one.marketplace === marketplace)
        if (own.length < turnsMax) begin(shipment)
      }
    }
  }

  function begin(shipment: DueShipment): void {
    const { shipmentId, marketplace } = shipment
    const ended = takeTurn(parts, shipment)
      .catch((error: unknown) => log.error({ err: error }, 'proving marks failed'))
      .finally(() => running.delete(shipmentId))
    running.set(shipmentId, { marketplace, ended })
  }

  function pollSafely(): Promise<void> {
    polling ??= poll()
      .catch((error: unknown) => log.error({ err: error }, 'looking for due marks failed'))
      .finally(() => {
        polling = undefined
      })
    return polling
  }
  const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended))

  return {
    start() {
      timer = setInterval(pollSafely, pollMs)
      timer.unref()
    },
    async runOnce() {
      await poll()
      await allEnded()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await polling
      const patience = new AbortController()
      const late = sleep(stopMsMax, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([allEnded(), late])
      patience.abort()
    },
  }
}

async function takeTurn(parts: MarkProverParts, shipment: DueShipment): Promise<void> {
  const { db, clock, locks, connect } = parts
  const { clientId, shipmentId, cabinetId } = shipment
  const postpone = () =>
    perform(db, clock, { kind: 'sync', cabinetId }, (work) =>
      postponeProofs(work, shipment, work.now + errorPauseMs),
    )
  try {
    const cabinet = await connectionOfShipment(db, clientId, shipmentId)
    if (!isConnected(cabinet)) return
    const { proving } = connect(cabinet).shipping
    await locks.ifUnlocked(shipmentId, () => proveShipment(parts, shipment, proving))
  } catch (error) {
    await postpone()
    // Credentials that can't be read: the cabinet shows it.
    if (!isFailure(error)) throw error
  }
}

/** After an error that was not expected, so that the turn does not begin again at once. */
const errorPauseMs = minute
