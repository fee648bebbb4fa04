import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import {
  Charge,
  ChargeSummary,
  listCharges,
  sumCharges,
} from '../../../warehouse/billing/charges.ts'
import { Act, actView, findAct, listActs } from '../../../warehouse/billing/periods.ts'
import { callerOf } from '../../route/gate.ts'
import { found, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { cursorText, limit, query, range, text, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

/** What the warehouse charges the client for, and its acts. Beyond the specification. */

export const chargeFilters = {
  from: time({ description: 'Дни услуг не раньше этого.', example: '2026-11-01' }),
  to: time({ description: 'Дни услуг раньше этого, не включая.', example: '2026-12-01' }),
  period: text({ description: 'Один расчётный период: первый день месяца, например 2026-11-01.' }),
  service: text({ description: 'Код услуги.' }),
  source: text({ description: 'За что: вид и идентификатор, например order:01a2…' }),
}
const chargesQuery = query({
  ...chargeFilters,
  limit: limit({ default: 100, max: 1000 }),
  cursor: cursorText(),
})
const summaryQuery = query(chargeFilters)
const actsQuery = query({ limit: limit({ default: 50, max: 200 }), cursor: cursorText() })
const beyond = 'Сверх спецификации 1.1.'

export function addCharges(app: FastifyInstance, dependencies: PublicDependencies): void {
  addChargeList(app, dependencies)
  addActs(app, dependencies)
}

function addChargeList(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listCharges',
    tag: 'Деньги',
    summary: 'Начисления',
    description: `${beyond} Что склад начислил и за что, сначала последние дни. Деньги — строка с рублями и копейками.`,
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
    description: `${beyond} Суммы по услугам и дням, с фильтрами списка.`,
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

function addActs(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listActs',
    tag: 'Деньги',
    summary: 'Акты',
    description: `${beyond} Акты оказанных услуг по закрытым месяцам, последний первым.`,
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
    const { clientId } = callerOf(request)
    const asked = actsQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'acts', asked, {})
    return list.answer(await listActs(db, clientId, list.request))
  })

  const oneSchema = publicOperation({
    id: 'getAct',
    tag: 'Деньги',
    summary: 'Один акт',
    description: `${beyond} Его начисления — listCharges с period.`,
    params: { id: 'Идентификатор акта.' },
    answers: { 200: { description: 'Акт.', schema: named(Act) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>('/acts/:id', { schema: oneSchema }, async (request) =>
    actView(found(await findAct(db, callerOf(request).clientId, request.params.id))),
  )
}
