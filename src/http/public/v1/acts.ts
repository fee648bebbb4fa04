import type { FastifyInstance } from 'fastify'
import { named } from '../../../platform/kernel/schema.ts'
import { Act, actView, findAct, listActs } from '../../../warehouse/billing/periods.ts'
import { actFileAnswer, actFileQuery, actFileText, sendActFile } from '../../files/act-answer.ts'
import { callerOf } from '../../route/gate.ts'
import { found, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { query, shortPages } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

/** The acts of the client's closed months. */

export const ActPage = pageSchema(Act, 'ActPage', 'Страница актов.')

const actsQuery = query(shortPages)

type OfAct = { Params: { id: string } }
const params = { id: 'Идентификатор акта.' }

export function addSellersActs(app: FastifyInstance, dependencies: PublicDependencies): void {
  const { db, cursors } = dependencies
  const listSchema = publicOperation({
    id: 'listActs',
    tag: 'Деньги',
    summary: 'Акты',
    description:
      'Акты оказанных услуг по закрытым месяцам, последний первым. Сверх спецификации 1.1.',
    query: actsQuery,
    answers: { 200: { description: 'Страница актов.', schema: named(ActPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/acts', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const list = openList(cursors, clientId, 'acts', actsQuery.parse(rawQuery(request)), {})
    return list.answer(await listActs(db, clientId, list.request))
  })

  const oneSchema = publicOperation({
    id: 'getAct',
    tag: 'Деньги',
    summary: 'Один акт',
    description:
      'Его начисления — GET /v1/charges с его period; их сумма — amount. Сверх спецификации 1.1.',
    params,
    answers: { 200: { description: 'Акт.', schema: named(Act) } },
    errors: ['not_found'],
  })
  app.get<OfAct>('/acts/:id', { schema: oneSchema }, async (request) =>
    actView(found(await findAct(db, callerOf(request).clientId, request.params.id))),
  )

  const fileSchema = publicOperation({
    id: 'getActFile',
    tag: 'Деньги',
    summary: 'Акт файлом',
    description: `${actFileText} Сверх спецификации 1.1.`,
    params,
    query: actFileQuery,
    answers: { 200: actFileAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<OfAct>('/acts/:id/file', { schema: fileSchema }, (request, reply) => {
    const { clientId } = callerOf(request)
    return sendActFile(request, reply, dependencies, { clientId, actId: request.params.id })
  })
}
