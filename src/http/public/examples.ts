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
