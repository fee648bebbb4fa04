import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import type { Timestamp } from './moscow-time.ts'

/** Building blocks of schemas: types for the code, descriptions for the API reference. */

/**
 * What a view makes for a schema. It names every field, so that all objects of a list have one form; a field that is
 * absent is undefined, which JSON leaves out.
 */
export type Shown<Schema extends TSchema> = WithUndefined<Static<Schema>>

type WithUndefined<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? WithUndefined<Item>[]
    : {
        [Field in keyof T]: Partial<Pick<T, Field>> extends Pick<T, Field>
          ? WithUndefined<T[Field]> | undefined
          : WithUndefined<T[Field]>
      }

const time = { type: 'string', format: 'date-time' } as const

/** A time: RFC 3339 with milliseconds and the offset +03:00. */
export function moment(description: string): TUnsafe<Timestamp> {
  return Type.Unsafe<Timestamp>({ ...time, description })
}

/** A moment, or null while it has not come. */
export function momentOrNull(description: string): TUnsafe<Timestamp | null> {
  return Type.Unsafe<Timestamp | null>({ ...time, type: ['string', 'null'], description })
}

/**
 * A time that callers give is a date or a moment; a date is its midnight in Moscow. Each says that it is a string: some
 * generators look no further.
 */
export const timeFormats = [
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
] as const

/** A time in a body. http/route/body.ts checks it, platform/kernel/time-field.ts reads it. */
export function givenTime(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', anyOf: timeFormats, description })
}

export function textOrNull(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description })
}

export function integerOrNull(description: string): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], description })
}

/** A day in Moscow, YYYY-MM-DD. */
export function calendarDay(description: string) {
  return Type.String({ format: 'date', description })
}

export function oneOfValues<const T extends readonly string[]>(
  values: T,
  description: string,
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
}

/** A number of units or objects: an integer of at least 0. */
export function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

const target = '~target'

/**
 * A reference to a schema with a name of its own ($id) in the API reference. `namedSchemasIn` finds
 * the schema again: it is a hidden property, which TypeBox keeps and JSON leaves out.
 */
export function named<T>(schema: TSchema & { static?: T; $id?: string }): TUnsafe<T> {
  const reference = Object.defineProperty({ $ref: `${schema.$id}#` }, target, { value: schema })
  return Type.Unsafe<T>(reference)
}

/**
 * The named schemas that a description refers to, each after the schemas that it refers to itself.
 */
export function namedSchemasIn(
  description: unknown,
  found: Set<TSchema> = new Set(),
): ReadonlySet<TSchema> {
  if (typeof description !== 'object' || description === null) return found
  const schema = (description as { [target]?: TSchema })[target]
  if (schema !== undefined && !found.has(schema)) {
    namedSchemasIn(schema, found)
    found.add(schema)
  }
  for (const part of Object.values(description)) namedSchemasIn(part, found)
  return found
}
