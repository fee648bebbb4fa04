import type {
  NoticeSettings,
  NoticeSettingsDraft,
  Notices,
  TelegramLink,
  UnreadNotices,
} from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { number, plural } from '../../words/format.ts'

/** The calls of notices, which the account and the console both have. */
export interface NoticeCalls {
  readonly list: (signal: AbortSignal) => Promise<Notices>
  readonly unread: (signal: AbortSignal) => Promise<UnreadNotices>
  /** Undefined: all. */
  readonly read: (ids: string[] | undefined) => Promise<unknown>
  readonly settings: (signal: AbortSignal) => Promise<NoticeSettings>
  readonly keep: (draft: NoticeSettingsDraft) => Promise<unknown>
  readonly setEmail: (email: string) => Promise<unknown>
  readonly confirmEmail: (code: string) => Promise<unknown>
  readonly dropEmail: () => Promise<unknown>
  readonly linkTelegram: () => Promise<TelegramLink>
  readonly dropTelegram: () => Promise<unknown>
}

const refreshMs = 60_000

/** The way to the notices, with how many were not read. */
export function Bell({ calls, href }: { readonly calls: NoticeCalls; readonly href: string }) {
  const { data } = useAnswer('bell', calls.unread, { refreshMs })
  const waiting = (data?.unread ?? 0) + (data?.elsewhere ?? 0)
  return (
    <a class="bell" href={href} title="Уведомления">
      <span class="visually-hidden">
        Уведомления{waiting > 0 && `: ${plural(waiting, 'новое', 'новых', 'новых')}`}
      </span>
      <span aria-hidden="true">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M4.5 14.5h11l-1.5-2.2V9a4 4 0 0 0-8 0v3.3zM8.3 16.5a1.8 1.8 0 0 0 3.4 0" />
        </svg>
        {waiting > 0 && <b>{number(waiting)}</b>}
      </span>
    </a>
  )
}
