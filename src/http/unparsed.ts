import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { CallJournal } from '../journal/calls.ts'
import type { Clock } from '../kernel/clock.ts'
import { badRequest, excerpt } from '../kernel/errors.ts'
import { errorEnvelope } from './envelope.ts'

/**
 * Requests that Node's HTTP parser refuses: no route, hook or key check ever sees them. They get the
 * envelope of errors like all others, and the call journal gets what their first line says.
 */

export interface UnparsedRequest {
  /** A hyphen where the bytes do not say. */
  readonly method: string
  /** Without the query string; a hyphen where the bytes do not say. */
  readonly path: string
  readonly ip: string
  readonly requestId: string
}

export type RecordUnparsed = (request: UnparsedRequest) => void

/** An error of Node's parser; `rawPacket` has the bytes that came last. */
export interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: unknown
  readonly bytesParsed?: number
}

const status = 400

/** Records refused requests for the public API, and those that do not say for which API they are. */
export function journalUnparsed(calls: CallJournal, clock: Clock): RecordUnparsed {
  return (request) => {
    if (/^(?:-$|\/v1(?:\/|$))/.test(request.path)) {
      calls.record({ at: clock.now(), status, ...request })
    }
  }
}

/** Answers refused requests of a server. The journal of a request that a route already serves is the route's. */
export function answersUnparsed(server: Server, record: RecordUnparsed | undefined) {
  const served = new WeakMap<Socket, unknown>()
  server.on('request', (request, response) => {
    served.set(request.socket, response)
    response.once('close', () => {
      if (served.get(request.socket) === response) served.delete(request.socket)
    })
  })
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    const line = requestLine(error)
    if (!served.has(socket)) {
      record?.({ ...methodAndPath(line), ip: socket.remoteAddress ?? 'unknown', requestId })
    }
    const body = JSON.stringify(errorEnvelope(badRequest(reasonOf(error, line)), requestId))
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `X-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}

const lineLengthMax = 20_000

/** The first line of the refused request, byte for byte; earlier requests may be in the same packet. */
function requestLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const before = text.slice(0, bytesParsed).lastIndexOf('\r\n\r\n')
  const start = before < 0 ? 0 : before + 4
  return /^[^\r\n]*/.exec(text.slice(start, start + lineLengthMax))?.[0] ?? ''
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
