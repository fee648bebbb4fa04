import type { FastifyInstance } from 'fastify'
import { ownerOfOrder } from '../../../../warehouse/orders/staff-queries.ts'
import { evidenceAnswer, evidencePdf } from '../../../files/evidence-answer.ts'
import { drawingMessages } from '../../../files/paper-answer.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

export function addOrderEvidence(
  app: FastifyInstance,
  { db, clock, photoStore }: StaffDependencies,
): void {
  const schema = staffOperation({
    id: 'getOrderEvidence',
    tag: 'Заказы',
    summary: 'Файл для спора о заказе',
    description:
      'PDF: заказ, его сканы с временем, ролью человека и маркировкой, статусы, фото заказа и его возврата. Имён в нём нет.',
    params: { id: 'Идентификатор заказа.' },
    answers: { 200: evidenceAnswer },
    errors: ['not_found', 'rate_limited'],
    messages: drawingMessages,
  })
  app.get<{ Params: { id: string } }>(
    '/orders/:id/evidence',
    { schema, config: { role: 'manager' } },
    async (request, reply) => {
      const { id: orderId } = request.params
      const clientId = await ownerOfOrder(db, orderId)
      const file = await evidencePdf({ db, photoStore }, { clientId, orderId }, clock.now())
      return reply.type('application/pdf').send(file)
    },
  )
}
