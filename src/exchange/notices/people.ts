import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import {
  fromTimestamp,
  hour,
  minute,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import type { NewsKind } from '../../warehouse/events/news-kinds.ts'
import { usualLowDays } from '../../warehouse/metrics/cover.ts'
import { type NoticeSideName, noticeKinds, type Pace } from './kinds.ts'
import { openLetter } from './letters.ts'
import type { QuietHours } from './times.ts'

/** Who is notified: a user of the account or of staff, and what the user chose. */
export interface NoticeUser {
  readonly side: NoticeSideName
  readonly userId: string
}

/** Of one kind. */
export interface NoticeChoice {
  readonly bell: boolean
  readonly email: Pace
  readonly telegram: Pace
}

export interface PersonRow {
  readonly side: NoticeSideName | null
  readonly choices: Readonly<Partial<Record<NewsKind, NoticeChoice>>> | null
  readonly digest_hour: number | null
  readonly quiet_from: number | null
  readonly quiet_to: number | null
  readonly email: string | null
  readonly email_asked: string | null
  readonly email_asked_at: Timestamp | null
  readonly email_failures: number | null
  readonly email_problem: string | null
  readonly telegram_chat: number | null
  readonly telegram_blocked: boolean | null
  readonly low_days: number | null
}

/** The columns of `p`; all are null for a user who has no row. */
export const personColumns = (db: Queryable) => db`
  p.side, p.choices, p.digest_hour, p.quiet_from, p.quiet_to, p.email, p.email_asked, p.email_asked_at, p.email_failures,
  p.email_problem, p.telegram_chat, p.telegram_blocked, p.low_days`

export const usualDigestHour = 9

export function choiceOf({ choices }: Pick<PersonRow, 'choices'>, kind: NewsKind): NoticeChoice {
  const { pace } = noticeKinds[kind]
  return choices?.[kind] ?? { bell: true, email: pace, telegram: pace }
}

export function lowDaysOf({ low_days }: Pick<PersonRow, 'low_days'>): number {
  return low_days ?? usualLowDays
}

/** The numbers that users of a client call low, each once; the greatest first. */
export async function lowDaysOfUsers(db: Queryable, clientId: string): Promise<number[]> {
  const rows = await db<{ days: number }[]>`
    select distinct coalesce(p.low_days, ${usualLowDays})::int as days
    from (
      select client_id, user_id from seller_members union all select id, id from clients where mode = 'test'
    ) m left join notice_people p on p.user_id = m.user_id
    where m.client_id = ${clientId} order by days desc`
  return rows.map(({ days }) => days)
}

export function quietHoursOf({ quiet_from, quiet_to }: PersonRow): QuietHours | undefined {
  return quiet_from === null || quiet_to === null ? undefined : { from: quiet_from, to: quiet_to }
}

/** The user's row, which is made where there is none; locked in a transaction. */
export async function lockPerson({ tx }: Work, { side, userId }: NoticeUser): Promise<PersonRow> {
  await tx`
    insert into notice_people (user_id, side) values (${userId}, ${side}) on conflict do nothing`
  const [row] = await tx<PersonRow[]>`
    select ${personColumns(tx)} from notice_people p where p.user_id = ${userId} for no key update`
  if (row === undefined) throw new Error(`the row of user ${userId} vanished`)
  return row
}

export async function findPerson(db: Queryable, userId: string): Promise<PersonRow> {
  const [row] = await db<[PersonRow]>`
    select ${personColumns(db)} from (select) one left join notice_people p on p.user_id = ${userId}`
  return row
}

/** Whether the user owns a client: some news is for owners alone. */
export async function isOwner(db: Queryable, { userId }: NoticeUser): Promise<boolean> {
  const [row] = await db<{ owns: boolean }[]>`
    select exists (select from seller_members where user_id = ${userId} and role = 'owner') as owns`
  return row?.owns ?? false
}

export interface KeptChoices {
  readonly choices: Readonly<Partial<Record<NewsKind, NoticeChoice>>>
  readonly digestHour: number
  readonly quiet: QuietHours | undefined
  /** Undefined: the usual number. */
  readonly lowDays?: number | undefined
}

export async function keepSettings(
  work: Work,
  user: NoticeUser,
  { choices, digestHour, quiet, lowDays }: KeptChoices,
): Promise<void> {
  await lockPerson(work, user)
  await work.tx`
    update notice_people set choices = ${work.tx.json(choices)}, digest_hour = ${digestHour},
      quiet_from = ${quiet?.from ?? null}, quiet_to = ${quiet?.to ?? null}, low_days = ${lowDays ?? null}
    where user_id = ${user.userId}`
}

const codeMs = hour
const wrongCodesMax = 5
/** Between two codes to the same user, so that nobody floods a mailbox that is not theirs. */
const codePauseMs = minute

/** Asks for the address to be confirmed: a letter with a code goes there. The old address stays until then. */
export async function askForEmail(work: Work, user: NoticeUser, email: string): Promise<void> {
  const { email_asked_at } = await lockPerson(work, user)
  if (email_asked_at !== null && work.now - fromTimestamp(email_asked_at) < codePauseMs) {
    throw conflict('Код уже отправлен: новый можно получить через минуту')
  }
  await work.tx`
    update notice_people set email_asked = ${email}, email_asked_at = ${work.at}, email_failures = 0
    where user_id = ${user.userId}`
  await openLetter(work, { userId: user.userId, channel: 'email', pace: 'code' }, work.now)
}

/** Throws validation_error for a wrong code, and conflict where none waits or too many were wrong. */
export async function confirmEmail(
  work: Work,
  keys: readonly Buffer[],
  user: NoticeUser,
  given: string,
): Promise<'confirmed' | 'wrong'> {
  const row = await lockPerson(work, user)
  const { email_asked: email, email_asked_at: askedAt, email_failures: failures } = row
  if (email === null || askedAt === null) throw conflict('Сначала введите адрес почты')
  if (work.now - fromTimestamp(askedAt) > codeMs || (failures ?? 0) >= wrongCodesMax) {
    throw conflict('Код больше не действует: получите новый')
  }
  const right = keys.some((key) => isSame(given, codeOf(key, user.userId, email, askedAt)))
  if (right) {
    await work.tx`
      update notice_people set email = email_asked, email_asked = null, email_asked_at = null,
        email_problem = null where user_id = ${user.userId}`
    return 'confirmed'
  }
  await work.tx`
    update notice_people set email_failures = email_failures + 1 where user_id = ${user.userId}`
  return 'wrong'
}

export function refuseEmailCode(): never {
  throw invalidField('code', 'шесть цифр из письма')
}

/** Six digits that nothing keeps: they follow from the user, the address and the moment. */
export function codeOf(key: Buffer, userId: string, email: string, askedAt: Timestamp): string {
  const text = JSON.stringify(['email', userId, email, fromTimestamp(askedAt)])
  const digest = createHmac('sha256', key).update(text).digest()
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

function isSame(given: string, code: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(code)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export async function dropEmail({ tx }: Pick<Work, 'tx'>, userId: string): Promise<boolean> {
  const dropped = await tx`
    update notice_people set email = null, email_asked = null, email_asked_at = null, email_problem = null
    where user_id = ${userId} and (email is not null or email_asked is not null) returning user_id`
  return dropped.length > 0
}

const telegramCodeMs = 15 * minute

/** A code for the bot, to be used once. A new one replaces the one before. */
export async function offerTelegram(
  work: Work,
  user: NoticeUser,
): Promise<{ readonly code: string; readonly until: Timestamp }> {
  await lockPerson(work, user)
  const code = randomBytes(24).toString('base64url')
  const until = toTimestamp(work.now + telegramCodeMs)
  await work.tx`
    update notice_people set telegram_code_hash = ${codeHash(code)}, telegram_code_until = ${until}
    where user_id = ${user.userId}`
  return { code, until }
}

/** Links the chat to whoever the code is of. Returns false for a code that is unknown, used or too old. */
export async function linkTelegram(
  { tx, at }: Pick<Work, 'tx' | 'at'>,
  code: string,
  chat: number,
): Promise<boolean> {
  const linked = await tx`
    update notice_people set telegram_chat = ${chat}, telegram_blocked = false,
      telegram_code_hash = null, telegram_code_until = null
    where telegram_code_hash = ${codeHash(code)} and telegram_code_until > ${at} returning user_id`
  return linked.length > 0
}

function codeHash(code: string): Buffer {
  return hash('sha256', code, 'buffer')
}

export async function dropTelegram({ tx }: Pick<Work, 'tx'>, userId: string): Promise<boolean> {
  const dropped = await tx`
    update notice_people set telegram_chat = null, telegram_blocked = false, telegram_code_hash = null,
      telegram_code_until = null
    where user_id = ${userId} and (telegram_chat is not null or telegram_code_hash is not null)
    returning user_id`
  return dropped.length > 0
}

/** The person wrote /stop to the bot: nobody who linked this chat is notified there. */
export async function dropTelegramChat({ tx }: Pick<Work, 'tx'>, chat: number): Promise<void> {
  await tx`
    update notice_people set telegram_chat = null, telegram_blocked = false
    where telegram_chat = ${chat}`
}

/** The person stopped the bot in Telegram. */
export async function blockTelegramChat({ tx }: Pick<Work, 'tx'>, chat: number): Promise<void> {
  await tx`update notice_people set telegram_blocked = true where telegram_chat = ${chat}`
}
