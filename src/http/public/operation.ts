import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import { type PublicErrorCode, publicErrors } from '../../kernel/errors.ts'
import type { Query } from '../query.ts'
import { errorExample, examples } from './examples.ts'

/** How a route describes itself in the API reference. Nothing here changes what the route does. */
export interface Operation {
  /** The name that generated clients give the call. */
  readonly id: string
  readonly tag:
    | 'Ключ'
    | 'Остатки'
    | 'Заказы'
    | 'Приёмки'
    | 'Отгрузки'
    | 'Показатели'
    | 'Вебхуки'
    | 'Песочница'
  readonly summary: string
  readonly description: string
  readonly query?: Query<unknown>
  readonly params?: Readonly<Record<string, string>>
  /** With a name of its own ($id). */
  readonly body?: TSchema & { $id?: string }
  readonly answers: Readonly<Record<number, Answer>>
  /** Beside those that every call with a key can answer. */
  readonly errors?: readonly PublicErrorCode[]
  /** True where no key is needed. */
  readonly open?: boolean
  readonly requestHeaders?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** Absent: an empty body. */
  readonly schema?: TSchema
  readonly headers?: Readonly<Record<string, { description: string; type: string }>>
}

const commonErrors: readonly PublicErrorCode[] = [
  'unauthorized',
  'key_revoked',
  'rate_limited',
  'internal',
]
const openErrors: readonly PublicErrorCode[] = ['rate_limited', 'internal']

const requestId = {
  type: 'string',
  description: 'Номер запроса: назовите его, если обратитесь к нам.',
}
const rateHeaders = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Запросов подряд из полного запаса.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Сколько из них осталось.' },
  'X-RateLimit-Reset': {
    type: 'integer',
    description: 'Когда запас снова будет полон: секунды с 1970 года.',
  },
}

/** The schema of a route, for Fastify and so for the OpenAPI document. */
export function operation(op: Operation): FastifySchema {
  const errors = [...(op.open ? openErrors : commonErrors), ...(op.errors ?? [])]
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    description: op.description,
    security: op.open ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(op.query === undefined ? {} : { querystring: op.query.schema }),
    ...(op.params === undefined ? {} : { params: objectOf(op.params) }),
    ...(op.requestHeaders === undefined ? {} : { headers: objectOf(op.requestHeaders) }),
    ...(op.body === undefined ? {} : { body: bodyOf(op) }),
    response: { ...answersOf(op), ...errorsOf(errors) },
  } as FastifySchema
}

function objectOf(descriptions: Readonly<Record<string, string>>) {
  const properties = Object.entries(descriptions).map(([name, description]) => [
    name,
    { type: 'string', description },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function bodyOf(op: Operation) {
  return { content: { 'application/json': { schema: { $ref: `${op.body?.$id}#` } } } }
}

function answersOf(op: Operation) {
  const answers = Object.entries(op.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: { 'X-Request-Id': requestId, ...rateHeaders, ...answer.headers },
      ...(answer.schema === undefined
        ? { type: 'null' }
        : {
            content: {
              'application/json': {
                schema: answer.schema,
                ...exampleOf(examples[op.id]?.answers[status]),
              },
            },
          }),
    },
  ])
  return Object.fromEntries(answers)
}

function exampleOf(example: unknown) {
  return example === undefined ? {} : { example }
}

/** One answer a status, with an example for each code that it can carry. */
function errorsOf(codes: readonly PublicErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => publicErrors[code].status)
  const answers = [...byStatus].map(([status, group]) => [
    status,
    {
      description: group.map((code) => `\`${code}\`: ${publicErrors[code].message}.`).join(' '),
      headers: {
        'X-Request-Id': requestId,
        ...(status === 401 ? {} : rateHeaders),
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
              { summary: publicErrors[code].message, value: errorExample(code) },
            ]),
          ),
        },
      },
    },
  ])
  return Object.fromEntries(answers)
}
