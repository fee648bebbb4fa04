import { createHmac, randomBytes } from 'node:crypto'

/** What a receiver gets beside the body, and how it knows the sender (specification, Delivery format). */

export interface DeliveryFacts {
  /** The event's type, `receipt.created`. */
  readonly eventType: string
  /** What the header names this attempt: different for each attempt of one event. */
  readonly deliveryHeaderId: string
  /** Unix time of this attempt, whole seconds. */
  readonly timestamp: number
  readonly secret: string
  /** The very bytes that are sent. */
  readonly body: Uint8Array
}

/** `sha256=` and the HMAC in hex. The key is the whole secret as it was shown, prefix included. */
export function signatureOf(secret: string, timestamp: string, body: Uint8Array): string {
  const hmac = createHmac('sha256', Buffer.from(secret, 'utf8'))
  return `sha256=${hmac.update(timestamp).update('.').update(body).digest('hex')}`
}

/** A signing secret, 256 bits. It is shown once and only ever stored sealed. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function deliveryHeaders(facts: DeliveryFacts): Readonly<Record<string, string>> {
  const timestamp = facts.timestamp.toFixed(0)
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Sklad-Webhooks/1.1',
    'X-SVC-Event': facts.eventType,
    'X-SVC-Delivery': facts.deliveryHeaderId,
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signatureOf(facts.secret, timestamp, facts.body),
  }
}
