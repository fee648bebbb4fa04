import type { EventType } from '../../warehouse/events/catalogue.ts'
import type { Destination } from './egress.ts'
import { type Attempt, answeredWith, send, unanswered } from './send.ts'
import { signatureOf } from './signature.ts'

/** Receivers that belong to the service itself: what goes to their addresses never leaves the process. */
export interface OwnReceivers {
  /** Whether a client's subscription may have the address: it is that of a receiver of this client. */
  has(clientId: string, url: string): Promise<boolean>
  /** Whether an address may be one of them, by its form alone. */
  mayBe(url: string): boolean
  /**
   * Takes a request in, which is made only if a receiver has the address; undefined if none has. Answers the receiver's
   * status, or that it does not answer in time.
   */
  take(
    clientId: string,
    url: string,
    makeRequest: () => TakenRequest,
  ): Promise<number | 'timeout' | undefined>
}

export interface TakenRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isPing: boolean
  /** Whether the signature in the headers is that of the body and the secret of the subscription. */
  readonly signatureFits: boolean
}

export interface OutgoingWebhook {
  readonly clientId: string
  readonly destination: Destination
  readonly eventType: EventType
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly secret: string
}

/** One attempt: taken in by a receiver of the service, where there are any, or sent. */
export function attemptWebhook(
  receivers: OwnReceivers | undefined,
  webhook: OutgoingWebhook,
): Promise<Attempt> {
  const { mode, url } = webhook.destination
  if (mode === 'test' && receivers?.mayBe(url)) return offer(receivers, webhook)
  return send(webhook.destination, webhook)
}

/** A receiver that plays a timeout fails at once, as if it had been waited for. */
async function offer(receivers: OwnReceivers, webhook: OutgoingWebhook): Promise<Attempt> {
  const { clientId, destination, eventType, headers, body, secret } = webhook
  const timestamp = headers['X-SVC-Timestamp'] ?? ''
  const answer = await receivers.take(clientId, destination.url, () => ({
    headers,
    body: body.toString(),
    isPing: eventType === 'webhook.ping',
    signatureFits: headers['X-SVC-Signature'] === signatureOf(secret, timestamp, body),
  }))
  if (answer === 'timeout') return unanswered(destination.timeoutMs)
  if (answer !== undefined) return answeredWith(answer)
  return send(destination, webhook)
}
