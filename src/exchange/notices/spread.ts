import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { minute, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { takeNews, type WaitingNews } from '../../warehouse/events/news.ts'
import { usualLowDays } from '../../warehouse/metrics/cover.ts'
import { type ChannelName, noticeKinds, type Pace } from './kinds.ts'
import { keepOpen, openLetter, worksFor } from './letters.ts'
import { choiceOf, type PersonRow, personColumns, quietHoursOf, usualDigestHour } from './people.ts'
import { afterQuiet, nextHour } from './times.ts'

/**
 * Passes news on to the users whom they concern: to each a notice in the bell, in a letter, or both. In one transaction with
 * taking the news, so each user is notified once. News of one kind and client that come within `burstMs` are one notice,
 * unless the user has read it or its letter has left.
 */

const newsAtOnce = 200
const burstMs = 10 * minute
/** How long a letter collects before it goes. */
const collectsMs = minute

/** Returns whether there may be more. */
export async function spreadNews(
  work: SharedWork,
  channels: readonly ChannelName[],
): Promise<boolean> {
  const taken = await takeNews(work, newsAtOnce)
  for (const news of taken) {
    for (const person of await concerned(work.tx, news)) {
      await notify(work, news, person, channels)
    }
  }
  return taken.length > 0
}

interface Concerned extends PersonRow {
  readonly user_id: string
}

/**
 * Sellers: the client's users, or its owners alone; of a sandbox whoever has its key, under the id of the client: so nothing of it leaves
 * by a letter. Staff: managers and administrators of its warehouse. Always in one order, for the locks.
 */
async function concerned(
  db: Queryable,
  { client_id, kind, low_days }: Pick<WaitingNews, 'client_id' | 'kind' | 'low_days'>,
): Promise<Concerned[]> {
  const { side, ownersAlone = false } = noticeKinds[kind]
  return side === 'seller'
    ? db<Concerned[]>`
        select m.user_id, ${personColumns(db)} from (
          select s.user_id, s.role, s.client_id from seller_members s
          join clients c on c.id = s.client_id and c.mode = 'live'
          union all select id, 'owner', id from clients where mode = 'test'
        ) m
        left join notice_people p on p.user_id = m.user_id
        where m.client_id = ${client_id} and (not ${ownersAlone} or m.role = 'owner')
          and (${low_days}::smallint is null or coalesce(p.low_days, ${usualLowDays}) = ${low_days})
        order by m.user_id`
    : db<Concerned[]>`
        select u.id as user_id, ${personColumns(db)} from staff_users u
        join clients o on o.id = ${client_id}
        left join notice_people p on p.user_id = u.id
        where u.active and u.role in ('manager', 'administrator') and ${worksFor(db)} order by u.id`
}

async function notify(
  work: SharedWork,
  news: WaitingNews,
  person: Concerned,
  channels: readonly ChannelName[],
): Promise<void> {
  const choice = choiceOf(person, news.kind)
  if (await joinBurst(work, news, person.user_id)) return
  const letter = (channel: ChannelName) =>
    channels.includes(channel) && isReached(person, channel)
      ? letterOf(work, person, channel, choice[channel])
      : null
  const email = await letter('email')
  const telegram = await letter('telegram')
  if (!choice.bell && email === null && telegram === null) return
  const { client_id, kind, object_id, subject, units, at } = news
  await work.tx`
    insert into notices (client_id, id, user_id, kind, object_id, subject, units, at, in_bell, email_letter, telegram_letter)
    values (${client_id}, ${newId()}, ${person.user_id}, ${kind}, ${object_id}, ${subject}, ${units}, ${at},
      ${choice.bell}, ${email}, ${telegram})`
}

function isReached(person: PersonRow, channel: ChannelName): boolean {
  if (channel === 'email') return person.email !== null
  return person.telegram_chat !== null && person.telegram_blocked !== true
}

async function letterOf(
  work: SharedWork,
  person: Concerned,
  channel: ChannelName,
  pace: Pace,
): Promise<string | null> {
  if (pace === 'off') return null
  const { now } = work
  const due =
    pace === 'digest'
      ? nextHour(now, person.digest_hour ?? usualDigestHour)
      : afterQuiet(now + collectsMs, quietHoursOf(person))
  return openLetter(work, { userId: person.user_id, channel, pace }, due)
}

interface Burst {
  readonly id: string
  readonly email_letter: string | null
  readonly telegram_letter: string | null
}

async function joinBurst(
  { tx, now }: SharedWork,
  { client_id, kind, object_id, subject, units, at }: WaitingNews,
  userId: string,
): Promise<boolean> {
  const [burst] = await tx<Burst[]>`
    select id, email_letter, telegram_letter from notices
    where client_id = ${client_id} and user_id = ${userId} and kind = ${kind}
      and read_at is null and at > ${toTimestamp(now - burstMs)}
    order by at desc, id desc limit 1 for no key update`
  if (burst === undefined) return false
  const letters = [burst.email_letter, burst.telegram_letter].filter((id) => id !== null)
  if (!(await keepOpen(tx, letters))) return false
  await tx`
    update notices set units = units + ${units}, subject = ${subject}, at = greatest(at, ${at}),
      object_id = case when object_id = ${object_id} then object_id end
    where client_id = ${client_id} and id = ${burst.id}`
  return true
}
