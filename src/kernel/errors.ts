/**
 * Every error the service answers with is one of these codes. The public ones are those of the
 * specification, section Errors, and no others leave the seller's API; the staff API adds its own.
 * The message is what the caller reads when the place that throws has nothing better to say.
 */

interface ErrorKind {
  readonly status: number
  readonly message: string
}

export const publicErrors = {
  unauthorized: { status: 401, message: 'Ключ не передан или не существует' },
  key_revoked: { status: 401, message: 'Ключ отозван, получите новый' },
  rate_limited: { status: 429, message: 'Слишком много запросов, повторите позже' },
  not_found: { status: 404, message: 'Объект не найден' },
  bad_request: { status: 400, message: 'Неверный запрос' },
  bad_cursor: {
    status: 400,
    message: 'Курсор повреждён или выдан для другого списка: начните с первой страницы без cursor',
  },
  internal: { status: 500, message: 'Ошибка на стороне сервиса, повторите запрос' },
  validation_error: { status: 400, message: 'Поле заполнено неверно' },
  cabinet_required: {
    status: 400,
    message: 'У клиента несколько кабинетов: передайте cabinet_id из GET /v1/me',
  },
  mixed_marking: {
    status: 400,
    message: 'Товары с маркировкой и без неё передавайте двумя заявками с разными external_ref',
  },
  write_disabled: {
    status: 503,
    message: 'Заявки на приёмку через API для этого ключа не включены, обратитесь к менеджеру',
  },
  warehouse_unavailable: {
    status: 502,
    message: 'Склад временно не принимает заявки, ничего не создано: повторите через минуту',
  },
  webhook_url_unverified: {
    status: 400,
    message: 'Адрес не ответил кодом 2xx на webhook.ping за 10 секунд, подписка не создана',
  },
  webhook_limit: { status: 400, message: 'Достигнут предел подписок, удалите ненужную' },
  webhooks_unavailable: { status: 503, message: 'Вебхуки временно отключены, повторите позже' },
  sandbox_only: { status: 403, message: 'Операция доступна только с тестовым ключом' },
} as const satisfies Record<string, ErrorKind>

export const staffErrors = {
  conflict: { status: 409, message: 'Действие невозможно в текущем состоянии' },
  forbidden: { status: 403, message: 'Недостаточно прав' },
  marketplace_unavailable: {
    status: 502,
    message: 'Маркетплейс не отвечает или не принимает ключ, повторите позже',
  },
} as const satisfies Record<string, ErrorKind>

export type PublicErrorCode = keyof typeof publicErrors
export type StaffErrorCode = keyof typeof staffErrors
export type ErrorCode = PublicErrorCode | StaffErrorCode

export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = {
  ...publicErrors,
  ...staffErrors,
}

export interface ApiErrorOptions extends ErrorOptions {
  /** Seconds for the header Retry-After, a positive integer. */
  readonly retryAfterSeconds?: number
}

/** An answer to the caller. The message is Russian and shown as it is: no internals, no secrets. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string = errorKinds[code].message,
    options: ApiErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.status = errorKinds[code].status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Also for what belongs to another client: the two must look alike (Conventions 5). */
export function notFound(message?: string): ApiError {
  return new ApiError('not_found', message)
}

/** A query parameter or the shape of a body; the message names what is wrong. */
export function badRequest(message?: string): ApiError {
  return new ApiError('bad_request', message)
}

/** A field of a body, by its path (`items[3].qty`), and what it must be («целое число от 1»). */
export function invalidField(path: string, rule: string): ApiError {
  return new ApiError('validation_error', `Поле ${path}: ${rule}`)
}

export function rateLimited(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', undefined, { retryAfterSeconds })
}

/** A verb that the object's state does not allow. Staff API only. */
export function conflict(message?: string): ApiError {
  return new ApiError('conflict', message)
}

/** Somebody's own text for a message: its first characters, on one line and without control characters. */
export function excerpt(text: string, length = 60): string {
  const head = text.length > length ? `${text.slice(0, length)}…` : text
  return head.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd')
}
