import type { Transaction } from './connection.ts'
import { ConnectionError, isLockWait, readOnlyServer, sqlStateOf } from './errors.ts'

/** Runs `work` so that no statement of the transaction runs longer than `timeoutMs`, or waits for a lock longer than `lockMs`. */
export async function inTime<T>(
  tx: Transaction,
  timeoutMs: number,
  work: () => Promise<T>,
  lockMs = timeoutMs,
): Promise<T> {
  await tx`
    select set_config('lock_timeout', ${`${lockMs}ms`}, true),
      set_config('statement_timeout', ${`${timeoutMs}ms`}, true)`
  return work()
}

/** Classes of errors: connection exceptions, no disk, memory or connections left, and an operator's intervention, cancelled statements included. */
const classes = ['08', '53', '57']

/**
 * Whether the error says that the database was not there, not in time, or not the one that writes. Nothing was committed,
 * unless it came as the answer to the commit itself.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  const code = sqlStateOf(error) ?? ''
  return (
    isLockWait(error) || code === readOnlyServer || classes.some((each) => code.startsWith(each))
  )
}
