import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Database } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  Client,
  changeClient,
  createClient,
  findClient,
  listClients,
} from '../../../../warehouse/clients/clients.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { demandPassword, ownScope, passwordRule, refuseOtherWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

const name = Type.String({ minLength: 1, maxLength: 500, description: 'Название.' })
const inn = Type.String({
  format: 'inn',
  pattern: '^(?:\\d{10}|\\d{12})$',
  title: 'из 10 или 12 цифр',
  examples: ['7707083893'],
  description: 'ИНН: 10 или 12 цифр с верными контрольными.',
})
const allowDuplicateInn = Type.Boolean({
  description: 'true — завести второго клиента с тем же ИНН на том же складе; без него это отказ.',
})
const warehouseCode = Type.String({ minLength: 1, maxLength: 500, description: 'Код склада.' })

export const ClientDraft = Type.Object(
  {
    name,
    inn: Type.Optional(inn),
    allow_duplicate_inn: Type.Optional(allowDuplicateInn),
    warehouse_code: Type.Optional(warehouseCode),
  },
  {
    $id: 'ClientDraft',
    additionalProperties: false,
    description:
      'Новое юридическое лицо; без `warehouse_code` — на первом из складов сотрудника, а если он работает на всех, — на ' +
      'старейшем.',
  },
)
export const ClientPatch = Type.Object(
  {
    name: Type.Optional(name),
    inn: Type.Optional(Type.Union([inn, Type.Null()], { description: 'ИНН; null — убрать.' })),
    allow_duplicate_inn: Type.Optional(allowDuplicateInn),
    warehouse_code: Type.Optional(warehouseCode),
    account_receipts: Type.Optional(
      Type.Boolean({
        description: 'Можно ли пользователям клиента заявлять поставки в личном кабинете.',
      }),
    ),
  },
  { $id: 'ClientPatch', additionalProperties: false, description: 'Что изменить.' },
)
export const ClientPage = pageSchema(Client, 'ClientPage', 'Страница клиентов.')

export const clientsQuery = query({
  search: text({ description: 'Слова названия в любом порядке или часть ИНН; регистр не важен.' }),
  ...shortPages,
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор юридического лица.' }
const config = { role: 'manager' } as const

export function addClients(app: FastifyInstance, dependencies: StaffDependencies): void {
  addClientReads(app, dependencies)
  addClientChanges(app, dependencies)
}

function optionsOf(given: { allow_duplicate_inn?: boolean; warehouse_code?: string | undefined }) {
  return { allowDuplicateInn: given.allow_duplicate_inn, warehouse: given.warehouse_code }
}

function addClientReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listClients',
    tag: 'Клиенты',
    summary: 'Клиенты',
    description: 'Юридические лица, новые первыми. Песочниц в списке нет.',
    query: clientsQuery,
    answers: { 200: { description: 'Страница клиентов.', schema: named(ClientPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/clients', { schema: listSchema, config }, async (request) => {
    const { search, limit, cursor } = clientsQuery.parse(rawQuery(request))
    const list = openList(
      cursors,
      'staff',
      'clients',
      { limit, cursor },
      { search: search || undefined },
    )
    return list.answer(await listClients(db, search, list.request, ownScope(request).warehouses))
  })

  const clientSchema = staffOperation({
    id: 'getClient',
    tag: 'Клиенты',
    summary: 'Один клиент',
    description: 'Юридическое лицо по id.',
    params,
    answers: { 200: { description: 'Клиент.', schema: named(Client) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/clients/:id', { schema: clientSchema, config }, async (request) =>
    found(await findClient(db, request.params.id)),
  )
}

function addClientChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const createSchema = staffOperation({
    id: 'createClient',
    tag: 'Клиенты',
    summary: 'Завести клиента',
    description: 'Юридическое лицо: общие товары и остатки для всех его кабинетов.',
    body: ClientDraft,
    answers: { 201: { description: 'Заведён.', schema: named(Client) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/clients', { schema: createSchema, config }, async (request, reply) => {
    const { name, inn, ...rest } = bodyOf(ClientDraft, request)
    refuseOtherWarehouse(request, rest.warehouse_code)
    const [first] = ownScope(request).warehouses
    const draft = { name, inn, ...optionsOf({ warehouse_code: first, ...rest }) }
    const client = await change(dependencies, request, {}, async (work) => {
      const id = await createClient(work, { mode: 'live', ...draft })
      const after = found(await findClient(work.tx, id))
      return { answer: after, made: { clientId: id, objectId: id, after } }
    })
    return reply.code(201).send(client)
  })

  const changeSchema = staffOperation({
    id: 'changeClient',
    tag: 'Клиенты',
    summary: 'Изменить клиента',
    description:
      'Название, ИНН, склад или заявки в личном кабинете; склад — пока на нём нет товаров клиента. Для другого склада и для ' +
      `заявок в личном кабинете сессии ${passwordRule}`,
    params,
    body: ClientPatch,
    answers: { 200: { description: 'Изменён.', schema: named(Client) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>('/clients/:id', { schema: changeSchema, config }, async (request) => {
    const { name, inn, account_receipts: accountReceipts, ...rest } = bodyOf(ClientPatch, request)
    refuseOtherWarehouse(request, rest.warehouse_code)
    const patch = { name, inn, accountReceipts, ...optionsOf(rest) }
    const client = found(await findClient(dependencies.db, request.params.id))
    if (givesPower(client, patch)) demandPassword(request)
    const { id } = client
    const look = ({ tx }: Work) => findClient(tx, id, true)
    const subject = { clientId: id, objectId: id, look }
    return change(dependencies, request, subject, async (work) => {
      const changed = await changeClient(work, id, patch)
      return { answer: found(await findClient(work.tx, id)), changed }
    })
  })
}

/** Whether a change lets others do more: users of the account announce receipts, staff of another warehouse see all. */
function givesPower(
  client: Client,
  {
    accountReceipts,
    warehouse,
  }: { accountReceipts?: boolean | undefined; warehouse?: string | undefined },
): boolean {
  const isOther = <T>(given: T | undefined, now: T) => given !== undefined && given !== now
  return (
    isOther(accountReceipts, client.account_receipts) || isOther(warehouse, client.warehouse_code)
  )
}

export type ClientParams = { Params: { id: string } }
export const clientParams = { id: 'Идентификатор клиента.' }

/** The id of the live client in the path. Throws not_found. */
export async function clientInPath(db: Database, id: string): Promise<string> {
  const client = await findClient(db, id)
  if (client === undefined) throw notFound('Клиент не найден')
  return client.id
}
