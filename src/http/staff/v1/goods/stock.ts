import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { hasBadText } from '../../../../platform/kernel/json.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { pictureOfGoods } from '../../../../warehouse/catalogue/pictures.ts'
import { objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { metricsPeriod } from '../../../../warehouse/metrics/period.ts'
import { readMetrics } from '../../../../warehouse/metrics/queries.ts'
import { Metrics } from '../../../../warehouse/metrics/view.ts'
import { movementKinds } from '../../../../warehouse/stock/ledger.ts'
import {
  listMovements,
  type MovementFilter,
  StockMovement,
} from '../../../../warehouse/stock/movements.ts'
import { listStock } from '../../../../warehouse/stock/queries.ts'
import {
  findUnitsInQuestion,
  UnitsInQuestion,
} from '../../../../warehouse/stock/units-in-question.ts'
import { StockItem } from '../../../../warehouse/stock/view.ts'
import { metricsQuery, periodLimits } from '../../../public/v1/metrics.ts'
import { stockFilters } from '../../../public/v1/stock.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { longPages, oneOf, query, range, shortPages, text, time } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { withPictures } from '../../pictures.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'

export const StaffStockItem = Type.Object(
  {
    client_id: Type.String({ description: 'Клиент.' }),
    ...StockItem.properties,
    picture: pictureOfGoods,
  },
  { $id: 'StaffStockItem', description: 'Остаток одного товара клиента.' },
)
export const StaffStockPage = pageSchema(StaffStockItem, 'StaffStockPage', 'Страница остатков.')
export const StockMovementPage = pageSchema(
  StockMovement,
  'StockMovementPage',
  'Страница движений; total считается до 100 000.',
)

export const ClientQuestions = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        ...UnitsInQuestion.properties,
        receipt_number: Type.Optional(Type.String({ description: 'Номер этой приёмки.' })),
      }),
      { description: 'По причинам и приёмкам, давние первыми.' },
    ),
  },
  { $id: 'ClientQuestions', description: 'Единицы товара под вопросом.' },
)

const movementParameters = {
  barcode: text({ description: 'Движения одного товара, точный штрихкод.' }),
  kind: oneOf(movementKinds, { description: 'Вид движения; без него — все.' }),
  reason: text({ description: 'Код причины; без него — с любой и без неё.' }),
  from: time({ description: 'Не раньше.', example: '2026-11-01' }),
  to: time({ description: 'Раньше этого времени.' }),
  ...shortPages,
}
export const movementsQuery = query(movementParameters)
export const allMovementsQuery = query({
  client_id: text({ description: 'Движения одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  ...movementParameters,
})

/** What people type: words, where programs of sellers ask for a part. */
export const wordsOfGoods = text({
  description:
    'Слова названия, артикула или штрихкода в любом порядке, без учёта регистра; е и ё — одно и то же.',
})
const { words: _, ...filters } = stockFilters
export const staffStockQuery = query({
  ...filters,
  search: wordsOfGoods,
  ...longPages,
})

export const config = { role: 'manager' } as const

export function addClientStock(app: FastifyInstance, dependencies: StaffDependencies): void {
  addStockList(app, dependencies)
  addUnitsInQuestion(app, dependencies)
  addMovements(app, dependencies)
  addClientMetrics(app, dependencies)
}

/** What an investigation is about: why units are in question, since when, and of which receipt. */
function addUnitsInQuestion(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listClientQuestions',
    tag: 'Остатки',
    summary: 'Что под вопросом',
    description:
      'Из чего складываются единицы товара под вопросом: по причинам и приёмкам, давние первыми.',
    params: { ...clientParams, barcode: 'Штрихкод, закодированный для адреса.' },
    answers: { 200: { description: 'Единицы.', schema: named(ClientQuestions) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string; barcode: string } }>(
    '/clients/:id/in-question/:barcode',
    { schema, config },
    async (request) => {
      const client_id = await clientInPath(db, request.params.id)
      const { barcode } = request.params
      if (hasBadText(barcode)) return found(undefined)
      const units = found(await findUnitsInQuestion(db, client_id, barcode))
      const asked = units.map(({ receipt_id: id = null }) => ({ client_id, id }))
      const names = await objectNames(db, asked)
      const items = units.map((each) => {
        const receipt = names.get(each.receipt_id ?? '')
        return receipt === undefined ? each : { ...each, receipt_number: receipt.title }
      })
      return { items }
    },
  )
}

function addStockList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listClientStock',
    tag: 'Остатки',
    summary: 'Остатки клиента',
    description: 'Те же цифры, что видит продавец: все товары по возрастанию штрихкода.',
    params: clientParams,
    query: staffStockQuery,
    answers: { 200: { description: 'Страница.', schema: named(StaffStockPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<ClientParams>('/clients/:id/stock', { schema, config }, async (request) => {
    const parameters = staffStockQuery.parse(rawQuery(request))
    const client = await clientInPath(db, request.params.id)
    const { barcode, selection } = parameters
    const filter = { barcode, search: undefined, words: parameters.search || undefined, selection }
    const list = openList(cursors, 'staff', `stock ${client}`, parameters, filter)
    const page = await listStock(db, client, filter, list.request)
    const items = page.items.map((item) => staffItem(client, item))
    return list.answer({ ...page, items: await withPictures(db, client, items) })
  })
}

export function staffItem(clientId: string, item: StockItem) {
  return { client_id: clientId, ...item }
}

function addMovements(app: FastifyInstance, dependencies: StaffDependencies): void {
  const described = {
    tag: 'Остатки',
    answers: { 200: { description: 'Страница.', schema: named(StockMovementPage) } },
  } as const
  const ofClient = staffOperation({
    ...described,
    id: 'listMovements',
    summary: 'Журнал движений клиента',
    description: 'Каждая запись, из которых складываются остатки, новые первыми.',
    params: clientParams,
    query: movementsQuery,
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<ClientParams>('/clients/:id/movements', { schema: ofClient, config }, async (request) => {
    const client_id = await clientInPath(dependencies.db, request.params.id)
    const asked = movementsQuery.parse(rawQuery(request))
    return movementsPage(dependencies, `movements ${client_id}`, asked, { client_id })
  })

  const ofAll = staffOperation({
    ...described,
    id: 'listMovementsOfAll',
    summary: 'Журнал движений',
    description: 'Движения всех ваших клиентов или одного, новые первыми.',
    query: allMovementsQuery,
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/movements', { schema: ofAll, config }, async (request) => {
    const { client_id, warehouse_code, ...asked } = allMovementsQuery.parse(rawQuery(request))
    const name = `movements of ${client_id ?? 'all'} in ${warehouse_code ?? 'all'}`
    const clients = withinWarehouse(request, { client_id, warehouse_code })
    return movementsPage(dependencies, name, asked, clients)
  })
}

async function movementsPage(
  { db, cursors }: StaffDependencies,
  name: string,
  { limit, cursor, ...filter }: ReturnType<typeof movementsQuery.parse>,
  scope: Pick<MovementFilter, 'client_id' | 'warehouses'>,
) {
  range(filter.from, filter.to, ['from', 'to'])
  const list = openList(cursors, 'staff', name, { limit, cursor }, filter)
  const page = await listMovements(db, { ...filter, ...scope }, list.request)
  const [nameOf, documents] = await Promise.all([
    actorNames(
      db,
      page.items.map(({ actor }) => actor),
    ),
    objectNames(
      db,
      page.items.map((item) => ({ client_id: item.client_id, id: documentOf(item) })),
    ),
  ])
  const items = page.items.map((item) => {
    const document = documents.get(documentOf(item) ?? '')
    return { ...item, actor_name: nameOf(item.actor), ...(document && { document }) }
  })
  return list.answer({ ...page, items })
}

/** What a movement was made by: an order says more than its shipment. */
function documentOf({ order_id, shipment_id, receipt_id, return_id }: StockMovement) {
  return order_id ?? shipment_id ?? receipt_id ?? return_id
}

function addClientMetrics(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getClientMetrics',
    tag: 'Остатки',
    summary: 'Показатели клиента',
    description: 'Те же показатели, что видит продавец; без параметров — последние 30 дней.',
    params: clientParams,
    query: metricsQuery,
    answers: { 200: { description: 'Показатели.', schema: named(Metrics) } },
    errors: ['bad_request', 'not_found'],
  })
  app.get<ClientParams>('/clients/:id/metrics', { schema, config }, async (request) => {
    const parameters = metricsQuery.parse(rawQuery(request))
    const period = metricsPeriod(parameters, clock.now(), periodLimits)
    return readMetrics(db, await clientInPath(db, request.params.id), period)
  })
}
