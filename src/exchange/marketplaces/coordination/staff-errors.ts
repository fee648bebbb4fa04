import { ServiceError } from '../../../platform/kernel/errors.ts'
import { MarketplaceError } from '../calls/failure.ts'

/** Failures of coordinated changes as warehouse workers read them. */

/** A marketplace's refusal becomes conflict, any other failure of it marketplace_unavailable. */
export function shownToStaff(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) return error
  const code = error.kind === 'rejected' ? 'conflict' : 'marketplace_unavailable'
  const { retryAfterSeconds } = error
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return new ServiceError(code, error.message, { cause: error, ...retry })
}

export async function withStaffErrors<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw shownToStaff(error)
  }
}

/**
 * Whether the failure proves that neither side changed anything. An unreadable or missing response
 * does not: the marketplace may have carried the call out.
 */
export function didNothing(error: unknown): error is Error {
  if (error instanceof MarketplaceError) {
    return !error.outcomeUnknown && (error.kind === 'rejected' || error.kind === 'credentials')
  }
  return error instanceof ServiceError
}

/** For a verb that runs after the marketplace's part: its refusal says that the marketplace has acted. */
export async function markDoneRemotely<T>(done: Promise<T>): Promise<T> {
  return done.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, doneRemotelyOnly(error.message), { cause: error })
  })
}

/** The difference lasts until the hand-over, which makes the marketplace's shipment match ours. */
export function doneRemotelyOnly(reason: string): string {
  return `На маркетплейсе выполнено, здесь нет: ${reason}`
}
