import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../db/work.ts'
import { exceptionOwner, findException, listExceptions } from '../../../exceptions/queries.ts'
import { resolveException } from '../../../exceptions/verbs.ts'
import {
  exceptionDecisionRule,
  exceptionDecisions,
  exceptionKindRule,
  exceptionKinds,
  exceptionStatuses,
  ScanException,
} from '../../../exceptions/view.ts'
import { named, oneOfValues } from '../../../kernel/schema.ts'
import { found, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query, range, text, time } from '../../query.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { ownScope } from '../gate.ts'
import { staffOperation } from '../operation.ts'

export const ScanExceptionPage = pageSchema(
  ScanException,
  'ScanExceptionPage',
  'Страница исключений.',
)
export const ExceptionResolution = Type.Object(
  {
    decision: oneOfValues(exceptionDecisions, exceptionDecisionRule),
    comment: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Что выяснили и что сделали.',
    }),
  },
  { $id: 'ExceptionResolution', additionalProperties: false, description: 'Решение менеджера.' },
)

const exceptionsQuery = query({
  client_id: text({ description: 'Клиент; без него — все.' }),
  status: oneOf(exceptionStatuses, { description: 'OPEN — ждут решения, RESOLVED — решены.' }),
  kind: oneOf(exceptionKinds, { description: exceptionKindRule }),
  created_from: time({ description: 'Пришли не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Пришли раньше этого времени.' }),
  limit: limit({ default: 50, max: 200 }),
  cursor: cursorText(),
})
const config = { role: 'manager' } as const

export function addExceptions(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, cursors } = dependencies
  const listSchema = staffOperation({
    id: 'listExceptions',
    tag: 'Сегодня',
    summary: 'Исключения',
    description:
      'Сканы, которые терминал копил без связи, а склад потом не принял: приёмку закончили, ' +
      'сотрудника отключили. Новые первыми.',
    query: exceptionsQuery,
    answers: { 200: { description: 'Страница.', schema: named(ScanExceptionPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/exceptions', { schema: listSchema, config }, async (request) => {
    const { limit, cursor, ...filter } = exceptionsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'exceptions', { limit, cursor }, filter)
    return list.answer(await listExceptions(db, { ...filter, ...ownScope(request) }, list.request))
  })

  const schema = staffOperation({
    id: 'resolveException',
    tag: 'Сегодня',
    summary: 'Решить исключение',
    description:
      'Решение записывается один раз и ничего не двигает: единицы учитывают обычным способом — ' +
      'корректировкой, сканом, приёмкой.',
    params: { id: 'Идентификатор исключения.' },
    body: ExceptionResolution,
    answers: { 200: { description: 'Решено.', schema: named(ScanException) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<{ Params: { id: string } }>(
    '/exceptions/:id/resolve',
    { schema, config },
    async (request) => {
      const { id } = request.params
      const resolution = bodyOf(ExceptionResolution, request)
      const clientId = await exceptionOwner(db, id)
      const look = ({ tx }: Work) => findException(tx, clientId, id)
      return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
        await resolveException(work, clientId, id, resolution)
        return { answer: found(await findException(work.tx, clientId, id)) }
      })
    },
  )
}
