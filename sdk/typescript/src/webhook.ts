import type { Event } from './api.ts'
import { SkladError } from './errors.ts'

/** Заголовки запроса: `Headers` или объект с именами в любом регистре. */
export type HeadersGiven =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Тело, каким оно пришло: разобранный и собранный заново JSON — уже другие байты. */
  readonly body: Uint8Array | ArrayBuffer | string
  readonly headers: HeadersGiven
  /** Секрет подписки; несколько — на время смены секрета. */
  readonly secret: string | readonly string[]
  /** На сколько время попытки может отличаться от нашего; 300. */
  readonly toleranceSeconds?: number | undefined
  /** Время сейчас, миллисекунд с 1970 года; нужно тестам. */
  readonly now?: (() => number) | undefined
}

const encoder = new TextEncoder()

/** Событие, если подпись верна; иначе SkladError с кодом `signature_…`: ответьте 401. */
export async function verifyWebhook(options: VerifyOptions): Promise<Event> {
  const { headers, secret, toleranceSeconds = 300, now = Date.now } = options
  const body = bytesOf(options.body)
  const timestamp = headerOf(headers, 'X-SVC-Timestamp')
  const signature = signatureBytes(headerOf(headers, 'X-SVC-Signature'))
  if (signature === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    throw new SkladError('signature_missing', 'Нет подписи или времени попытки')
  }
  // Written so that a tolerance that is no number refuses.
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new SkladError(
      'signature_stale',
      'Время попытки слишком отличается от нашего: проверьте часы',
    )
  }
  if (!(await matches([secret].flat(), signature, signedBytes(timestamp, body)))) {
    throw new SkladError('signature_mismatch', 'Подпись не подходит ни к одному секрету')
  }
  return eventIn(body)
}

/** The value of X-SVC-Signature. The timestamp is a Unix time in whole seconds. */
export async function signatureOf(
  secret: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const key = await keyOf(secret, 'sign')
  const mac = await crypto.subtle.sign('HMAC', key, signedBytes(timestamp, body))
  return `sha256=${Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** One header, in whichever case; undefined if it came several times. */
export function headerOf(headers: HeadersGiven, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
  return found.length === 1 ? String(found[0]) : undefined
}

/** WebCrypto compares in constant time. */
async function matches(
  secrets: readonly string[],
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  // A setting that is missing must not become an empty key.
  const given = secrets.filter((secret) => typeof secret === 'string' && secret !== '')
  const verdicts = await Promise.all(
    given.map(async (secret) =>
      crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), signature, message),
    ),
  )
  return verdicts.includes(true)
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [use])
}

function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${timestamp}.`)
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  return message
}

function signatureBytes(header: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (hex === undefined) return undefined
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function bytesOf(body: VerifyOptions['body']): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new SkladError('body_invalid', 'Нужны байты тела, какими они пришли, а не разобранный JSON')
}

function eventIn(body: Uint8Array): Event {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new SkladError('body_invalid', 'Тело подписано, но это не JSON', { cause })
  }
}
