import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ApiError, badRequest, notFound } from '../kernel/errors.ts'
import { errorEnvelope } from './envelope.ts'

/**
 * The HTTP server as every side of the service uses it: a request id on every answer, one envelope
 * for every error, bodies as raw bytes (each route reads them against its own schema), bounds on
 * everything that a stranger sends.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The header Content-Type as it was sent. */
    bodyType: string | undefined
  }
}

export const bodyBytesMax = 2 * 1024 * 1024

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  readonly trustProxy: boolean | number | string
}

export function buildServer({ log, trustProxy }: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: 16_384 },
    // Requests under way when a stop is asked for are finished, keep-alive connections are not kept.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: 60_000,
    // Node's own refusal has no envelope.
    http: { requireHostHeader: false },
    rewriteUrl: (request) => readableUrl(request.url ?? '/'),
    clientErrorHandler: answerUnparsed,
  })
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.server.on('connect', (_request, socket: Socket) => answerUnparsed(new Error(), socket))
  app.decorateRequest('bodyType', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    takeBodyType(request)
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) throw badRequest('Нет заголовка Host')
  })
  app.server.on('connection', rememberAddress)
  dropIdleConnectionsOnClose(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((error, request, reply) => {
    const shown = shownError(error, request.routeOptions.bodyLimit)
    if (shown.code === 'internal') request.log.error({ err: error }, 'request failed')
    if (shown.retryAfterSeconds !== undefined) reply.header('Retry-After', shown.retryAfterSeconds)
    return reply.code(shown.status).send(errorEnvelope(shown, request.id))
  })
  app.setNotFoundHandler((request) => {
    throw missingRoute(request.originalUrl)
  })
  return app
}

/**
 * Each route says what it expects of its body. The framework would refuse what it can't read as a
 * media type also where there is no body, or no route, so it is not shown any.
 */
function takeBodyType(request: FastifyRequest): void {
  const { headers } = request.raw
  request.bodyType = headers['content-type']
  if (request.bodyType !== undefined) headers['content-type'] = 'application/octet-stream'
}

/** Asked once, a socket still tells its caller's address when the caller has gone. */
function rememberAddress(socket: Socket): string | undefined {
  return socket.remoteAddress
}

/**
 * A connection that is kept alive would hold up a stop until it times out; one that becomes idle
 * while the last requests are answered would too, so they are dropped until none is left.
 */
function dropIdleConnectionsOnClose(app: FastifyInstance): void {
  let sweeper: NodeJS.Timeout | undefined
  app.addHook('preClose', (done) => {
    sweeper = setInterval(() => app.server.closeIdleConnections(), 20)
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweeper)
    done()
  })
}

/** What a caller sees of an error: only what was meant for callers. */
export function shownError(error: unknown, bodyLimit = bodyBytesMax): ApiError {
  if (error instanceof ApiError) return error
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const code = String((error as { code?: unknown }).code)
    return badRequest(frameworkMessages[code]?.(bodyLimit))
  }
  return new ApiError('internal')
}

const frameworkMessages: Readonly<Record<string, (bodyLimit: number) => string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (limit) => `Тело запроса: не больше ${limit} байт`,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => 'Тело запроса: длина не совпадает с Content-Length',
}

const malformedPath = '/malformed'

/**
 * A path whose percent-encoding is broken can't be routed; it goes on as one that does not exist,
 * below the same prefix, so that it passes the same checks as every other.
 */
function readableUrl(asked: string): string {
  // A proxy may ask with the whole address.
  const url = asked.replace(/^https?:\/\/[^/?]*/i, '')
  const [path, query] = split(url)
  if (isDecodable(path)) return url === '' ? '/' : url
  const prefix = /^\/[a-z0-9]+(?=\/)/.exec(path)?.[0] ?? ''
  return `${prefix}${malformedPath}${query === undefined ? '' : `?${query}`}`
}

function split(url: string): [string, string | undefined] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)]
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** What a path that leads nowhere answers: not_found, or bad_request where it is not even a path. */
export function missingRoute(url: string): ApiError {
  const [path] = split(url)
  return isDecodable(path)
    ? notFound('Такого адреса нет')
    : badRequest('Адрес закодирован неверно: нужен UTF-8 в виде %XX')
}

/** What is no HTTP at all still gets the envelope; nothing is known of the caller. */
function answerUnparsed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const id = randomUUID()
  const body = JSON.stringify(errorEnvelope(badRequest('Запрос не разобран как HTTP'), id))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
