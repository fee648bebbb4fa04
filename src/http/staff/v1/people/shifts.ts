import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { PersonAtWork, peopleAtWork } from '../../../../identity/staff/people-at-work.ts'
import { listShifts, Shift, type ShiftPeriod } from '../../../../identity/staff/shifts.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { day, type Instant, midnight, moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { rawQuery } from '../../../route/list.ts'
import { query, range, text, time } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { journalScopeOf } from '../service/journal-reads.ts'

export const Shifts = Type.Object(
  {
    items: Type.Array(named(Shift), { description: 'По пользователям, самые деятельные первыми.' }),
  },
  { $id: 'Shifts', description: 'Кто что сделал за период.' },
)

const PeopleAtWork = Type.Object(
  {
    items: Type.Array(named(PersonAtWork), { description: 'По людям, последний скан первым.' }),
  },
  { $id: 'PeopleAtWork', description: 'Кто работает сейчас.' },
)

const daysMax = 31
export const shiftsQuery = query({
  from: time({ description: 'С какого времени; без него — с начала сегодняшнего дня.' }),
  to: time({ description: 'По какое время, не включая; без него — до конца дня после from.' }),
  user_id: text({ description: 'Один пользователь.' }),
})

/** What people did, and what they do now. */
export function addShifts(app: FastifyInstance, dependencies: StaffDependencies): void {
  addListOfShifts(app, dependencies)
  addPeopleAtWork(app, dependencies)
}

function addListOfShifts(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listShifts',
    tag: 'Журналы',
    summary: 'Кто что сделал за смену',
    description:
      `Приёмки, сканы, сборка, проверки и пересчёты по пользователям, за период не длиннее ${daysMax} дня: по журналу ` +
      'изменений, повторы не считаются. Менеджеры видят сделанное для клиентов своих складов.',
    query: shiftsQuery,
    answers: { 200: { description: 'По пользователям.', schema: named(Shifts) } },
    errors: ['bad_request'],
  })
  app.get('/shifts', { schema, config: { role: 'manager' } }, async (request) => {
    const given = shiftsQuery.parse(rawQuery(request))
    range(given.from, given.to, ['from', 'to'])
    const period = shiftPeriodOf(given, clock.now())
    return { items: await listShifts(db, period, journalScopeOf(request)) }
  })
}

/** The requested days; today where none are named. Throws bad_request for an empty period and for too many days. */
export function shiftPeriodOf(
  given: ReturnType<typeof shiftsQuery.parse>,
  now: Instant,
): ShiftPeriod {
  const from = given.from ?? midnight(moscowDate(given.to === undefined ? now : given.to - 1))
  const to = given.to ?? midnight(moscowDate(from)) + day
  if (to === from) {
    const rule = 'последний день в период не входит, назовите следующий'
    const message = 'Период from–to пуст: to в него не входит, назовите следующий день'
    throw badRequest(message, [{ path: 'to', rule }])
  }
  if (to - from > daysMax * day) {
    const rule = `не длиннее ${daysMax} дня`
    throw badRequest(`Период from–to: ${rule}`, [{ path: 'from', rule: `период ${rule}` }])
  }
  return { from, to, userId: given.user_id }
}

function addPeopleAtWork(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listPeopleAtWork',
    tag: 'Сегодня',
    summary: 'Кто работает сейчас',
    description:
      'Кто сканировал за последний час, что делает с последнего скана и сколько сканов этой работы сделал за час. ' +
      'Менеджеры видят сделанное для клиентов своих складов.',
    answers: { 200: { description: 'По людям.', schema: named(PeopleAtWork) } },
    errors: [],
  })
  app.get('/today/people', { schema, config: { role: 'manager' } }, async (request) => {
    const people = await peopleAtWork(db, clock.now(), journalScopeOf(request))
    const names = await objectNames(
      db,
      people.map(({ client_id, object_id: id }) => ({ client_id, id })),
    )
    return {
      items: people.map(({ client_id, object_id, ...person }) => {
        const object = names.get(object_id ?? '')
        return { ...person, ...(object && { object }) }
      }),
    }
  })
}
