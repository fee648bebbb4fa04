import { type Dispatcher, errors } from 'undici'
import type { Mode } from '../kernel/mode.ts'
import { judgeTarget } from './addresses.ts'
import { LookupFailed, TargetRefused } from './checked-socket.ts'
import type { Egress, EgressConnection } from './egress.ts'

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
  readonly url: string
  readonly mode: Mode
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

/** Never throws. */
export async function send(egress: Egress, sending: Sending): Promise<Attempt> {
  const startedAt = performance.now()
  const end = await outcome(egress, sending).catch(failure)
  const error = 'error' in end ? failureText(end, egress.timeoutMs) : statusText(end.statusCode)
  return {
    ok: error === null,
    statusCode: 'error' in end ? 0 : end.statusCode,
    error,
    durationMs: Math.max(0, Math.round(end.at - startedAt)),
  }
}

interface Answer {
  readonly statusCode: number
  readonly at: number
}

interface Failure {
  readonly error: unknown
  readonly at: number
  /** The request was written to a connection. */
  readonly written: boolean
}

class DeadlinePassed extends Error {}

function failure(error: unknown): Failure {
  return { error, at: performance.now(), written: false }
}

async function outcome(egress: Egress, sending: Sending): Promise<Answer | Failure> {
  const target = judgeTarget(sending.url, sending.mode, egress.privateTargets)
  if ('problem' in target) return failure(new TargetRefused(target.problem))
  return exchange(egress.take(target.url, sending.mode), target.url, sending, egress.timeoutMs)
}

/** Resolves when the connection is given back or dropped, after `timeoutMs` at the latest. */
function exchange(
  connection: EgressConnection,
  target: URL,
  sending: Sending,
  timeoutMs: number,
): Promise<Answer | Failure> {
  const { promise, resolve } = Promise.withResolvers<Answer | Failure>()
  let answer: Answer | undefined
  let written = false
  /** The receiver says that it keeps the connection; only then is it used again. */
  let keeps = false
  let bodyBytes = 0
  let bodyTimer: NodeJS.Timeout | undefined
  let over = false

  const finish = (error?: Error) => {
    if (over) return
    over = true
    clearTimeout(deadline)
    clearTimeout(bodyTimer)
    if (error === undefined && keeps) connection.giveBack()
    else connection.drop(error ?? new Error('not kept'))
    resolve(answer ?? { error, at: performance.now(), written })
  }
  const deadline = setTimeout(() => finish(new DeadlinePassed()), timeoutMs)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      written = true
    },
    onResponseStart(_, statusCode, headers) {
      if (statusCode < 200) return
      keeps = keepsConnection(headers)
      answer = { statusCode, at: performance.now() }
      bodyTimer = setTimeout(() => finish(new Error('body too slow')), BODY_MS_MAX)
    },
    onResponseData(_, chunk) {
      bodyBytes += chunk.length
      if (bodyBytes > BODY_BYTES_MAX) finish(new Error('body too long'))
    },
    onResponseEnd() {
      finish()
    },
    onResponseError(_, error) {
      finish(error)
    },
  }
  const { headers, body } = sending
  const path = target.pathname + target.search
  connection.client.dispatch({ path, method: 'POST', headers, body }, handler)
  return promise
}

function statusText(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null
  const answered = `Адрес ответил кодом ${statusCode}`
  if (statusCode >= 300 && statusCode < 400) {
    return `${answered}: перенаправления не выполняются, подпишите конечный адрес`
  }
  if (statusCode === 401 || statusCode === 403) {
    return `${answered}: доступ закрыт, откройте его для запросов с подписью X-SVC-Signature`
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
  const failure = { error: new DeadlinePassed(), at: 0, written: true }
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
  if (isBadAnswer(error)) return 'Ответ не соответствует протоколу HTTP/1.1'
  const code = codeOf(error)
  return codeTexts.find(([pattern]) => pattern.test(code))?.[1] ?? 'Не удалось отправить запрос'
}

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

/** Includes 100 and 101, which no request of ours asks for: only the error's message shows them. */
function isBadAnswer(error: unknown): boolean {
  if (error instanceof errors.HTTPParserError) return true
  return error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message)
}

/** Where several addresses failed, the code of the first one. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
