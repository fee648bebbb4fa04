import { openPoller, type Polling } from '../../../platform/concurrency/poller.ts'
import type { Database } from '../../../platform/db/connection.ts'
import { perform } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import { minute, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { isOn } from '../../../platform/process/switches.ts'
import {
  type DueShipment,
  shipmentsWithDueMarks,
} from '../../../warehouse/picking/mark-proof-queries.ts'
import { postponeProofs } from '../../../warehouse/picking/mark-proofs.ts'
import { isFailure } from '../calls/failure.ts'
import { connectionOfShipment, isConnected } from '../connecting/connected-cabinet.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { AdvisoryLocks } from '../coordination/advisory-locks.ts'
import { proveShipment } from './prove-shipment.ts'

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

/**
 * Sends the marks of picked units to their marketplaces and learns what becomes of them, while the shipment is still being
 * picked. Any number of processes may run it: a shipment has one lock, which remote commands of the shipment take, too.
 * A process that ends in whatever way gives it back. What a stop does not wait for stays due.
 */
export function openMarkProver(parts: MarkProverParts): Polling {
  const { db, clock, log } = parts
  const poller = openPoller<DueShipment>({
    everyMs: pollMs,
    look,
    onError: (error) => log.error({ err: error }, 'proving marks failed'),
  })

  async function look(): Promise<void> {
    if (!(await isOn(db, 'marketplaces'))) return
    const due = await shipmentsWithDueMarks(db, toTimestamp(clock.now()), shipmentsMax)
    for (const shipment of due) {
      const own = poller.running.filter((one) => one.marketplace === shipment.marketplace)
      const isRunning = own.some((one) => one.shipmentId === shipment.shipmentId)
      if (!isRunning && own.length < turnsMax) poller.begin(shipment, takeTurn(parts, shipment))
    }
  }

  return poller
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
