import type { FastifyInstance } from 'fastify'
import { forecastMonth, MonthForecast } from '../../../warehouse/billing/forecast.ts'
import { actChargesQuery, actChargesText, sendActCharges } from '../../files/act-answer.ts'
import { tableAnswer } from '../../files/table-answer.ts'
import { named } from '../../route/operation.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What the account shows of money beside the public API. */
export function addAccountMoney(app: FastifyInstance, dependencies: AccountDependencies): void {
  addForecast(app, dependencies)
  addActCharges(app, dependencies)
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
