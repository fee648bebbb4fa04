import {
  day,
  fromTimestamp,
  type Instant,
  moscowDate,
  type Timestamp,
} from '../../../platform/kernel/moscow-time.ts'
import { expiringDays } from '../../../warehouse/clients/cabinet-view.ts'
import { isFailure } from '../calls/failure.ts'

interface KeyState {
  /** The marketplace refuses the key for what every cabinet needs. */
  readonly isKeyRefused: boolean
  readonly credentialsExpireAt: Timestamp | null
  readonly now: Instant
}

/**
 * Explains a failed sync to the seller, in Russian. Mentions a key that expires soon, unless the failure
 * is about the key itself.
 */
export function failureMessage(
  error: unknown,
  { isKeyRefused, credentialsExpireAt, now }: KeyState,
): string {
  const reason = reasonOf(error, isKeyRefused)
  if (credentialsExpireAt === null || isFailure(error, 'credentials')) return reason
  const end = fromTimestamp(credentialsExpireAt)
  if (end - now > expiringDays * day) return reason
  const date = moscowDate(end).split('-').toReversed().join('.')
  return `${reason}. Ключ доступа действует до ${date}: выпустите новый и передайте менеджеру`
}

/** A key that works for other calls lacks the right to this one, unless the marketplace says otherwise. */
function reasonOf(error: unknown, isKeyRefused: boolean): string {
  if (!isFailure(error)) {
    return 'Ошибка на стороне сервиса: данные маркетплейса пока не обновлены, мы уже разбираемся'
  }
  const isClear = error.kind !== 'credentials' || error.meaning !== undefined
  if (isClear || isKeyRefused) return error.forSeller
  return 'Ключу доступа не хватает прав на часть данных: выпустите новый со всеми правами и передайте менеджеру'
}
