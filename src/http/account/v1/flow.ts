import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import { ClientFlow, readClientFlow } from '../../../warehouse/metrics/client-flow.ts'
import { flowSteps } from '../../../warehouse/metrics/flow.ts'
import { metricsPeriod } from '../../../warehouse/metrics/period.ts'
import { endOfDay, wholeDays } from '../../../warehouse/metrics/sales.ts'
import { rawQuery } from '../../route/list.ts'
import { oneOf, query, text, time } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

const limits = {
  hour: { defaultDays: 1, maxDays: 2 },
  day: { defaultDays: 30, maxDays: 366 },
} as const

const flowQuery = query({
  from: time({ description: 'Первые сутки по Москве.', example: '2026-11-01' }),
  to: time({ description: 'Сутки после последних.', example: '2026-12-01' }),
  step: oneOf(flowSteps, {
    description:
      `hour — по часам, не больше ${limits.hour.maxDays} суток; day — по суткам, не больше ${limits.day.maxDays}. ` +
      'Без него — day.',
  }),
  barcode: text({ description: 'Только этот товар.' }),
})

/** The curves of a client: what was ordered, received, shipped and came back. */
export function addAccountFlow(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'getAccountFlow',
    tag: 'Продажи',
    summary: 'Заказано, принято, отгружено и вернулось по времени',
    description:
      'Единицы по часам или суткам, всех товаров или одного. Без границ — последние 30 суток, по часам — сегодня.',
    query: flowQuery,
    answers: { 200: { description: 'Единицы по времени.', schema: named(ClientFlow) } },
    errors: ['bad_request'],
  })
  app.get('/flow', { schema }, (request) => {
    const asked = flowQuery.parse(rawQuery(request))
    const step = asked.step ?? 'day'
    const period = wholeDays(metricsPeriod(asked, endOfDay(clock.now()), limits[step]))
    return readClientFlow(db, visitorOn(request).clientId, { ...period, step }, asked.barcode)
  })
}
