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
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

type OfAct = { Params: { id: string } }
const params = { id: 'Идентификатор акта.' }

/** The client's act to sign and to enter into books. */
export function addAccountActPapers(app: FastifyInstance, dependencies: AccountDependencies): void {
  const fileSchema = accountOperation({
    id: 'getAccountActFile',
    tag: 'Деньги',
    summary: 'Акт файлом',
    description: actFileText,
    params,
    query: actFileQuery,
    answers: { 200: actFileAnswer },
    errors: ['bad_request', 'not_found'],
    messages: drawingMessages,
  })
  app.get<OfAct>('/acts/:id/file', { schema: fileSchema }, (request, reply) => {
    const { clientId } = visitorOn(request)
    return sendActFile(request, reply, dependencies, { clientId, actId: request.params.id })
  })

  const chargesSchema = accountOperation({
    id: 'exportAccountActCharges',
    tag: 'Деньги',
    summary: 'Детализация акта',
    description: actChargesText,
    params,
    query: actChargesQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<OfAct>('/acts/:id/charges', { schema: chargesSchema }, (request, reply) => {
    const { clientId } = visitorOn(request)
    return sendActCharges(request, reply, dependencies, { clientId, actId: request.params.id })
  })
}
