import type { EventType } from '../events/catalogue.ts'
import type { Mode } from '../kernel/mode.ts'
import type { Egress } from './egress.ts'
import { type Attempt, answeredWith, send, unanswered } from './send.ts'
import { signatureOf } from './signature.ts'

/** Receivers that belong to the service itself: what goes to their addresses never leaves the process. */
export interface OwnReceivers {
  /** Whether a client's subscription may have the address: it is that of a receiver of this client. */
  has(clientId: string, url: string): Promise<boolean>
  /**
   * Takes a request in, which is made for a receiver only. Answers a status or that none comes; undefined: the address is
   * not of a receiver.
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

/** The ways out of the service. */
export interface Outlets {
  readonly egress: Egress
  /** Absent: everything leaves the service. */
  readonly receivers?: OwnReceivers
}

export interface OutgoingWebhook {
  readonly clientId: string
  readonly mode: Mode
  readonly url: string
  readonly eventType: EventType
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly secret: string
}

/**
 * One attempt: taken in by a receiver of the service, or sent. A receiver that answers in no time
 * fails at once, as one that was waited for.
 */
export async function attemptWebhook(
  { egress, receivers }: Outlets,
  webhook: OutgoingWebhook,
): Promise<Attempt> {
  const { clientId, mode, url, eventType, headers, body, secret } = webhook
  if (mode === 'test') {
    const timestamp = headers['X-SVC-Timestamp'] ?? ''
    const answer = await receivers?.take(clientId, url, () => ({
      headers,
      body: body.toString(),
      isPing: eventType === 'webhook.ping',
      signatureFits: headers['X-SVC-Signature'] === signatureOf(secret, timestamp, body),
    }))
    if (answer === 'timeout') return unanswered(egress.timeoutMs)
    if (answer !== undefined) return answeredWith(answer)
  }
  return send(egress, { url, mode, headers, body })
}
