import type { Queryable } from '../../platform/db/connection.ts'
import { type ChannelName, channelNames } from './kinds.ts'

/** Figures of letters with notices over all users, for the operator. */
export interface NoticeFigures {
  readonly enabled: boolean
  readonly channels: readonly ChannelFigures[]
}

export interface ChannelFigures {
  readonly channel: ChannelName
  /** Letters that should be tried now. */
  readonly due: number
  /** That wait for their hour, or for the next attempt. */
  readonly later: number
  /** How long the oldest of those that are due could have been tried already; 0 if none is due. */
  readonly oldestDueMs: number
  /** Within a day. */
  readonly sent: number
  readonly failed: number
}

const none = { due: 0, later: 0, oldestDueMs: 0, sent: 0, failed: 0 }

/** All attempts of a letter take less than three days, which an index bounds. */
export async function noticeFigures(db: Queryable): Promise<NoticeFigures> {
  const [[row], counted] = await Promise.all([
    db<[{ enabled: boolean }]>`select enabled from service_switches where name = 'notices'`,
    db<ChannelFigures[]>`
      select channel, sum(due)::int as due, sum(later)::int as later, max(oldest)::int8 as "oldestDueMs",
        sum(sent)::int as sent, sum(failed)::int as failed
      from (
        select channel, count(*) filter (where due_at <= now()) as due, count(*) filter (where due_at > now()) as later,
          coalesce(greatest(0, extract(epoch from now() - min(due_at)) * 1000), 0) as oldest, 0 as sent, 0 as failed
        from notice_letters where state = 'waiting' group by channel
        union all
        select channel, 0, 0, 0, count(*) filter (where state = 'sent'), count(*) filter (where state = 'failed')
        from notice_letters
        where created_at > now() - interval '4 days' and ended_at > now() - interval '1 day' group by channel
      ) l group by channel`,
  ])
  const channels = channelNames.map(
    (channel) => counted.find((each) => each.channel === channel) ?? { channel, ...none },
  )
  return { enabled: row.enabled, channels }
}
