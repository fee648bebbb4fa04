import type { FastifyInstance } from 'fastify'
import { named } from '../../../../platform/kernel/schema.ts'
import { listExpectedReturns } from '../../../../warehouse/returns/expected-queries.ts'
import { ExpectedReturn } from '../../../../warehouse/returns/expected-view.ts'
import { returnStates } from '../../../../warehouse/returns/state.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { longPages, oneOf, query, text } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const ExpectedReturnPage = pageSchema(
  ExpectedReturn,
  'ExpectedReturnPage',
  'Страница ожидаемых возвратов.',
)

export const expectedReturnsQuery = query({
  client_id: text({ description: 'Возвраты одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  cabinet_id: text({ description: 'Возвраты одного кабинета.' }),
  state: oneOf(returnStates, { description: 'Состояние; без него — все.' }),
  ...longPages,
})

/** What marketplaces send back. */
export function addExpectedReturns(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listExpectedReturns',
    tag: 'Возвраты',
    summary: 'Что маркетплейсы возвращают',
    description:
      'Новые первыми. OZON сообщает о возвратах сам: где лежат, по какому коду их забрать. WB такого ' +
      'списка не даёт: здесь его заказы, отменённые после отгрузки. Остаток меняется, только когда ' +
      'товар приехал. Законченные удаляются через 30 дней.',
    query: expectedReturnsQuery,
    answers: { 200: { description: 'Страница возвратов.', schema: named(ExpectedReturnPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/expected-returns', { schema }, async (request) => {
    const { limit, cursor, ...filter } = expectedReturnsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'expected returns', { limit, cursor }, filter)
    return list.answer(
      await listExpectedReturns(db, withinWarehouse(request, filter), list.request),
    )
  })
}
