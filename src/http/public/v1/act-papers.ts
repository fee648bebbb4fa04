import type { FastifyInstance } from 'fastify'
import {
  actChargesQuery,
  actChargesText,
  actFileAnswer,
  actFileQuery,
  actFileText,
  sendActCharges,
  sendActFile,
} from '../../files/act-answer.ts'
import { drawingMessages } from '../../files/paper-answer.ts'
import { tableAnswer } from '../../files/table-answer.ts'
import { callerOf } from '../../route/gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

type OfAct = { Params: { id: string } }
const params = { id: 'Идентификатор акта.' }
const beyond = 'Сверх спецификации 1.1.'

/** The client's act to sign and to enter into books. */
export function addSellersActPapers(app: FastifyInstance, dependencies: PublicDependencies): void {
  const fileSchema = publicOperation({
    id: 'getActFile',
    tag: 'Деньги',
    summary: 'Акт файлом',
    description: `${beyond} ${actFileText}`,
    params,
    query: actFileQuery,
    answers: { 200: actFileAnswer },
    errors: ['bad_request', 'not_found'],
    messages: drawingMessages,
  })
  app.get<OfAct>('/acts/:id/file', { schema: fileSchema }, (request, reply) => {
    const { clientId } = callerOf(request)
    return sendActFile(request, reply, dependencies, { clientId, actId: request.params.id })
  })

  const chargesSchema = publicOperation({
    id: 'exportActCharges',
    tag: 'Деньги',
    summary: 'Детализация акта',
    description: `${beyond} ${actChargesText}`,
    params,
    query: actChargesQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<OfAct>('/acts/:id/charges', { schema: chargesSchema }, (request, reply) => {
    const { clientId } = callerOf(request)
    return sendActCharges(request, reply, dependencies, { clientId, actId: request.params.id })
  })
}
