import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, named, oneOfValues } from '../../platform/kernel/schema.ts'
import { type NewsKind, sellerNews, staffNews } from '../../warehouse/events/news-kinds.ts'
import { noticeKinds, pathOfNotice } from './kinds.ts'
import { isStillSeen } from './letters.ts'

/** What a user was notified of, as the pages show it. */

const newsKinds: readonly NewsKind[] = [...sellerNews, ...staffNews]

export const kindField = oneOfValues(
  newsKinds,
  `О чём: ${newsKinds.map((kind) => `${kind} — ${noticeKinds[kind].label.toLowerCase()}`).join(', ')}.`,
)

export const Notice = Type.Object(
  {
    id: Type.String({ description: 'Уведомление.' }),
    kind: kindField,
    title: Type.String({ description: 'Что случилось.' }),
    path: Type.String({ description: 'Страница, на которой это видно.' }),
    client_id: Type.String({ description: 'Чьё это.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    at: moment('Когда.'),
    read: Type.Boolean({ description: 'Прочитано ли.' }),
  },
  { $id: 'Notice', description: 'Уведомление.' },
)
export type Notice = Static<typeof Notice>

/** Shown at most; what is older has long been seen or is seen in its list. */
export const noticesShown = 100

export const Notices = Type.Object(
  {
    unread: count('Сколько не прочитано.'),
    elsewhere: count('Сколько не прочитано у других ваших клиентов.'),
    items: Type.Array(named<Notice>(Notice), {
      description: `Сначала новые, не больше ${noticesShown}.`,
    }),
  },
  { $id: 'Notices', description: 'Уведомления.' },
)

interface BellRow {
  id: string
  kind: NewsKind
  object_id: string | null
  subject: string
  units: number
  at: Timestamp
  client_id: string
  client_name: string
  read: boolean
}

/** The notices of a user in the bell: of one client, or of all where none is given. */
const inBell = (db: Queryable, userId: string, clientId: string | undefined) => db`
  n.user_id = ${userId} and n.in_bell and ${isStillSeen(db)}
  and ${clientId === undefined ? db`true` : db`n.client_id = ${clientId}`}`

export async function listNotices(
  db: Queryable,
  userId: string,
  clientId: string | undefined,
): Promise<{ unread: number; elsewhere: number; items: Notice[] }> {
  const [rows, counts] = await Promise.all([
    db<BellRow[]>`
      select n.id, n.kind, n.object_id, n.subject, n.units, n.at, n.client_id, c.name as client_name,
        n.read_at is not null as read
      from notices n join clients c on c.id = n.client_id
      where ${inBell(db, userId, clientId)} order by n.at desc, n.id desc limit ${noticesShown}`,
    countUnread(db, userId, clientId),
  ])
  return { ...counts, items: rows.map(viewOf) }
}

export async function countUnread(
  db: Queryable,
  userId: string,
  clientId: string | undefined,
): Promise<{ unread: number; elsewhere: number }> {
  const isHere = clientId === undefined ? db`true` : db`n.client_id = ${clientId}`
  const [row] = await db<[{ unread: number; elsewhere: number }]>`
    select count(*) filter (where ${isHere}) as unread, count(*) filter (where not ${isHere}) as elsewhere
    from notices n where ${inBell(db, userId, undefined)} and n.read_at is null`
  return row
}

function viewOf({ object_id: objectId, subject, units, ...row }: BellRow): Notice {
  const { id, kind, client_id, client_name, at, read } = row
  const title = noticeKinds[kind].title({ units, subject, objectId })
  const path = pathOfNotice(kind, { objectId })
  return { id, kind, title, path, client_id, client_name, at, read }
}

/** Marks as read: these, or all of the client. What is read already stays so. */
export async function readNotices(
  { tx, at }: Work,
  userId: string,
  clientId: string | undefined,
  ids: readonly string[] | undefined,
): Promise<void> {
  const these = ids === undefined ? tx`true` : tx`n.id = any(${[...ids]}::uuid[])`
  await tx`
    update notices n set read_at = ${at}
    where ${inBell(tx, userId, clientId)} and n.read_at is null and ${these}`
}
