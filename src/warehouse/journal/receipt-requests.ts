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
import { moment, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import { entryConditions } from './request-id.ts'

/** Reads the journal of receipt requests, of one client or of all live clients. */

export const ReceiptRequestEntry = Type.Object(
  {
    entry: Type.Integer({ description: 'Номер записи у клиента: 1, 2, 3 … без пропусков.' }),
    time: moment('Когда пришла заявка.'),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.Optional(Type.String({ description: 'Название клиента.' })),
    key_id: textOrNull('Ключ, которым она подана; null, если её подал человек в личном кабинете.'),
    key_name: Type.Optional(Type.String({ description: 'Имя ключа.' })),
    user_id: textOrNull(
      'Пользователь клиента, который подал её в личном кабинете; null, если ключ.',
    ),
    user_login: Type.Optional(Type.String({ description: 'Логин этого пользователя.' })),
    request_id: Type.String({ description: 'Номер запроса.' }),
    receipt_id: Type.String({ description: 'Приёмка.' }),
    receipt_number: Type.Optional(Type.String({ description: 'Её номер.' })),
    outcome: oneOfValues(
      ['created', 'repeated', 'changed'],
      '`created` — приёмка создана, `repeated` — повтор заявки, которая ещё ждёт, `changed` — новая версия заявки из личного кабинета.',
    ),
    body: Type.Unknown({ description: 'Что просили.' }),
  },
  { $id: 'ReceiptRequestEntry', description: 'Запись журнала заявок на приёмку.' },
)
export type ReceiptRequestEntry = Static<typeof ReceiptRequestEntry>

export interface ReceiptRequestFilter {
  readonly client_id: string | undefined
  readonly key_id: string | undefined
  readonly receipt_id: string | undefined
  readonly request_id: string | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

type EntryRow = Omit<ReceiptRequestEntry, 'time' | 'body'> & { at: Timestamp; body: string }

/** Requests, newest first; `total` is 100,000 at most. */
export async function listReceiptRequests(
  db: Queryable,
  { client_id, ...filter }: ReceiptRequestFilter,
  page: PageRequest,
  warehouses: readonly string[],
): Promise<Page<ReceiptRequestEntry>> {
  if (!areIds(client_id, filter.key_id, filter.receipt_id)) return emptyPage
  const matches = matching(db, filter)
  const onPage = matching(db, filterOfPage(filter, page))
  const total = db`
    select count(*) from (
      select from ${clientsOf(db, client_id, warehouses)} join receipt_journal x on x.client_id = c.id
      where ${matches} limit ${countedMax}
    ) counted`
  const rows = await db<(EntryRow & { total: number })[]>`
    select x.*, ${totalFor(db, total, page)} as total
    from ${clientsOf(db, client_id, warehouses)} cross join lateral (
      select x.client_id, x.entry, x.at, x.key_id, x.user_id, x.request_id, x.receipt_id, x.outcome, x.body
      from receipt_journal x
      where x.client_id = c.id and ${onPage} ${afterEntry(db, page)}
      order by x.at desc, x.entry desc limit ${page.limit + 1}
    ) x
    order by x.at desc, x.entry desc, x.client_id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: (row) => ({
      entry: row.entry,
      time: row.at,
      client_id: row.client_id,
      key_id: row.key_id,
      user_id: row.user_id,
      request_id: row.request_id,
      receipt_id: row.receipt_id,
      outcome: row.outcome,
      body: JSON.parse(row.body) as unknown,
    }),
    position: (row) => [row.at, row.entry, row.client_id],
    count: () => countOf(db, total),
  })
}

function matching(db: Queryable, filter: Omit<ReceiptRequestFilter, 'client_id'>) {
  return db`true ${conditionsOf(db, filter, {
    key_id: (key) => db`x.key_id = ${key}`,
    receipt_id: (receipt) => db`x.receipt_id = ${receipt}`,
    ...entryConditions(db),
  })}`
}

function afterEntry(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const [at, entry, clientId] = after
  return db`
    and (x.at, x.entry, x.client_id)
      < (${String(at)}::timestamptz, ${Number(entry)}::bigint, ${String(clientId)}::uuid)`
}
