import { createHmac, randomBytes } from 'node:crypto'

/**
 * The headers of an attempt and its signatures: that of the specification (Delivery format) and, where the secret serves
 * both, that of Standard Webhooks (standardwebhooks.com).
 */

export interface DeliveryFacts {
  /** The same in every attempt and in every delivery of the event. */
  readonly eventId: string
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

/** 33 bytes in base64, of letters and digits alone. Secrets that were made before are 43 characters of base64url. */
const standardSecret = /^whsec_([A-Za-z0-9]{44})$/

/**
 * A random signing secret, 262 bits. It is shown once, and stored only sealed. Standard Webhooks decodes what follows the
 * prefix as base64; without `+`, `/` and `=` no library, shell or form takes it for something else. Every fourth draw fits.
 */
export function newSecret(): string {
  for (;;) {
    const secret = `whsec_${randomBytes(33).toString('base64')}`
    if (standardSecret.test(secret)) return secret
  }
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
    ...standardHeaders(facts, timestamp),
  }
}

/** Headers of Standard Webhooks; none where its libraries can't read the secret. */
function standardHeaders(
  { eventId, secret, body }: DeliveryFacts,
  timestamp: string,
): Readonly<Record<string, string>> {
  const [, key] = standardSecret.exec(secret) ?? []
  if (key === undefined) return {}
  const hmac = createHmac('sha256', Buffer.from(key, 'base64'))
  const signature = hmac.update(`${eventId}.${timestamp}.`).update(body).digest('base64')
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
