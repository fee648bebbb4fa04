import Type, { type Static } from 'typebox'
import type { Database } from '../db/connection.ts'
import { conditionsOf } from '../db/filter.ts'
import { countedMax, countOf, emptyPage, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { isId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { moment, textOrNull } from '../kernel/schema.ts'

/**
 * The journal of changes by staff: who changed what, its state before and after. An entry is
 * written in the transaction of the change; the database refuses to change or delete entries. They
 * hold no secrets.
 */
export interface StaffChange {
  /** The operation's name in the API reference, or the command. */
  readonly action: string
  readonly login: string | null
  readonly clientId?: string | undefined
  readonly objectId?: string | undefined
  readonly before?: unknown
  readonly after?: unknown
  readonly requestId?: string
  readonly ip?: string
}

export async function recordStaffChange(work: Work, change: StaffChange): Promise<void> {
  const { tx } = work
  const json = (value: unknown) =>
    value === undefined || value === null ? null : tx.json(value as Parameters<typeof tx.json>[0])
  await tx`
    insert into staff_journal
      (at, actor, login, action, client_id, object_id, before, after, request_id, ip)
    values (${work.at}, ${actorText(work.actor)}, ${change.login}, ${change.action}, ${change.clientId ?? null},
      ${change.objectId ?? null}, ${json(change.before)}, ${json(change.after)},
      ${change.requestId ?? null}, ${change.ip ?? null})`
}

export const StaffEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Номер записи: растёт.' }),
    time: moment('Когда.'),
    actor: Type.String({ description: 'Кто: `staff:<id>` или `command-line`.' }),
    login: textOrNull('Логин, каким он был тогда.'),
    action: Type.String({ description: 'Операция.' }),
    client_id: textOrNull('Клиент, если изменение о нём.'),
    object_id: textOrNull('Что изменилось.'),
    before: Type.Unknown({ description: 'Как было; null, если не было.' }),
    after: Type.Unknown({ description: 'Как стало; null, если не стало.' }),
    request_id: textOrNull('Номер запроса.'),
    ip: textOrNull('Адрес, с которого пришёл запрос.'),
  },
  { $id: 'StaffEntry', description: 'Запись журнала изменений.' },
)
export type StaffEntry = Static<typeof StaffEntry>

export interface StaffEntryFilter {
  readonly client_id: string | undefined
  readonly object_id: string | undefined
  readonly actor: string | undefined
}

interface EntryRow extends Omit<StaffEntry, 'time'> {
  at: Timestamp
}

/** Entries, newest first; `total` is 100,000 at most. */
export async function listStaffChanges(
  db: Database,
  filter: StaffEntryFilter,
  page: PageRequest,
): Promise<Page<StaffEntry>> {
  if (filter.client_id !== undefined && !isId(filter.client_id)) return emptyPage
  const where = db`
    true ${conditionsOf(db, filter, {
      client_id: (client) => db`client_id = ${client}`,
      object_id: (object) => db`object_id = ${object}`,
      actor: (actor) => db`actor = ${actor}`,
    })}`
  const total = db`
    select count(*) from (select from staff_journal where ${where} limit ${countedMax}) counted`
  const rows = await db<(EntryRow & { total: number })[]>`
    select id, at, actor, login, action, client_id, object_id, before, after, request_id, ip,
      (${total}) as total
    from staff_journal
    where ${where} ${page.after === undefined ? db`` : db`and id < ${Number(page.after[0])}`}
    order by id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ id, at, ...rest }) => ({
      id,
      time: at,
      actor: rest.actor,
      login: rest.login,
      action: rest.action,
      client_id: rest.client_id,
      object_id: rest.object_id,
      before: rest.before,
      after: rest.after,
      request_id: rest.request_id,
      ip: rest.ip,
    }),
    position: (row) => [row.id],
    count: () => countOf(db, total),
  })
}
