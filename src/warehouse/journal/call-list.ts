import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
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
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant, Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, textOrNull } from '../../platform/kernel/schema.ts'
import { entryConditions } from './request-id.ts'
import { type JournalScope, scopeCondition } from './staff.ts'

/**
 * Reads the journal of calls. Those of a client are found by its keys. An index by client would be one more that each
 * call has to write.
 */

export const CallEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Номер записи.' }),
    time: moment('Когда пришёл запрос.'),
    method: Type.String({ description: 'Метод.' }),
    path: Type.String({ description: 'Путь.' }),
    ip: Type.String({ description: 'Адрес, с которого пришёл запрос.' }),
    status: Type.Integer({ description: 'Код ответа.' }),
    key_id: textOrNull('Ключ; null, если он неизвестен.'),
    key_name: Type.Optional(Type.String({ description: 'Имя ключа.' })),
    client_id: textOrNull('Клиент; null, если ключ неизвестен.'),
    client_name: Type.Optional(Type.String({ description: 'Название клиента.' })),
    request_id: Type.String({ description: 'Номер запроса.' }),
    error_code: textOrNull('Код ошибки; null, если ошибки не было.'),
    duration_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Сколько шёл ответ, мс; null у вызовов, о которых это не записано.',
    }),
    trace_id: textOrNull('Номер трассы из заголовка `traceparent` запроса.'),
  },
  { $id: 'CallEntry', description: 'Запись журнала вызовов.' },
)
export type CallEntry = Static<typeof CallEntry>

export interface CallFilter {
  readonly client_id: string | undefined
  readonly key_id: string | undefined
  readonly status: number | undefined
  readonly request_id: string | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

type CallRow = Omit<CallEntry, 'time'> & { at: Timestamp }

/** Calls, newest first; `total` is 100,000 at most. */
export async function listCalls(
  db: Queryable,
  filter: CallFilter,
  page: PageRequest,
  scope: JournalScope,
): Promise<Page<CallEntry>> {
  if (!areIds(filter.client_id, filter.key_id)) return emptyPage
  const matches = db`${matching(db, filter)} ${scopeCondition(db, scope)}`
  const onPage = db`${matching(db, filterOfPage(filter, page))} ${scopeCondition(db, scope)}`
  const keys = keysOf(db, filter)
  const source =
    keys === undefined
      ? db`call_journal x where ${matches}`
      : db`${keys} join call_journal x on x.key_id = k.id where ${matches}`
  const total = db`select count(*) from (select from ${source} limit ${countedMax}) counted`
  const next = db`
    ${afterCall(db, page)} order by x.at desc, x.id desc limit ${page.limit + 1}`
  const newest =
    keys === undefined
      ? db`select x.* from call_journal x where ${onPage} ${next}`
      : db`
          select x.* from ${keys} cross join lateral (
            select x.* from call_journal x where x.key_id = k.id and ${onPage} ${next}
          ) x order by x.at desc, x.id desc limit ${page.limit + 1}`
  const rows = await db<(CallRow & { total: number })[]>`
    select x.id, x.at, x.method, x.path, x.ip, x.status, x.key_id, x.client_id, x.request_id,
      x.error_code, x.duration_ms, x.trace_id, ${totalFor(db, total, page)} as total
    from (${newest}) x order by x.at desc, x.id desc`
  return pageOf(rows, page, {
    view: ({ id, at, total: _, ...call }) => ({ id, time: at, ...call }),
    position: (row) => [row.at, row.id],
    count: () => countOf(db, total),
  })
}

/** The keys that the filter selects, as rows k (id); undefined for all keys. */
function keysOf(db: Queryable, { client_id, key_id }: CallFilter) {
  if (key_id !== undefined) return db`(select ${key_id}::uuid as id) k`
  if (client_id === undefined) return undefined
  return db`(select id from api_keys where client_id = ${client_id}) k`
}

/** The conditions of a filter, without the key, on calls x. */
function matching(db: Queryable, { key_id: _, ...filter }: CallFilter) {
  return db`true ${conditionsOf(db, filter, {
    client_id: (client) => db`x.client_id = ${client}`,
    status: (status) =>
      status === 200 ? db`x.status = ${status}` : db`x.status = ${status} and x.status <> 200`,
    ...entryConditions(db),
  })}`
}

/** The time stands there once more, because a bound of two columns leaves out no partition. */
function afterCall(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const at = String(after[0])
  return db`and x.at <= ${at}::timestamptz
    and (x.at, x.id) < (${at}::timestamptz, ${Number(after[1])}::bigint)`
}
