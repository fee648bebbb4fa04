import { signatureOf } from '../../webhooks/signature.ts'
import recorded from './examples.json' with { type: 'json' }

/**
 * Examples of the API reference: answers of a running sandbox and the events that it sent.
 * `npm run examples` records them in examples.json; a test checks each against its schema.
 */
interface Example {
  readonly request?: unknown
  /** The path of the call, without its query. */
  readonly path?: string
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
  readonly parameters?: readonly { readonly in: string; readonly name: string; example?: string }[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { example?: unknown; examples?: unknown }>>
  }
}

/**
 * Adds the recorded requests to an OpenAPI document: their bodies, which the plugin that makes the document
 * drops, and the parameters of their paths.
 */
export function addRequestExamples(document: { readonly paths?: object }): void {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths }
  for (const [template, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations)) addRequestExample(template, operation)
  }
}

function addRequestExample(
  template: string,
  { operationId = '', parameters = [], requestBody }: Operation,
): void {
  const { path = '', request } = examples[operationId] ?? {}
  const values = path.split('/')
  for (const [at, part] of template.split('/').entries()) {
    const parameter = parameters.find((each) => each.in === 'path' && `{${each.name}}` === part)
    if (parameter !== undefined) parameter.example = decodeURIComponent(values[at] ?? '')
  }
  if (request === undefined) return
  for (const media of Object.values(requestBody?.content ?? {})) {
    const variants = variantsOf(operationId, request)
    if (variants === undefined) media.example = request
    else media.examples = variants
  }
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
