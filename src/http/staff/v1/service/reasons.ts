import type { FastifyInstance } from 'fastify'
import { named } from '../../../../platform/kernel/schema.ts'
import { addReason, listReasons, Reason, reasonKinds } from '../../../../warehouse/stock/reasons.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { longPages, oneOf, query } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

export const ReasonPage = pageSchema(Reason, 'ReasonPage', 'Страница причин.')

export const reasonsQuery = query({
  kind: oneOf(reasonKinds, { description: 'Один список; без него — все.' }),
  ...longPages,
})

export function addReasons(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, cursors } = dependencies
  const listSchema = staffOperation({
    id: 'listReasons',
    tag: 'Настройки',
    summary: 'Причины',
    description: 'Пополняемые списки причин, по списку и коду.',
    query: reasonsQuery,
    answers: { 200: { description: 'Страница.', schema: named(ReasonPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/reasons', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = reasonsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'reasons', { limit, cursor }, filter)
    return list.answer(await listReasons(db, filter, list.request))
  })

  const addSchema = staffOperation({
    id: 'createReason',
    tag: 'Настройки',
    summary: 'Добавить причину',
    description: 'Её сразу можно указывать; убрать или переименовать причину нельзя.',
    body: Reason,
    answers: { 201: { description: 'Добавлена.', schema: named(Reason) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  const config = { role: 'manager' } as const
  app.post('/reasons', { schema: addSchema, config }, async (request, reply) => {
    const reason = bodyOf(Reason, request)
    await change(dependencies, request, {}, async (work) => {
      await addReason(work, reason)
      return {
        answer: undefined,
        made: { objectId: `${reason.kind}/${reason.code}`, after: reason },
      }
    })
    return reply.code(201).send(reason)
  })
}
