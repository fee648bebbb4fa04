import { isOutcomeUnknown, isPassingRefusal, SkladError, type SkladErrorCode } from './errors.ts'
import { RateGate } from './rate.ts'
import { growingPauseMs, linked, realTiming, type Timing } from './time.ts'

export interface SkladOptions {
  /** Ключ: `svc_live_…` или `svc_test_…`. */
  readonly key: string
  /** Адрес сервиса, например `https://api.example.ru`. */
  readonly baseUrl: string
  /** Чем делать запросы; без него — `fetch` среды. */
  readonly fetch?: typeof fetch | undefined
  /** Сколько ждать одного ответа, миллисекунд; 30 000. */
  readonly timeoutMs?: number | undefined
  /**
   * Сколько раз повторять то, что повторить можно; 4. `rate_limited` их не расходует: вызовы клиента ждут по очереди
   * до пяти минут. При 0 клиент ничего не повторяет и не ждёт.
   */
  readonly retries?: number | undefined
  /** Прерывает все вызовы клиента. */
  readonly signal?: AbortSignal | undefined
  /** Время и случай; нужно тестам. */
  readonly timing?: Partial<Timing> | undefined
}

export interface CallOptions {
  /** Прерывает этот вызов, и его паузы тоже: вызов отклоняется с `signal.reason`. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Which failures a call may be repeated after. `always`: it changes nothing, or the same once more does no harm.
 * `refused`: only where the service has surely done nothing.
 */
export type Repeats = 'always' | 'refused'

export interface Call extends CallOptions {
  readonly method: string
  /** Begins with `/v1/`. */
  readonly path: string
  readonly query?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  /** Without it, GET `always` and everything else `refused`. */
  readonly repeats?: Repeats | undefined
  /** What the answer has to be, where it is a file: its bytes are the body. */
  readonly media?: string | undefined
  /** Overrides the client's. */
  readonly retries?: number | undefined
  /** How long the service itself may hold the answer, added to the timeout. */
  readonly heldMs?: number | undefined
  /** Asked after the pause and before a repeat; an answer ends the call. */
  readonly beforeRepeat?: ((error: SkladError) => Promise<Answer | undefined>) | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined for an answer without a body. */
  readonly body: unknown
}

const defaultTimeoutMs = 30_000
const defaultRetries = 4
/** How long a call waits for the rate, in all. */
const rateWaitMaxMs = 5 * 60_000
const pauses = { baseMs: 500, maxMs: 30_000 }

/** Sends calls, and repeats what failed and may be repeated. */
export class Transport {
  readonly timing: Timing
  readonly #options: Omit<SkladOptions, 'key'> & { readonly key?: string }
  readonly #baseUrl: string
  readonly #gate: RateGate

  constructor(options: Omit<SkladOptions, 'key'> & { readonly key?: string }) {
    this.#options = options
    refuseBrokenKey(options.key)
    this.#baseUrl = checkedBaseUrl(options.baseUrl)
    this.timing = { ...realTiming, ...options.timing }
    this.#gate = new RateGate(this.timing)
  }

  /** Throws SkladError, or the reason of the signal that was aborted. */
  async send(call: Call): Promise<Answer> {
    const caller = linked([this.#options.signal, call.signal])
    try {
      return await this.#repeat(call, caller.signal)
    } finally {
      caller.release()
    }
  }

  /** The body of the answer. */
  async read<Body>(call: Call): Promise<Body> {
    return (await this.send(call)).body as Body
  }

  async #repeat(call: Call, signal: AbortSignal): Promise<Answer> {
    const retries = call.retries ?? this.#options.retries ?? defaultRetries
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      try {
        return await this.#pass(call, signal, retries)
      } catch (error) {
        if (!(error instanceof SkladError) || attempt >= retries) throw error
        if (error.code === 'rate_limited' || !mayRepeat(call, error)) throw error
        await this.timing.wait(this.#pauseMs(attempt, error), signal)
        const answer = await call.beforeRepeat?.(error)
        if (answer !== undefined) return answer
      }
    }
  }

  #pass(call: Call, signal: AbortSignal, retries: number): Promise<Answer> {
    const send = () => this.#attempt(call, signal)
    if (retries === 0) return send()
    const waitMaxMs = retries === Number.POSITIVE_INFINITY ? retries : rateWaitMaxMs
    return this.#gate.pass(send, { signal, waitMaxMs, isHeld: (call.heldMs ?? 0) > 0 })
  }

  /** The pause that the service asks for, and full jitter on top, so that callers do not come back together. */
  #pauseMs(attempt: number, { retryAfterSeconds = 0 }: SkladError): number {
    return retryAfterSeconds * 1000 + growingPauseMs(attempt, pauses, this.timing.random)
  }

  async #attempt(call: Call, caller: AbortSignal): Promise<Answer> {
    const timeoutMs = (this.#options.timeoutMs ?? defaultTimeoutMs) + (call.heldMs ?? 0)
    const bounded = linked([caller])
    const timeout = new SkladError('timeout', `Сервис не ответил за ${timeoutMs} мс`)
    const timer = setTimeout(() => bounded.abort(timeout), timeoutMs)
    try {
      return await this.#exchange(call, bounded.signal)
    } catch (error) {
      caller.throwIfAborted()
      if (error instanceof SkladError) throw error
      if (bounded.signal.aborted) throw timeout
      const message = `Соединение с ${new URL(this.#baseUrl).origin} прервано или не установлено`
      throw new SkladError('connection_lost', message, { cause: error })
    } finally {
      clearTimeout(timer)
      bounded.release()
    }
  }

  async #exchange(call: Call, signal: AbortSignal): Promise<Answer> {
    const { fetch: send = globalThis.fetch, key } = this.#options
    const response = await send(this.#baseUrl + call.path + queryOf(call.query), {
      method: call.method,
      signal,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    const { media } = call
    if (media !== undefined && response.ok) return fileOf(response, media)
    return answerOf(response, await response.text())
  }
}

/** Without slashes at its end. Throws TypeError for what can't be the address of the service. */
function checkedBaseUrl(given: string): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
    throw new TypeError(`baseUrl: "${given}" — не адрес, который начинается с https:// или http://`)
  const baseUrl = given.replace(/\/+$/, '')
  if (baseUrl.endsWith('/v1'))
    throw new TypeError(`baseUrl: "${given}" — уберите /v1, клиент добавляет его сам`)
  return baseUrl
}

/** A header could not carry it, and the failure would look like a lost connection. Throws TypeError. */
function refuseBrokenKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return
  throw new TypeError('key: это не ключ; скопируйте его целиком, без пробелов и многоточия')
}

function mayRepeat({ method, repeats }: Call, error: SkladError): boolean {
  const allowed = repeats ?? (method === 'GET' ? 'always' : 'refused')
  return isPassingRefusal(error) || (allowed === 'always' && isOutcomeUnknown(error))
}

function answerOf(response: Response, text: string): Answer {
  const { status, headers } = response
  const body = text === '' ? undefined : parsed(text)
  const fine = response.ok || status === 304
  if (fine && (text === '' || body !== undefined)) return { status, headers, body }
  throw errorOf(status, headers, body)
}

async function fileOf(response: Response, media: string): Promise<Answer> {
  const { status, headers } = response
  const body = new Uint8Array(await response.arrayBuffer())
  if (!headers.get('Content-Type')?.startsWith(media)) throw errorOf(status, headers, undefined)
  return { status, headers, body }
}

function errorOf(status: number, headers: Headers, body: unknown): SkladError {
  const retryAfter = headers.get('Retry-After') ?? ''
  const facts = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  }
  const { code, message, request_id } =
    (body as { error?: Readonly<Record<string, unknown>> } | null | undefined)?.error ?? {}
  if (status < 400 || typeof code !== 'string') {
    return new SkladError('unexpected_answer', `Непонятный ответ: HTTP ${status}`, facts)
  }
  return new SkladError(code as SkladErrorCode, String(message), {
    ...facts,
    requestId: typeof request_id === 'string' ? request_id : facts.requestId,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)])
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** A part of a path. Throws TypeError for what could only name another path. */
export function segment(id: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`"${id}" — не идентификатор`)
  return encodeURIComponent(id)
}
