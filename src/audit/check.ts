import type { Database, Queryable } from '../db/connection.ts'
import type { Instant } from '../kernel/moscow-time.ts'

/** One thing that is not as it should be. */
export interface Finding {
  /** The invariant that does not hold. */
  readonly check: string
  /** Whose it is; null for what belongs to no client. */
  readonly client: string | null
  /** Which row, by its id, number or barcode. */
  readonly object: string
  /** What was found, and what was expected. */
  readonly what: string
}

/** What one check found: the first findings, and how many there are in all. */
export interface Found {
  readonly findings: readonly Finding[]
  readonly count: number
}

/** Where a check looks: a slice of the clients, at one moment. */
export interface Place {
  readonly tx: Queryable
  readonly clients: readonly string[]
  readonly now: Instant
  /** Findings that are worth bringing back. */
  readonly limit: number
}

export interface Check {
  readonly name: string
  find(place: Place): Promise<Found>
}

/** A part of a statement. */
export type Sql = ReturnType<Database>

/** Says of the table called `alias` that its rows are of the clients that are looked at. */
export type Own = (alias: string) => Sql

type Differences = (db: Queryable, own: Own, place: Place) => Sql

/** A check by a statement whose rows (client_id, object, what) are differences, one each. */
export function check(name: string, differences: Differences): Check {
  return {
    name,
    async find(place) {
      const { tx, clients, limit } = place
      const own: Own = (alias) =>
        tx`${tx(`${alias}.client_id`)} = any(${clients as string[]}::uuid[])`
      return findBy(name, tx, differences(tx, own, place), limit)
    },
  }
}

/** Runs a statement of differences. */
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
