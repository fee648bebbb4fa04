import { isUnavailable } from '../../platform/db/in-time.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'

const repeatAfterSeconds = 2

/** The error handler of APIs of our own pages: they repeat by themselves where the database was not there. */
export function sayWhenToRepeat(error: unknown): never {
  if (!isUnavailable(error)) throw error
  const retryAfterSeconds = repeatAfterSeconds
  throw new ServiceError('unavailable', undefined, { retryAfterSeconds, cause: error })
}
