import Type, { type TSchema, type TUnsafe } from 'typebox'
import type { Timestamp } from './moscow-time.ts'

/** Building blocks of the resource schemas: types for the code, words for the API reference. */

const time = { type: 'string', format: 'date-time' } as const

/** A moment: RFC 3339 with milliseconds and the offset +03:00. */
export function moment(description: string): TUnsafe<Timestamp> {
  return Type.Unsafe<Timestamp>({ ...time, description })
}

/** A moment, or null until it comes. */
export function momentOrNull(description: string): TUnsafe<Timestamp | null> {
  return Type.Unsafe<Timestamp | null>({ ...time, type: ['string', 'null'], description })
}

export function textOrNull(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description })
}

export function oneOfValues<const T extends readonly string[]>(
  values: T,
  description: string,
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
}

/** A count of units or things: a whole number, 0 or more. */
export function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

/** A reference to a schema that has a name of its own in the API reference. */
export function named<T>(schema: TSchema & { static?: T; $id?: string }): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref: `${schema.$id}#` })
}
