import type { FastifyInstance } from 'fastify'
import { isId } from '../../../platform/kernel/ids.ts'
import { named } from '../../../platform/kernel/schema.ts'
import {
  Charge,
  ChargeSummary,
  listCharges,
  sumCharges,
} from '../../../warehouse/billing/charges.ts'
import { forecastMonth, MonthForecast } from '../../../warehouse/billing/forecast.ts'
import { Act, actView, findAct, listActs } from '../../../warehouse/billing/periods.ts'
import { PlannedCost, plannedCost } from '../../../warehouse/billing/planned-receipt.ts'
import { chargeFilters } from '../../route/charge-filters.ts'
import { found, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { cursorText, limit, query, range } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { addAccountActPapers } from './act-papers.ts'

/** What the warehouse charges the client for, and its acts. */

const chargesQuery = query({
  ...chargeFilters,
  limit: limit({ default: 100, max: 1000 }),
  cursor: cursorText(),
})
const summaryQuery = query(chargeFilters)
const actsQuery = query({ limit: limit({ default: 50, max: 200 }), cursor: cursorText() })

export function addAccountMoney(app: FastifyInstance, dependencies: AccountDependencies): void {
  addChargeList(app, dependencies)
  addForecast(app, dependencies)
  addPlannedCost(app, dependencies)
  addActs(app, dependencies)
  addAccountActPapers(app, dependencies)
}

function addChargeList(app: FastifyInstance, { db, cursors }: AccountDependencies): void {
  const listSchema = accountOperation({
    id: 'listAccountCharges',
    tag: 'Деньги',
    summary: 'Начисления',
    description: `Что склад начислил и за что, сначала последние дни. Деньги — строка с рублями и копейками.`,
    query: chargesQuery,
    answers: {
      200: {
        description: 'Страница.',
        schema: named(pageSchema(Charge, 'ChargePage', 'Страница начислений.')),
      },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/charges', { schema: listSchema }, async (request) => {
    const { clientId } = visitorOn(request)
    const { limit, cursor, ...filter } = chargesQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    const list = openList(cursors, clientId, 'charges', { limit, cursor }, filter)
    return list.answer(await listCharges(db, clientId, filter, list.request))
  })

  const sumSchema = accountOperation({
    id: 'sumAccountCharges',
    tag: 'Деньги',
    summary: 'Сколько начислено',
    description: `Суммы по услугам и дням, с фильтрами списка.`,
    query: summaryQuery,
    answers: { 200: { description: 'Суммы.', schema: named(ChargeSummary) } },
    errors: ['bad_request'],
  })
  app.get('/charges/summary', { schema: sumSchema }, async (request) => {
    const filter = summaryQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    return sumCharges(db, visitorOn(request).clientId, filter)
  })
}

function addForecast(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'forecastAccountMonth',
    tag: 'Деньги',
    summary: 'Прогноз на конец месяца',
    description: `Начисления текущего месяца, если оставшиеся дни будут такими же, как прошедшие.`,
    answers: { 200: { description: 'Прогноз.', schema: named(MonthForecast) } },
    errors: [],
  })
  app.get('/charges/forecast', { schema }, (request) =>
    forecastMonth(db, visitorOn(request).clientId, clock.now()),
  )
}

function addPlannedCost(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'priceAccountReceipt',
    tag: 'Деньги',
    summary: 'Сколько будет стоить поставка',
    description: `Приёмка заявленных единиц и хранение за день, по ценам этого дня.`,
    params: { id: 'Идентификатор приёмки.' },
    answers: { 200: { description: 'Цена.', schema: named(PlannedCost) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>('/receipts/:id/cost', { schema }, async (request) => {
    const { clientId } = visitorOn(request)
    const { id: receiptId } = request.params
    const known = isId(receiptId)
      ? await plannedCost(db, { clientId, receiptId }, clock.now())
      : undefined
    return found(known)
  })
}

function addActs(app: FastifyInstance, { db, cursors }: AccountDependencies): void {
  const listSchema = accountOperation({
    id: 'listAccountActs',
    tag: 'Деньги',
    summary: 'Акты',
    description: `Акты оказанных услуг по закрытым месяцам, последний первым.`,
    query: actsQuery,
    answers: {
      200: {
        description: 'Страница.',
        schema: named(pageSchema(Act, 'ActPage', 'Страница актов.')),
      },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/acts', { schema: listSchema }, async (request) => {
    const { clientId } = visitorOn(request)
    const asked = actsQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'acts', asked, {})
    return list.answer(await listActs(db, clientId, list.request))
  })

  const oneSchema = accountOperation({
    id: 'getAccountAct',
    tag: 'Деньги',
    summary: 'Один акт',
    description: `Его начисления — listAccountCharges с period.`,
    params: { id: 'Идентификатор акта.' },
    answers: { 200: { description: 'Акт.', schema: named(Act) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>('/acts/:id', { schema: oneSchema }, async (request) =>
    actView(found(await findAct(db, visitorOn(request).clientId, request.params.id))),
  )
}
