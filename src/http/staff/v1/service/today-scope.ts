import type { FastifyRequest } from 'fastify'
import { KeptAnswer } from '../../../../platform/concurrency/kept-answer.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Fragment } from '../../../../platform/db/statements/fragment.ts'
import { seenClients } from '../../../../warehouse/clients/list-conditions.ts'
import { text } from '../../../route/query.ts'
import { scopeWithin, warehouseFilter } from '../../gate.ts'

/** The clients for whom somebody sees what waits. */
export interface TodayScope {
  /** Codes; none: all. */
  readonly warehouses: readonly string[]
  readonly client: string | undefined
}

export const scopeParameters = {
  client_id: text({ description: 'Только этот клиент; без него — все.' }),
  warehouse_code: warehouseFilter,
}

interface AskedScope {
  readonly client_id: string | undefined
  readonly warehouse_code: string | undefined
}

/** Throws forbidden for a warehouse that the member does not work in. */
export function todayScope(
  request: FastifyRequest,
  { client_id: client, warehouse_code: code }: AskedScope,
): TodayScope {
  return { ...scopeWithin(request, code), client }
}

/** The condition on clients `c`. */
export function seenInScope(db: Queryable, { warehouses, client }: TodayScope): Fragment {
  return seenClients(db, warehouses, client)
}

/**
 * Sections whose cost grows with the waiting orders, the goods in question or the expected returns of all clients. An
 * answer over many is kept for those who see the same clients, and up to a minute longer while the next one is being
 * read. Small warehouses get it fresh (decision 0061).
 */
export function keptByScope<T>(
  make: (scope: TodayScope) => Promise<T>,
  rowsRead: (answer: T) => number,
): (scope: TodayScope) => Promise<T> {
  const keptMs = (answer: T) => {
    const rows = rowsRead(answer)
    return rows < rowsUnkept ? 0 : Math.min(30_000, rows / rowsPerKeptMs)
  }
  const kept = new Map<string, KeptAnswer<T>>()
  return (scope) => {
    const key = JSON.stringify(scope)
    const answer = kept.get(key) ?? new KeptAnswer({ make: () => make(scope), keptMs, staleMs })
    if (kept.size >= scopesKeptMax) kept.clear()
    kept.set(key, answer)
    return answer.get()
  }
}

const staleMs = 60_000
const scopesKeptMax = 500
/** Fewer rows are read for everybody who asks. */
const rowsUnkept = 1_000
/** Reading takes less than a tenth of the time for which its answer is kept. */
const rowsPerKeptMs = 4
