import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { type ErrorCode, errorMessages } from '../../platform/kernel/errors.ts'
import { named } from '../../platform/kernel/schema.ts'
import { exampleMessage } from './example-errors.ts'
import type { QueryReader } from './query.ts'

/** The HTTP status of every error code. */
export const errorStatus: Readonly<Record<ErrorCode, number>> = {
  unauthorized: 401,
  key_revoked: 401,
  rate_limited: 429,
  not_found: 404,
  bad_request: 400,
  bad_cursor: 400,
  internal: 500,
  validation_error: 400,
  cabinet_required: 400,
  mixed_marking: 400,
  write_disabled: 503,
  warehouse_unavailable: 502,
  webhook_url_unverified: 400,
  webhook_limit: 400,
  webhooks_unavailable: 503,
  sandbox_only: 403,
  conflict: 409,
  forbidden: 403,
  device_revoked: 401,
  password_required: 401,
  marketplace_unavailable: 502,
  unavailable: 503,
}

/** A parameter of a path that has one of these values. */
export interface NamedValues {
  readonly description: string
  readonly enum: readonly string[]
}

/** The description of a route in the API reference. It changes nothing about the route. */
export interface Operation<Tag extends string, Code extends ErrorCode> {
  /** Generated clients name their function after it. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly query?: QueryReader<unknown>
  readonly params?: Readonly<Record<string, string | NamedValues>>
  /** Must have a name ($id). */
  readonly body?: TSchema & { $id?: string }
  /** Schemas of bodies that are not JSON, by media type. */
  readonly media?: Readonly<Record<string, TSchema>>
  readonly answers: Readonly<Record<number, Answer>>
  /** Error codes in addition to those of every operation. */
  readonly errors?: readonly Code[]
  /** Messages that this operation gives with a code, for its examples. */
  readonly messages?: Readonly<Partial<Record<Code, string>>>
  /** Whether the operation needs no credentials. */
  readonly open?: boolean
  readonly requestHeaders?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** Undefined for an empty body. */
  readonly schema?: TSchema
  /** For bodies that are not JSON. */
  readonly media?: Readonly<Record<string, TSchema>>
  readonly headers?: Headers
}

type Headers = Readonly<Record<string, { description: string; type: string; format?: string }>>

/** What all operations of one API have in common. */
export interface Side<Code extends ErrorCode> {
  readonly errors: readonly Code[]
  /** Error codes of operations that need no credentials. */
  readonly openErrors: readonly Code[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** Headers of every answer but 401. */
  readonly headers: Headers
  /** Headers that a successful answer of an operation with query parameters may have. */
  readonly queryHeaders: Headers
  /** Messages that all operations give with a code. */
  readonly messages: Readonly<Partial<Record<Code, string>>>
  /** An example answer; undefined where there is none. */
  readonly example: (operationId: string, status: string) => unknown
}

const requestId = {
  type: 'string',
  description: 'Номер запроса: назовите его, если обратитесь к нам.',
}

type Messages = ReadonlyMap<ErrorCode, string>

interface Documentation {
  readonly messages: Messages
  readonly schema: FastifySchema
}

const documented = new WeakMap<FastifySchema, () => Documentation>()

/** The errors that an operation documents, with its messages; none where no describer made the schema. */
export function documentedErrors(schema: FastifySchema | undefined): Messages {
  return (schema && documented.get(schema)?.().messages) ?? new Map()
}

/** What the OpenAPI document says of a route; the schema itself where no describer made it. */
export function documentedSchema(schema: FastifySchema): FastifySchema {
  return documented.get(schema)?.().schema ?? schema
}

/**
 * Returns a function that makes the schemas of routes. A schema holds what the service needs while it runs. The rest,
 * kilobytes per route, is made with the OpenAPI document.
 */
export function describer<Tag extends string, Code extends ErrorCode>(side: Side<Code>) {
  return (op: Operation<Tag, Code>): FastifySchema => {
    const schema: FastifySchema = {
      operationId: op.id,
      summary: op.summary,
      ...(op.query === undefined ? {} : { querystring: op.query.schema }),
    }
    documented.set(schema, () => documentationOf(side, op, schema))
    return schema
  }
}

function documentationOf<Code extends ErrorCode>(
  side: Side<Code>,
  op: Operation<string, Code>,
  served: FastifySchema,
): Documentation {
  const codes = [...(op.open ? side.openErrors : side.errors), ...(op.errors ?? [])]
  const messages = new Map(
    codes.map((code) => [
      code,
      exampleMessage(code, { ...op, messages: { ...side.messages, ...op.messages } }),
    ]),
  )
  const schema = {
    ...served,
    tags: [op.tag],
    description: op.description,
    security: op.open ? [] : side.security,
    ...(op.params === undefined ? {} : { params: objectOf(op.params) }),
    ...(op.requestHeaders === undefined ? {} : { headers: objectOf(op.requestHeaders) }),
    ...bodyOf(op),
    response: { ...answersOf(side, op), ...errorsOf(side, messages) },
  } as FastifySchema
  return { messages, schema }
}

function objectOf(parameters: Readonly<Record<string, string | NamedValues>>) {
  const properties = Object.entries(parameters).map(([name, said]) => [
    name,
    { type: 'string', ...(typeof said === 'string' ? { description: said } : said) },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function bodyOf({ body, media }: Operation<string, ErrorCode>) {
  if (body === undefined && media === undefined) return {}
  const json = body && { 'application/json': { schema: named(body) } }
  return { body: { content: { ...json, ...contentOf(media) } } }
}

function contentOf(media: Readonly<Record<string, TSchema>> = {}) {
  return Object.fromEntries(Object.entries(media).map(([type, schema]) => [type, { schema }]))
}

function answersOf<Code extends ErrorCode>(side: Side<Code>, op: Operation<string, Code>) {
  const answers = Object.entries(op.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: {
        'X-Request-Id': requestId,
        ...(op.query === undefined ? {} : side.queryHeaders),
        ...side.headers,
        ...answer.headers,
      },
      ...answerBody(answer, side.example(op.id, status)),
    },
  ])
  return Object.fromEntries(answers)
}

function answerBody({ schema, media }: Answer, example: unknown) {
  if (media !== undefined) return { content: contentOf(media) }
  if (schema === undefined) return { type: 'null' }
  return {
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}

/** Codes whose answers say in Retry-After when to repeat. */
const repeatable: readonly ErrorCode[] = ['rate_limited', 'unavailable']

/** One answer per status, with an example of each of its error codes. */
function errorsOf<Code extends ErrorCode>(side: Side<Code>, messages: Messages) {
  const byStatus = Map.groupBy(messages.keys(), (code) => errorStatus[code])
  const answers = [...byStatus].map(([status, group]) => [
    status,
    {
      description: group.map((code) => `\`${code}\`: ${errorMessages[code]}.`).join(' '),
      headers: {
        'X-Request-Id': requestId,
        ...(status === 401 ? {} : side.headers),
        ...(group.some((code) => repeatable.includes(code))
          ? { 'Retry-After': { type: 'integer', description: 'Через сколько секунд повторить.' } }
          : {}),
      },
      content: {
        'application/json': {
          schema: { $ref: 'Error#' },
          examples: Object.fromEntries(
            group.map((code) => [
              code,
              { summary: errorMessages[code], value: errorExample(code, messages.get(code) ?? '') },
            ]),
          ),
        },
      },
    },
  ])
  return Object.fromEntries(answers)
}

function errorExample(code: ErrorCode, message: string) {
  return {
    error: {
      code,
      message,
      request_id: '0e4f6c1a-5b0d-4f4e-9a3e-2f1b7c9d8e60',
    },
  }
}
