import { signatureOf } from '../../exchange/webhooks/signature.ts'
import { addRequestExamples, type RecordedExample } from '../openapi/request-examples.ts'
import recorded from './examples.json' with { type: 'json' }

/**
 * Examples of the API reference: answers of a running sandbox and the events that it sent.
 * `npm run examples` records them in examples.json; a test checks each against its schema.
 */

export const examples: Readonly<Record<string, RecordedExample | undefined>> = recorded

interface SignedExample {
  readonly secret: string
  readonly timestamp: string
  /** The body as sent. */
  readonly body: string
  readonly signature: string
}

/** The recorded event of a type, signed with the secret of the recorded subscription. */
export function signedExample(type: string): SignedExample {
  const event = examples[type]?.request as { occurred_at: string }
  const { secret } = recorded.createWebhook.answers['201']
  const timestamp = (Date.parse(event.occurred_at) / 1000).toFixed(0)
  const body = JSON.stringify(event)
  const signature = signatureOf(secret, timestamp, Buffer.from(body))
  return { secret, timestamp, body, signature }
}

/** Adds the recorded requests to the document of the API for sellers. */
export function addSellerExamples(document: { readonly paths?: object }): void {
  addRequestExamples(document, examples, variantsOf)
}

/** The recorded cabinet belongs to nobody who reads, so a receipt shows what to write instead. */
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
