import type { FastifyInstance } from 'fastify'
import {
  actChargesQuery,
  actChargesText,
  actFileAnswer,
  actFileQuery,
  actFileText,
  sendActCharges,
  sendActFile,
} from '../../../files/act-answer.ts'
import { drawingMessages } from '../../../files/paper-answer.ts'
import { tableAnswer } from '../../../files/table-answer.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'

type OfAct = { Params: { id: string; act_id: string } }
const params = { id: 'Идентификатор юридического лица.', act_id: 'Идентификатор акта.' }
const config = { role: 'manager', money: true } as const

/** An act to print, to sign and to enter into books. */
export function addActPapers(app: FastifyInstance, dependencies: StaffDependencies): void {
  const fileSchema = staffOperation({
    id: 'getClientActFile',
    tag: 'Деньги',
    summary: 'Акт файлом',
    description: actFileText,
    params,
    query: actFileQuery,
    answers: { 200: actFileAnswer },
    errors: ['bad_request', 'not_found', 'rate_limited'],
    messages: drawingMessages,
  })
  app.get<OfAct>(
    '/clients/:id/acts/:act_id/file',
    { schema: fileSchema, config },
    async (request, reply) => {
      const clientId = await clientInPath(dependencies.db, request.params.id)
      const actId = request.params.act_id
      return sendActFile(request, reply, dependencies, { clientId, actId })
    },
  )

  const chargesSchema = staffOperation({
    id: 'exportClientActCharges',
    tag: 'Деньги',
    summary: 'Детализация акта',
    description: actChargesText,
    params,
    query: actChargesQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<OfAct>(
    '/clients/:id/acts/:act_id/charges',
    { schema: chargesSchema, config },
    async (request, reply) => {
      const clientId = await clientInPath(dependencies.db, request.params.id)
      const actId = request.params.act_id
      return sendActCharges(request, reply, dependencies, { clientId, actId })
    },
  )
}
