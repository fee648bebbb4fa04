import type { FastifyInstance } from 'fastify'
import { actChargesQuery, actChargesText, sendActCharges } from '../../files/act-answer.ts'
import { tableAnswer } from '../../files/table-answer.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** All charges of the client's act, as a file. */
export function addAccountActCharges(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'exportAccountActCharges',
    tag: 'Деньги',
    summary: 'Детализация акта',
    description: actChargesText,
    params: { id: 'Идентификатор акта.' },
    query: actChargesQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { id: string } }>('/acts/:id/charges', { schema }, (request, reply) => {
    const { clientId } = visitorOn(request)
    return sendActCharges(request, reply, dependencies, { clientId, actId: request.params.id })
  })
}
