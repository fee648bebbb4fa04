import type { Transaction } from './connection.ts'

/** Runs `work` so that no statement of the transaction waits or runs longer than `timeoutMs`. */
export async function inTime<T>(
  tx: Transaction,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const limit = `${timeoutMs}ms`
  await tx`
    select set_config('lock_timeout', ${limit}, true), set_config('statement_timeout', ${limit}, true)`
  return work()
}

const codes = new Set([
  '55P03', // lock_not_available
  '57014', // query_canceled
  '53300', // too_many_connections
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
])

/**
 * Whether the error says that the database was not there, or not in time. Nothing was committed,
 * unless it came as the answer to the commit itself.
 */
export function isUnavailable(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code)
  return codes.has(code) || code.startsWith('57P') || code.startsWith('08')
}
