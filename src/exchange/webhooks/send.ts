import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import { LookupFailed, TargetRefused } from './checked-socket.ts'
import type { Destination, EgressConnection } from './egress.ts'

/**
 * One attempt of a delivery: one POST, whose outcome is the status line of the answer. An attempt
 *
 * - is at most one request: it is never repeated, not even when a kept connection closes without an
 *   answer. So the log has exactly what the receiver saw;
 * - follows no redirect, and reads nothing of the answer but its status;
 * - fails after `timeoutMs`, counted from before the DNS look-up to the end of the answer's headers;
 * - then reads the body, so that the connection can be used again, up to 16 KiB and one second. The
 *   body does not change the outcome.
 */

export interface Sending {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Attempt {
  /** The receiver answered with 2xx in time. */
  readonly ok: boolean
  /** 0: no answer. */
  readonly statusCode: number
  /** In Russian, for the seller; it quotes nothing of the answer and shows no address behind a name. */
  readonly error: string | null
  /** To the end of the answer's headers, or to the failure. */
  readonly durationMs: number
}

const BODY_BYTES_MAX = 16 * 1024
const BODY_MS_MAX = 1_000

/** Never rejects. Resolves when the connection is given back or dropped. */
export function send(destination: Destination, sending: Sending): Promise<Attempt> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    try {
      const connection = destination.take()
      const exchange = new Exchange(connection, destination.timeoutMs, startedAt, resolve)
      const { headers, body } = sending
      const { path } = destination
      connection.client.dispatch({ path, method: 'POST', headers, body }, exchange)
    } catch (error) {
      resolve(failedAttempt({ error, written: false }, destination.timeoutMs, startedAt))
    }
  })
}

interface Failure {
  readonly error: unknown
  /** The request was written to a connection. */
  readonly written: boolean
}

class DeadlinePassed extends Error {}

/** One request on a connection, and what comes back. It is over after `timeoutMs` at the latest. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: EgressConnection
  readonly #timeoutMs: number
  readonly #startedAt: number
  readonly #end: (attempt: Attempt) => void
  readonly #deadline: NodeJS.Timeout
  #written = false
  #answer: Attempt | undefined
  /** The receiver says that it keeps the connection; only then is it used again. */
  #keeps = false
  #bodyBytes = 0
  #bodyTimer: NodeJS.Timeout | undefined
  #over = false

  constructor(
    connection: EgressConnection,
    timeoutMs: number,
    startedAt: number,
    end: (attempt: Attempt) => void,
  ) {
    this.#connection = connection
    this.#timeoutMs = timeoutMs
    this.#startedAt = startedAt
    this.#end = end
    this.#deadline = setTimeout(() => this.#finish(new DeadlinePassed()), timeoutMs)
  }

  onRequestStart(): void {
    this.#written = true
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return
    this.#keeps = keepsConnection(headers)
    const durationMs = msSince(this.#startedAt)
    this.#answer = { ...answeredWith(statusCode), durationMs }
    this.#bodyTimer = setTimeout(() => this.#finish(new Error('body too slow')), BODY_MS_MAX)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > BODY_BYTES_MAX) this.#finish(new Error('body too long'))
  }

  onResponseEnd(): void {
    this.#finish(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error)
  }

  #finish(error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#deadline)
    clearTimeout(this.#bodyTimer)
    if (error === undefined && this.#keeps) this.#connection.giveBack()
    else this.#connection.drop(error ?? new Error('not kept'))
    const failure = { error, written: this.#written }
    this.#end(this.#answer ?? failedAttempt(failure, this.#timeoutMs, this.#startedAt))
  }
}

function failedAttempt(failure: Failure, timeoutMs: number, startedAt: number): Attempt {
  const error = failureText(failure, timeoutMs)
  return { ok: false, statusCode: 0, error, durationMs: msSince(startedAt) }
}

function msSince(startedAt: number): number {
  return Math.max(0, Math.round(performance.now() - startedAt))
}

function statusText(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null
  const answered = `Адрес ответил кодом ${statusCode}`
  if (statusCode >= 300 && statusCode < 400) {
    return `${answered}: перенаправления не выполняются, подпишите конечный адрес`
  }
  if (statusCode === 401 || statusCode === 403) {
    return (
      `${answered}: если его дал ваш обработчик, подпись не сошлась — у него нет секрета этой подписки или секрет чужой, ` +
      'либо тело разобрано до проверки: подписаны байты тела, как они пришли. ' +
      'Если код дал сервер перед ним, откройте доступ запросам с заголовком X-SVC-Signature'
    )
  }
  if (statusCode === 404 || statusCode === 410) {
    return `${answered}: по этому адресу ничего нет, проверьте путь`
  }
  if (statusCode >= 400 && statusCode < 500) return `${answered}: запрос не принят, нужен код 2xx`
  if (statusCode >= 500 && statusCode < 600) return `${answered}: ошибка на стороне получателя`
  return `${answered}, нужен код 2xx`
}

/** An attempt that an answer with this status ended at once. */
export function answeredWith(statusCode: number): Attempt {
  const error = statusText(statusCode)
  return { ok: error === null, statusCode, error, durationMs: 0 }
}

/** An attempt that ended at its time limit without an answer. */
export function unanswered(timeoutMs: number): Attempt {
  const failure = { error: new DeadlinePassed(), written: true }
  return { ok: false, statusCode: 0, error: failureText(failure, timeoutMs), durationMs: timeoutMs }
}

function failureText({ error, written }: Failure, timeoutMs: number): string {
  const seconds = `${String(timeoutMs / 1000).replace('.', ',')} с`
  if (error instanceof DeadlinePassed) {
    return written
      ? `Адрес не ответил за ${seconds}: отвечайте сразу, а событие обрабатывайте после ответа`
      : `Не удалось соединиться за ${seconds}: проверьте, что адрес доступен из интернета`
  }
  if (error instanceof TargetRefused) {
    return 'Адрес не разрешён: он ведёт не в интернет, а во внутреннюю или служебную сеть'
  }
  if (error instanceof LookupFailed) {
    return error.absent
      ? 'У имени сервера нет адреса в интернете: проверьте имя и его записи в DNS'
      : 'DNS не ответил по имени сервера: проверьте DNS-серверы домена'
  }
  if (isBadAnswer(error)) return badAnswer
  const code = codeOf(error)
  const text = codeTexts.find(([pattern]) => pattern.test(code))?.[1]
  // What is wrong with a request shows before it is written.
  return text ?? (written ? badAnswer : 'Не удалось отправить запрос')
}

const badAnswer =
  'Запрос отправлен, но ответ не соответствует протоколу HTTP/1.1: проверьте строку состояния и заголовки, Content-Length передаётся один раз'

const CLOSED = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/

/** By error codes of Node, OpenSSL and undici; the first match counts. */
const codeTexts: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'В соединении отказано: на этом порту никто не принимает запросы'],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/,
    'Сервер недоступен по сети: проверьте адрес и межсетевой экран',
  ],
  [/^CERT_HAS_EXPIRED$/, 'Срок сертификата TLS истёк: обновите сертификат'],
  [/^CERT_NOT_YET_VALID$/, 'Сертификат TLS ещё не действует: проверьте его даты'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Сертификат TLS выдан на другое имя сервера'],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED$|^INVALID_CA$/,
    'Сертификату TLS нет доверия: нужен сертификат известного центра с полной цепочкой',
  ],
  [/^CERT_|^CRL_|_IN_CERT|^ERR_TLS_CERT/, 'Сертификат TLS не прошёл проверку'],
  [
    /^EPROTO$|^ERR_SSL_|^ERR_TLS_/,
    'Не удалось установить TLS: нужен HTTPS с TLS 1.2 или новее на этом порту',
  ],
  [/HEADERS?_OVERFLOW$/, 'Заголовки ответа больше 16 КБ'],
  [CLOSED, 'Соединение закрыто без ответа: проверьте сервер и то, что стоит перед ним'],
]

/** Undici itself drops connections whose answers announce that they close. */
function keepsConnection(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  return headers['keep-alive'] !== undefined || /keep-alive/i.test(String(headers.connection ?? ''))
}

/** Includes 101, which no request of ours asks for: only the error's message shows it. */
function isBadAnswer(error: unknown): boolean {
  if (error instanceof errors.HTTPParserError) return true
  return error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message)
}

/** Where several addresses failed, the code of the first one. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
