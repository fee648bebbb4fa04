import {
  day,
  dottedDate,
  fromTimestamp,
  type Instant,
  moscowDate,
  type Timestamp,
  toTimestamp,
} from '../../../platform/kernel/moscow-time.ts'
import { expiringDays } from '../../../warehouse/clients/cabinet-view.ts'
import { isFailure } from '../calls/failure.ts'

interface FailedRun {
  /** The marketplace refuses the key for what every cabinet needs. */
  readonly isKeyRefused: boolean
  readonly credentialsExpireAt: Timestamp | null
  readonly now: Instant
  /** What the failed part keeps up to date, in the plural; undefined for parts that keep nothing. */
  readonly subject: string | undefined
  /** When all was last read; null: never. */
  readonly syncedAt: Timestamp | null
  /** Everything else was read. */
  readonly restIsRead: boolean
}

/**
 * Explains a failed sync to the seller, in Russian. A refusal of one call names what is not read, since when, and what
 * still is. Mentions a key that expires soon, unless the failure is about the key itself.
 */
export function failureMessage(
  error: unknown,
  { isKeyRefused, credentialsExpireAt, now, ...run }: FailedRun,
): string {
  const reason = isOfOneCall(error, isKeyRefused)
    ? withName(shownReason(error, isKeyRefused), run)
    : shownReason(error, isKeyRefused)
  if (credentialsExpireAt === null || isFailure(error, 'credentials')) return reason
  const end = fromTimestamp(credentialsExpireAt)
  if (end - now > expiringDays * day) return reason
  return `${reason}. Ключ доступа действует до ${dottedDate(moscowDate(end))}: выпустите новый и передайте менеджеру`
}

/** The marketplace refused one call, which says nothing of the others. */
export function isOfOneCall(error: unknown, isKeyRefused: boolean): boolean {
  if (!isFailure(error, 'rejected', 'credentials') || error.status === undefined) return false
  const { meaning } = error
  const isOfKey = meaning !== undefined && meaning !== 'rights' && meaning !== 'keyType'
  return error.kind === 'rejected' || !(isKeyRefused || isOfKey)
}

function withName(
  reason: string,
  { subject, syncedAt, restIsRead }: Pick<FailedRun, 'subject' | 'syncedAt' | 'restIsRead'>,
): string {
  if (subject === undefined) return reason
  const since = syncedAt === null ? '' : ` с ${shownMoment(fromTimestamp(syncedAt))}`
  const rest = restIsRead ? '. Остальное обновляется' : ''
  return `${subject} не обновляются${since}. ${reason.replace(/\.$/, '')}${rest}`
}

/** In Moscow. */
function shownMoment(at: Instant): string {
  return `${dottedDate(moscowDate(at))} ${toTimestamp(at).slice(11, 16)}`
}

/** A key that works for other calls lacks the right to this one, unless the marketplace says otherwise. */
export function shownReason(error: unknown, isKeyRefused: boolean): string {
  if (!isFailure(error)) {
    return 'Ошибка на стороне сервиса: данные маркетплейса пока не обновлены, мы уже разбираемся'
  }
  const isClear = error.kind !== 'credentials' || error.meaning !== undefined
  if (isClear || isKeyRefused) return error.forSeller
  return 'Ключу доступа не хватает прав на часть данных: выпустите новый со всеми правами и передайте менеджеру'
}
