import { day, hour } from '../../../platform/kernel/moscow-time.ts'

/** How far back sync runs ask a marketplace. */

/** The first run of a cabinet: WB reports thirty days in one request, less a minute for the request. */
export const firstWindowMs = 30 * day - 60_000

/** Later runs begin this long before the last one, because clocks differ and marketplaces lag. */
export const overlapMs = hour

/** Older open orders and shipments are not asked about: marketplaces no longer report them. */
export const followedMs = 90 * day
