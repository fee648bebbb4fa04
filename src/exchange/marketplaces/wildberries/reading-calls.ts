import type { Call } from '../calls/calls.ts'

/** POST calls that only read. A call that is missing here is refused for observed cabinets, never sent. */
const readingPosts: readonly RegExp[] = [
  /^\/api\/v3\/orders\/(?:status|stickers|client)$/,
  /^\/api\/marketplace\/v3\/orders\/(?:meta|status)$/,
  /^\/api\/v3\/supplies\/[^/]+\/trbx\/stickers$/,
  /^\/api\/v3\/stocks\/\d+$/,
  /^\/content\/v2\/get\/cards\/list$/,
]

/** Whether a WB call changes nothing at WB. */
export function readsWildberries({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && readingPosts.some((one) => one.test(path)))
}
