import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { sqlStateOf } from '../../platform/db/connections/errors.ts'
import { leavingRefusal } from '../../platform/db/leaving.ts'
import { forwardedAddresses } from '../../platform/kernel/address.ts'
import { type Clock, systemClock } from '../../platform/kernel/clock.ts'
import { badRequest, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { newIdAt } from '../../platform/kernel/ids.ts'
import { errorStatus } from '../route/operation.ts'
import { describeOnly } from './describe-only.ts'
import { errorEnvelope, errorEnvelopeWithFields } from './envelope.ts'
import { homeOfVisitor, sendErrorPage } from './error-page.ts'
import { logAnswers, requestLog } from './request-log.ts'
import { answersUnparsed, type UnparsedGate } from './unparsed.ts'

/**
 * The HTTP server of both APIs. Every answer has a request id, and all errors have one envelope. Bodies are raw
 * bytes, which each route reads by its own schema. All that a caller sends is bounded.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The header Content-Type as sent. */
    bodyType: string | undefined
  }
}

export const bodyBytesMax = 2 * 1024 * 1024

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  readonly trustProxy: boolean | number | string
  /** Request ids begin with its moments. */
  readonly clock?: Clock
  /** A line for every call. */
  readonly accessLog?: boolean
  /** Gets requests that Node's HTTP parser refuses. */
  readonly unparsedGate?: UnparsedGate
}

export function buildServer({
  log,
  trustProxy,
  clock = systemClock,
  accessLog = false,
  unparsedGate,
}: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    childLoggerFactory: requestLog,
    genReqId: () => newIdAt(clock.now()),
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: 16_384 },
    // A stop finishes running requests and closes idle keep-alive connections.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A stop waits longer than Fastify would for running requests, and has a limit of its own.
    pluginTimeout: 0,
    requestTimeout: 60_000,
    // Node would refuse such a request without the envelope.
    http: { requireHostHeader: false },
    rewriteUrl: (request) => readableUrl(request.url ?? '/'),
    clientErrorHandler: (error, socket) => answerUnparsed(error, socket),
    schemaController: describeOnly,
  })
  const answerUnparsed = answersUnparsed(app.server, unparsedGate, clock)
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.server.on('connect', (request, socket: Socket) => {
    const line = Buffer.from(`CONNECT ${request.url} HTTP/1.1`)
    answerUnparsed(Object.assign(new Error(), { rawPacket: line }), socket)
  })
  app.decorateRequest('bodyType', undefined)
  app.decorateRequest('refusedWith', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (trustProxy !== false) tidyForwarded(request)
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    takeBodyType(request)
    done()
  })
  // After all hooks onRequest: the gate journals the call.
  app.addHook('preParsing', (request, _reply, _body, done) => {
    done(refusalOf(request))
  })
  app.server.on('connection', rememberAddress)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  logAnswers(app, accessLog)
  app.setErrorHandler((error, request, reply) => {
    const shown = shownError(error, request.routeOptions.bodyLimit)
    request.refusedWith = shown.code
    // The framework closes the connection while the caller still sends, and many callers then lose the answer. Node
    // reads the rest away, as it does for other calls that are answered early.
    if (codeOf(error) === tooLarge) reply.removeHeader('Connection')
    // A thrown ServiceError 'internal' is no failure: a sandbox key requested it (requested-error.ts).
    if (shown.code === 'internal' && shown !== error && !isOfLeaving(error)) {
      request.log.error({ err: error }, 'request failed')
    }
    if (shown.retryAfterSeconds !== undefined) reply.header('Retry-After', shown.retryAfterSeconds)
    reply.code(errorStatus[shown.code])
    const home = homeOfVisitor(request)
    if (home !== undefined) return sendErrorPage(reply, shown, home)
    const envelope = ownPagesCall.test(request.url) ? errorEnvelopeWithFields : errorEnvelope
    return reply.send(envelope(shown, request.id))
  })
  app.setNotFoundHandler((request) => {
    throw missingRoute(request.originalUrl)
  })
  return app
}

/** The APIs of our own pages; the public one answers to the letter of its specification. */
const ownPagesCall = /^\/(?:staff|account)\/v1\//

/**
 * Hides the media type from the framework, which would refuse unknown types even for requests
 * without a body or a route. Each route checks `bodyType` itself.
 */
function takeBodyType(request: FastifyRequest): void {
  const { headers } = request.raw
  request.bodyType = headers['content-type']
  if (request.bodyType !== undefined) headers['content-type'] = 'application/octet-stream'
}

/** Before anybody asks for `request.ip`, which the framework makes of this header. */
function tidyForwarded({ raw: { headers } }: FastifyRequest): void {
  const given = headers['x-forwarded-for']
  if (given !== undefined) headers['x-forwarded-for'] = forwardedAddresses(String(given))
}

/** Why the headers alone refuse a request. */
function refusalOf(request: FastifyRequest): ServiceError | null {
  return wrongHost(request) ?? encodedBody(request)
}

/** One header Host, and none only before HTTP/1.1 (RFC 9112, section 3.2). */
function wrongHost({ raw: { httpVersion, rawHeaders } }: FastifyRequest): ServiceError | null {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return badRequest('Заголовок Host передан больше одного раза: оставьте один')
  if (hosts > 0 || httpVersion !== '1.1') return null
  return badRequest('Нет заголовка Host: добавьте его')
}

/** Bodies are read as they come. Some clients say so, with `identity`. */
function encodedBody({ headers }: FastifyRequest): ServiceError | null {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding']
  const encodings = headers['content-encoding'] ?? ''
  if (!hasBody || /^[\s,]*(?:identity[\s,]*)*$/i.test(encodings)) return null
  return badRequest('Заголовок Content-Encoding: сжатые тела не принимаются, уберите его')
}

/** A socket that has been read once keeps its address after the caller has hung up. */
function rememberAddress(socket: Socket): string | undefined {
  return socket.remoteAddress
}

const leavesNow = 'Склад переезжает, ничего не записано: повторите запрос через несколько секунд'

/** A write of a client whose warehouse goes to another cell. */
const isOfLeaving = (error: unknown) => sqlStateOf(error) === leavingRefusal

/** The error that a caller sees. Errors that are not meant for callers become `internal`. */
export function shownError(error: unknown, bodyLimit = bodyBytesMax): ServiceError {
  if (error instanceof ServiceError) return error
  if (isOfLeaving(error)) return new ServiceError('internal', leavesNow)
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return badRequest(frameworkMessages[codeOf(error)]?.(bodyLimit))
  }
  return new ServiceError('internal')
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}

const tooLarge = 'FST_ERR_CTP_BODY_TOO_LARGE'

const frameworkMessages: Readonly<Record<string, (bodyLimit: number) => string>> = {
  [tooLarge]: (limit) => `Тело запроса: не больше ${limit} байт`,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => 'Тело запроса: длина не совпадает с Content-Length',
}

const malformedPath = '/malformed'

/**
 * The router cannot route a path with broken percent-encoding. Such a path becomes an unknown path
 * below the same prefix, so that the request passes the same gate as all others.
 */
function readableUrl(requested: string): string {
  // A proxy may send the whole address.
  const url = requested.replace(/^https?:\/\/[^/?]*/i, '')
  const [path, query] = split(url)
  if (isDecodable(path)) return url === '' ? '/' : url
  const prefix = /^(?:\/(?:staff|account))?\/v1(?=\/)|^\/[a-z0-9]+(?=\/)/.exec(path)?.[0] ?? ''
  return `${prefix}${malformedPath}${query === undefined ? '' : `?${query}`}`
}

function split(url: string): [string, string | undefined] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** Whether the path of the address is UTF-8 in percent-encoding. */
export function isDecodable(url: string): boolean {
  const [path] = split(url)
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** The error for an unknown path. One that is no UTF-8 names no object either. */
export function missingRoute(url: string): ServiceError {
  if (!isDecodable(url)) {
    return notFound('Такого адреса нет: он закодирован неверно, нужен UTF-8 в виде %XX')
  }
  const surface = url.startsWith('/staff/') ? '/staff' : ''
  return notFound(
    `Такого адреса нет: вызовы начинаются с ${surface}/v1 и описаны в ${surface}/docs`,
  )
}
