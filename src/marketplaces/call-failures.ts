import type { Dispatcher } from 'undici'
import { excerpt } from '../kernel/errors.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { parseJson } from './answer.ts'
import type { CallsOptions } from './calls.ts'
import { MarketplaceError } from './failure.ts'

/** What went wrong with a call, and what may be done about it. */
export interface Failed {
  readonly failure: MarketplaceError
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
  const failed = (kind: MarketplaceError['kind'], message: string): Failed => ({
    failure: new MarketplaceError(kind, message, { cause: error }),
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

/** An answer that is none of success. */
export function refusal(
  { marketplaceName: name, retryAfterHeader, readError, now = Date.now }: CallsOptions,
  status: number,
  headers: Headers,
  bytes: Buffer,
): Failed {
  const { code, text } = readError(parseOrNothing(bytes))
  const said = text === undefined ? undefined : excerpt(text)
  const failed = (kind: MarketplaceError['kind'], message: string, waitMs?: number): Failed => ({
    failure: new MarketplaceError(kind, message, {
      status,
      code,
      said: kind === 'rejected' ? said : undefined,
    }),
    waitMs,
    unexecuted: status === 429,
    silent: false,
  })
  if (status === 401 || status === 403) {
    return failed(
      'credentials',
      `${name} не принимает ключ доступа: выпустите новый и передайте менеджеру`,
    )
  }
  if (status === 429) {
    const told = headerOf(headers, retryAfterHeader) ?? headerOf(headers, 'retry-after')
    return failed('unreachable', tooOften(name), waitMsOf(told, now()))
  }
  if (status >= 500 || status === 408) {
    return failed('unreachable', `${name} временно недоступен (код ${status}), повторим позже`)
  }
  return failed('rejected', `${name} отказал (код ${status})`)
}

/** Seconds, or a date; a second where it says neither. */
function waitMsOf(told: string | undefined, now: Instant): number {
  const seconds = Number(told ?? Number.NaN)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000
  const until = Date.parse(told ?? '')
  return Number.isNaN(until) ? 1000 : Math.max(0, until - now)
}

export function tooOften(name: string): string {
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
