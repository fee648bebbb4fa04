import { isUnavailable, sqlStateOf } from '../../platform/db/connections/errors.ts'
import { leavingRefusal } from '../../platform/db/leaving.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'

const repeatAfterSeconds = 2
const leaving = 'Склад переезжает на другой сервер: ничего не записано, повторите через минуту'

/** The error handler of APIs of our own pages: they repeat by themselves where the database was not there. */
export function sayWhenToRepeat(error: unknown): never {
  if (!isUnavailable(error)) throw error
  const isLeaving = sqlStateOf(error) === leavingRefusal
  throw new ServiceError('unavailable', isLeaving ? leaving : undefined, {
    retryAfterSeconds: repeatAfterSeconds,
    cause: error,
  })
}
