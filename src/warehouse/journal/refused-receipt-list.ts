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
import { clientsOf } from '../clients/list-conditions.ts'
import { entryConditions } from './request-id.ts'

/** Reads the journal of refused receipt requests, of one client or of all live clients. */

export const RefusedReceiptEntry = Type.Object(
  {
    time: moment('Когда пришла заявка.'),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.Optional(Type.String({ description: 'Название клиента.' })),
    key_id: Type.String({ description: 'Ключ, которым она подана.' }),
    key_name: Type.Optional(Type.String({ description: 'Имя ключа.' })),
    request_id: Type.String({ description: 'Номер запроса.' }),
    status: Type.Integer({ description: 'Код ответа HTTP.' }),
    code: Type.String({ description: 'Код ошибки.' }),
    body_bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Длина тела; null, если отказ пришёл раньше, чем тело прочли.',
    }),
    body_sha256: textOrNull('SHA-256 всего тела, каким оно пришло.'),
    body_start: textOrNull('Первые 16 КиБ тела; ключи в нём закрыты.'),
  },
  { $id: 'RefusedReceiptEntry', description: 'Запись журнала отказов в заявках на приёмку.' },
)
export type RefusedReceiptEntry = Static<typeof RefusedReceiptEntry>

export interface RefusedReceiptFilter {
  readonly client_id: string | undefined
  readonly key_id: string | undefined
  readonly code: string | undefined
  readonly request_id: string | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

type Row = Omit<RefusedReceiptEntry, 'time' | 'body_sha256' | 'body_start'> & {
  readonly at: Timestamp
  readonly body_sha256: Buffer | null
  readonly body_start: Buffer | null
}

/** Refused requests, newest first; `total` is 100,000 at most. */
export async function listRefusedReceipts(
  db: Queryable,
  { client_id, ...filter }: RefusedReceiptFilter,
  page: PageRequest,
  warehouses: readonly string[],
): Promise<Page<RefusedReceiptEntry>> {
  if (!areIds(client_id, filter.key_id)) return emptyPage
  const matches = matching(db, filter)
  const onPage = matching(db, filterOfPage(filter, page))
  const total = db`
    select count(*) from (
      select from ${clientsOf(db, client_id, warehouses)} join refused_receipts x on x.client_id = c.id
      where ${matches} limit ${countedMax}
    ) counted`
  const rows = await db<(Row & { total: number })[]>`
    select x.*, ${totalFor(db, total, page)} as total
    from ${clientsOf(db, client_id, warehouses)} cross join lateral (
      select x.client_id, x.at, x.request_id, x.key_id, x.status, x.code, x.body_bytes, x.body_sha256, x.body_start
      from refused_receipts x
      where x.client_id = c.id and ${onPage} ${afterEntry(db, page)}
      order by x.at desc, x.request_id desc limit ${page.limit + 1}
    ) x
    order by x.at desc, x.request_id desc, x.client_id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: (row) => ({
      time: row.at,
      client_id: row.client_id,
      key_id: row.key_id,
      request_id: row.request_id,
      status: row.status,
      code: row.code,
      body_bytes: row.body_bytes,
      body_sha256: row.body_sha256?.toString('hex') ?? null,
      body_start: row.body_start?.toString('utf8') ?? null,
    }),
    position: (row) => [row.at, row.request_id, row.client_id],
    count: () => countOf(db, total),
  })
}

function matching(db: Queryable, filter: Omit<RefusedReceiptFilter, 'client_id'>) {
  return db`true ${conditionsOf(db, filter, {
    key_id: (key) => db`x.key_id = ${key}`,
    code: (code) => db`x.code = ${code}`,
    ...entryConditions(db),
  })}`
}

function afterEntry(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const [at, request, clientId] = after
  return db`
    and (x.at, x.request_id, x.client_id)
      < (${String(at)}::timestamptz, ${String(request)}, ${String(clientId)}::uuid)`
}
