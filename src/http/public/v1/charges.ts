import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import {
  Charge,
  ChargeSummary,
  listCharges,
  sumCharges,
} from '../../../warehouse/billing/charges.ts'
import { chargeFilters } from '../../route/charge-filters.ts'
import { callerOf } from '../../route/gate.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, query, range } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

/** What the warehouse charges the client for. */

export const ChargePage = pageSchema(Charge, 'ChargePage', 'Страница начислений.')

const chargesQuery = query({ ...chargeFilters, ...longPages })
const summaryQuery = query(chargeFilters)

export function addSellersCharges(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listCharges',
    tag: 'Деньги',
    summary: 'Начисления',
    description:
      'Что склад начислил и за что, сначала последние дни. Начисления открытого месяца считаются заново каждую ' +
      'ночь и могут измениться, закрытого — не меняются. Сверх спецификации 1.1.',
    query: chargesQuery,
    answers: { 200: { description: 'Страница начислений.', schema: named(ChargePage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/charges', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = chargesQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    const list = openList(cursors, clientId, 'charges', { limit, cursor }, filter)
    return list.answer(await listCharges(db, clientId, filter, list.request))
  })

  const sumSchema = publicOperation({
    id: 'sumCharges',
    tag: 'Деньги',
    summary: 'Сколько начислено',
    description: 'Суммы по услугам и дням, с фильтрами списка. Сверх спецификации 1.1.',
    query: summaryQuery,
    answers: { 200: { description: 'Суммы.', schema: named(ChargeSummary) } },
    errors: ['bad_request'],
  })
  app.get('/charges/summary', { schema: sumSchema }, async (request) => {
    const filter = summaryQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    return sumCharges(db, callerOf(request).clientId, filter)
  })
}
