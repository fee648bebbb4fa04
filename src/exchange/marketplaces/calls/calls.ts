import { Agent, request } from 'undici'
import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import {
  type ErrorFormat,
  exhaustedMs,
  type FailedAttempt,
  failureOfResponse,
  failureWithoutResponse,
  headerOf,
  rateLimitFailure,
} from './attempt-failure.ts'
import { MarketplaceError, rejection } from './failure.ts'
import { AccountHeld, type Limits, realTime, type Time, waitMsMax } from './limits.ts'
import { momentBefore } from './marketplace-clock.ts'
import { type Fields, fieldsOf, listOf, parseResponseJson } from './response-fields.ts'

/**
 * Makes HTTP calls to a marketplace.
 *
 * - A call waits for its turn within the limits of the account (limits.ts).
 * - Every attempt has a deadline, and every failure is a MarketplaceError of one of four kinds.
 * - A failed attempt is repeated only if that is safe: the call is `repeatable`, or the marketplace
 *   certainly did not carry it out (it answered 429, or could not be reached at all).
 * - Redirects are not followed.
 * - A call that is not permitted is never sent: an observed cabinet is only read.
 */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** Carried out twice, the call has the same effect as once. */
  readonly repeatable: boolean
  /** Calls of this path start at least so far apart, in all processes. */
  readonly apartMs?: number
  /** Another host than the usual one. */
  readonly baseUrl?: string
}

/** One HTTP request of a call, with its answer, or why there was none. */
export interface CallAttempt {
  readonly call: Call
  readonly requestedAt: Instant
  readonly durationMs: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes?: Buffer
  /** A code, such as ECONNRESET. */
  readonly failure?: string
}

export interface RawResponse {
  readonly requestedAt: Instant
  readonly contentType: string
  readonly bytes: Buffer
}

export interface Calls {
  /** The response as an object; an empty body is an empty object. */
  json(call: Call): Promise<{ readonly requestedAt: Instant; readonly fields: Fields }>
  /** The response as a list of objects. */
  list(call: Call): Promise<{ readonly requestedAt: Instant; readonly items: readonly Fields[] }>
  /** The response as it came. */
  raw(call: Call): Promise<RawResponse>
}

export interface CallsOptions extends ErrorFormat {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Names the bucket from which calls are taken; reveals nothing of the credentials. */
  readonly account: string
  readonly limits: Limits
  /** Names the part of the account's calls that the marketplace limits separately, if it does. */
  readonly part?: string
  /**
   * Whether each path is a part of its own: a refusal then stops the calls of that path first, and the
   * account only where a second path is refused.
   */
  readonly limitsByPath?: boolean
  /** Places of the bucket that a call takes beside its own. */
  readonly extraCost?: number
  /** Places that the marketplace charges for a refused call (any 4xx), beside its own. */
  readonly refusalCost?: number
  /** Whether the call may be sent; all may by default. */
  readonly permits?: ((call: Call) => boolean) | undefined
  /** Sees every attempt. It neither waits nor throws. */
  readonly onAttempt?: ((attempt: CallAttempt) => void) | undefined
  readonly timeoutMs?: number
  readonly attemptsMax?: number
  readonly chance?: () => number
  readonly time?: Time
}

const responseBytesMax = 32 * 1024 * 1024
/** Attempts that may run into the deadline. */
const timeoutsMax = 2
/** The shortest pause after a response that limits calls or says when to come back. */
const requestedPauseMsMin = 1_000

/** One for the process: the cabinets of a marketplace share its connections, slow ones beside others. */
const agent = new Agent({
  connections: 256,
  keepAliveTimeout: 10_000,
  maxResponseSize: responseBytesMax,
})

export function openCalls(options: CallsOptions): Calls {
  const raw = (call: Call) => callRepeatedly(options, call)
  return {
    raw,
    async json(call) {
      const { requestedAt, bytes } = await raw(call)
      return { requestedAt, fields: fieldsOf(parse(bytes, options.marketplaceName), 'ответ') }
    },
    async list(call) {
      const { requestedAt, bytes } = await raw(call)
      return {
        requestedAt,
        items: listOf({ ответ: parse(bytes, options.marketplaceName) }, 'ответ'),
      }
    },
  }
}

/** Repeats a failed attempt while that is safe and all pauses together take at most `waitMsMax`. */
async function callRepeatedly(options: CallsOptions, call: Call): Promise<RawResponse> {
  const { attemptsMax = 4, time = realTime, chance = Math.random } = options
  let timeouts = 0
  let pausedMs = 0
  let outcomeUnknown = false
  if (options.permits?.(call) === false) {
    throw rejection('Кабинет только наблюдают: на маркетплейсе ничего не меняем')
  }
  for (let attempt = 1; ; attempt++) {
    await takeTurn(options, call)
    const result = await attemptCall(options, call)
    if ('bytes' in result) {
      const { exhausted } = result
      if (exhausted !== undefined)
        await hold(options, call, Math.max(requestedPauseMsMin, exhausted))
      return result
    }
    const { failure, rateLimited, retryAfterMs, notExecuted, timedOut } = result
    if (timedOut) timeouts += 1
    failure.call = call.path
    failure.outcomeUnknown = outcomeUnknown
    const backoffMs = 250 * 2 ** attempt * (0.5 + chance())
    const isPauseRequested = rateLimited || retryAfterMs !== undefined
    const pauseMs = isPauseRequested
      ? Math.max(requestedPauseMsMin, retryAfterMs ?? backoffMs)
      : backoffMs
    // A rate limit holds the account or its part. An outage delays this call alone: it may be an outage
    // of one kind of call, and others, such as a hand-over that is due now, may still work.
    await recordCost(options, call, result, rateLimited ? pauseMs : 0)
    const mayRepeat = failure.kind === 'unreachable' && (call.repeatable || notExecuted)
    const isSpent = attempt >= attemptsMax || timeouts >= timeoutsMax
    pausedMs += pauseMs
    if (!mayRepeat || isSpent || pausedMs > waitMsMax) throw failure
    outcomeUnknown ||= !notExecuted && call.method !== 'GET'
    if (!rateLimited) await time.wait(pauseMs)
  }
}

/** @throws MarketplaceError `unreachable` if the account is held for longer than a call may wait */
async function takeTurn(options: CallsOptions, call: Call) {
  const { limits, account, extraCost = 0, marketplaceName } = options
  try {
    await limits.take(account, 1 + extraCost, partOf(options, call), call.apartMs)
  } catch (error) {
    if (!(error instanceof AccountHeld)) throw error
    throw rateLimitFailure(marketplaceName, { cause: error })
  }
}

function partOf({ account, part, limitsByPath }: CallsOptions, { path }: Call) {
  return part ?? (limitsByPath ? `${account} ${path}` : undefined)
}

/**
 * Never throws: the caller must see the marketplace's own failure even if the cost is not stored.
 */
async function recordCost(
  options: CallsOptions,
  call: Call,
  { failure: { status }, remaining }: FailedAttempt,
  holdMs: number,
): Promise<void> {
  const { limits, account, refusalCost = 0 } = options
  const isRefused = status !== undefined && status >= 400 && status < 500
  try {
    if (isRefused && refusalCost > 0) {
      await limits.charge(account, refusalCost)
      // A part has another bucket at the marketplace.
      if (remaining !== undefined && options.part === undefined) {
        await limits.leave(account, remaining)
      }
    }
  } catch {}
  if (holdMs > 0) await hold(options, call, holdMs)
}

/** Stops the calls of the account or of its part. Never throws. */
async function hold(options: CallsOptions, call: Call, ms: number): Promise<void> {
  const { limits, account } = options
  const part = partOf(options, call)
  try {
    if (part === undefined) await limits.hold(account, ms)
    else if (options.limitsByPath) await limits.holdPart(account, part, ms)
    else await limits.hold(part, ms)
  } catch {}
}

interface AnsweredAttempt extends RawResponse {
  /** No call remains for so many milliseconds. */
  readonly exhausted: number | undefined
}

async function attemptCall(
  options: CallsOptions,
  call: Call,
): Promise<AnsweredAttempt | FailedAttempt> {
  const { marketplaceName, timeoutMs = 15_000, now = Date.now, onAttempt } = options
  const requestedAt = now()
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  const report = (result: Pick<CallAttempt, 'status' | 'headers' | 'bytes' | 'failure'>) =>
    onAttempt?.({ call, requestedAt, durationMs: elapsedMs(), ...result })
  try {
    const response = await request(addressOf(options, call), {
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
    const bytes = Buffer.from(await response.body.arrayBuffer())
    report({ status: response.statusCode, headers: response.headers, bytes })
    if (response.statusCode >= 200 && response.statusCode < 300) {
      const contentType = headerOf(response.headers, 'content-type') ?? ''
      return {
        requestedAt: momentBefore(requestedAt, elapsedMs(), now()),
        contentType,
        bytes,
        exhausted: exhaustedMs(options, response.headers),
      }
    }
    return failureOfResponse(options, response.statusCode, response.headers, bytes)
  } catch (error) {
    report({ failure: codeOf(error) })
    return failureWithoutResponse(marketplaceName, error)
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const known = [code, name].find((text) => typeof text === 'string' && /^\w+$/.test(text))
  return String(known ?? 'Error')
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
    return parseResponseJson(bytes)
  } catch (error) {
    const isPage = /^\s*</.test(bytes.toString('utf8', 0, 100))
    const message = isPage
      ? `${marketplaceName} прислал страницу вместо данных: обычно это значит, что там идут работы`
      : `Ответ ${marketplaceName} не разобран: это не JSON`
    throw new MarketplaceError('malformed', message, { cause: error })
  }
}
