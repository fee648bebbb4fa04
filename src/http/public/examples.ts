import { deliveryHeaders } from '../../exchange/webhooks/signature.ts'
import { addRequestExamples, type CallExample } from '../openapi/request-examples.ts'
import gathered from './examples.json' with { type: 'json' }

/**
 * Examples of the API reference: answers of a running sandbox and the events that it sent.
 * `npm run examples` gathers them in examples.json; a test checks each against its schema.
 */

export const examples: Readonly<Record<string, CallExample | undefined>> = gathered

interface SignedExample {
  readonly eventId: string
  readonly secret: string
  readonly timestamp: string
  /** The body as sent. */
  readonly body: string
  readonly signature: string
  /** The value of `webhook-signature`. */
  readonly standardSignature: string
}

/** The example of an event, signed with the secret of the example subscription. */
export function signedExample(type: string): SignedExample {
  const event = examples[type]?.request as { id: string; occurred_at: string }
  const { secret } = gathered.createWebhook.answers['201']
  const timestamp = Math.floor(Date.parse(event.occurred_at) / 1000)
  const body = JSON.stringify(event)
  const headers = deliveryHeaders({
    eventId: event.id,
    eventType: type,
    deliveryHeaderId: '',
    timestamp,
    secret,
    body: Buffer.from(body),
  })
  return {
    eventId: event.id,
    secret,
    timestamp: String(timestamp),
    body,
    signature: headers['X-SVC-Signature'] ?? '',
    standardSignature: headers['webhook-signature'] ?? '',
  }
}

/** Adds the examples of requests to the document of the API for sellers. */
export function addSellerExamples(document: { readonly paths?: object }): void {
  addRequestExamples(document, examples, variantsOf)
}

/** The cabinet of the example belongs to nobody who reads, so a receipt shows what to write instead. */
function variantsOf(operationId: string, request: unknown) {
  if (operationId !== 'createReceipt') return undefined
  const { cabinet_id: _, ...receipt } = request as { cabinet_id: string }
  return {
    several: {
      summary: 'Кабинетов несколько, как в песочнице: подставьте cabinet_id из GET /v1/me',
      value: { cabinet_id: '<id кабинета из GET /v1/me>', ...receipt },
    },
    one: { summary: 'Кабинет один: поле cabinet_id не нужно', value: receipt },
  }
}
