import type { TSchema } from 'typebox'
import {
  type ErrorCode,
  errorMessages,
  rateLimited,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { decodeBody } from './body.ts'
import { badCursor } from './list.ts'
import type { QueryReader } from './query.ts'

/** What the messages of an operation's errors depend on. */
export interface Refusing {
  readonly query?: QueryReader<unknown>
  readonly body?: TSchema
  /** Messages that the operation itself gives, by code. */
  readonly messages?: Readonly<Partial<Record<ErrorCode, string>>>
}

/**
 * A message that the operation really answers with a code: it comes from the code that refuses. The
 * reference and the header X-Sandbox-Error show it.
 */
export function exampleMessage(code: ErrorCode, operation: Refusing): string {
  const message = operation.messages?.[code] ?? madeMessage(code, operation)
  return message ?? errorMessages[code]
}

function madeMessage(code: ErrorCode, { query, body }: Refusing): string | undefined {
  if (code === 'rate_limited') return rateLimited(12).message
  if (code === 'bad_cursor') return badCursor().message
  if (code !== 'bad_request' && code !== 'validation_error') return undefined
  const names = Object.keys(query?.schema.properties ?? {})
  const texts = code === 'bad_request' ? ['abc'] : ['{}']
  const refusals = [
    ...names.map((name) => () => query?.parse(`${name}=abc`)),
    ...texts.map((text) => () => body && decodeBody(body, 'application/json', Buffer.from(text))),
  ]
  for (const refuse of refusals) {
    try {
      refuse()
    } catch (error) {
      if (error instanceof ServiceError && error.code === code) return error.message
    }
  }
  return undefined
}
