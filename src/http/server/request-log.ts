import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { traceIdOf } from '../../platform/kernel/trace.ts'
import { isProbe } from './drain.ts'

/** An object or a message, and what the message has placeholders for. */
type Line = readonly [first: unknown, ...rest: readonly unknown[]]

/**
 * The log of one request, whose lines have its id and its trace. Hardly a request writes a line, and making a logger costs
 * as much as a tenth of a short call; so it is made with the first line.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: object
  readonly #request: IncomingMessage
  #own: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: object, request: IncomingMessage) {
    this.#parent = parent
    this.#bindings = bindings
    this.#request = request
  }

  get level(): string {
    return this.#parent.level
  }

  fatal(...line: Line): void {
    this.#write('fatal', line)
  }

  error(...line: Line): void {
    this.#write('error', line)
  }

  warn(...line: Line): void {
    this.#write('warn', line)
  }

  info(...line: Line): void {
    this.#write('info', line)
  }

  debug(...line: Line): void {
    this.#write('debug', line)
  }

  trace(...line: Line): void {
    this.#write('trace', line)
  }

  silent(): void {}

  child(...options: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log().child(...options)
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', line: Line): void {
    this.#log()[level](...(line as [object, string]))
  }

  #log(): FastifyBaseLogger {
    if (this.#own !== undefined) return this.#own
    const traceId = traceIdOf(this.#request.headers.traceparent)
    this.#own = this.#parent.child({
      ...this.#bindings,
      ...(traceId !== undefined && { trace_id: traceId }),
    })
    return this.#own
  }
}

export function requestLog(
  parent: FastifyBaseLogger,
  bindings: object,
  _options: object,
  request: IncomingMessage,
): FastifyBaseLogger {
  return new RequestLog(parent, bindings, request)
}

/**
 * A line for each refused call that no journal of calls has, such as a failed sign-in or an unknown page; with `all` for every
 * call but those of probes.
 */
export function logAnswers(app: FastifyInstance, all: boolean): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const isRefusal = status >= 400 && status < 500 && !isJournalled(request)
    if ((all || isRefusal) && !isProbe(request)) {
      const { method, refusedWith: code } = request
      const [path] = request.originalUrl.split('?', 1)
      const call = { method, path, status, code, duration_ms: Math.round(elapsedTime) }
      request.log.info({ ...call, ip: addressOf(request) }, isRefusal ? 'refused' : 'answered')
    }
    done()
  })
}

function isJournalled({ originalUrl }: FastifyRequest): boolean {
  return /^\/v1(?:[/?]|$)/.test(originalUrl)
}

/** A closed connection has no address any more. */
function addressOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? 'unknown'
}
