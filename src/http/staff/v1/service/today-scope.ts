import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Fragment } from '../../../../platform/db/fragment.ts'
import { seenClients } from '../../../../warehouse/clients/list-conditions.ts'
import { text } from '../../../route/query.ts'
import { scopeWithin, warehouseFilter } from '../../gate.ts'

/** Of which clients somebody sees what waits. */
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
