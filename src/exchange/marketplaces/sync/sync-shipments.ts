import type { Queryable } from '../../../platform/db/connection.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import {
  day,
  fromTimestamp,
  hour,
  type Timestamp,
  toTimestamp,
} from '../../../platform/kernel/moscow-time.ts'
import { lockOrderBook } from '../../../warehouse/orders/lock.ts'
import { nonTerminalShipments } from '../../../warehouse/shipments/cabinet-shipments.ts'
import { mirrorShipment, type ReportedShipment } from '../../../warehouse/shipments/mirror.ts'
import { followSplit, splitsToFollow } from '../../../warehouse/shipments/splitting.ts'
import type { ReportedPage, ShipmentsQuery } from '../connector.ts'
import { withdrawCreation } from '../coordination/command-progress.ts'
import { abandonedReferences, isCreationOpen } from '../coordination/command-queries.ts'
import { refuseWhileEnding } from '../coordination/request-command.ts'
import { ownWarehousesOf } from '../intake/own-orders.ts'
import {
  continuedFrom,
  firstWindowMs,
  followedMs,
  isPartDue,
  overlapMs,
  progressAt,
  type SyncContext,
  write,
  writeProgress,
} from './context.ts'

/** A creation that was refused this long ago is not carried out any more. */
const abandonedMs = day

/** Shipments that nobody here knows are looked for this often, or every so many sync runs. */
const lookEveryMs = 10 * 60_000
const lookEveryRuns = 5
/** The same where shipments are made here: only an orphan could be found. */
const lookForOrphansEveryMs = hour
const lookForOrphansEveryRuns = 20

/** Follows the cabinet's shipments; adds unknown ones where shipments are made in the cabinet. */
export async function syncShipments(sync: SyncContext): Promise<void> {
  const { connector, startedAt } = sync
  const query = await queryOf(sync)
  await mirrorAll(sync, connector.shipments(query))
  if (query.onlyKnown) return
  await writeProgress(sync, {
    shipments_from: progressAt(sync),
    ...(query.onlyLatest ? { shipments_back_to: toTimestamp(startedAt - day) } : {}),
  })
}

/** The days of departure that one sync run looks back: few, so that new orders never wait for it. */
const lookBackMs = 5 * day

/**
 * Looks for the shipments of the time before the first run, where they are listed day by day: the latest first, some
 * days in each run. An interrupted part is read once more.
 */
export async function syncEarlierShipments(sync: SyncContext): Promise<void> {
  const { run, connector } = sync
  const { shipmentsBackTo } = run
  const isMadeThere = run.shipments !== 'ours' && run.hasChoice
  if (shipmentsBackTo === null || !isMadeThere || !connector.earlierShipments) return
  const to = fromTimestamp(shipmentsBackTo)
  const from = to - lookBackMs
  await mirrorAll(sync, connector.earlierShipments(from, to - day))
  const isOver = from <= fromTimestamp(run.connectedAt) - firstWindowMs
  await writeProgress(sync, { shipments_back_to: isOver ? null : toTimestamp(from) })
}

async function mirrorAll(
  sync: SyncContext,
  pages: AsyncIterable<ReportedPage<ReportedShipment>>,
): Promise<void> {
  const { run, startedAt } = sync
  const { clientId, cabinetId } = run
  const connectedAt = fromTimestamp(run.connectedAt)
  for await (const { requestedAt, items } of pages) {
    for (const shipment of items) {
      await write(sync, requestedAt, async (work) => {
        await lockOrderBook(work, clientId)
        const { adds, observedUntil } = await addingTo(work.tx, clientId, cabinetId)
        const own = await ownWarehousesOf(work.tx, clientId, cabinetId)
        const options = {
          connectedAt,
          observedUntil,
          adds: adds && own !== null && run.shipments !== 'ours',
          ordersAsOf: startedAt,
          mayRemove: withdrawCreation,
        }
        return mirrorShipment(work, clientId, cabinetId, shipment, options)
      })
    }
  }
}

/**
 * Whether to ask for shipments that are not known here. Lists of shipments are long (WB) or must be
 * asked for day by day (OZON), and a shipment appears only after its orders changed. Known shipments are
 * asked about in every run.
 */
function isLookDue(sync: SyncContext, abandoned: number): boolean {
  const { run, connector, intervalMs, found } = sync
  const isMadeThere = run.shipments !== 'ours'
  if (isMadeThere ? !run.hasChoice : !connector.leavesOrphans) return false
  const isUrgent = isMadeThere ? found.ordersChanged : abandoned > 0
  const everyMs = isMadeThere
    ? Math.min(lookEveryMs, lookEveryRuns * intervalMs)
    : Math.min(lookForOrphansEveryMs, lookForOrphansEveryRuns * intervalMs)
  return isUrgent || isPartDue(sync, run.shipmentsFrom, everyMs)
}

async function queryOf(sync: SyncContext): Promise<ShipmentsQuery> {
  const { db, run, connector, startedAt } = sync
  const { clientId, cabinetId, shipmentsFrom } = run
  const last = shipmentsFrom === null ? undefined : continuedFrom(sync, shipmentsFrom, overlapMs)
  const followedFrom = toTimestamp(startedAt - followedMs)
  const abandonedFrom = toTimestamp(startedAt - abandonedMs)
  const abandoned = await abandonedReferences(db, clientId, cabinetId, abandonedFrom)
  return {
    onlyKnown: !isLookDue(sync, abandoned.length),
    onlyLatest: last === undefined && connector.earlierShipments !== undefined,
    from: last ?? startedAt - firstWindowMs,
    openFrom: last ?? startedAt - followedMs,
    readsOnly: run.shipments === 'observe',
    known: await nonTerminalShipments(db, clientId, cabinetId, followedFrom),
    abandonedReferences: abandoned,
  }
}

/**
 * Whether an unknown shipment of the cabinet was made there, and until when it was observed. Asked in the transaction
 * that adds it, because the setting may have changed since the run began. A shipment that was requested here and has
 * no row yet must not be taken for the cabinet's own.
 */
async function addingTo(db: Queryable, clientId: string, cabinetId: string) {
  const [cabinet] = await db<{ isMadeThere: boolean; observedUntil: Timestamp | null }[]>`
    select shipments <> 'ours' as "isMadeThere", observed_until as "observedUntil" from cabinets
    where client_id = ${clientId} and id = ${cabinetId}`
  const { isMadeThere = false, observedUntil = null } = cabinet ?? {}
  const adds = isMadeThere && !(await isCreationOpen(db, clientId, cabinetId))
  return {
    adds,
    observedUntil: observedUntil === null ? undefined : fromTimestamp(observedUntil),
  }
}

/** Orders that were split in the marketplace's cabinet: their parts join the shipment of the first. */
export async function syncSplits(sync: SyncContext): Promise<void> {
  const { run, startedAt } = sync
  const { clientId, cabinetId } = run
  if (run.shipments !== 'ours') return
  for (const split of await write(sync, startedAt, (work) =>
    splitsToFollow(work, clientId, cabinetId),
  )) {
    try {
      await write(sync, startedAt, (work) => followSplit(work, clientId, split, refuseWhileEnding))
    } catch (error) {
      // Its units are reserved elsewhere meanwhile, or the shipment is leaving: the parts stay free.
      if (!(error instanceof ServiceError)) throw error
    }
  }
}
