import type { Event } from './api.ts'
import { SkladError } from './errors.ts'
import type { SkladEvent } from './event.ts'
import { type HeadersGiven, headerOf, verifyWebhook } from './webhook.ts'

/** Память об обработанных событиях, например таблица с их `id`. Хранить дольше 30 дней незачем. */
export interface EventStore {
  has(id: string): boolean | Promise<boolean>
  add(id: string): unknown
}

export interface WebhookOptions {
  /** Секрет подписки; несколько — на время смены секрета. */
  readonly secret: string | readonly string[]
  readonly store: EventStore
  /**
   * Ваша работа. Событие запоминается после неё: если она не удалась, ответ — 500, и событие придёт снова; если
   * процесс погиб посередине — тоже. Уложитесь в 10 секунд или только сохраните событие.
   */
  readonly handle: (event: SkladEvent) => unknown
  readonly toleranceSeconds?: number | undefined
  /** Почему ответ — 500: ошибка вашей работы, или тело прочитано до обработчика. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Время сейчас, миллисекунд с 1970 года; нужно тестам. */
  readonly now?: (() => number) | undefined
}

/** The status to answer to one request. */
export type Receive = (body: Uint8Array, headers: HeadersGiven) => Promise<number>

/** More is no event. */
export const bodyBytesMax = 10 * 1024 * 1024

/**
 * Receives at least once: an event is remembered after it was handled. Equal events that come at the same time are
 * handled once by one process.
 */
export function receiver(options: WebhookOptions): Receive {
  const running = new Map<string, Promise<number>>()
  return async (body, headers) => {
    const event = await genuine(options, body, headers)
    if (typeof event === 'number') return event
    if (event.type === 'webhook.ping') return 204
    const known = running.get(event.id)
    if (known !== undefined) return known
    const answer = handleOnce(options, event)
    running.set(event.id, answer)
    return answer.finally(() => running.delete(event.id))
  }
}

/** The event, or the status for one that is not genuine. */
async function genuine(
  { secret, toleranceSeconds, now }: WebhookOptions,
  body: Uint8Array,
  headers: HeadersGiven,
): Promise<Event | number> {
  try {
    return await verifyWebhook({ body, headers, secret, toleranceSeconds, now })
  } catch (error) {
    if (!(error instanceof SkladError)) throw error
    // The ping of a new subscription is signed with a secret that nobody has yet.
    return headerOf(headers, 'X-SVC-Event') === 'webhook.ping' ? 204 : 401
  }
}

async function handleOnce(
  { store, handle, onError }: WebhookOptions,
  event: SkladEvent,
): Promise<number> {
  try {
    if (await store.has(event.id)) return 204
    await handle(event)
    await store.add(event.id)
    return 204
  } catch (error) {
    onError?.(error)
    return 500
  }
}

/** Приёмник вебхуков для сред, где запрос и ответ — `Request` и `Response`: Deno, Bun, воркеры, Next, Hono. */
export function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const receive = receiver(options)
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    if (request.bodyUsed) {
      const { text = '', ...init } = bodyAlreadyRead(options)
      return new Response(text, init)
    }
    const body = await bodyOf(request)
    const status = body === undefined ? 413 : await receive(body, request.headers)
    return new Response(null, { status })
  }
}

/** What a request is answered with. */
export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly text?: string
}

/** Something before the handler has read the body: its bytes are gone, and no signature can be checked. */
export function bodyAlreadyRead({ onError }: WebhookOptions): Answer {
  const error = new SkladError(
    'body_already_read',
    'Тело запроса прочитано до обработчика вебхуков, и подпись не проверить: поставьте обработчик до разбора тела, в Express — до express.json()',
  )
  onError?.(error)
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
  return { status: 500, headers, text: error.message }
}

/** Undefined if it is too long. */
async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  return request.body === null ? new Uint8Array() : readBody(request.body)
}

/** The bytes of a body; undefined if there are too many. */
export async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > bodyBytesMax) return undefined
    kept.push(chunk)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const chunk of kept) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}
