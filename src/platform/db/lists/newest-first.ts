import type { Position } from '../../kernel/cursor.ts'
import { type Instant, toTimestamp } from '../../kernel/moscow-time.ts'
import type { Queryable } from '../connection.ts'
import { Fragment } from '../statements/fragment.ts'
import { endless, isWithin, type ListedSpan } from './filter.ts'

/**
 * The condition for rows that follow a position of a list that shows the newest rows first: by their time,
 * then id, both descending. All rows when the position is undefined.
 */
export function afterPosition(
  db: Queryable,
  table: string,
  after: Position | undefined,
  time = 'created_at',
) {
  if (after === undefined) return db``
  const [at, id] = after.map(String) as [string, string]
  return db`
    and (${db(`${table}.${time}`)}, ${db(`${table}.id`)}) < (${at}::timestamptz, ${id}::uuid)`
}

/**
 * The filter of a page. What follows a position lies before the end of the span anyway, so the end is left out. With
 * both, the database would begin each page at the end and read all rows up to the position.
 */
export function filterOfPage<Filter extends { readonly created_to: Instant | undefined }>(
  filter: Filter,
  { after }: { readonly after: Position | undefined },
): Filter {
  return after === undefined ? filter : { ...filter, created_to: undefined }
}

/**
 * A list of several clients' rows in the order of a time. The statement reads the first row of each client, by the
 * index that serves the client's own list. Only clients whose first row is among the first of these can have rows on
 * the page, and no row on it comes after these. So the statement reads about as many rows as there are clients and
 * places on the page. No index needs to span clients, and clients that are not listed cost nothing.
 */
export interface AcrossClients {
  /** The clients to list, as rows c (id). */
  readonly clients: Fragment
  readonly table: string
  /** The column that says how new a row is; created_at by default. */
  readonly time?: string
  /**
   * Whether one index has client, time and id, in this order. Then bounds name the client, too: a bound of the time alone lets
   * the planner join two other indexes, sort all that is open and think it cheap.
   */
  readonly oneIndex?: boolean
  /** The oldest first; the newest by default. */
  readonly ascending?: boolean
  /** Conditions on the table, under its alias `x`. The client's condition is added. */
  readonly where: Fragment
  /**
   * The span of the time that is listed. It is apart from `where`, because reading starts at one bound alone: the
   * position or the end of the span (see `filterOfPage`).
   */
  readonly within?: ListedSpan
  /** Conditions that split the rows into parts, where each part has an index of its own. */
  readonly parts?: readonly Fragment[]
}

/** Where a list of the newest rows of a span starts, as a place before all of its rows. */
export function startOf(db: Queryable, { to }: ListedSpan = endless) {
  return to === undefined
    ? { at: db`'infinity'`, id: db`'ffffffff-ffff-ffff-ffff-ffffffffffff'` }
    : { at: db`${toTimestamp(to)}::timestamptz`, id: db`'00000000-0000-0000-0000-000000000000'` }
}

/** Rows (client_id, id, created_at: their time) of one page and one row more, in order. */
export function newestAcrossClients(
  db: Queryable,
  {
    clients,
    table,
    time = 'created_at',
    ascending = false,
    oneIndex = false,
    where,
    within = endless,
    parts = [db`true`],
  }: AcrossClients,
  { limit, after }: { readonly limit: number; readonly after: Position | Fragment | undefined },
): Fragment {
  const rows = limit + 1
  const at = db`${db(`x.${time}`)}`
  const { way, follows, precedes, last, end } = directionOf(db, ascending)
  const start = ascending ? { ...endless, from: within.from } : { ...endless, to: within.to }
  const rest = ascending ? { ...endless, to: within.to } : { ...endless, from: within.from }
  const isBehind =
    after === undefined
      ? isWithin(db, at, start)
      : db`(${at}, x.id) ${follows} ${placeIn(db, after)}`
  // The bound names the client, because the planner takes two bounds of the time for a span of a few rows, and reads it whole.
  const isOnPage = oneIndex
    ? db`(x.client_id, ${at}) ${precedes} (c.id, oldest.at)`
    : db`(${at}, x.client_id) ${precedes} (oldest.at, c.id)`
  const isWanted = db`${isWithin(db, at, rest)} and ${isBehind}`
  const firsts = (isFirst: Fragment, limit: number) =>
    parts
      .map(
        (part) => db`
          (select x.client_id, x.id, ${at} as created_at from ${db(table)} x
          where x.client_id = c.id and ${part} and ${where} and ${isWanted} and ${isFirst}
          order by ${at} ${way}, x.id ${way} limit ${limit})`,
      )
      .reduce((all, each) => db`${all} union all ${each}`)
  return db`
    with newest as materialized (
      select n.* from ${clients} cross join lateral (${firsts(db`true`, 1)}) n
      order by n.created_at ${way}, n.id ${way} limit ${rows}
    ), oldest as materialized (
      select case when count(*) = ${rows} then ${last}(created_at) else ${end} end as at from newest
    )
    select k.*
    from (select distinct client_id as id from newest) c cross join oldest
    cross join lateral (${firsts(isOnPage, rows)}) k
    order by k.created_at ${way}, k.id ${way} limit ${rows}`
}

/** The words of an order by time and id, and of what follows in it. */
export function directionOf(db: Queryable, ascending: boolean) {
  return ascending
    ? { way: db`asc`, follows: db`>`, precedes: db`<=`, last: db`max`, end: db`'infinity'` }
    : { way: db`desc`, follows: db`<`, precedes: db`>=`, last: db`min`, end: db`'-infinity'` }
}

/** The values of a position, or the expressions of one that the statement itself finds. */
function placeIn(db: Queryable, after: Position | Fragment): Fragment {
  if (after instanceof Fragment) return after
  const [at, id] = after.map(String) as [string, string]
  return db`(${at}::timestamptz, ${id}::uuid)`
}
