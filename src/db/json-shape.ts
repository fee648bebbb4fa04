/**
 * How the rows of a statement become JSON, without objects in between. A shape follows the schema of the answer: its
 * fields, their order and their types, so there is no second definition of them. What the schema can't say, which
 * column a field comes from, the caller adds.
 *
 * A NULL leaves an optional field out, and is null in any other.
 */

import type { TSchema } from 'typebox'
import { referredSchema } from '../kernel/schema.ts'

/** How the text of a column is written. */
type Kind = 'text' | 'number' | 'boolean' | 'moment' | 'json'

export interface ColumnField {
  readonly key: string
  readonly column: string
  readonly kind: Kind
  readonly isOptional: boolean
  /** Written in place of the column's values. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface ObjectField {
  readonly key: string
  readonly fields: readonly JsonField[]
}

export type JsonField = ColumnField | ObjectField

export interface JsonShape {
  readonly fields: readonly JsonField[]
  /** Of rows that are together the last field of one object. */
  readonly list?: { readonly key: string; readonly holder: readonly JsonField[] }
}

/** Stands between the columns of an object and those of the items of its list; NULL where there is no item. */
export const itemColumn = 'item'

/** A column of another name than the field, words for a column's values, or the columns of an object's fields. */
export type Source =
  | string
  | { readonly labels: Readonly<Record<string, string>>; readonly of: string }
  | Sources
export interface Sources {
  readonly [key: string]: Source
}

/**
 * The shape of an object whose last field is a list. Its statement has a row for each item: the columns of the object, the
 * same in each row, then `itemColumn`, then those of the item. An empty list is a row whose `itemColumn` is NULL.
 */
export function withList(holder: JsonShape, key: string, items: JsonShape): JsonShape {
  return { fields: items.fields, list: { key, holder: holder.fields } }
}

interface Described {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Described[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

/**
 * @param sources of the fields whose column has another name
 * @throws TypeError where the schema has a field that no column can fill
 */
export function jsonShape(schema: TSchema, sources: Sources = {}): JsonShape {
  return { fields: fieldsOf(schema as Described, sources) }
}

function fieldsOf({ properties = {}, required = [] }: Described, sources: Sources): JsonField[] {
  return Object.entries(properties).map(([key, described]) => {
    const source = sources[key] ?? key
    if (typeof source !== 'string' && !isLabelled(source)) {
      return { key, fields: fieldsOf(described, source) }
    }
    const isOptional = !required.includes(key)
    if (typeof source === 'string') {
      return { key, column: source, kind: kindOf(key, described), isOptional }
    }
    return { key, column: source.of, kind: 'text', isOptional, labels: source.labels }
  })
}

function isLabelled(source: Source): source is Extract<Source, { of: string }> {
  return typeof source === 'object' && typeof source.of === 'string'
}

const kinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'number',
  boolean: 'boolean',
  array: 'json',
  object: 'json',
}

function kindOf(key: string, described: Described): Kind {
  const { type, format, anyOf } = referredSchema(described as TSchema) as Described
  const other = anyOf?.find((each) => each.type !== 'null')
  if (other !== undefined && anyOf?.length === 2) return kindOf(key, other)
  const name = typeof type === 'string' ? type : type?.find((each) => each !== 'null')
  const kind = format === 'date-time' ? 'moment' : kinds[name ?? '']
  if (kind === undefined) throw new TypeError(`no column can fill the field ${key}`)
  return kind
}
