import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { deliveryLabels } from '../../../documents/labels/delivery-label.ts'
import { labelsPdf } from '../../../documents/labels/pdf.ts'
import { conflict, errorMessages } from '../../../platform/kernel/errors.ts'
import { findReceipt } from '../../../warehouse/receipts/queries.ts'
import { drawingMessages } from '../../files/paper-answer.ts'
import { found, knownId, rawQuery } from '../../route/list.ts'
import { query, wholeNumber } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** Labels that a seller sticks on the boxes before the delivery leaves. */

const boxesMax = 500
const labelsQuery = query({
  boxes: wholeNumber({ description: 'Сколько коробов.', default: 1, min: 1, max: boxesMax }),
})
const ended = 'Приёмка завершена, этикетки на её короба не нужны'

export function addAccountBoxLabels(
  app: FastifyInstance,
  { db, clock }: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'printAccountBoxLabels',
    tag: 'Приёмки',
    summary: 'Этикетки на короба поставки',
    description:
      'На каждой — номер приёмки, клиент, номер короба и код, по которому терминал склада откроет приёмку. ' +
      'Пока приёмка не завершена. Масштаб при печати — 100 %.',
    params: { id: 'Идентификатор приёмки.' },
    query: labelsQuery,
    answers: {
      200: {
        description: 'PDF, страница 58 × 40 мм на короб.',
        media: { 'application/pdf': Type.String({ format: 'binary' }) },
      },
    },
    errors: ['bad_request', 'not_found', 'conflict'],
    messages: { ...drawingMessages, conflict: `${errorMessages.conflict}: приёмка завершена.` },
  })
  app.get<{ Params: { id: string } }>(
    '/receipts/:id/box-labels',
    { schema },
    async (request, reply) => {
      const id = knownId(request.params.id)
      const { boxes } = labelsQuery.parse(rawQuery(request))
      const { clientId, clientName } = visitorOn(request)
      const { number, completed_at } = found(await findReceipt(db, clientId, id))
      if (completed_at !== null) throw conflict(ended)
      const labels = deliveryLabels({ id, number, client: clientName }, boxes)
      const title = `Этикетки поставки ${number}`
      const pdf = await labelsPdf(labels, title, new Date(clock.now()))
      return reply.type('application/pdf').send(pdf)
    },
  )
}
