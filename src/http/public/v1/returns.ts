import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import { findReturn, listReturns } from '../../../warehouse/returns/seller-queries.ts'
import { Return } from '../../../warehouse/returns/seller-view.ts'
import { returnBatchStatuses } from '../../../warehouse/returns/state.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, query, range, shortPages, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const ReturnPage = pageSchema(Return, 'ReturnPage', 'Страница возвратов.')

export const returnFilters = {
  status: oneOf(returnBatchStatuses, { description: 'Состояние; без него — все.' }),
  created_from: time({ description: 'Начаты не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Начаты раньше этого времени.' }),
}
const returnsQuery = query({ ...returnFilters, ...shortPages })

export function addSellersReturns(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listReturns',
    tag: 'Возвраты',
    summary: 'Принятые возвраты',
    description:
      'Что вернулось на склад после отгрузки, новые первыми, без состава. В остатке единицы появляются ' +
      'сразу, как после корректировки; shipped и delivered не уменьшаются. Сверх спецификации 1.1.',
    query: returnsQuery,
    answers: { 200: { description: 'Страница возвратов.', schema: named(ReturnPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/returns', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = returnsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, clientId, 'returns', { limit, cursor }, filter)
    return list.answer(await listReturns(db, clientId, filter, list.request))
  })

  const schema = publicOperation({
    id: 'getReturn',
    tag: 'Возвраты',
    summary: 'Один возврат',
    description: 'Что вернулось и в каком состоянии. Сверх спецификации 1.1.',
    params: { id: 'Идентификатор возврата.' },
    answers: { 200: { description: 'Возврат с составом.', schema: named(Return) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>('/returns/:id', { schema }, async (request) =>
    found(await findReturn(db, callerOf(request).clientId, knownId(request.params.id))),
  )
}
