import type { FeedEvent } from './events.ts'
import { signatureOf } from './webhook.ts'

/** What `listen` sends in place of the service: the same headers, and secrets of the same form. */

/** 33 bytes in base64, of letters and digits alone: the libraries of Standard Webhooks decode what follows the prefix. */
const standardSecret = /^whsec_([A-Za-z0-9]{44})$/

/** 262 random bits. Every fourth draw fits. */
export function newSecret(): string {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(33))
    const secret = `whsec_${base64Of(bytes)}`
    if (standardSecret.test(secret)) return secret
  }
}

export interface Attempt {
  readonly event: Pick<FeedEvent, 'id' | 'type'>
  readonly delivery: string
  readonly secret: string
  /** Unix time in whole seconds. */
  readonly timestamp: string
  readonly body: Uint8Array
}

export async function deliveryHeaders(attempt: Attempt): Promise<Record<string, string>> {
  const { event, delivery, secret, timestamp, body } = attempt
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Sklad-Webhooks/1.1',
    'X-SVC-Event': event.type,
    'X-SVC-Delivery': delivery,
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': await signatureOf(secret, timestamp, body),
    ...(await standardHeaders(attempt)),
  }
}

/** Headers of Standard Webhooks; none where its libraries can't read the secret. */
async function standardHeaders({ event, secret, timestamp, body }: Attempt) {
  const [, encoded] = standardSecret.exec(secret) ?? []
  if (encoded === undefined) return {}
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const signed = new Blob([`${event.id}.${timestamp}.`, body.slice()])
  const signature = await crypto.subtle.sign('HMAC', key, await signed.arrayBuffer())
  return {
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${base64Of(new Uint8Array(signature))}`,
  }
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
