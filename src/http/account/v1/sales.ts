import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Database } from '../../../platform/db/connection.ts'
import type { Cursors } from '../../../platform/kernel/cursor.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { marketplaces } from '../../../warehouse/clients/marketplace.ts'
import { metricsPeriod, type Period } from '../../../warehouse/metrics/period.ts'
import {
  endOfDay,
  GoodsSales,
  listSoldGoods,
  readSales,
  Sales,
  type SalesFilter,
  salesFigures,
  wholeDays,
} from '../../../warehouse/metrics/sales.ts'
import { listTopGoods } from '../../../warehouse/metrics/top-goods.ts'
import { salesFile } from '../../files/goods-tables.ts'
import { sendTable, summedRows, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { periodLimits } from '../../public/v1/metrics.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, pages, query, text, time } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** The sales of a client in units: by day and cabinet, by product, and as a file. */

const filters = {
  from: time({ description: 'Первые сутки по Москве.', example: '2026-11-01' }),
  to: time({ description: 'Сутки после последних.', example: '2026-12-01' }),
  cabinet_id: text({ description: 'Только этот кабинет.' }),
  marketplace: oneOf(marketplaces, { description: 'Только этот маркетплейс.' }),
}
const by = oneOf(salesFigures, {
  description: 'По какому показателю, сначала наибольший; без него — ordered.',
})
const salesQuery = query(filters)
const goodsQuery = query({
  ...filters,
  by,
  ...pages({ default: 50, max: 100 }),
})
const exportQuery = query({ ...filters, by, format: tableFormat })

const listed = pageSchema(GoodsSales, 'GoodsSalesPage', 'Продажи по товарам.')
const GoodsSalesPage = Type.Object(
  {
    ...listed.properties,
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Сколько всего подходит под фильтр, на всех страницах; null: товаров много, их не считали — все есть в файле.',
    }),
  },
  { $id: 'GoodsSalesPage', description: 'Продажи по товарам.' },
)

const periodWords =
  'Период — целые сутки по Москве, не длиннее 366; без границ — последние 30, сегодняшние тоже.'

export function addAccountSales(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { reports, clock, cursors } = dependencies
  type Asked = ReturnType<typeof salesQuery.parse>
  const periodOf = (asked: Asked) =>
    wholeDays(metricsPeriod(asked, endOfDay(clock.now()), periodLimits))

  const summarySchema = accountOperation({
    id: 'getAccountSales',
    tag: 'Продажи',
    summary: 'Продажи за период',
    description: `Единицы по суткам и кабинетам. ${periodWords}`,
    query: salesQuery,
    answers: { 200: { description: 'Продажи.', schema: named(Sales) } },
    errors: ['bad_request'],
  })
  app.get('/sales', { schema: summarySchema }, async (request) => {
    const asked = salesQuery.parse(rawQuery(request))
    return readSales(
      await reports.database(),
      visitorOn(request).clientId,
      periodOf(asked),
      filterOf(asked),
    )
  })

  const goodsSchema = accountOperation({
    id: 'listAccountSoldGoods',
    tag: 'Продажи',
    summary: 'Продажи по товарам',
    description: `Товары с заказами, отгрузками или возвратами за период. ${periodWords}`,
    query: goodsQuery,
    answers: {
      200: {
        description: 'Страница товаров.',
        schema: named(GoodsSalesPage),
      },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/sales/goods', { schema: goodsSchema }, async (request) =>
    goodsPage(
      { db: await reports.database(), cursors },
      visitorOn(request).clientId,
      goodsQuery.parse(rawQuery(request)),
      periodOf,
    ),
  )

  const exportSchema = accountOperation({
    id: 'exportAccountSales',
    tag: 'Продажи',
    summary: 'Выгрузить продажи по товарам',
    description: `Файл с товарами, с фильтрами списка. ${periodWords}`,
    query: exportQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/sales', { schema: exportSchema }, async (request, reply) => {
    const asked = exportQuery.parse(rawQuery(request))
    const [period, { clientId }] = [periodOf(asked), visitorOn(request)]
    const filter = { ...filterOf(asked), by: asked.by ?? 'ordered' }
    const db = await reports.database()
    return sendTable(reply, clock.now(), {
      name: 'sales',
      title: 'Продажи',
      columns: salesFile.columns,
      format: asked.format,
      batches: summedRows(
        (page) => listSoldGoods(db, clientId, period, filter, page),
        salesFile.cells,
      ),
    })
  })
}

type GoodsAsked = ReturnType<typeof goodsQuery.parse>

async function goodsPage(
  { db, cursors }: { readonly db: Database; readonly cursors: Cursors },
  clientId: string,
  asked: GoodsAsked,
  periodOf: (asked: GoodsAsked) => Period,
) {
  const period = periodOf(asked)
  const filter = { ...filterOf(asked), by: asked.by ?? 'ordered' }
  const list = openList(cursors, clientId, 'sold-goods', asked, { ...period, ...filter })
  const page = await listTopGoods(db, clientId, period, filter, list.request)
  return { ...list.answer({ ...page, total: 0 }), total: page.total }
}

function filterOf({ cabinet_id, marketplace }: ReturnType<typeof salesQuery.parse>): SalesFilter {
  return { cabinet: cabinet_id, marketplace }
}
