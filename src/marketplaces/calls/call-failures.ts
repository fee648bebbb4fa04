import type { Dispatcher } from 'undici'
import { excerpt } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { parseJson } from './answer.ts'
import type { CallsOptions } from './calls.ts'
import { type FailureOptions, MarketplaceError, type Meaning, passing } from './failure.ts'

/** What went wrong with a call, and what may be done about it. */
export interface Failed {
  readonly failure: MarketplaceError
  /** The marketplace is to be left alone for a while, by all who ask it for the account. */
  readonly tooOften: boolean
  /** The marketplace said how long to wait. */
  readonly waitMs: number | undefined
  /** The marketplace has certainly not done what was asked. */
  readonly unexecuted: boolean
  /** The time was up before an answer came. */
  readonly silent: boolean
}

type Headers = Dispatcher.ResponseData['headers']

/** No answer came, or none that can be read. */
export function unanswered(name: string, error: unknown): Failed {
  const { code, name: what } = error as { code?: unknown; name?: unknown }
  const failed = (failure: MarketplaceError): Failed => ({
    failure,
    tooOften: false,
    waitMs: undefined,
    unexecuted: typeof code === 'string' && notConnected.has(code),
    silent: what === 'TimeoutError',
  })
  // Headers are made of credentials alone: line breaks and Cyrillic letters are no part of a key.
  if (code === 'UND_ERR_INVALID_ARG') {
    const message = `Ключ доступа ${name} введён с ошибкой: передайте его ещё раз`
    return failed(new MarketplaceError('credentials', message, { cause: error }))
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const message = `Ответ ${name} не разобран: он слишком велик`
    return failed(new MarketplaceError('malformed', message, { cause: error }))
  }
  return failed(passing(`${name} не отвечает`, { cause: error }))
}

const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What the body of an answer tells of an error. */
export interface ToldError {
  readonly code?: string | undefined
  readonly text?: string | undefined
  readonly meaning?: Meaning | undefined
}

/** Words of a marketplace that staff may read: its advice comes last in them. */
const saidMax = 200

/** An answer that is none of success. */
export function refusal(
  { marketplaceName: name, retryAfterHeader, readError, now = Date.now }: CallsOptions,
  status: number,
  headers: Headers,
  bytes: Buffer,
): Failed {
  const { code, text, meaning } = readError(parseOrNothing(bytes))
  const limited = status === 429 || (meaning === 'tooOften' && status < 500)
  const isOutage = status >= 500 || status === 408
  const known = { status, code, meaning }
  const failed = (failure: MarketplaceError): Failed => ({
    failure,
    tooOften: limited,
    waitMs: limited || isOutage ? waitToldIn(headers, retryAfterHeader, now) : undefined,
    unexecuted: limited,
    silent: false,
  })
  if (limited) return failed(comeLater(name, known))
  if (status === 401 || status === 403) {
    return failed(new MarketplaceError('credentials', wordsOfKey(name, meaning), known))
  }
  if (isOutage) return failed(passing(`${name} временно недоступен (код ${status})`, known))
  const message =
    meaning === 'obsolete'
      ? `${name} больше не принимает такой запрос: сервис нужно обновить`
      : `${name} отказал (код ${status})`
  const said = text === undefined ? undefined : excerpt(text, saidMax)
  return failed(new MarketplaceError('rejected', message, { ...known, said }))
}

function wordsOfKey(name: string, meaning: Meaning | undefined): string {
  switch (meaning) {
    case 'rights':
      return `Ключу доступа ${name} не хватает прав: выпустите новый со всеми правами и передайте менеджеру`
    case 'addresses':
      return `Ключ доступа ${name} разрешён только для других IP-адресов: разрешите в кабинете адреса сервиса`
    default:
      return `${name} не принимает ключ доступа: выпустите новый и передайте менеджеру`
  }
}

/** Seconds, or a date; undefined where neither is said. */
function waitToldIn(headers: Headers, name: string, now: () => Instant): number | undefined {
  const told = headerOf(headers, name)?.trim() || headerOf(headers, 'retry-after')?.trim()
  if (told === undefined || told === '') return undefined
  const seconds = Number(told)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(told)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now())
}

export function comeLater(name: string, options: FailureOptions): MarketplaceError {
  return passing(`${name} просит обращаться реже`, options)
}

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

function parseOrNothing(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch {
    return undefined
  }
}
