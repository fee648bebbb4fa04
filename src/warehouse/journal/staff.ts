import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { filterOfPage } from '../../platform/db/lists/newest-first.ts'
import {
  countedMax,
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant, Timestamp } from '../../platform/kernel/moscow-time.ts'
import { ObjectName } from '../../platform/kernel/object-name.ts'
import { moment, named, textOrNull } from '../../platform/kernel/schema.ts'
import { entryConditions } from './request-id.ts'

/**
 * The journal of changes by staff, and by sellers' users in the account: who changed what, and its state before and
 * after. An entry is written in the transaction of the change, and the database refuses to change or delete it. Entries
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
  await recordStaffChanges(work, [{ ...change, actor: work.actor }])
}

/** Records changes of one transaction, in their order, each by its own actor. */
export async function recordStaffChanges(
  { tx, at }: SharedWork,
  changes: readonly (StaffChange & { readonly actor: Actor })[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => ({
    actor: actorText(change.actor),
    login: change.login,
    action: change.action,
    client_id: change.clientId,
    object_id: change.objectId,
    before: change.before,
    after: change.after,
    request_id: change.requestId,
    ip: change.ip,
  }))
  await tx`
    insert into staff_journal
      (at, actor, login, action, client_id, object_id, before, after, request_id, ip)
    select ${at}::timestamptz, c.*
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (actor text, login text, action text, client_id uuid, object_id text, before jsonb, after jsonb,
       request_id text, ip text)`
}

export const StaffEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Номер записи: растёт.' }),
    time: moment('Когда.'),
    actor: Type.String({ description: 'Кто: `staff:<id>`, `seller:<id>` или `command-line`.' }),
    actor_name: Type.Optional(
      Type.String({ description: 'Он же словами: имя, «робот», «командная строка».' }),
    ),
    login: textOrNull('Логин, каким он был тогда.'),
    action: Type.String({ description: 'Операция.' }),
    title: Type.Optional(
      Type.String({ description: 'Что сделано, словами; если операции больше нет, поля нет.' }),
    ),
    goods: Type.Optional(
      Type.Object(
        {
          barcode: Type.String({ description: 'Штрихкод.' }),
          name: Type.String({ description: 'Название; если товара нет, штрихкод.' }),
          qty: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Сколько единиц; null, если изменение не о единицах.',
          }),
        },
        { description: 'С каким товаром это сделано, если с одним.' },
      ),
    ),
    words: Type.Array(Type.String(), {
      description: 'Что изменилось, словами: «остаток: 5 → 7».',
    }),
    client_id: textOrNull('Клиент, если изменение о нём.'),
    client_name: Type.Optional(Type.String({ description: 'Название клиента.' })),
    object_id: textOrNull('Что изменилось.'),
    object: Type.Optional(named(ObjectName)),
    mentioned: Type.Array(named(ObjectName), {
      description: 'Объекты, которые названы в `words`: каждый своим `title`.',
    }),
    before: Type.Unknown({ description: 'Как было; null, если не было.' }),
    after: Type.Unknown({ description: 'Как стало; null, если не стало.' }),
    request_id: textOrNull('Номер запроса.'),
    ip: textOrNull('Адрес, с которого пришёл запрос.'),
  },
  { $id: 'StaffEntry', description: 'Запись журнала изменений.' },
)
export type StaffEntry = Static<typeof StaffEntry>

/** What was not found of an order or shipment: the journal knows it by other objects. */
export interface ReportsAbout {
  /** The misses that managers decided. */
  readonly misses: readonly string[]
  /** The picking tasks in which they were reported, and of which orders. */
  readonly tasks: readonly string[]
  readonly orders: readonly string[]
}

export interface StaffEntryFilter {
  readonly client_id: string | undefined
  readonly object_id: string | undefined
  readonly reports: ReportsAbout | undefined
  readonly actor: string | undefined
  readonly request_id: string | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** Operations that the viewer is not shown. */
  readonly hidden?: readonly string[] | undefined
}

/** An entry as it was written: its words are made of it where it is read. */
export type RecordedChange = Omit<
  StaffEntry,
  'words' | 'mentioned' | 'goods' | 'title' | 'actor_name' | 'client_name' | 'object'
>

type EntryRow = Omit<RecordedChange, 'time'> & { at: Timestamp }

/**
 * Entries, newest first by time, then number; `total` is 100,000 at most. By number alone the first page of an old span would
 * read all newer entries, and those of a warehouse that moved here have new numbers.
 */
export async function listStaffChanges(
  db: Database,
  filter: StaffEntryFilter,
  page: PageRequest,
  scope: JournalScope,
): Promise<Page<RecordedChange>> {
  if (!areIds(filter.client_id)) return emptyPage
  const matches = db`${matching(db, filter)} ${scopeCondition(db, scope)}`
  const onPage = db`${matching(db, filterOfPage(filter, page))} ${scopeCondition(db, scope)}`
  const total = db`
    select count(*) from (select from staff_journal where ${matches} limit ${countedMax}) counted`
  const rows = await db<(EntryRow & { total: number })[]>`
    select id, at, actor, login, action, client_id, object_id, before, after, request_id, ip,
      ${totalFor(db, total, page)} as total
    from staff_journal
    where ${onPage} ${afterEntry(db, page)}
    order by at desc, id desc limit ${page.limit + 1}`
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

function matching(db: Queryable, filter: StaffEntryFilter) {
  const { object_id: object, reports, ...others } = filter
  return db`
    ${object === undefined ? db`true` : isAbout(db, object, reports)} ${conditionsOf(db, others, {
      client_id: (client) => db`client_id = ${client}`,
      actor: (actor) => db`actor = ${actor}`,
      ...entryConditions(db),
      hidden: (hidden) => db`action <> all(${[...hidden]})`,
    })}`
}

/** The position is the number alone, which gives the time: no entry ever goes. */
function afterEntry(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const id = Number(after[0])
  return db`and (at, id) < ((select at from staff_journal where id = ${id}::bigint), ${id}::bigint)`
}

function isAbout(db: Queryable, object: string, reports: ReportsAbout | undefined) {
  if (reports === undefined || reports.misses.length === 0) return db`object_id = ${object}`
  const { misses, tasks, orders } = reports
  return db`
    object_id = any(${[object, ...misses, ...tasks]}) and (object_id <> all(${[...tasks]})
      or action = 'reportNotFound' and after ->> 'orderId' = any(${[...orders]}))`
}

/** Whose entries of a journal a viewer sees. */
export interface JournalScope {
  /** Whether also entries that concern no client, such as changes of users. */
  readonly all: boolean
  /** Codes of the viewer's warehouses; empty: all. */
  readonly warehouses: readonly string[]
}

/** The condition on rows with a client_id. */
export function scopeCondition(db: Queryable, { all, warehouses }: JournalScope) {
  if (warehouses.length > 0) {
    return db`and client_id in (
      select c.id from clients c where c.warehouse_code = any(${[...warehouses]}))`
  }
  return all ? db`` : db`and client_id is not null`
}
