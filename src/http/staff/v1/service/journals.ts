import type { FastifyInstance } from 'fastify'
import { named } from '../../../../platform/kernel/schema.ts'
import { CallEntry } from '../../../../warehouse/journal/call-list.ts'
import { ReceiptRequestEntry } from '../../../../warehouse/journal/receipt-requests.ts'
import { RefusedReceiptEntry } from '../../../../warehouse/journal/refused-receipt-list.ts'
import { StaffEntry } from '../../../../warehouse/journal/staff.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { range } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import {
  callJournalPage,
  callJournalQuery,
  receiptRequestsPage,
  receiptRequestsQuery,
  refusedReceiptsPage,
  refusedReceiptsQuery,
  staffChangesPage,
  staffChangesQuery,
} from './journal-reads.ts'

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
    query: callJournalQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(CallPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/calls', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = callJournalQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'calls', { limit, cursor }, filter)
    const page = await callJournalPage({ db, request, filter, page: list.request })
    return list.answer(page)
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
    query: receiptRequestsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(ReceiptRequestPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/receipts', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = receiptRequestsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'receipt requests', { limit, cursor }, filter)
    const page = await receiptRequestsPage({ db, request, filter, page: list.request })
    return list.answer(page)
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
    query: refusedReceiptsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(RefusedReceiptPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/refused-receipts', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = refusedReceiptsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'refused receipts', { limit, cursor }, filter)
    const page = await refusedReceiptsPage({ db, request, filter, page: list.request })
    return list.answer(page)
  })
}

function addStaffJournal(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listStaffChanges',
    tag: 'Журналы',
    summary: 'Журнал изменений',
    description: `Что меняли на складе: кто, когда, как было и как стало, словами и целиком. ${counted} О деньгах — только тем, кто их видит.`,
    query: staffChangesQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(StaffEntryPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/journal/staff', { schema, config }, async (request) => {
    const { limit, cursor, ...filter } = staffChangesQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'staff changes', { limit, cursor }, filter)
    const page = await staffChangesPage({ db, request, filter, page: list.request })
    return list.answer(page)
  })
}
