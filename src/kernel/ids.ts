import { randomUUIDv7 } from 'node:crypto'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A new id. Ids grow with time, which keeps the ends of indexes cached; callers must not rely on
 * the order.
 */
export function newId(): string {
  return randomUUIDv7()
}

/** Whether the text has the only form in which ids are shown. */
export function isId(text: string): boolean {
  return uuid.test(text)
}
