import type { WarningLog } from '../../../platform/kernel/log.ts'
import type { Instant, Timestamp } from '../../../platform/kernel/moscow-time.ts'
import { isFailure } from '../calls/failure.ts'
import { isGone } from './lacks.ts'

/**
 * Warns the operator about calls that a marketplace has withdrawn. Either it says so, or it has refused one as
 * unknown (404) for so long that its data are missing for a day. Each call is logged once for each process, however
 * many cabinets need it.
 */
export interface WithdrawnCalls {
  look(run: RefusedRun, error: unknown, now: Instant): void
}

interface RefusedRun {
  readonly cabinetId: string
  /** Since when the marketplace refuses, at the latest. */
  readonly since: Timestamp
}

/** Bounds the memory: paths may name objects. */
const callsMax = 1_000

export function openWithdrawnCalls(log: WarningLog): WithdrawnCalls {
  const known = new Set<string>()
  return {
    look({ cabinetId, since }, error, now) {
      if (!isFailure(error) || error.call === undefined || !isGone(error, since, now)) return
      if (known.has(error.call) || known.size >= callsMax) return
      known.add(error.call)
      const details = { cabinet: cabinetId, call: error.call }
      log.warn(details, 'the marketplace has withdrawn a call that the sync needs')
    },
  }
}
