import type { FastifyInstance } from 'fastify'
import { moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { forecastMonth, MonthForecast } from '../../../../warehouse/billing/forecast.ts'
import { monthAfter, monthOf } from '../../../../warehouse/billing/run.ts'
import { listTariffs } from '../../../../warehouse/billing/tariffs.ts'
import { TariffTrial, tryTariff } from '../../../../warehouse/billing/trial.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { query, time } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'

const trialQuery = query({
  period: time({
    description: 'Месяц: любой его день; без параметра — прошлый месяц.',
    example: '2026-11-01',
  }),
})
const params = {
  id: 'Идентификатор юридического лица.',
  version: 'Версия тарифа склада, с которым работает клиент.',
}
const config = { role: 'manager', money: true } as const

/** What a month comes to at its end, and what one would have cost by another version of the tariff. */
export function addTariffTrial(app: FastifyInstance, dependencies: StaffDependencies): void {
  addForecast(app, dependencies)
  addTrial(app, dependencies)
}

function addForecast(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'forecastClientMonth',
    tag: 'Деньги',
    summary: 'Прогноз на конец месяца',
    description: 'Начисления текущего месяца, если оставшиеся дни будут такими же, как прошедшие.',
    params: { id: params.id },
    answers: { 200: { description: 'Прогноз.', schema: named(MonthForecast) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>(
    '/clients/:id/charges/forecast',
    { schema, config },
    async (request) => forecastMonth(db, await clientInPath(db, request.params.id), clock.now()),
  )
}

/** The calculator. */
function addTrial(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'tryTariff',
    tag: 'Деньги',
    summary: 'Месяц клиента по версии тарифа',
    description:
      'Сколько стоил бы месяц, если бы версия тарифа склада действовала все его дни, рядом с начисленным. Свои цены ' +
      'клиента остаются. Ничего не начисляет.',
    params,
    query: trialQuery,
    answers: { 200: { description: 'Месяц.', schema: named(TariffTrial) } },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { id: string; version: string } }>(
    '/clients/:id/tariff-trials/:version',
    { schema, config },
    async (request) => {
      const client = found(await findClient(db, request.params.id))
      const { period } = trialQuery.parse(rawQuery(request))
      const now = clock.now()
      const month =
        period === undefined
          ? monthAfter(monthOf(moscowDate(now)), -1)
          : monthOf(moscowDate(period))
      const warehouse = client.warehouse_code
      const versions = await listTariffs(db, { warehouse })
      const { version } = found(
        versions.find(({ version }) => String(version) === request.params.version),
      )
      return tryTariff(db, client.id, { month, warehouse, version, now })
    },
  )
}
