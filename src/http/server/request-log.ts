import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'

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
    this.#own ??= this.#parent.child({
      ...this.#bindings,
      ...traceOf(this.#request.headers.traceparent),
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
 * The caller's trace (W3C Trace Context), for the log; nothing of a header of another form. Versions after 00 may have more
 * behind the flags.
 */
function traceOf(header: string | string[] | undefined): { trace_id?: string } {
  const [, version, id, more] =
    /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/.exec(
      String(header),
    ) ?? []
  const isKnown = version !== 'ff' && (more === undefined || version !== '00')
  return id !== undefined && isKnown ? { trace_id: id } : {}
}
