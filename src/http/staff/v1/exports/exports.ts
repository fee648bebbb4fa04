import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ExportRow } from '../../../../documents/exports/table.ts'
import { excerpt, invalidParameter, notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { clientNames } from '../../../../warehouse/clients/clients.ts'
import { sendTable, tableAnswer, tableFormat } from '../../../files/table-answer.ts'
import { rawQuery } from '../../../route/list.ts'
import { namesIn, type ParameterSchema, query, range, text } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { scopeWithin, warehouseFilter } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import {
  type ExportedClient,
  type ExportedList,
  type ExportSource,
  exportedLists,
} from './export-lists.ts'

/** Parameters of every export; the others are the filters of its list. */
const common = query({
  format: tableFormat,
  client_id: text({ description: 'Один клиент; без него — все ваши, по названию.' }),
  warehouse_code: warehouseFilter,
})
const ownNames = Object.keys(common.schema.properties)
const config = { role: 'manager' } as const

export function addExports(app: FastifyInstance, { reports, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'exportList',
    tag: 'Журналы',
    summary: 'Выгрузить список',
    description:
      'Файл со всеми строками списка: stock — остатки, orders — заказы (строка на товар), receipts — приёмки, ' +
      'shipments — отгрузки, movements — движения, returns — приёмы возвратов, counts — пересчёты, products — товары, misses — не найденное при сборке. Фильтры те ' +
      'же, что у списка; чужие для него — ошибка. Строки идут по клиентам, внутри — как в списке.',
    params: { list: `Список: ${Object.keys(exportedLists).join(', ')}.` },
    query: { schema: { type: 'object', properties: allParameters() }, parse: common.parse },
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { list: string } }>(
    '/exports/:list',
    { schema, config },
    async (request, reply) => {
      const { list: name } = request.params
      const list = listNamed(name)
      const { format, ...asked } = common.parse(rawQuery(request))
      const filter = filterOf(list, request)
      const source = { db: await reports.database(), request, now: clock.now() }
      const clients = await clientsToExport(source, asked)
      const { title, columns } = list
      const batches = batchesOf(list, source, filter, clients)
      return sendTable(reply, source.now, { name, title, columns, format, batches })
    },
  )
}

function listNamed(name: string): ExportedList {
  const lists: Readonly<Record<string, ExportedList>> = exportedLists
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (list === undefined) throw notFound('Такого списка для выгрузки нет')
  return list
}

function allParameters(): Record<string, ParameterSchema> {
  const lists: readonly ExportedList[] = Object.values(exportedLists)
  const filters = Object.assign({}, ...lists.map(({ query }) => query.schema.properties))
  const { limit: _, cursor: __, sort: ___, ...named } = filters
  return { ...named, ...common.schema.properties }
}

/** Throws bad_request for a filter of another list. */
function filterOf({ query, title }: ExportedList, request: FastifyRequest): object {
  const raw = rawQuery(request)
  const mine = [...ownNames, ...Object.keys(query.schema.properties)]
  const known = Object.keys(allParameters())
  const foreign = namesIn(raw).find((name) => known.includes(name) && !mine.includes(name))
  if (foreign !== undefined) {
    throw invalidParameter(foreign, `у списка «${title}» такого фильтра нет`)
  }
  const filter: { created_from?: Instant; created_to?: Instant; from?: Instant; to?: Instant } =
    query.parse(raw)
  range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
  range(filter.from, filter.to, ['from', 'to'])
  return filter
}

interface AskedClients {
  readonly client_id: string | undefined
  readonly warehouse_code: string | undefined
}

async function clientsToExport(
  { db, request }: ExportSource,
  { client_id: id, warehouse_code: code }: AskedClients,
): Promise<readonly ExportedClient[]> {
  const { warehouses } = scopeWithin(request, code)
  if (id !== undefined && !isId(id)) throw unknownClient(id)
  const clients = await clientNames(db, warehouses, id)
  const isUnknown = id !== undefined && code === undefined && clients.length === 0
  if (isUnknown) throw unknownClient(id)
  return clients
}

function unknownClient(id: string): Error {
  return invalidParameter('client_id', `клиента ${excerpt(id)} нет`)
}

async function* batchesOf(
  list: ExportedList,
  source: ExportSource,
  filter: object,
  clients: readonly ExportedClient[],
): AsyncGenerator<readonly ExportRow[]> {
  for (const client of clients) yield* list.batches(source, filter, client)
}
