import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { cabinetsOfToday, TodayCabinets } from '../../../clients/today-cabinets.ts'
import { named } from '../../../kernel/schema.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'

/** A section for each kind of things that wait; each is one bounded statement. */
export const Today = Type.Object(
  { cabinets: TodayCabinets },
  { $id: 'Today', description: 'Что ждёт внимания склада.' },
)

export function addToday(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getToday',
    tag: 'Сегодня',
    summary: 'Что ждёт внимания',
    description: 'Всё, что ждёт склад сегодня, по разделам, в каждом сначала самое срочное.',
    answers: { 200: { description: 'По разделам.', schema: named(Today) } },
    errors: [],
  })
  app.get('/today', { schema }, async () => ({ cabinets: await cabinetsOfToday(db) }))
}
