import type { FastifyInstance } from 'fastify'
import { isId } from '../../../platform/kernel/ids.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { forecastMonth, MonthForecast } from '../../../warehouse/billing/forecast.ts'
import { ClientPeriods, listPeriods } from '../../../warehouse/billing/periods.ts'
import { PlannedCost, plannedCost } from '../../../warehouse/billing/planned-receipt.ts'
import { actChargesQuery, actChargesText, sendActCharges } from '../../files/act-answer.ts'
import { tableAnswer } from '../../files/table-answer.ts'
import { found } from '../../route/list.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What the account shows of money beside the public API. */
export function addAccountMoney(app: FastifyInstance, dependencies: AccountDependencies): void {
  addPeriods(app, dependencies)
  addForecast(app, dependencies)
  addPlannedCost(app, dependencies)
  addActCharges(app, dependencies)
}

function addPeriods(app: FastifyInstance, { db }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountPeriods',
    tag: 'Деньги',
    summary: 'Расчётные периоды',
    description: 'Месяцы: сколько начислено, закрыт ли, какой акт.',
    answers: { 200: { description: 'Месяцы.', schema: named(ClientPeriods) } },
    errors: [],
  })
  app.get('/billing-periods', { schema }, async (request) => ({
    items: await listPeriods(db, visitorOn(request).clientId),
  }))
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

/** All charges of the client's act, as a file. */
function addActCharges(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'exportAccountActCharges',
    tag: 'Деньги',
    summary: 'Детализация акта',
    description: actChargesText,
    params: { id: 'Идентификатор акта.' },
    query: actChargesQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { id: string } }>('/acts/:id/charges', { schema }, (request, reply) => {
    const { clientId } = visitorOn(request)
    return sendActCharges(request, reply, dependencies, { clientId, actId: request.params.id })
  })
}
