import type { FastifyInstance } from 'fastify'
import { day } from '../../../platform/kernel/moscow-time.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { metricsPeriod } from '../../../warehouse/metrics/period.ts'
import { readMetrics } from '../../../warehouse/metrics/queries.ts'
import { Metrics } from '../../../warehouse/metrics/view.ts'
import { callerOf } from '../../route/gate.ts'
import { rawQuery } from '../../route/list.ts'
import { query, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

/** Figures of more days take long enough to go where reports go. */
const longDays = 92

export const periodLimits = { defaultDays: 30, maxDays: 366 }

export const metricsQuery = query({
  from: time({ description: 'Начало периода, включительно.', example: '2026-11-01' }),
  to: time({ description: 'Конец периода, не включая.' }),
})

export function addMetrics(app: FastifyInstance, { db, reports, clock }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'getMetrics',
    tag: 'Показатели',
    summary: 'Показатели за период',
    description:
      'Воронка, хранение, приёмка и отгрузка. Без параметров — последние 30 дней; с одним из них — ' +
      '30 дней от него. Период не длиннее 366 дней.',
    query: metricsQuery,
    answers: { 200: { description: 'Показатели.', schema: named(Metrics) } },
    errors: ['bad_request'],
  })
  app.get('/metrics', { schema }, async (request) => {
    const period = metricsPeriod(metricsQuery.parse(rawQuery(request)), clock.now(), periodLimits)
    const isLong = period.to - period.from > longDays * day
    const source = isLong ? await reports.database() : db
    return readMetrics(source, callerOf(request).clientId, period)
  })
}
