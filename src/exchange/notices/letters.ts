import type { Database, Queryable, Transaction } from '../../platform/db/connection.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import {
  day,
  hour,
  type Instant,
  minute,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import type { NewsKind } from '../../warehouse/events/news-kinds.ts'
import type { ChannelName } from './kinds.ts'

/**
 * Letters: what goes to one user by one channel at once. The only writer of notice_letters.
 *
 *   collecting --due, claimed--> under way --taken----------------------> sent
 *                                  |   ^ `--refused, or the last attempt--> failed
 *                                  |   |  `--nothing to say any more------> dropped
 *                                  +---+ after a pause
 *
 * - Before its first attempt a letter takes further notices in: a burst is one letter. Afterwards it stays as it is.
 * - A claim lasts until the next attempt is due: longer than an attempt may take. The letter of a killed process is due
 *   again then, so a letter arrives at least once, and twice only where nobody learned what became of a sending.
 * - An outcome is recorded under the attempt that it is of: a process that slept through its claim changes nothing.
 * - A user gets at most `lettersAnHour` by a channel. What comes above waits in the next letter.
 */

/** `code` confirms an address and has no notices. */
export type LetterPace = 'now' | 'digest' | 'code'

export const lettersAnHour = 12
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 12 * hour]
const attemptsMax = pauses.length + 1
const keptDays = 90

export interface LetterAddress {
  readonly userId: string
  readonly channel: ChannelName
  readonly pace: LetterPace
}

/** The letter that collects; a new one is due at that moment. It stays open until the end of the transaction. */
export async function openLetter(
  { tx, at }: SharedWork,
  { userId, channel, pace }: LetterAddress,
  due: Instant,
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into notice_letters (id, user_id, channel, pace, due_at, created_at)
    values (${newId()}, ${userId}, ${channel}, ${pace}, ${toTimestamp(due)}, ${at})
    on conflict (user_id, channel, pace) where state = 'waiting' and attempts = 0
    do update set due_at = least(notice_letters.due_at, excluded.due_at)
    returning id`
  if (row === undefined) throw new Error('a letter vanished')
  return row.id
}

/** Keeps letters open until the end of the transaction. Returns false where one of them is under way or gone. */
export async function keepOpen(tx: Transaction, ids: readonly string[]): Promise<boolean> {
  const open = await tx`
    select id from notice_letters where id = any(${[...ids]}::uuid[])
      and state = 'waiting' and attempts = 0 order by id for no key update`
  return open.length === new Set(ids).size
}

export interface ClaimedLetter extends LetterAddress {
  readonly id: string
  /** With this one. */
  readonly attempts: number
  readonly createdAt: Timestamp
}

interface ClaimedRow {
  id: string
  user_id: string
  channel: ChannelName
  pace: LetterPace
  attempts: number
  created_at: Timestamp
}

/** Claims the longest due letters of channels that work. */
export async function claimLetters(
  { tx, now, at }: SharedWork,
  channels: readonly ChannelName[],
  limit: number,
): Promise<ClaimedLetter[]> {
  const rows = await tx<ClaimedRow[]>`
    with due as (
      select l.id from notice_letters l
      where l.state = 'waiting' and l.due_at <= ${at} and l.channel = any(${[...channels]})
        and (
          select count(*) from notice_letters s
          where s.user_id = l.user_id and s.channel = l.channel and s.state = 'sent'
            and s.ended_at > ${toTimestamp(now - hour)}) < ${lettersAnHour}
      order by l.due_at, l.id limit ${limit} for no key update skip locked
    )
    update notice_letters l set attempts = l.attempts + 1,
      due_at = ${at}::timestamptz + make_interval(secs =>
        (${pauses.map((pause) => pause / 1_000)}::int[])[least(l.attempts + 1, ${pauses.length})])
    from due d where l.id = d.id
    returning l.id, l.user_id, l.channel, l.pace, l.attempts, l.created_at`
  return rows.map(({ user_id: userId, created_at: createdAt, ...row }) => ({
    ...row,
    userId,
    createdAt,
  }))
}

/** What came of an attempt. The problem is in Russian and holds nothing that the other side said. */
export type LetterOutcome =
  | { readonly kind: 'sent' | 'dropped' }
  /** `afterMs`: the other side has named a pause, which counts as no attempt. */
  | { readonly kind: 'later'; readonly problem: string; readonly afterMs?: number }
  /** `blocked`: the user wants nothing more from there. */
  | { readonly kind: 'refused'; readonly problem: string; readonly blocked?: boolean }

/** Records an outcome, and tells the user where letters do not arrive. */
export async function recordLetter(
  work: SharedWork,
  letter: ClaimedLetter,
  outcome: LetterOutcome,
): Promise<void> {
  const { tx, now } = work
  const isClaimed = tx`id = ${letter.id} and state = 'waiting' and attempts = ${letter.attempts}`
  const problem = 'problem' in outcome ? outcome.problem : null
  if (outcome.kind === 'later' && outcome.afterMs !== undefined) {
    await tx`
      update notice_letters set attempts = greatest(attempts - 1, 1), problem = ${problem},
        due_at = ${toTimestamp(now + outcome.afterMs)} where ${isClaimed}`
    return
  }
  if (outcome.kind === 'later' && letter.attempts < attemptsMax) {
    await tx`update notice_letters set problem = ${problem} where ${isClaimed}`
    return
  }
  const state = outcome.kind === 'sent' || outcome.kind === 'dropped' ? outcome.kind : 'failed'
  const ended = await tx`
    update notice_letters set state = ${state}, problem = ${problem}, ended_at = ${work.at}
    where ${isClaimed} returning id`
  if (ended.length > 0 && state !== 'dropped') await notePerson(work, letter, outcome)
}

async function notePerson(
  { tx }: SharedWork,
  { userId, channel, pace }: ClaimedLetter,
  outcome: LetterOutcome,
): Promise<void> {
  if (channel === 'email' && pace !== 'code') {
    const problem = 'problem' in outcome ? outcome.problem : null
    await tx`
      update notice_people set email_problem = ${problem}
      where user_id = ${userId} and email_problem is distinct from ${problem}`
  }
  if (outcome.kind === 'refused' && outcome.blocked === true) {
    await tx`update notice_people set telegram_blocked = true where user_id = ${userId}`
  }
}

/** A line of a letter. */
export interface LetterNotice {
  readonly kind: NewsKind
  readonly object_id: string | null
  readonly subject: string
  readonly units: number
  readonly at: Timestamp
  readonly client_id: string
  readonly client_name: string
}

/** The notices `n` of users who may still see them: somebody may have lost a client since. */
export const isStillSeen = (db: Queryable) => db`(
  n.user_id = n.client_id
  or exists (select from seller_members m where m.client_id = n.client_id and m.user_id = n.user_id)
  or exists (
    select from staff_users u join clients o on o.id = n.client_id
    where u.id = n.user_id and u.active and u.role <> 'worker' and ${worksFor(db)}))`

/** Whether the user `u` of staff works in the warehouse of the client `o`. */
export const worksFor = (db: Queryable) => db`(
  not exists (select from staff_user_warehouses w where w.user_id = u.id)
  or exists (
    select from staff_user_warehouses w
    where w.user_id = u.id and w.warehouse_code = o.warehouse_code))`

const linesMax = 50

/** What a letter says, and whether its user has several clients. */
export async function contentOf(
  db: Queryable,
  { id, channel, userId }: Pick<ClaimedLetter, 'id' | 'channel' | 'userId'>,
): Promise<{ readonly notices: readonly LetterNotice[]; readonly namesClients: boolean }> {
  const [notices, [clients]] = await Promise.all([
    db<LetterNotice[]>`
      select n.kind, n.object_id, n.subject, n.units, n.at, n.client_id, c.name as client_name
      from notices n join clients c on c.id = n.client_id
      where ${db(`n.${channel}_letter`)} = ${id} and ${isStillSeen(db)}
      order by n.at desc, n.id desc limit ${linesMax}`,
    db<[{ count: number }]>`select count(*) from seller_members where user_id = ${userId}`,
  ])
  // Staff are members of no client: they work for many.
  return { notices, namesClients: clients.count !== 1 }
}

export async function deleteOldLetters(db: Database, reached: Instant): Promise<void> {
  const before = toTimestamp(reached - keptDays * day)
  await db`delete from notices where at < ${before}`
  await db`delete from notice_letters where created_at < ${before} and state <> 'waiting'`
}
