import type { Call } from '../calls/calls.ts'

/**
 * Paths of POST calls that only read: every OZON call is a POST, and the last part of its path says what it
 * does. A call that does not fit is refused for observed cabinets, never sent.
 */
const readingPosts: readonly RegExp[] = [
  /\/(?:list|get|get-postings|get-barcode|text|status|stocks|roles|info)$/,
  /\/info\/stocks-by-warehouse\/fbs$/,
  /\/return\/giveout\/barcode$/,
]

/** Whether an OZON call changes nothing at OZON. */
export function readsOzon({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && readingPosts.some((one) => one.test(path)))
}
