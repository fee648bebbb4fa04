import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from './moscow-time.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A new id. Ids grow with time, which keeps the ends of indexes cached; callers must not rely on
 * the order.
 */
export function newId(): string {
  return randomUUIDv7()
}

/** A new id that begins with the milliseconds of a moment from 1970 on, as those of `newId` do with the present ones. */
export function newIdAt(instant: Instant): string {
  return firstIdAt(instant).slice(0, momentLength) + randomUUIDv7().slice(momentLength)
}

/** The lowest id of a moment; of one before 1970, the lowest of all. */
export function firstIdAt(instant: Instant): string {
  const digits = Math.max(0, instant).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** The moment in an id of `newIdAt`; undefined for other texts. */
export function momentOfId(id: string): Instant | undefined {
  const isOfMoment = isId(id) && id[momentLength + 1] === '7'
  return isOfMoment ? Number.parseInt(id.slice(0, momentLength).replace('-', ''), 16) : undefined
}

const momentLength = '00000000-0000'.length

/** Whether the text has the only form in which ids are shown. */
export function isId(text: string): boolean {
  return uuid.test(text)
}

/** Whether those texts that are given are ids: another text names no object. */
export function areIds(...texts: readonly (string | undefined)[]): boolean {
  return texts.every((text) => text === undefined || isId(text))
}
