import { ServiceError } from '../../../platform/kernel/errors.ts'
import { followSplit, splitsToFollow } from '../../../warehouse/shipments/splitting.ts'
import { refuseWhileEnding } from '../coordination/request-command.ts'
import { type SyncContext, write } from './context.ts'

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
