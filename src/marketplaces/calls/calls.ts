import { Agent, request } from 'undici'
import type { Instant } from '../../kernel/moscow-time.ts'
import { type Fields, fieldsOf, listOf, parseJson } from './answer.ts'
import {
  comeLater,
  type Failed,
  headerOf,
  refusal,
  type ToldError,
  unanswered,
} from './call-failures.ts'
import { MarketplaceError } from './failure.ts'
import { AccountHeld, type Limits, realTime, type Time, waitMsMax } from './limits.ts'

/**
 * Calls to a marketplace: within its limits, with a deadline, repeated where that is safe, and with
 * every failure told as one of four kinds (failure.ts). What may be repeated: calls that only read, a
 * call that says so, and any call that certainly was not carried out: one that was refused for coming
 * too soon, or did not reach the marketplace at all.
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
  /** The part of the account's calls that these are, where the marketplace limits it by itself. */
  readonly part?: string
  /** What a call costs beside its own turn, where the account's limit is for cheaper ones. */
  readonly extraCost?: number
  /** What a refused call (4xx, and so 429 too) costs on top. */
  readonly refusalCost?: number
  /** The header that tells how many seconds to wait, beside the usual Retry-After. */
  readonly retryAfterHeader: string
  /** Reads the marketplace's code and words of an error, and what they mean, from its answer. */
  readonly readError: (body: unknown) => ToldError
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
/** One that is asked too often, or says when to come back, is left alone for so long at least. */
const restMsMin = 1_000

/** One for the process: connections to a marketplace are shared by its cabinets. */
const agent = new Agent({
  connections: 32,
  keepAliveTimeout: 10_000,
  maxResponseSize: answerBytesMax,
})

export function openCalls(options: CallsOptions): Calls {
  const { attemptsMax = 4, time = realTime, chance = Math.random } = options

  async function raw(call: Call): Promise<Answered> {
    let silences = 0
    let restedMs = 0
    let perhapsDone = false
    for (let attempt = 1; ; attempt++) {
      await takeTurn(options)
      const outcome = await attemptCall(options, call)
      if ('bytes' in outcome) return outcome
      const { failure, tooOften, waitMs, unexecuted, silent } = outcome
      if (silent) silences += 1
      failure.perhapsDone = perhapsDone
      const pauseMs = 250 * 2 ** attempt * (0.5 + chance())
      const toldToRest = tooOften || waitMs !== undefined
      const restMs = toldToRest ? Math.max(restMsMin, waitMs ?? pauseMs) : pauseMs
      // Too many calls are the account's, and hold all of it. An outage may be of this call alone, so
      // that it alone waits: what others are for, such as a shipment that leaves now, may be served.
      await noteCost(options, failure, tooOften ? restMs : 0)
      const again = failure.kind === 'unreachable' && (call.repeatable || unexecuted)
      const spent = attempt >= attemptsMax || silences >= silencesMax
      restedMs += restMs
      if (!again || spent || restedMs > waitMsMax) throw failure
      perhapsDone ||= !unexecuted && call.method !== 'GET'
      if (!tooOften) await time.wait(restMs)
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

/** @throws MarketplaceError, unreachable, where the account is held for longer than anybody waits */
async function takeTurn({ limits, account, part, extraCost = 0, marketplaceName }: CallsOptions) {
  try {
    await limits.take(account, 1 + extraCost, part)
  } catch (error) {
    if (!(error instanceof AccountHeld)) throw error
    throw comeLater(marketplaceName, { cause: error })
  }
}

/** What the marketplace said is told even where its cost can't be written down. */
async function noteCost(
  { limits, account, part = account, refusalCost = 0 }: CallsOptions,
  { status }: MarketplaceError,
  restMs: number,
): Promise<void> {
  const refused = status !== undefined && status >= 400 && status < 500
  try {
    if (refused && refusalCost > 0) await limits.charge(account, refusalCost)
    if (restMs > 0) await limits.hold(part, restMs)
  } catch {}
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
      return { askedAt, contentType, bytes }
    }
    return refusal(options, answer.statusCode, answer.headers, bytes)
  } catch (error) {
    return unanswered(marketplaceName, error)
  }
}

function addressOf({ baseUrl }: CallsOptions, call: Call): URL {
  const url = new URL(`${(call.baseUrl ?? baseUrl).replace(/\/+$/, '')}${call.path}`)
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
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
