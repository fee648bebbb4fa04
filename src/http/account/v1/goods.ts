import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../platform/kernel/schema.ts'
import { findGoodsToBring, GoodsToBring } from '../../../warehouse/metrics/goods-to-bring.ts'
import { goodsWords } from '../../public/v1/stock.ts'
import { rawQuery } from '../../route/list.ts'
import { query } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

const goodsQuery = query({ search: goodsWords })

const GoodsToBringList = Type.Object(
  { items: Type.Array(named(GoodsToBring), { description: 'Не больше 8.' }) },
  { $id: 'GoodsToBringList', description: 'Товары для заявки.' },
)

export function addAccountGoods(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'findAccountGoods',
    tag: 'Приёмки',
    summary: 'Найти товар для заявки',
    description: 'Товары с остатком и с тем, сколько привезти.',
    query: goodsQuery,
    answers: { 200: { description: 'Товары.', schema: named(GoodsToBringList) } },
    errors: ['bad_request'],
  })
  app.get('/goods', { schema }, async (request) => {
    const { search = '' } = goodsQuery.parse(rawQuery(request))
    const { clientId } = visitorOn(request)
    return { items: await findGoodsToBring(db, clientId, clock.now(), search) }
  })
}
