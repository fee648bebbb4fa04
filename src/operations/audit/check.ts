import type { Database, Queryable, Transaction } from '../../platform/db/connection.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'

/** A row that breaks an invariant. */
export interface Finding {
  /** The broken invariant. */
  readonly check: string
  /** Null where the row belongs to no client. */
  readonly client: string | null
  /** The row, by its id, number or barcode. */
  readonly object: string
  /** What the row says, and what it should say. */
  readonly what: string
}

/** The first findings of a check, and how many there are in all. */
export interface Found {
  readonly findings: readonly Finding[]
  readonly count: number
}

/** What a check looks at: a slice of the clients, at one moment. */
export interface Place {
  readonly tx: Transaction
  readonly clients: readonly string[]
  readonly now: Instant
  /** At most this many findings are returned. */
  readonly limit: number
}

export interface Check {
  readonly name: string
  find(place: Place): Promise<Found>
}

/** Part of an SQL statement. */
export type Sql = ReturnType<Database>

/** The condition that rows of the table `alias` belong to the slice of clients. */
export type Own = (alias: string) => Sql

type Differences = (db: Queryable, own: Own, place: Place) => Sql

/** Makes a check of a statement that returns a row (client_id, object, what) for each difference. */
export function check(name: string, differences: Differences): Check {
  return {
    name,
    async find(place) {
      const { tx, clients, limit } = place
      const [client] = clients
      // Of a single client the server leaves the id out of joins, and knows better how many rows they have.
      const own: Own = (alias) =>
        clients.length === 1
          ? tx`${tx(`${alias}.client_id`)} = ${client ?? null}`
          : tx`${tx(`${alias}.client_id`)} = any(${clients as string[]}::uuid[])`
      return findBy(name, tx, differences(tx, own, place), limit)
    },
  }
}

/** Runs a statement that returns differences. */
export async function findBy(
  name: string,
  tx: Queryable,
  differences: Sql,
  limit: number,
): Promise<Found> {
  const rows = await tx<
    { client_id: string | null; object: string; what: string; count: number }[]
  >`
    select client_id, object, what, count(*) over () as count from (${differences}) d
    order by client_id, object, what limit ${limit}`
  return {
    findings: rows.map(({ client_id: client, object, what }) => ({
      check: name,
      client,
      object,
      what,
    })),
    count: rows[0]?.count ?? 0,
  }
}

/**
 * Runs statements that are planned once for a connection and all clients: planning them takes many times as long as reading a small
 * client.
 */
export async function plannedOnce<T>(tx: Queryable, read: () => Promise<T>): Promise<T> {
  await tx`set local plan_cache_mode = force_generic_plan`
  const rows = await read()
  await tx`set local plan_cache_mode = force_custom_plan`
  return rows
}
