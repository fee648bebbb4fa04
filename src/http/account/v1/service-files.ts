import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ExportRow } from '../../../documents/exports/table.ts'
import { findWebhook, listDeliveries, listWebhooks } from '../../../exchange/webhooks/queries.ts'
import { deliveryStatuses } from '../../../exchange/webhooks/view.ts'
import { listApiKeys } from '../../../identity/keys/api-keys.ts'
import { listKeyRequests } from '../../../identity/keys/key-requests.ts'
import { listInvitations } from '../../../identity/sellers/invitations.ts'
import { listMembers } from '../../../identity/sellers/members.ts'
import { onePage } from '../../../platform/db/lists/page.ts'
import { listCharges } from '../../../warehouse/billing/charges.ts'
import { listActs, listPeriods } from '../../../warehouse/billing/periods.ts'
import { subscribableTypes } from '../../../warehouse/events/catalogue.ts'
import { type FeedRequest, readFeed } from '../../../warehouse/events/feed.ts'
import { listCalls } from '../../../warehouse/journal/call-list.ts'
import {
  chargeFile,
  invitationFile,
  keyRequestFile,
  memberFile,
  periodFile,
  webhookFile,
} from '../../files/client-tables.ts'
import { fileColumn, sendTable, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { chargeFilters } from '../../route/charge-filters.ts'
import { callerOf } from '../../route/gate.ts'
import { found, rawQuery } from '../../route/list.ts'
import { oneOf, query, range, severalOf } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { accountOperation } from '../operation.ts'
import { callFilters } from './keys.ts'
import { addListFile } from './list-files.ts'

/** The lists of money, people and programs as files, with their filters and in their order. */

const { text, code, number, moment, money } = fileColumn

export function addAccountServiceFiles(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  addFilesOfMoney(app, dependencies)
  addFilesOfPrograms(app, dependencies)
  addFilesOfWebhooks(app, dependencies)
  addEventFile(app, dependencies)
  addListFile(app, dependencies, {
    id: 'exportAccountUsers',
    name: 'users',
    tag: 'Пользователи',
    title: 'Пользователи',
    asked: query({ format: tableFormat }),
    ...memberFile,
    read: async (db, clientId) => onePage(await listMembers(db, clientId)),
  })
  addListFile(app, dependencies, {
    id: 'exportAccountInvitations',
    name: 'invitations',
    tag: 'Пользователи',
    title: 'Приглашения',
    asked: query({ format: tableFormat }),
    ...invitationFile,
    read: async (db, clientId, _, __, { now }) => onePage(await listInvitations(db, clientId, now)),
  })
}

function addFilesOfMoney(app: FastifyInstance, dependencies: AccountDependencies): void {
  addListFile(app, dependencies, {
    id: 'exportAccountCharges',
    name: 'charges',
    tag: 'Деньги',
    title: 'Начисления',
    asked: query({ ...chargeFilters, format: tableFormat }),
    ...chargeFile,
    read: (db, clientId, filter, page) => {
      range(filter.from, filter.to, ['from', 'to'])
      return listCharges(db, clientId, filter, page)
    },
  })
  addListFile(app, dependencies, {
    id: 'exportAccountActs',
    name: 'acts',
    tag: 'Деньги',
    title: 'Акты',
    asked: query({ format: tableFormat }),
    columns: [
      ...[number('Номер'), code('Месяц'), code('Дата')],
      ...[money('Начислено, руб.'), money('НДС, руб.'), money('К оплате, руб.')],
    ],
    read: (db, clientId, _, page) => listActs(db, clientId, page),
    cells: ({ number, period, day, amount, vat, total }) => [
      ...[number, period.slice(0, 7), day, Number(amount), Number(vat), Number(total)],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountPeriods',
    name: 'billing-periods',
    tag: 'Деньги',
    title: 'Расчётные периоды',
    asked: query({ format: tableFormat }),
    ...periodFile,
    read: async (db, clientId) => onePage(await listPeriods(db, clientId)),
  })
}

const deliveryWords = {
  PENDING: 'ждёт',
  DELIVERED: 'доставлено',
  FAILED: 'не доставлено',
} as const

function addFilesOfPrograms(app: FastifyInstance, dependencies: AccountDependencies): void {
  addListFile(app, dependencies, {
    id: 'exportAccountKeys',
    name: 'keys',
    tag: 'Ключи',
    title: 'Ключи',
    asked: query({ format: tableFormat }),
    columns: [
      ...[text('Имя'), code('Начало и конец'), text('Заявки')],
      ...[moment('Выпущен'), moment('Последний запрос'), moment('Отозван')],
    ],
    read: (db, clientId, _, page) => listApiKeys(db, clientId, page),
    cells: (key) => [
      ...[key.name, key.preview, key.receipts_enabled ? 'может подавать' : 'нет'],
      ...[key.created_at, key.last_used_at, key.revoked_at],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountKeyRequests',
    name: 'key-requests',
    tag: 'Ключи',
    title: 'Заявки на ключи',
    asked: query({ format: tableFormat }),
    ...keyRequestFile,
    read: async (db, clientId) => onePage(await listKeyRequests(db, clientId)),
  })
  addListFile(app, dependencies, {
    id: 'exportAccountCalls',
    name: 'calls',
    tag: 'Ключи',
    title: 'Вызовы API',
    asked: query({ ...callFilters, format: tableFormat }),
    columns: [
      ...[moment('Когда'), number('Ответ'), text('Метод'), text('Вызов')],
      ...[text('Ошибка'), text('Ключ'), code('Адрес'), code('Номер запроса')],
    ],
    read: (db, clientId, filter, page) =>
      listCalls(db, { client_id: clientId, ...filter }, page, { all: false, warehouses: [] }),
    cells: (call) => [
      ...[call.time, call.status, call.method, call.path, call.error_code],
      ...[call.key_name ?? null, call.ip, call.request_id],
    ],
  })
}

function addFilesOfWebhooks(app: FastifyInstance, dependencies: AccountDependencies): void {
  addListFile(app, dependencies, {
    id: 'exportAccountWebhooks',
    name: 'webhooks',
    tag: 'Вебхуки',
    title: 'Вебхуки',
    asked: query({ format: tableFormat }),
    ...webhookFile,
    read: async (db, clientId) => onePage(await listWebhooks(db, clientId)),
  })
  addListFile(app, dependencies, {
    id: 'exportAccountDeliveries',
    name: 'deliveries',
    tag: 'Вебхуки',
    title: 'Доставки',
    of: 'Идентификатор подписки.',
    asked: query({
      status: oneOf(deliveryStatuses, { description: 'Состояние доставки.' }),
      format: tableFormat,
    }),
    columns: [
      ...[code('Событие'), text('Состояние'), number('Попыток')],
      ...[moment('Создана'), moment('Последняя'), moment('Следующая')],
      ...[text('Ответ'), code('Доставка')],
    ],
    read: async (db, clientId, { status }, page, { id: webhookId }) => {
      const { id } = found(await findWebhook(db, clientId, webhookId))
      return listDeliveries(db, clientId, id, status, page)
    },
    cells: (delivery) => [
      ...[delivery.event_type, deliveryWords[delivery.status], delivery.attempts],
      ...[delivery.created_at, delivery.last_attempt_at, delivery.next_attempt_at],
      ...[delivery.last_error ?? null, delivery.id],
    ],
  })
}

const eventsQuery = query({
  types: severalOf(subscribableTypes, { description: 'Типы событий через запятую.' }),
  format: tableFormat,
})

function addEventFile(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'exportAccountEvents',
    tag: 'События',
    summary: 'Выгрузить: события',
    description: 'Файл со всеми событиями ленты, старые первыми.',
    query: eventsQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/events', { schema }, async (request, reply) => {
    const { types, format } = eventsQuery.parse(rawQuery(request))
    return sendTable(reply, dependencies.clock.now(), {
      name: 'events',
      title: 'События',
      columns: [moment('Когда'), ...['Тип', 'Номер'].map(code), text('Статус'), code('Событие')],
      format,
      batches: eventRows(dependencies, request, types),
    })
  })
}

const eventsAtOnce = 1_000

async function* eventRows(
  dependencies: AccountDependencies,
  request: FastifyRequest,
  types: FeedRequest['types'],
): AsyncGenerator<readonly ExportRow[]> {
  const caller = callerOf(request)
  for (let after: FeedRequest['after']; ; ) {
    const asked = { after, types, limit: eventsAtOnce }
    const page = await dependencies.turns.read(caller, JSON.stringify(asked), (mode) =>
      readFeed(dependencies, { clientId: caller.clientId, actor: caller.actor, mode }, asked),
    )
    if ('lostSince' in page) return
    yield page.bodies.map(eventCells)
    if (!page.hasMore) return
    after = page.next
  }
}

interface AnnouncedObject {
  readonly number?: string
  readonly external_id?: string
  readonly status_label: string
}

function eventCells(body: string): ExportRow {
  const { id, type, occurred_at, data } = JSON.parse(body) as {
    readonly id: string
    readonly type: string
    readonly occurred_at: string
    readonly data: AnnouncedObject | { readonly object: AnnouncedObject }
  }
  const object = 'object' in data ? data.object : data
  return [occurred_at, type, object.number ?? object.external_id ?? null, object.status_label, id]
}
