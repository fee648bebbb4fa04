import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { type Dispatcher, request } from 'undici'

/**
 * A client of the HTTP API. It checks on every answer what the API promises for all of them: the
 * request id, the error envelope, the rate headers, and a body that is JSON, a file or empty.
 */

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined for an empty one. */
  readonly body: unknown
  /** `error.code`; undefined for an answer without an error. */
  readonly code: string | undefined
  /** `error.message`; empty for an answer without an error. */
  readonly message: string
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A string or bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown
}

export interface Client {
  readonly key: string | undefined
  call(path: string, call?: Call): Promise<Answer>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
}

/** The HTTP status of each error code. */
export const statusOfCode: Readonly<Record<string, number>> = {
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
  forbidden: 403,
  device_revoked: 401,
  password_required: 401,
  conflict: 409,
  marketplace_unavailable: 502,
  unavailable: 503,
}

/** A patient client waits out each 429 and calls again, so that a service with low limits can be tested. */
export function openClient(baseUrl: string, key?: string, patient = true): Client {
  async function call(path: string, asked: Call = {}): Promise<Answer> {
    for (;;) {
      const answer = await callOnce(baseUrl, key, path, asked)
      if (answer.status !== 429 || !patient) return answer
      await wait(Number(answer.headers.get('Retry-After')) * 1000)
    }
  }
  return {
    key,
    call,
    get: (path, headers) => call(path, headers === undefined ? {} : { headers }),
    post: (path, body) => call(path, body === undefined ? { method: 'POST' } : { body }),
  }
}

const patienceMs = 60_000

/** By `request`, which takes less processor time than `fetch`: the tests make tens of thousands of calls. */
async function callOnce(
  baseUrl: string,
  key: string | undefined,
  path: string,
  { method, headers, body }: Call,
): Promise<Answer> {
  const answer = await request(`${baseUrl}${path}`, {
    method: (method ?? (body === undefined ? 'GET' : 'POST')) as Dispatcher.HttpMethod,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: encoded(body) }),
  })
  const received = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const each of [value ?? []].flat()) received.append(name, each)
  }
  return readAnswer(path, answer.statusCode, received, await answer.body.text())
}

function encoded(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

interface Envelope {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly fields?: readonly unknown[]
    readonly request_id: string
  }
}

/** Paths that answer files. */
const filePaths = new RegExp(
  [
    /^\/account\/v1\/(?:exports\/|pictures\/|photos\/|receipts\/[^/]+\/(?:act|box-labels)|orders\/[^/]+\/evidence)/,
    /^\/(?:account|staff)\/v1\/receipts\/import\/template/,
    /^\/staff\/v1\/labels\//,
    /^\/staff\/v1\/clients\/[^/]+\/(?:measures\/template|sets\/table)/,
    /^\/(?:(?:account\/)?v1|staff\/v1\/clients\/[^/]+)\/acts\/[^/]+\/(?:file|charges)/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Checks the promises for every answer and parses it. */
export function readAnswer(path: string, status: number, headers: Headers, text: string): Answer {
  const requestId = headers.get('X-Request-Id') ?? ''
  assert.notEqual(requestId, '', `${path}: no X-Request-Id`)
  const isFile = status === 200 && filePaths.test(path)
  if (text !== '' && !isFile) {
    assert.match(headers.get('Content-Type') ?? '', /^application\/json\b/, `${path}: ${text}`)
  }
  checkRateHeaders(path, status, headers)
  const body: unknown = text === '' || isFile ? undefined : JSON.parse(text)
  if (status < 400 || text === '')
    return { status, headers, text, body, code: undefined, message: '' }
  const { error } = body as Envelope
  assert.deepEqual(Object.keys(body as Envelope), ['error'], path)
  const { fields, ...rest } = error
  assert.deepEqual(Object.keys(rest).sort(), ['code', 'message', 'request_id'], path)
  const listsFields = /^\/(?:staff|account)\/v1\//.test(path)
  if (!listsFields) assert.equal(fields, undefined, `${path}: more than the specification has`)
  else if (error.code !== 'bad_cursor' && /^(?:Поле|Параметр) \S+: /.test(error.message))
    assert.ok(fields !== undefined && fields.length > 0, `${path}: no fields in ${text}`)
  assert.equal(error.request_id, requestId, `${path}: another request id than in the header`)
  assert.match(error.message, /\p{Script=Cyrillic}/u, `${path}: the message is not Russian`)
  assert.equal(statusOfCode[error.code], status, `${path}: ${text}`)
  assert.notEqual(error.code, 'internal', `${path}: ${text}`)
  return { status, headers, text, body, code: error.code, message: error.message }
}

const rateHeaders = [
  ['X-RateLimit-Limit', /^\d+$/],
  ['X-RateLimit-Remaining', /^\d+$/],
  ['X-RateLimit-Reset', /^\d+$/],
  ['RateLimit', /^"burst";r=\d+;t=\d+$/],
  ['RateLimit-Policy', /^"burst";q=\d+;w=\d+, "average";q=\d+;w=\d+$/],
] as const

function checkRateHeaders(path: string, status: number, headers: Headers): void {
  const isPublic = /^\/v1(\/|\?|$)/.test(path)
  const isStaff = path.startsWith('/staff/')
  const saysWhen = status === 429 || (status === 503 && isStaff)
  assert.equal(headers.has('Retry-After'), saysWhen, `${path} ${status}: Retry-After`)
  if (saysWhen) assert.match(headers.get('Retry-After') ?? '', /^[1-9]\d*$/)
  if (!isPublic) return
  for (const [name, form] of rateHeaders) {
    const value = headers.get(name)
    if (status === 401) assert.equal(value, null, `${path}: ${name} with 401`)
    else assert.match(value ?? '', form, `${path} ${status}: ${name}`)
  }
  if (status === 401) return
  const [, remaining] = /;r=(\d+);/.exec(headers.get('RateLimit') ?? '') ?? []
  assert.equal(remaining, headers.get('X-RateLimit-Remaining'), path)
}

/** Asserts the error code, and that the message names the culprit if one is given. */
export function assertRefused(answer: Answer, code: string, names?: string | RegExp): void {
  assert.equal(answer.code, code, `${answer.status} ${answer.text.slice(0, 300)}`)
  if (names === undefined) return
  const named =
    typeof names === 'string' ? answer.message.includes(names) : names.test(answer.message)
  assert.ok(named, `the message does not name ${names}: ${answer.message}`)
}

interface Address {
  readonly baseUrl: string
}

export async function newSandboxKey({ baseUrl }: Address): Promise<string> {
  const { body } = await openClient(baseUrl).post('/v1/sandbox/keys')
  return (body as { key: string }).key
}

/** A seller with a sandbox of its own. */
export async function newSandbox(service: Address): Promise<Client> {
  return openClient(service.baseUrl, await newSandboxKey(service))
}
