import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../../platform/kernel/schema.ts'
import { findReceiptHead, findStaffReceipt } from '../../../../warehouse/receipts/staff-queries.ts'
import { StaffReceipt } from '../../../../warehouse/receipts/view.ts'
import { approveReceipt, openWalkIn } from '../../../../warehouse/receipts/walk-in.ts'
import { found } from '../../../route/list.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { changeReceipt, type ReceiptParams, receiptParams, viewerOf } from './receipts.ts'

export const WalkInDraft = Type.Object(
  {
    client_id: Type.String({ description: 'Чей товар приехал: идентификатор клиента.' }),
    cabinet_id: Type.Optional(
      Type.String({ description: 'Кабинет клиента; без него — единственный, если он один.' }),
    ),
    comment: Type.Optional(
      Type.String({ maxLength: 500, description: 'Комментарий: его увидит и продавец.' }),
    ),
    scan_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Номер от терминала: повтор с тем же номером вернёт ту же приёмку.',
      }),
    ),
  },
  { $id: 'WalkInDraft', additionalProperties: false, description: 'Приёмка без документа.' },
)

export function addWalkInReceipts(app: FastifyInstance, dependencies: StaffDependencies): void {
  addOpening(app, dependencies)
  addApproval(app, dependencies)
}

function addOpening(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'openWalkInReceipt',
    tag: 'Приёмка',
    summary: 'Принять товар без документа',
    description:
      'Товар приехал, а заявки нет: приёмка сразу в состоянии RECEIVING, строк в ней нет, и их ' +
      'добавляют сканы. Все единицы под вопросом, пока менеджер не одобрит приёмку, хотя бы и ' +
      'после её конца.',
    body: WalkInDraft,
    answers: {
      200: { description: 'Была открыта раньше с этим scan_id.', schema: named(StaffReceipt) },
      201: { description: 'Открыта, её можно считать.', schema: named(StaffReceipt) },
    },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post('/receipts/walk-in', { schema }, async (request, reply) => {
    const draft = bodyOf(WalkInDraft, request, { emptyIsAbsent: true })
    const clientId = await clientInBody(dependencies.db, request, draft.client_id)
    const { receipt, repeated } = await change(
      dependencies,
      request,
      { clientId },
      async (work) => {
        const opened = await openWalkIn(work, clientId, {
          cabinetId: draft.cabinet_id,
          comment: draft.comment,
          scanId: draft.scan_id,
        })
        const after = await findReceiptHead(work.tx, clientId, opened.id)
        const shown = found(await findStaffReceipt(work.tx, clientId, opened.id, viewerOf(request)))
        return {
          answer: { receipt: shown, repeated: opened.repeated },
          made: { objectId: opened.id, after },
          changed: !opened.repeated,
        }
      },
    )
    return reply.code(repeated ? 200 : 201).send(receipt)
  })
}

function addApproval(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'approveReceipt',
    tag: 'Приёмка',
    summary: 'Одобрить приёмку без документа',
    description:
      'Её единицы больше не под вопросом, и те, что ещё посчитают, тоже. Можно, пока её считают, ' +
      'и после её конца. Единицы, по которым уже решили отдельно, остаются как решили.',
    params: receiptParams,
    answers: { 200: { description: 'Одобрена.', schema: named(StaffReceipt) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<ReceiptParams>(
    '/receipts/:id/approve',
    { schema, config: { role: 'manager' } },
    async (request) => changeReceipt(dependencies, request, approveReceipt),
  )
}
