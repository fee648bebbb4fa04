import type { Dispatcher } from 'undici'
import { excerpt } from '../../../platform/kernel/errors.ts'
import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import { type FailureOptions, MarketplaceError, type Meaning, temporaryFailure } from './failure.ts'
import { parseResponseJson } from './response-fields.ts'

/** Why one attempt at a call failed, and what the caller may do next. */
export interface FailedAttempt {
  readonly failure: MarketplaceError
  /** The marketplace limits calls: all callers of this account must wait. */
  readonly rateLimited: boolean
  /** How long the marketplace asks to wait, in milliseconds; undefined if it does not say. */
  readonly retryAfterMs: number | undefined
  /** The marketplace certainly did not carry out the call. */
  readonly notExecuted: boolean
  /** The deadline passed before a response came. */
  readonly timedOut: boolean
  /** How many calls may follow at once, where the response says so. */
  readonly remaining?: number | undefined
}

/** How a marketplace words its errors. */
export interface ErrorFormat {
  readonly marketplaceName: string
  /** The header with the seconds to wait; the usual Retry-After is read as well. */
  readonly retryAfterHeader: string
  /** The header with the number of calls that may follow at once. */
  readonly remainingHeader?: string
  /** Reads code, text and meaning from the body of an error response. */
  readonly readError: (body: unknown) => ReportedError
  readonly now?: () => Instant
}

/** What the body of an error response says. */
export interface ReportedError {
  readonly code?: string | undefined
  readonly text?: string | undefined
  readonly meaning?: Meaning | undefined
}

type Headers = Dispatcher.ResponseData['headers']

/** The failure of an attempt that got no response, or none within the size limit. */
export function failureWithoutResponse(name: string, error: unknown): FailedAttempt {
  const { code, name: errorName } = error as { code?: unknown; name?: unknown }
  const failed = (failure: MarketplaceError): FailedAttempt => ({
    failure,
    rateLimited: false,
    retryAfterMs: undefined,
    notExecuted: typeof code === 'string' && notConnected.has(code),
    timedOut: errorName === 'TimeoutError',
  })
  // Only credentials go into headers, so the credentials hold a line break or a Cyrillic letter.
  if (code === 'UND_ERR_INVALID_ARG') {
    const message = `Ключ доступа ${name} введён с ошибкой: передайте его ещё раз`
    return failed(new MarketplaceError('credentials', message, { cause: error }))
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const message = `Ответ ${name} не разобран: он слишком велик`
    return failed(new MarketplaceError('malformed', message, { cause: error }))
  }
  return failed(temporaryFailure(`${name} не отвечает`, { cause: error }))
}

const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What a status means whatever the text says. */
function meaningOf(status: number): Meaning | undefined {
  if (status === 402) return 'unpaid'
  return status === 410 ? 'obsolete' : undefined
}

/** In characters of a marketplace's text; long enough for the advice at its end. */
const remoteTextMax = 200

/** The failure of an attempt whose response has another status than 2xx. */
export function failureOfResponse(
  {
    marketplaceName: name,
    retryAfterHeader,
    remainingHeader,
    readError,
    now = Date.now,
  }: ErrorFormat,
  status: number,
  headers: Headers,
  bytes: Buffer,
): FailedAttempt {
  const { code, text, meaning = meaningOf(status) } = readError(parseOrNothing(bytes))
  const rateLimited = status === 429 || (meaning === 'tooOften' && status < 500)
  const isOutage = status >= 500 || status === 408
  const known = { status, code, meaning }
  const failed = (failure: MarketplaceError): FailedAttempt => ({
    failure,
    rateLimited,
    retryAfterMs:
      rateLimited || isOutage ? retryAfterMsIn(headers, retryAfterHeader, now) : undefined,
    notExecuted: rateLimited,
    timedOut: false,
    remaining: remainingIn(remainingHeader, headers),
  })
  if (rateLimited) return failed(rateLimitFailure(name, known))
  if (status === 401 || status === 403) {
    return failed(new MarketplaceError('credentials', describeKeyRefusal(name, meaning), known))
  }
  if (isOutage) {
    return failed(temporaryFailure(`${name} временно недоступен (код ${status})`, known))
  }
  const message = describeRefusal(name, status, meaning)
  const remoteText = text === undefined ? undefined : excerpt(text, remoteTextMax)
  return failed(new MarketplaceError('rejected', message, { ...known, remoteText }))
}

function describeRefusal(name: string, status: number, meaning: Meaning | undefined): string {
  switch (meaning) {
    case 'obsolete':
      return `${name} больше не принимает такой запрос: сервис нужно обновить`
    case 'unpaid':
      return `${name} отвечает, что доступ не оплачен: проверьте в кабинете подписку и задолженность`
    default:
      return `${name} отказал (код ${status})`
  }
}

function describeKeyRefusal(name: string, meaning: Meaning | undefined): string {
  switch (meaning) {
    case 'rights':
      return `Ключу доступа ${name} не хватает прав: выпустите новый со всеми правами и передайте менеджеру`
    case 'keyType':
      return `${name} не даёт этих данных по ключу такого типа: нужен ключ другого типа`
    case 'addresses':
      return `Ключ доступа ${name} разрешён только для других IP-адресов: разрешите в кабинете адреса сервиса`
    case 'offer':
      return `${name} не пускает к данным продавца, пока он не примет оферту: примите её в кабинете ${name}`
    case 'blocked':
      return `${name} заблокировал продавца: узнайте причину в кабинете ${name} или в его поддержке`
    default:
      return `${name} не принимает ключ доступа: выпустите новый и передайте менеджеру`
  }
}

/**
 * How long to wait after an answer that says that no call remains; 0 where it does not say how long. Undefined where
 * calls remain, or it does not say how many.
 */
export function exhaustedMs(
  { remainingHeader, retryAfterHeader, now = Date.now }: ErrorFormat,
  headers: Headers,
): number | undefined {
  if (remainingIn(remainingHeader, headers) !== 0) return undefined
  return retryAfterMsIn(headers, retryAfterHeader, now) ?? 0
}

function remainingIn(name: string | undefined, headers: Headers): number | undefined {
  const value = name === undefined ? undefined : headerOf(headers, name)?.trim()
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined
}

/** Reads a number of seconds or an HTTP date; undefined if the headers have neither. */
function retryAfterMsIn(headers: Headers, name: string, now: () => Instant): number | undefined {
  const value = headerOf(headers, name)?.trim() || headerOf(headers, 'retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now())
}

export function rateLimitFailure(name: string, options: FailureOptions): MarketplaceError {
  return temporaryFailure(`${name} просит обращаться реже`, options)
}

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

function parseOrNothing(bytes: Buffer): unknown {
  try {
    return parseResponseJson(bytes)
  } catch {
    return undefined
  }
}
