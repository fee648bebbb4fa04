import type { ApiError } from './api.ts'

/** Коды ошибок самого клиента: ответа сервиса нет, или он непонятен, или не сошлась подпись. */
export type ClientErrorCode =
  | 'connection_lost'
  | 'timeout'
  | 'unexpected_answer'
  | 'signature_missing'
  | 'signature_stale'
  | 'signature_mismatch'
  | 'body_invalid'
  | 'body_already_read'

export type SkladErrorCode = ApiError['error']['code'] | ClientErrorCode

export interface SkladErrorFacts {
  readonly status?: number
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Ошибка вызова. Логику стройте на `code`: он не меняется, `message` — для человека. */
export class SkladError extends Error {
  override readonly name = 'SkladError'
  readonly code: SkladErrorCode
  /** Код HTTP; 0, если ответа не было. */
  readonly status: number
  /** Назовите его, если обратитесь за помощью. */
  readonly requestId: string | undefined
  /** Через сколько секунд повторить: из заголовка `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: SkladErrorCode, message: string, facts: SkladErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? 0
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

/** Codes under which the service has done nothing: any call may be repeated. */
const refusals: ReadonlySet<SkladErrorCode> = new Set([
  'rate_limited',
  'warehouse_unavailable',
  'webhooks_unavailable',
])

export function isPassingRefusal({ code }: SkladError): boolean {
  return refusals.has(code)
}

/** Whether the service may have done the work although its answer did not come. */
export function isOutcomeUnknown({ code, status }: SkladError): boolean {
  if (code === 'internal' || code === 'connection_lost' || code === 'timeout') return true
  return code === 'unexpected_answer' && status >= 500
}
