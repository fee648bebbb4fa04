import type { FastifyReply } from 'fastify'
import type { BucketState } from '../../platform/kernel/token-bucket.ts'

/**
 * What an answer says of its bucket: the headers of the specification (Limits), and beside them those of the IETF draft
 * draft-ietf-httpapi-ratelimit-headers, whose values are structured fields.
 */
export function rateHeaders(bucket: BucketState) {
  return {
    'X-RateLimit-Limit': bucket.limit,
    'X-RateLimit-Remaining': bucket.remaining,
    'X-RateLimit-Reset': bucket.resetUnixSeconds,
    RateLimit: `"burst";r=${bucket.remaining};t=${bucket.fullInSeconds}`,
    'RateLimit-Policy': policiesOf(bucket),
  }
}

const names: readonly (keyof ReturnType<typeof rateHeaders>)[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

/** Takes the headers of the bucket back: an answer 401 has none. */
export function hideBucket(reply: FastifyReply): void {
  for (const name of names) reply.removeHeader(name)
}

const windows = [60, 3600, 86_400] as const

/** The calls of a full bucket in the seconds that refill it, and the average of a minute, or of an hour or a day where that is below one call. */
function policiesOf({ limit, intervalMicros }: BucketState): string {
  const within = (seconds: number) => Math.floor((seconds * 1_000_000) / intervalMicros)
  const window = windows.find((seconds) => within(seconds) > 0) ?? 86_400
  const burstSeconds = Math.ceil((limit * intervalMicros) / 1_000_000)
  return `"burst";q=${limit};w=${burstSeconds}, "average";q=${within(window)};w=${window}`
}
