import type { FastifyRequest } from 'fastify'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import type { Database, Queryable } from '../../../../platform/db/connection.ts'
import type { Page, PageRequest } from '../../../../platform/db/lists/page.ts'
import { type CallEntry, listCalls } from '../../../../warehouse/journal/call-list.ts'
import {
  listReceiptRequests,
  type ReceiptRequestEntry,
} from '../../../../warehouse/journal/receipt-requests.ts'
import {
  listRefusedReceipts,
  type RefusedReceiptEntry,
} from '../../../../warehouse/journal/refused-receipt-list.ts'
import {
  type JournalScope,
  listStaffChanges,
  type StaffEntry,
} from '../../../../warehouse/journal/staff.ts'
import { type AskedObject, objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { missesAbout } from '../../../../warehouse/picking/miss-queries.ts'
import { longPages, type QueryReader, query, statusCode, text, time } from '../../../route/query.ts'
import { hiddenOperationsOf, memberOn } from '../../gate.ts'
import { entriesInWords } from './entry-words.ts'

/** What the lists of the journals and their files read. */

const window = {
  created_from: time({ description: 'Записи не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Записи раньше этого времени.' }),
}
const client = text({ description: 'Записи этого клиента.' })
const key = text({ description: 'Записи этого ключа.' })
const ofRequest = text({ description: 'Записи этого запроса (`X-Request-Id`).' })

export const callJournalQuery = query({
  client_id: client,
  key_id: key,
  status: statusCode,
  request_id: ofRequest,
  ...window,
  ...longPages,
})
export const receiptRequestsQuery = query({
  client_id: client,
  key_id: key,
  receipt_id: text({ description: 'Заявки этой приёмки.' }),
  request_id: ofRequest,
  ...window,
  ...longPages,
})
export const refusedReceiptsQuery = query({
  client_id: client,
  key_id: key,
  code: text({ description: 'Отказы с этим кодом ошибки.' }),
  request_id: ofRequest,
  ...window,
  ...longPages,
})
export const staffChangesQuery = query({
  client_id: client,
  object_id: text({
    description: 'Изменения этого объекта; заказа и отгрузки — и решения о ненайденном.',
  }),
  actor: text({ description: 'Кто менял: `staff:<id>`, `seller:<id>` или `command-line`.' }),
  request_id: ofRequest,
  ...window,
  ...longPages,
})

type FilterOf<Asked extends QueryReader<object>> = Omit<
  ReturnType<Asked['parse']>,
  'limit' | 'cursor'
>

/** A page of a journal with names beside ids, as far as the user may see it. */
interface JournalRead<Filter> {
  readonly db: Database
  readonly request: FastifyRequest
  readonly filter: Filter
  readonly page: PageRequest
}

export async function callJournalPage({
  db,
  request,
  filter,
  page: asked,
}: JournalRead<FilterOf<typeof callJournalQuery>>): Promise<Page<CallEntry>> {
  return withKeys(db, await listCalls(db, filter, asked, journalScopeOf(request)))
}

/** Names the clients and keys of entries. */
async function withKeys<
  Entry extends { readonly client_id: string | null; readonly key_id: string | null },
>(db: Queryable, page: Page<Entry>) {
  const nameOf = await namesOf(
    db,
    page.items.flatMap(({ client_id, key_id }) =>
      [client_id, key_id].map((id) => ({ client_id, id })),
    ),
  )
  const items = page.items.map((entry) => ({
    ...entry,
    ...nameOf('key_name', entry.key_id),
    ...nameOf('client_name', entry.client_id),
  }))
  return { ...page, items }
}

export async function receiptRequestsPage({
  db,
  request,
  filter,
  page: asked,
}: JournalRead<FilterOf<typeof receiptRequestsQuery>>): Promise<Page<ReceiptRequestEntry>> {
  const { warehouses } = journalScopeOf(request)
  const page = await listReceiptRequests(db, filter, asked, warehouses)
  return { ...page, items: await namedRequests(db, page.items) }
}

export async function refusedReceiptsPage({
  db,
  request,
  filter,
  page: asked,
}: JournalRead<FilterOf<typeof refusedReceiptsQuery>>): Promise<Page<RefusedReceiptEntry>> {
  const { warehouses } = journalScopeOf(request)
  return withKeys(db, await listRefusedReceipts(db, filter, asked, warehouses))
}

export async function staffChangesPage({
  db,
  request,
  filter,
  page: asked,
}: JournalRead<FilterOf<typeof staffChangesQuery>>): Promise<Page<StaffEntry>> {
  const { object_id: object } = filter
  const reports = object === undefined ? undefined : await missesAbout(db, object)
  const scope = journalScopeOf(request)
  const shown = { ...filter, reports, hidden: hiddenOperationsOf(request) }
  const page = await listStaffChanges(db, shown, asked, scope)
  return { ...page, items: await entriesInWords(db, page.items) }
}

type Named<Field extends string> = { readonly [Name in Field]?: string }

/** Gives the name of an object under the name of a field; nothing where there is no such object. */
async function namesOf(db: Queryable, asked: readonly AskedObject[]) {
  const names = await objectNames(db, asked)
  return <Field extends string>(field: Field, id: string | null): Named<Field> => {
    const title = names.get(id ?? '')?.title
    return (title === undefined ? {} : { [field]: title }) as Named<Field>
  }
}

async function namedRequests(
  db: Queryable,
  entries: readonly ReceiptRequestEntry[],
): Promise<ReceiptRequestEntry[]> {
  const nameOf = await namesOf(
    db,
    entries.flatMap(({ client_id, key_id, receipt_id }) =>
      [client_id, key_id, receipt_id].map((id) => ({ client_id, id })),
    ),
  )
  const users = entries.flatMap(({ user_id: user }) => (user === null ? [] : [`seller:${user}`]))
  const loginOf = await actorNames(db, users)
  return entries.map((entry) => ({
    ...entry,
    ...nameOf('client_name', entry.client_id),
    ...nameOf('key_name', entry.key_id),
    ...nameOf('receipt_number', entry.receipt_id),
    ...(entry.user_id !== null && { user_login: loginOf(`seller:${entry.user_id}`) }),
  }))
}

/** Administrators of all warehouses see everything, also what concerns no client. */
export function journalScopeOf(request: FastifyRequest): JournalScope {
  const { role, warehouses } = memberOn(request)
  return { all: role === 'administrator', warehouses }
}
