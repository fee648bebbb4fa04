import type { Database } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import {
  day,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { type NewsKind, sellerNews } from './news-kinds.ts'

/**
 * News: what happened that people want to know. They are written in the transaction of the change that they tell of, so no
 * change is without its news and no news without its change. The promise of this file ends with the commit: who is notified,
 * and where, is the part of `exchange/notices/`.
 *
 *   waiting --taken, in the transaction that tells the users--> passed --after `keptDays`--> gone
 *
 * News with the kind and key of earlier ones are not written again. Sandboxes have the news of sellers alone: no
 * manager works in them.
 */
export interface News {
  readonly clientId: string
  readonly kind: NewsKind
  /** What makes it the same news. */
  readonly key: string
  /** Undefined: a list shows what it is about. */
  readonly objectId?: string | undefined
  /** What the object is called. Never the name of a person, because it leaves the service. */
  readonly subject: string
  /** How many things it is about; 1 unless given. */
  readonly units?: number
  /** For stock: how many days it lasts. Only those who call that low get the news. */
  readonly lowDays?: number
}

const subjectMax = 200
/** How long the same news are not written again. */
const keptDays = 90

export async function tell({ tx, at }: SharedWork, news: readonly News[]): Promise<void> {
  if (news.length === 0) return
  const rows = news.map(
    ({ clientId, kind, key, objectId = null, subject, units = 1, lowDays = null }) => ({
      client_id: clientId,
      id: newId(),
      kind,
      key,
      object_id: objectId,
      subject: subject.slice(0, subjectMax).toWellFormed(),
      units,
      low_days: lowDays,
    }),
  )
  await tx`
    insert into news (client_id, id, kind, key, object_id, subject, units, low_days, at)
    select n.*, ${at} from jsonb_to_recordset(${tx.json(rows)}) as n
      (client_id uuid, id uuid, kind text, key text, object_id text, subject text, units integer, low_days smallint)
    join clients c on c.id = n.client_id and (c.mode = 'live' or n.kind = any(${[...sellerNews]}))
    order by n.client_id, n.kind, n.key collate "C"
    on conflict do nothing`
}

/** Of one kind and one client. */
export interface WaitingNews {
  readonly client_id: string
  readonly kind: NewsKind
  /** Null where they are about several objects. */
  readonly object_id: string | null
  readonly subject: string
  readonly units: number
  /** Whom it concerns, where not all users of the client: see News. */
  readonly low_days: number | null
  readonly at: Timestamp
}

/**
 * Takes the oldest news that wait, and joins those of one kind and client. They count as passed when the transaction of
 * the caller commits.
 */
export async function takeNews({ tx, at }: SharedWork, limit: number): Promise<WaitingNews[]> {
  return tx<WaitingNews[]>`
    with waiting as (
      select client_id, id from news where passed_at is null and ${isStaying(tx, 'client_id')}
      order by at, id limit ${limit} for no key update skip locked
    ), taken as (
      update news n set passed_at = ${at} from waiting w
      where n.client_id = w.client_id and n.id = w.id returning n.*
    )
    select client_id, kind, (array_agg(subject order by at desc, id desc))[1] as subject,
      case when count(*) = 1 then min(object_id) end as object_id,
      sum(units)::int as units, low_days, max(at) as at
    from taken group by client_id, kind, low_days order by max(at), client_id, kind, low_days`
}

export async function deleteOldNews(db: Database, reached: Instant): Promise<void> {
  await db`delete from news where at < ${toTimestamp(reached - keptDays * day)}`
}
