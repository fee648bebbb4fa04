import { wordForms } from '../../kernel/case-folding.ts'
import { type Instant, toTimestamp } from '../../kernel/moscow-time.ts'
import type { Queryable } from '../connection.ts'
import type { Fragment } from '../statements/fragment.ts'

/**
 * A condition for every field of a filter. A filter whose new field has no condition does not compile. A list uses
 * the same conditions for its page and its total, so the two can't differ.
 */
export type FilterConditions<Filter> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>) => Fragment
}

/**
 * The conditions of all fields that have a value, each after an `and`. Undefined fields filter nothing. Throws for a
 * field without a condition, such as a query parameter that the filter's type does not know.
 */
export function conditionsOf<Filter extends object>(
  db: Queryable,
  filter: Filter,
  conditions: FilterConditions<Filter>,
): Fragment {
  const unknown = Object.keys(filter).filter((field) => !Object.hasOwn(conditions, field))
  if (unknown.length > 0) throw new Error(`no condition filters by ${unknown.join(', ')}`)
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

/** A span of moments: from this one on, and before that one. */
export interface ListedSpan {
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

export const endless: ListedSpan = { from: undefined, to: undefined }

/** A filter that leaves the time of creation to the list itself. */
export const anyTime = { created_from: undefined, created_to: undefined }

/** Conditions on a time within a span. */
export function isWithin(db: Queryable, time: Fragment, { from, to }: ListedSpan): Fragment {
  const begun = from === undefined ? db`true` : db`${time} >= ${toTimestamp(from)}`
  return to === undefined ? begun : db`${begun} and ${time} < ${toTimestamp(to)}`
}

/** Whether any field of a filter has a value. */
export function filtersAnything(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

/**
 * The condition that each word of a typed text stands somewhere in a folded text of the row. Order, letter case, е
 * for ё and the layout of the keyboard do not matter. A text without words fits every row.
 */
export function havingWords(db: Queryable, text: string, folded: Fragment): Fragment {
  // One comparison per row and form: a client may have 100,000 goods.
  const forms = [...wordForms(text)].map(
    (form) => db`${folded} like all(${form.split(' ').map(within)}::text[])`,
  )
  return db`(${forms.reduce((all, form) => db`${all} or ${form}`)})`
}

/** The pattern of texts that hold the word. */
function within(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}
