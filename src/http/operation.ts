import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { type ErrorCode, errorKinds } from '../kernel/errors.ts'
import type { Query } from './query.ts'

/** How a route describes itself in an API reference. Nothing here changes what the route does. */
export interface Operation<Tag extends string, Code extends ErrorCode> {
  /** The name that generated clients give the call. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly query?: Query<unknown>
  readonly params?: Readonly<Record<string, string>>
  /** With a name of its own ($id). */
  readonly body?: TSchema & { $id?: string }
  /** Other kinds of bodies, by media type. */
  readonly media?: Readonly<Record<string, TSchema>>
  readonly answers: Readonly<Record<number, Answer>>
  /** Beside those that every call can answer. */
  readonly errors?: readonly Code[]
  /** True where nobody has to say who calls. */
  readonly open?: boolean
  readonly requestHeaders?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** Absent: an empty body. */
  readonly schema?: TSchema
  /** Where the body is no JSON. */
  readonly media?: Readonly<Record<string, TSchema>>
  readonly headers?: Headers
}

type Headers = Readonly<Record<string, { description: string; type: string }>>

/** What the operations of one API have in common. */
export interface Side<Code extends ErrorCode> {
  readonly errors: readonly Code[]
  /** Of operations that are open. */
  readonly openErrors: readonly Code[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** On every answer but 401. */
  readonly headers: Headers
  /** A real answer, where one is kept. */
  readonly example: (operationId: string, status: string) => unknown
}

const requestId = {
  type: 'string',
  description: 'Номер запроса: назовите его, если обратитесь к нам.',
}

/** Makes the schema of routes, for Fastify and so for the OpenAPI document. */
export function describer<Tag extends string, Code extends ErrorCode>(side: Side<Code>) {
  return (op: Operation<Tag, Code>): FastifySchema =>
    ({
      operationId: op.id,
      tags: [op.tag],
      summary: op.summary,
      description: op.description,
      security: op.open ? [] : side.security,
      ...(op.query === undefined ? {} : { querystring: op.query.schema }),
      ...(op.params === undefined ? {} : { params: objectOf(op.params) }),
      ...(op.requestHeaders === undefined ? {} : { headers: objectOf(op.requestHeaders) }),
      ...bodyOf(op),
      response: { ...answersOf(side, op), ...errorsOf(side, op) },
    }) as FastifySchema
}

function objectOf(descriptions: Readonly<Record<string, string>>) {
  const properties = Object.entries(descriptions).map(([name, description]) => [
    name,
    { type: 'string', description },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function bodyOf({ body, media }: Operation<string, ErrorCode>) {
  if (body === undefined && media === undefined) return {}
  const json = body && { 'application/json': { schema: { $ref: `${body.$id}#` } } }
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
      headers: { 'X-Request-Id': requestId, ...side.headers, ...answer.headers },
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

/** One answer a status, with an example for each code that it can carry. */
function errorsOf<Code extends ErrorCode>(side: Side<Code>, op: Operation<string, Code>) {
  const codes = [...(op.open ? side.openErrors : side.errors), ...(op.errors ?? [])]
  const byStatus = Map.groupBy(codes, (code) => errorKinds[code].status)
  const answers = [...byStatus].map(([status, group]) => [
    status,
    {
      description: group.map((code) => `\`${code}\`: ${errorKinds[code].message}.`).join(' '),
      headers: {
        'X-Request-Id': requestId,
        ...(status === 401 ? {} : side.headers),
        ...(status === 429
          ? { 'Retry-After': { type: 'integer', description: 'Через сколько секунд повторить.' } }
          : {}),
      },
      content: {
        'application/json': {
          schema: { $ref: 'Error#' },
          examples: Object.fromEntries(
            group.map((code) => [
              code,
              { summary: errorKinds[code].message, value: errorExample(code) },
            ]),
          ),
        },
      },
    },
  ])
  return Object.fromEntries(answers)
}

export function errorExample(code: ErrorCode) {
  return {
    error: {
      code,
      message: errorKinds[code].message,
      request_id: '0e4f6c1a-5b0d-4f4e-9a3e-2f1b7c9d8e60',
    },
  }
}
