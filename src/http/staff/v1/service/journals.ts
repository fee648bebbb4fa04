import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { CallEntry, listCalls } from '../../../../warehouse/journal/call-list.ts'
import {
  listReceiptRequests,
  ReceiptRequestEntry,
} from '../../../../warehouse/journal/receipt-requests.ts'
import {
  listRefusedReceipts,
  RefusedReceiptEntry,
} from '../../../../warehouse/journal/refused-receipt-list.ts'
import {
  type JournalScope,
  listStaffChanges,
  StaffEntry,
} from '../../../../warehouse/journal/staff.ts'
import { type AskedObject, objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { missesAbout } from '../../../../warehouse/picking/misses-about.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { cursorText, limit, query, range, statusCode, text, time } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { hiddenOperationsOf, memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { entriesInWords } from './entry-words.ts'

export const CallPage = pageSchema(CallEntry, 'CallPage', 'Страница журнала вызовов.')
export const ReceiptRequestPage = pageSchema(
  ReceiptRequestEntry,
  'ReceiptRequestPage',
  'Страница журнала заявок.',
)
export const RefusedReceiptPage = pageSchema(
  RefusedReceiptEntry,
  'RefusedReceiptPage',
  'Страница журнала отказов.',
)
export const StaffEntryPage = pageSchema(
  StaffEntry,
  'StaffEntryPage',
  'Страница журнала изменений.',
)

const window = {
  created_from: time({ description: 'Записи не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Записи раньше этого времени.' }),
}
const paging = { limit: limit({ default: 100, max: 1000 }), cursor: cursorText() }
const client = text({ description: 'Записи этого клиента.' })
const key = text({ description: 'Записи этого ключа.' })
const ofRequest = text({ description: 'Записи этого запроса (`X-Request-Id`).' })

const callsQuery = query({
  client_id: client,
  key_id: key,
  status: statusCode,
  request_id: ofRequest,
  ...window,
  ...paging,
})
const requestsQuery = query({
  client_id: client,
  key_id: key,
  receipt_id: text({ description: 'Заявки этой приёмки.' }),
  request_id: ofRequest,
  ...window,
  ...paging,
})
const refusalsQuery = query({
  client_id: client,
  key_id: key,
  code: text({ description: 'Отказы с этим кодом ошибки.' }),
  request_id: ofRequest,
  ...window,
  ...paging,
})
const changesQuery = query({
  client_id: client,
  object_id: text({
    description: 'Изменения этого объекта; заказа и отгрузки — и решения о ненайденном.',
  }),
  actor: text({ description: 'Кто менял: `staff:<id>`, `seller:<id>` или `command-line`.' }),
  request_id: ofRequest,
  ...window,
  ...paging,
})
const config = { role: 'manager' } as const
const counted =
  'Новые первыми; `total` считается до 100 000. Менеджеры видят записи о клиентах своих складов, администраторы всех складов — все.'

export function addJournals(app: FastifyInstance, dependencies: StaffDependencies): void {
  addCallJournal(app, dependencies)
  addReceiptJournal(app, dependencies)
  addRefusedReceipts(app, dependencies)
  addStaffJournal(app, dependencies)
}

function addCallJournal(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listCalls',
    tag: 'Журналы',
    summary: 'Журнал вызовов',
    description: `Все вызовы API продавцов. ${counted} Вызов появляется в журнале не позже чем через секунду.`,
    query: callsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(CallPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/calls', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = callsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'calls', { limit, cursor }, filter)
    const page = await listCalls(db, filter, list.request, journalScopeOf(request))
    const nameOf = await namesOf(
      db,
      page.items.flatMap(({ client_id, key_id }) => [
        { client_id, id: key_id },
        { client_id, id: client_id },
      ]),
    )
    const items = page.items.map((entry) => ({
      ...entry,
      ...nameOf('key_name', entry.key_id),
      ...nameOf('client_name', entry.client_id),
    }))
    return list.answer({ ...page, items })
  })
}

function addReceiptJournal(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listReceiptRequests',
    tag: 'Журналы',
    summary: 'Журнал заявок на приёмку',
    description:
      `Кто, когда, каким ключом и что просил. ${counted} Записи нельзя ни изменить, ни удалить; ` +
      'без `client_id` — всех клиентов, кроме песочниц.',
    query: requestsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(ReceiptRequestPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/receipts', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = requestsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'receipt requests', { limit, cursor }, filter)
    const { warehouses } = journalScopeOf(request)
    const page = await listReceiptRequests(db, filter, list.request, warehouses)
    return list.answer({ ...page, items: await namedRequests(db, page.items) })
  })
}

function addRefusedReceipts(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listRefusedReceipts',
    tag: 'Журналы',
    summary: 'Журнал отказов в заявках',
    description:
      `Что пришло в POST /v1/receipts с известным ключом и получило отказ. ${counted} Записи хранят двенадцать ` +
      'месяцев; без `client_id` — всех клиентов, кроме песочниц.',
    query: refusalsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(RefusedReceiptPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/refused-receipts', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = refusalsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'refused receipts', { limit, cursor }, filter)
    const { warehouses } = journalScopeOf(request)
    const page = await listRefusedReceipts(db, filter, list.request, warehouses)
    const nameOf = await namesOf(
      db,
      page.items.flatMap(({ client_id, key_id }) =>
        [client_id, key_id].map((id) => ({ client_id, id })),
      ),
    )
    const items = page.items.map((entry) => ({
      ...entry,
      ...nameOf('client_name', entry.client_id),
      ...nameOf('key_name', entry.key_id),
    }))
    return list.answer({ ...page, items })
  })
}

function addStaffJournal(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listStaffChanges',
    tag: 'Журналы',
    summary: 'Журнал изменений',
    description: `Что меняли на складе: кто, когда, как было и как стало, словами и целиком. ${counted} О деньгах — только тем, кто их видит.`,
    query: changesQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(StaffEntryPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/staff', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = changesQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'staff changes', { limit, cursor }, filter)
    const { object_id: object } = filter
    const reports = object === undefined ? undefined : await missesAbout(db, object)
    const scope = journalScopeOf(request)
    const shown = { ...filter, reports, hidden: hiddenOperationsOf(request) }
    const page = await listStaffChanges(db, shown, list.request, scope)
    return list.answer({ ...page, items: await entriesInWords(db, page.items) })
  })
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
