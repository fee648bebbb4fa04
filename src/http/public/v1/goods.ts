import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import { GoodsItem, listGoods } from '../../../warehouse/stock/goods-list.ts'
import { callerOf } from '../../route/gate.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, oneOf, query } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { stockFilters } from './stock.ts'

export const GoodsPage = pageSchema(GoodsItem, 'GoodsPage', 'Страница товаров.')

const goodsQuery = query({
  barcode: stockFilters.barcode,
  is_set: oneOf(['true', 'false'], {
    description: 'true — только наборы, false — только товары, которые не наборы.',
  }),
  ...longPages,
})

export function addGoodsList(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'listGoods',
    tag: 'Остатки',
    summary: 'Товары и наборы',
    description:
      'Сверх спецификации 1.1. Все товары клиента по возрастанию штрихкода; у наборов — части и сколько наборов из них ' +
      'выйдет. В остатках (GET /v1/stock) у набора только собранные заранее. Части одни на все наборы и заказы: значения ' +
      'parts_allow разных наборов не складывайте.',
    query: goodsQuery,
    answers: { 200: { description: 'Страница товаров.', schema: named(GoodsPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/goods', { schema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = goodsQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'goods', { limit, cursor }, filter)
    return list.answer(await listGoods(db, clientId, filter, list.request))
  })
}
