import type { WarningLog } from '../../../platform/kernel/log.ts'
import { day, fromTimestamp, type Instant } from '../../../platform/kernel/moscow-time.ts'
import { isObsolete, isWithdrawn } from '../calls/failure.ts'
import type { SyncRun } from './sync-runs.ts'

/**
 * Warns the operator about calls that a marketplace has withdrawn: it says so, or has refused one as unknown (404) for
 * so long that nothing was read completely for a day. Each call is logged once for each process, however many cabinets
 * need it.
 */
export interface WithdrawnCalls {
  look(run: RefusedRun, error: unknown, now: Instant): void
}

type RefusedRun = Pick<SyncRun, 'cabinetId' | 'syncedAt' | 'connectedAt'>

/** Bounds the memory: paths may name objects. */
const callsMax = 1_000

export function openWithdrawnCalls(log: WarningLog): WithdrawnCalls {
  const known = new Set<string>()
  return {
    look({ cabinetId, syncedAt, connectedAt }, error, now) {
      if (!isObsolete(error) || error.call === undefined) return
      const isLong = now - fromTimestamp(syncedAt ?? connectedAt) >= day
      if (!(isWithdrawn(error) || isLong)) return
      if (known.has(error.call) || known.size >= callsMax) return
      known.add(error.call)
      const details = { cabinet: cabinetId, call: error.call }
      log.warn(details, 'the marketplace has withdrawn a call that the sync needs')
    },
  }
}
