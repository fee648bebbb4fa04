import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  WebhookHealth,
  WebhookHour,
  webhookHealth,
  webhookHours,
} from '../../../../exchange/webhooks/health.ts'
import { inSnapshot } from '../../../../platform/db/work.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { day, midnight, moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { seenClients } from '../../../../warehouse/clients/list-conditions.ts'
import { Flow, flowSteps, readFlow } from '../../../../warehouse/metrics/flow.ts'
import { QuestionAge, questionAges } from '../../../../warehouse/stock/question-ages.ts'
import { rawQuery } from '../../../route/list.ts'
import { oneOf, query, range, time } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const FiguresNow = Type.Object(
  {
    in_question: Type.Array(named(QuestionAge), {
      description: 'Единицы под вопросом по возрасту, сначала недавние; пустые строки тоже.',
    }),
    webhooks: named(WebhookHealth),
    webhook_hours: Type.Array(named(WebhookHour), {
      description: 'Доставки вебхуков по часам за двое суток, сначала давние, пустые часы тоже.',
    }),
  },
  { $id: 'FiguresNow', description: 'Показатели склада сейчас.' },
)

/** Days of a period at most. */
const daysMax = { hour: 2, day: 92 } as const

const flowQuery = query({
  from: time({
    description: 'С каких суток по Москве; без него — сегодня или, по суткам, за 30 суток.',
    example: '2026-11-20',
  }),
  to: time({ description: 'По какие сутки, не включая; без него — до конца сегодняшних.' }),
  step: oneOf(flowSteps, {
    description: `Шаг: hour — по часам, не больше ${daysMax.hour} суток; day — по суткам, не больше ${daysMax.day}. Без него — hour.`,
  }),
})
const config = { role: 'manager' } as const

/** Figures of the warehouse for the pictures of managers. */
export function addFigures(app: FastifyInstance, { db, reports, clock }: StaffDependencies): void {
  const flowSchema = staffOperation({
    id: 'getFlow',
    tag: 'Сегодня',
    summary: 'Поток за день или месяц',
    description:
      'Сколько единиц принято, вернулось и отгружено по часам или суткам, и недостачи по причинам: по клиентам ваших ' +
      'складов. Границы периода отодвигаются до полуночи по Москве.',
    query: flowQuery,
    answers: { 200: { description: 'Поток.', schema: named(Flow) } },
    errors: ['bad_request'],
  })
  app.get('/figures/flow', { schema: flowSchema, config }, async (request) => {
    const given = flowQuery.parse(rawQuery(request))
    range(given.from, given.to, ['from', 'to'])
    const step = given.step ?? 'hour'
    const today = midnight(moscowDate(clock.now()))
    const to = given.to === undefined ? today + day : midnight(moscowDate(given.to - 1)) + day
    const from =
      given.from === undefined
        ? to - (step === 'hour' ? day : 30 * day)
        : midnight(moscowDate(given.from))
    if (to <= from || to - from > daysMax[step] * day) {
      const rule = `от суток до ${daysMax[step]} суток`
      throw badRequest(`Период from–to: ${rule}`, [{ path: 'from', rule: `период ${rule}` }])
    }
    const { warehouses } = ownScope(request)
    const source = step === 'day' ? await reports.database() : db
    return inSnapshot(source, (tx) => readFlow(tx, seenClients(tx, warehouses), { from, to, step }))
  })

  const nowSchema = staffOperation({
    id: 'getFiguresNow',
    tag: 'Сегодня',
    summary: 'Показатели сейчас',
    description: 'Единицы под вопросом по возрасту и здоровье вебхуков: по клиентам ваших складов.',
    answers: { 200: { description: 'Показатели.', schema: named(FiguresNow) } },
    errors: [],
  })
  app.get('/figures/now', { schema: nowSchema, config }, async (request) => {
    const seen = seenClients(db, ownScope(request).warehouses)
    const [in_question, webhooks, webhook_hours] = await Promise.all([
      questionAges(db, seen, clock.now()),
      webhookHealth(db, seen, clock.now()),
      webhookHours(db, seen, clock.now()),
    ])
    return { in_question, webhooks, webhook_hours }
  })
}
