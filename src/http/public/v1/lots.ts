import type { FastifyInstance } from 'fastify'
import { moscowDate } from '../../../platform/kernel/moscow-time.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { GoodsLot, listLots, lotChoices, sellersLot } from '../../../warehouse/stock/lot-queries.ts'
import { callerOf } from '../../route/gate.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, oneOf, query, text } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const GoodsLotPage = pageSchema(GoodsLot, 'GoodsLotPage', 'Страница партий.')

export const lotFilters = {
  barcode: text({ description: 'Точный штрихкод.' }),
  state: oneOf(lotChoices, {
    description: 'Только партии в этом состоянии; expiring — срок истёк или скоро истечёт.',
  }),
}
const lotsQuery = query({ ...lotFilters, ...longPages })

/** Expiry dates of the client's goods. */
export function addSellersLots(
  app: FastifyInstance,
  { db, clock, cursors }: PublicDependencies,
): void {
  const schema = publicOperation({
    id: 'listLots',
    tag: 'Остатки',
    summary: 'Сроки годности',
    description:
      'Сверх спецификации 1.1. Партии товаров, у которых склад учитывает срок годности: сначала те, чей срок ближе. ' +
      'Сумма quantity партий товара равна его quantity в остатках; просроченные единицы входят там в in_question.',
    query: lotsQuery,
    answers: { 200: { description: 'Страница партий.', schema: named(GoodsLotPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/lots', { schema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = lotsQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'lots', { limit, cursor }, filter)
    const today = moscowDate(clock.now())
    const page = await listLots(db, { client_id: clientId, ...filter }, list.request, today)
    return list.answer({ ...page, items: page.items.map(sellersLot) })
  })
}
