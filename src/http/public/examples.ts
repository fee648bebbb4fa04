import { type PublicErrorCode, publicErrors } from '../../kernel/errors.ts'
import recorded from './examples.json' with { type: 'json' }

/**
 * Examples of the API reference: answers of a running sandbox, taken by `npm run examples` and kept
 * beside the code; a test checks each against its schema.
 */
interface Example {
  readonly request?: unknown
  /** By status. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const examples: Readonly<Record<string, Example | undefined>> = recorded

export function errorExample(code: PublicErrorCode) {
  return {
    error: {
      code,
      message: publicErrors[code].message,
      request_id: '0e4f6c1a-5b0d-4f4e-9a3e-2f1b7c9d8e60',
    },
  }
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: { readonly content?: Readonly<Record<string, { example?: unknown }>> }
}

/** Puts the recorded requests into an OpenAPI document: the plugin that makes it drops them. */
export function addRequestExamples(document: { readonly paths?: object }): void {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { operationId = '', requestBody } of operations) {
    const request = examples[operationId]?.request
    if (request === undefined) continue
    for (const media of Object.values(requestBody?.content ?? {})) media.example = request
  }
}
