import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import type { Queryable } from './connection.ts'
import type { Fragment } from './fragment.ts'

/**
 * A condition for every field of a filter. A filter whose new field has no condition does not compile, and a list
 * takes page and total from the same conditions, so they can't differ.
 */
export type FilterConditions<Filter> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>) => Fragment
}

/** The conditions of all fields that have a value, each after an `and`. Undefined fields filter nothing. */
export function conditionsOf<Filter extends object>(
  db: Queryable,
  filter: Filter,
  conditions: FilterConditions<Filter>,
): Fragment {
  let joined: Fragment = db``
  for (const field of Object.keys(conditions) as (keyof Filter)[]) {
    const value = filter[field]
    if (value === undefined || value === null) continue
    joined = db`${joined} and ${conditions[field](value)}`
  }
  return joined
}

/** Conditions on the rows of `alias` created in [created_from, created_to). */
export function createdConditions(
  db: Queryable,
  alias: string,
): FilterConditions<{ created_from: Instant | undefined; created_to: Instant | undefined }> {
  const created = db(`${alias}.created_at`)
  return {
    created_from: (from) => db`${created} >= ${toTimestamp(from)}`,
    created_to: (to) => db`${created} < ${toTimestamp(to)}`,
  }
}

/** Whether any field of a filter has a value. */
export function filtersAnything(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
