import { signatureOf } from '../../webhooks/signature.ts'
import recorded from './examples.json' with { type: 'json' }

/**
 * Examples of the API reference: answers of a running sandbox and the events that it sent.
 * `npm run examples` records them in examples.json; a test checks each against its schema.
 */
interface Example {
  readonly request?: unknown
  /** By status. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const examples: Readonly<Record<string, Example | undefined>> = recorded

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

interface Operation {
  readonly operationId?: string
  readonly requestBody?: { readonly content?: Readonly<Record<string, { example?: unknown }>> }
}

/**
 * Adds the recorded requests to an OpenAPI document: the plugin that makes the document drops them.
 */
export function addRequestExamples(document: { readonly paths?: object }): void {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { operationId = '', requestBody } of operations) {
    const request = examples[operationId]?.request
    if (request === undefined) continue
    for (const media of Object.values(requestBody?.content ?? {})) media.example = request
  }
}
