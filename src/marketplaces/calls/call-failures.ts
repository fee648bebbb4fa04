import type { Dispatcher } from 'undici'
import { excerpt } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { parseJson } from './answer.ts'
import type { CallsOptions } from './calls.ts'
import { type FailureKind, MarketplaceError, type Meaning } from './failure.ts'

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
  const failed = (kind: FailureKind, message: string): Failed => ({
    failure: new MarketplaceError(kind, message, { cause: error }),
    tooOften: false,
    waitMs: undefined,
    unexecuted: typeof code === 'string' && notConnected.has(code),
    silent: what === 'TimeoutError',
  })
  // Headers are made of credentials alone: line breaks and Cyrillic letters are no part of a key.
  if (code === 'UND_ERR_INVALID_ARG') {
    return failed('credentials', `Ключ доступа ${name} введён с ошибкой: передайте его ещё раз`)
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return failed('malformed', `Ответ ${name} не разобран: он слишком велик`)
  }
  return failed('unreachable', `${name} не отвечает, повторим позже`)
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
  const failed = (kind: FailureKind, message: string): Failed => ({
    failure: new MarketplaceError(kind, message, {
      status,
      code,
      meaning,
      said: kind === 'rejected' && text !== undefined ? excerpt(text, saidMax) : undefined,
    }),
    tooOften: limited,
    waitMs: limited ? waitToldIn(headers, retryAfterHeader, now()) : undefined,
    unexecuted: limited,
    silent: false,
  })
  if (limited) return failed('unreachable', comeLater(name))
  if (status === 401 || status === 403) return failed('credentials', wordsOfKey(name, meaning))
  if (status >= 500 || status === 408) {
    return failed('unreachable', `${name} временно недоступен (код ${status}), повторим позже`)
  }
  if (meaning === 'obsolete') {
    return failed('rejected', `${name} больше не принимает такой запрос: сервис нужно обновить`)
  }
  return failed('rejected', `${name} отказал (код ${status})`)
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
function waitToldIn(headers: Headers, name: string, now: Instant): number | undefined {
  const told = headerOf(headers, name)?.trim() || headerOf(headers, 'retry-after')?.trim()
  if (told === undefined || told === '') return undefined
  const seconds = Number(told)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(told)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now)
}

export function comeLater(name: string): string {
  return `${name} просит обращаться реже, повторим позже`
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
