import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admission } from '../../identity/keys/admission.ts'
import { readKey } from '../../platform/kernel/api-key.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { badRequest, excerpt } from '../../platform/kernel/errors.ts'
import { newIdAt } from '../../platform/kernel/ids.ts'
import { traceIdOf } from '../../platform/kernel/trace.ts'
import { admissionOf, type GateDependencies, keyIn } from '../route/gate.ts'
import { rateHeaders } from '../route/rate-headers.ts'
import { errorEnvelope } from './envelope.ts'

/**
 * Requests that Node's HTTP parser refuses: no route, hook or key check ever sees them. They get the
 * envelope of errors like all others. The call journal gets what their first line says. Where their bytes
 * show a key, they take a token from its bucket and the answer has the headers of the bucket, like any other 400.
 */

export interface UnparsedRequest {
  /** A hyphen where the bytes do not say. */
  readonly method: string
  /** Without the query string; a hyphen where the bytes do not say. */
  readonly path: string
  /** As far as they came in one packet. */
  readonly headers: IncomingHttpHeaders
  readonly ip: string
  readonly requestId: string
}

export interface UnparsedGate {
  /** Journals a refused request; the headers of its answer. */
  pass(request: UnparsedRequest): Promise<object>
  /** The headers of the answer to a request that a route serves already, and whose body is refused. */
  passServed(request: IncomingMessage): Promise<object>
}

/** An error of Node's parser; `rawPacket` has the bytes that came last. */
export interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: unknown
  readonly bytesParsed?: number
}

const status = 400
/** A database that takes longer leaves the answer without headers of the bucket. */
const admissionMsMax = 1_000

/** The gate for the public API, and for requests that do not say for which API they are. */
export function unparsedGate({
  admit,
  calls,
  clock,
}: Pick<GateDependencies, 'admit' | 'calls' | 'clock'>): UnparsedGate {
  return {
    async pass({ headers, ...request }) {
      if (!/^(?:-$|\/v1(?:\/|$))/.test(request.path)) return {}
      const at = clock.now()
      const key = readKey(keyIn(headers) ?? '')
      const admission = key && (await inTime(admit(key.hash)))
      const known = admission && 'caller' in admission ? { caller: admission.caller } : {}
      const call = { at, status, durationMs: clock.now() - at, errorCode: 'bad_request' }
      calls.record({ ...call, traceId: traceIdOf(headers.traceparent), ...request, ...known })
      return headersOf(admission)
    },
    async passServed(request) {
      return headersOf(await inTime(admissionOf(request)))
    },
  }
}

function inTime(admission: Promise<Admission> | undefined): Promise<Admission | undefined> {
  const late = sleep(admissionMsMax, undefined, { ref: false })
  return Promise.race([admission?.catch(() => undefined), late])
}

function headersOf(admission: Admission | undefined): object {
  return admission && 'bucket' in admission ? rateHeaders(admission.bucket) : {}
}

/** Answers refused requests of a server. The journal of a request that a route already serves is the route's. */
export function answersUnparsed(server: Server, gate: UnparsedGate | undefined, clock: Clock) {
  const served = new WeakMap<Socket, IncomingMessage>()
  const answered = new WeakSet<Socket>()
  server.on('request', (request, response) => {
    served.set(request.socket, request)
    response.once('close', () => {
      if (served.get(request.socket) === request) served.delete(request.socket)
    })
  })
  async function answer(error: ParserError, socket: Socket): Promise<void> {
    const requestId = newIdAt(clock.now())
    const { line, headers } = headOf(error)
    const ip = socket.remoteAddress ?? 'unknown'
    const request = served.get(socket)
    const more = await (request === undefined
      ? gate?.pass({ ...methodAndPath(line), headers, ip, requestId })
      : gate?.passServed(request))
    const body = JSON.stringify(errorEnvelope(badRequest(reasonOf(error, line)), requestId))
    const lines = Object.entries(more ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `X-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n${lines.join('')}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
    } else if (!answered.has(socket)) {
      // The parser refuses every further packet, too, until the answer has ended the connection.
      answered.add(socket)
      void answer(error, socket)
    }
  }
}

/** The head of the refused request, byte for byte; earlier requests may be in the same packet. */
function headOf({ rawPacket, bytesParsed = 0 }: ParserError) {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const before = text.slice(0, bytesParsed).lastIndexOf('\r\n\r\n')
  const [head = ''] = text.slice(before < 0 ? 0 : before + 4).split('\r\n\r\n', 1)
  const [line = '', ...fields] = head.split(/[\r\n]+/)
  const headers: IncomingHttpHeaders = {}
  for (const field of fields) {
    const [, name = '', value] = /^([^:]+):\s*(.*?)\s*$/.exec(field) ?? []
    headers[name.toLowerCase()] ??= value
  }
  return { line, headers }
}

const pathLengthMax = 1000

function methodAndPath(line: string): { method: string; path: string } {
  const [, method, target = ''] = /^([A-Z]{1,20}) ([^ ?]+)/.exec(line) ?? []
  if (method === undefined) return { method: '-', path: '-' }
  const path = Buffer.from(target.replace(/^https?:\/\/[^/]*/i, ''), 'latin1').toString()
  return { method, path: excerpt(path, pathLengthMax) || '/' }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^HPE_HEADER_OVERFLOW$/, 'Адрес и заголовки вместе больше 16 КБ: сократите их'],
  [
    /^HPE_.*CONTENT_LENGTH$/,
    'Заголовок Content-Length неверен: нужна длина тела в байтах, один раз',
  ],
  [/^HPE_.*HEADER/, 'Недопустимый символ в имени или значении заголовка: нужен ASCII'],
  [/^ERR_HTTP_REQUEST_TIMEOUT$/, 'Запрос не пришёл целиком за отведённое время'],
]

function reasonOf({ code = '' }: ParserError, line: string): string {
  if (/^[A-Z]+ .*[^\x21-\x7e].* HTTP\//.test(line)) {
    return 'В адресе пробел или буква не из ASCII: закодируйте её в UTF-8 в виде %XX, пробел — %20'
  }
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'Запрос не разобран как HTTP'
}
