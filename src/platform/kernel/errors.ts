/**
 * The codes of all errors that callers get, with their default messages. Sellers get only the codes
 * of the specification, section Errors; the staff API adds its own. http/route/operation.ts maps codes
 * to HTTP statuses.
 */
export const publicErrors = {
  unauthorized: 'Ключ не передан или не существует',
  key_revoked: 'Ключ отозван, получите новый',
  rate_limited: 'Слишком много запросов, повторите позже',
  not_found: 'Объект не найден',
  bad_request: 'Неверный запрос',
  bad_cursor:
    'Курсор повреждён или выдан для другого запроса: начните с первой страницы без cursor',
  internal: 'Ошибка на стороне сервиса, повторите запрос',
  validation_error: 'Поле заполнено неверно',
  cabinet_required: 'У клиента несколько кабинетов: передайте cabinet_id из GET /v1/me',
  mixed_marking: 'Товары с маркировкой и без неё передавайте двумя заявками с разными external_ref',
  write_disabled: 'Заявки на приёмку через API для этого ключа не включены, обратитесь к менеджеру',
  warehouse_unavailable:
    'Склад временно не принимает заявки, ничего не создано: повторите через минуту',
  webhook_url_unverified:
    'Адрес не ответил кодом 2xx на webhook.ping за 10 секунд, подписка не создана',
  webhook_limit: 'Достигнут предел подписок, удалите ненужную',
  webhooks_unavailable: 'Вебхуки временно отключены, повторите позже',
  sandbox_only: 'Операция доступна только с тестовым ключом',
} as const

export const staffErrors = {
  conflict: 'Действие невозможно в текущем состоянии',
  forbidden: 'Недостаточно прав',
  device_revoked: 'Этот терминал отозван: отдайте его менеджеру или войдите по паролю',
  password_required:
    'Войдите с паролем ещё раз: ключи и пользователи меняются не позже чем через 15 минут после входа',
  unavailable: 'База данных не отвечает: повторите через несколько секунд',
  marketplace_unavailable: 'Маркетплейс не отвечает или не принимает ключ, повторите позже',
} as const

export type PublicErrorCode = keyof typeof publicErrors
export type StaffErrorCode = keyof typeof staffErrors
export type ErrorCode = PublicErrorCode | StaffErrorCode

export const errorMessages: Readonly<Record<ErrorCode, string>> = {
  ...publicErrors,
  ...staffErrors,
}

export interface ServiceErrorOptions extends ErrorOptions {
  /** Value of the header Retry-After in seconds, a positive integer. */
  readonly retryAfterSeconds?: number
  /** What is wrong with each field that the message names. */
  readonly breaches?: readonly Breach[]
}

/** An error whose message the caller reads unchanged: Russian, without internals and secrets. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  /** Answers of the staff API and the account list them beside the message. */
  readonly breaches: readonly Breach[]

  constructor(
    code: ErrorCode,
    message: string = errorMessages[code],
    options: ServiceErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.breaches = options.breaches ?? []
  }
}

/** Also for an object of another client, so that its existence stays hidden (Conventions 5). */
export function notFound(message?: string): ServiceError {
  return new ServiceError('not_found', message)
}

/** A wrong query parameter or body; the message names it. */
export function badRequest(message?: string, breaches: readonly Breach[] = []): ServiceError {
  return new ServiceError('bad_request', message, { breaches })
}

/** What is wrong with one field of a body, a parameter or a cell of a file. */
export interface Breach {
  /** `items[3].qty`, `created_from`, or a cell as `cellPath` writes it. */
  readonly path: string
  /** Words that may stand under the field («целое число от 1»): they name no other field. */
  readonly rule: string
  /** What the message says where that is more than `path: rule`. */
  readonly said?: string
}

export function invalidParameter(path: string, rule: string, said?: string): ServiceError {
  const breach = { path, rule, ...(said === undefined ? {} : { said }) }
  return badRequest(`Параметр ${saidOf(breach)}`, [breach])
}

export function invalidField(path: string, rule: string): ServiceError {
  return invalidFields([{ path, rule }])
}

/** Wrong fields that a message names at most; it counts the others. */
const namedFieldsMax = 10

export function invalidFields(breaches: readonly Breach[]): ServiceError {
  const named = breaches.slice(0, namedFieldsMax).map((breach) => `Поле ${saidOf(breach)}`)
  const others = breaches.length - named.length
  const counted = others === 0 ? [] : [`Неверных полей ещё: ${others}`]
  return new ServiceError('validation_error', [...named, ...counted].join('. '), { breaches })
}

function saidOf({ path, rule, said = `${path}: ${rule}` }: Breach): string {
  return said
}

export function rateLimited(
  retryAfterSeconds: number,
  message = `Слишком много запросов, повторите через ${retryAfterSeconds} с`,
): ServiceError {
  return new ServiceError('rate_limited', message, { retryAfterSeconds })
}

/** The object's state does not allow the change. Staff API only. */
export function conflict(message?: string): ServiceError {
  return new ServiceError('conflict', message)
}

/** Shortens a foreign text for a message: one line, without control characters. */
export function excerpt(text: string, length = 60): string {
  const head = text.length > length ? `${text.slice(0, length)}…` : text
  return head.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd')
}

/**
 * A reason why the process cannot start that its operator can remove. The message is one English
 * line without secrets: the process prints only that line, without a stack, and exits with status
 * 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
