import type { Queryable } from '../../platform/db/connection.ts'
import type { ListOrder } from '../../platform/db/lists/list-order.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { isId } from '../../platform/kernel/ids.ts'

/** Parts of list statements that ask the tables of this room. */

/**
 * The clients that a list covers, as rows c (id): one client, or all live ones; only those of some warehouses where
 * their codes are given.
 */
export function clientsOf(
  db: Queryable,
  client: string | undefined,
  warehouses: readonly string[] = [],
): Fragment {
  if (warehouses.length > 0) {
    const which = client === undefined ? db`mode = 'live'` : db`id = ${client}`
    const codes = [...warehouses]
    return db`(select id from clients where ${which} and warehouse_code = any(${codes})) c`
  }
  return client === undefined
    ? db`(select id from clients where mode = 'live') c`
    : db`(select ${client}::uuid as id) c`
}

/** Clients of a list one after the other, by name. */
export function byClient(db: Queryable, clients: Fragment): ListOrder {
  return {
    groups: db`
      select c.id::text as key, row_number() over (order by owner.name, c.id) as rank
      from ${clients} join clients owner on owner.id = c.id`,
    inGroup: (all) => ({ ...all, clients: db`(select g.key::uuid as id) c` }),
  }
}

/** The condition on clients `c` that a viewer of all clients sees: live ones, as in clientsOf, or one of them. */
export function seenClients(
  db: Queryable,
  warehouses: readonly string[],
  client?: string,
): Fragment {
  const codes = [...warehouses]
  const all =
    codes.length === 0
      ? db`c.mode = 'live'`
      : db`c.mode = 'live' and c.warehouse_code = any(${codes})`
  if (client === undefined) return all
  return isId(client) ? db`${all} and c.id = ${client}` : db`false`
}

/**
 * Rows with a marketplace's number. A number is unique within a cabinet, so the index leads through the
 * cabinets; without them the database reads all rows of the client.
 */
export function hasNumber(db: Queryable, table: string, number: string): Fragment {
  return db`
    ${db(`${table}.external_id`)} = ${number}
    and (${db(`${table}.client_id`)}, ${db(`${table}.cabinet_id`)}) in (
      select k.client_id, k.id from cabinets k)`
}

/** The parts of a table whose observed rows have an index of their own: both, or the one that is asked for. */
export function observedParts(db: Queryable, observed: 'true' | 'false' | undefined): Fragment[] {
  const parts = { true: db`x.observed`, false: db`not x.observed` }
  return observed === undefined ? [parts.false, parts.true] : [parts[observed]]
}

/** A client's id, or an SQL expression for it. */
export type ClientId = string | Fragment
