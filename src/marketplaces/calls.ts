import { Agent, type Dispatcher, request } from 'undici'
import { excerpt } from '../kernel/errors.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { type Fields, fieldsOf, listOf } from './answer.ts'
import { MarketplaceError } from './failure.ts'
import { type Limits, realTime, type Time } from './limits.ts'

/**
 * Calls to a marketplace: within its limits, with a deadline, repeated where that is safe, and with
 * every failure told as one of four kinds (failure.ts). What may be repeated: calls that only read, a
 * call that says so, and any call that was refused for coming too soon.
 */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** Done twice it does no more than done once. */
  readonly repeatable: boolean
  /** Another host than the usual. */
  readonly baseUrl?: string
}

export interface Answered {
  readonly askedAt: Instant
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
}

export interface Calls {
  /** The answer as an object; an empty body is an empty object. */
  json(call: Call): Promise<{ readonly askedAt: Instant; readonly fields: Fields }>
  /** The answer as a list of objects. */
  list(call: Call): Promise<{ readonly askedAt: Instant; readonly items: readonly Fields[] }>
  /** The answer as it came. */
  raw(call: Call): Promise<Answered>
}

export interface CallsOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Whose bucket the calls are taken from; tells nothing of the credentials. */
  readonly account: string
  readonly limits: Limits
  /** What a call costs beside its own turn, where the account's limit is for cheaper ones. */
  readonly extraCost?: number
  /** What a refused call (4xx but 429) costs on top. */
  readonly refusalCost?: number
  /** The header of 429 that tells how many seconds to wait. */
  readonly retryAfterHeader: string
  /** Reads the marketplace's code and words of an error from the body of its answer. */
  readonly readError: (body: unknown) => { code?: string | undefined; text?: string | undefined }
  readonly marketplaceName: string
  readonly timeoutMs?: number
  readonly attemptsMax?: number
  readonly now?: () => Instant
  readonly chance?: () => number
  readonly time?: Time
}

const answerBytesMax = 32 * 1024 * 1024
/** A marketplace that keeps silent for the whole time of a call is asked once more, and no more. */
const silencesMax = 2
/** Told to wait longer, the call is given up: the next round comes anyway. */
const waitMsMax = 60_000

/** One for the process: connections to a marketplace are shared by its cabinets. */
const agent = new Agent({
  connections: 32,
  keepAliveTimeout: 10_000,
  maxResponseSize: answerBytesMax,
})

export function openCalls(options: CallsOptions): Calls {
  const { limits, account, attemptsMax = 4, time = realTime, chance = Math.random } = options

  async function raw(call: Call): Promise<Answered> {
    let silences = 0
    for (let attempt = 1; ; attempt++) {
      await limits.take(account)
      limits.charge(account, options.extraCost ?? 0)
      const outcome = await attemptCall(options, call)
      if ('bytes' in outcome) return outcome
      const { failure, waitMs, unexecuted, silent } = outcome
      if (silent) silences += 1
      if (failure.status !== undefined && failure.status < 500 && failure.status !== 429) {
        limits.charge(account, options.refusalCost ?? 0)
      }
      if (waitMs !== undefined) limits.hold(account, Math.min(waitMs, waitMsMax))
      const again = failure.kind === 'unreachable' && (call.repeatable || unexecuted)
      const spent = attempt >= attemptsMax || silences >= silencesMax
      if (!again || spent || (waitMs ?? 0) > waitMsMax) throw failure
      if (waitMs === undefined) await time.wait(250 * 2 ** attempt * (0.5 + chance()))
    }
  }

  return {
    raw,
    async json(call) {
      const { askedAt, bytes } = await raw(call)
      return { askedAt, fields: fieldsOf(parse(bytes, options.marketplaceName), 'ответ') }
    },
    async list(call) {
      const { askedAt, bytes } = await raw(call)
      return { askedAt, items: listOf({ ответ: parse(bytes, options.marketplaceName) }, 'ответ') }
    },
  }
}

interface Failed {
  readonly failure: MarketplaceError
  /** The marketplace said how long to wait. */
  readonly waitMs: number | undefined
  /** The marketplace has certainly not done what was asked. */
  readonly unexecuted: boolean
  /** The time was up before an answer came. */
  readonly silent: boolean
}

async function attemptCall(options: CallsOptions, call: Call): Promise<Answered | Failed> {
  const { marketplaceName, timeoutMs = 15_000, now = Date.now } = options
  const askedAt = now()
  try {
    const answer = await request(addressOf(options, call), {
      dispatcher: agent,
      method: call.method,
      headers: {
        accept: 'application/json',
        ...options.headers,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode >= 200 && answer.statusCode < 300) {
      const contentType = headerOf(answer.headers, 'content-type') ?? ''
      return { askedAt, status: answer.statusCode, contentType, bytes }
    }
    return refusal(options, answer.statusCode, answer.headers, bytes)
  } catch (error) {
    return unanswered(marketplaceName, error)
  }
}

/** No answer came, or none that can be read. */
function unanswered(name: string, error: unknown): Failed {
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

function addressOf({ baseUrl }: CallsOptions, call: Call): URL {
  const url = new URL(`${(call.baseUrl ?? baseUrl).replace(/\/+$/, '')}${call.path}`)
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

function refusal(
  options: CallsOptions,
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  bytes: Buffer,
): Failed {
  const { marketplaceName: name } = options
  const { code, text } = options.readError(parseOrNothing(bytes))
  const said = text === undefined ? '' : `: ${excerpt(text)}`
  const failed = (kind: MarketplaceError['kind'], message: string, waitMs?: number): Failed => ({
    failure: new MarketplaceError(kind, message, { status, code }),
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
    const seconds = Number(
      headerOf(headers, options.retryAfterHeader) ?? headerOf(headers, 'retry-after'),
    )
    const waitMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 1000
    return failed('unreachable', `${name} просит обращаться реже, повторим позже`, waitMs)
  }
  if (status >= 500 || status === 408) {
    return failed('unreachable', `${name} временно недоступен (код ${status}), повторим позже`)
  }
  return failed('rejected', `${name} отказал (код ${status})${said}`)
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
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

function parse(bytes: Buffer, marketplaceName: string): unknown {
  if (bytes.length === 0) return {}
  try {
    return parseJson(bytes)
  } catch (error) {
    throw new MarketplaceError('malformed', `Ответ ${marketplaceName} не разобран: это не JSON`, {
      cause: error,
    })
  }
}

/** Integers that a number can't hold become their digits. */
function parseJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'), (_key, value, context?: { source?: string }) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  )
}
