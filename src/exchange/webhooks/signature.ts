import { createHmac, randomBytes } from 'node:crypto'

/** The headers of an attempt and its signature (specification, Delivery format). */

export interface DeliveryFacts {
  /** The event's type, such as `receipt.created`. */
  readonly eventType: string
  /** The id of the attempt in the header X-SVC-Delivery. */
  readonly deliveryHeaderId: string
  /** Unix time of the attempt, whole seconds. */
  readonly timestamp: number
  readonly secret: string
  /** The bytes that are sent. */
  readonly body: Uint8Array
}

/** `sha256=` and the HMAC in hex. The key is the whole secret as the client sees it, with its prefix. */
export function signatureOf(secret: string, timestamp: string, body: Uint8Array): string {
  const hmac = createHmac('sha256', Buffer.from(secret, 'utf8'))
  return `sha256=${hmac.update(timestamp).update('.').update(body).digest('hex')}`
}

/** A random signing secret, 256 bits. It is shown once, and stored only sealed. */
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
