import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { covers } from '../../../../identity/staff/roles.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  findReceiptHead,
  findStaffReceipt,
  listReceiptsOfAll,
  type ReceiptViewer,
  receiptApprovals,
  receiptOwner,
  receiptSorts,
} from '../../../../warehouse/receipts/staff-queries.ts'
import { receiptStatuses } from '../../../../warehouse/receipts/state.ts'
import {
  cancelReceipt,
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../../../warehouse/receipts/verbs.ts'
import { StaffReceipt } from '../../../../warehouse/receipts/view.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, range, shortPages, sortBy, text, time } from '../../../route/query.ts'
import { bodyIfAny, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn, warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { withOtherBarcodes } from '../../other-barcodes.ts'
import { withPictures } from '../../pictures.ts'

export const StaffReceiptPage = pageSchema(StaffReceipt, 'StaffReceiptPage', 'Страница приёмок.')

const Shortage = Type.Object(
  {
    barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод строки.' }),
    reason: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Код причины из GET /reasons, вид shortage.',
    }),
  },
  { additionalProperties: false, description: 'Почему в строке не хватает единиц.' },
)
export const ReceiptFinish = Type.Object(
  {
    shortages: Type.Optional(
      Type.Array(Shortage, {
        maxItems: 10_000,
        description: 'Причины: по одной на каждую строку, где принято меньше заявленного.',
      }),
    ),
  },
  { $id: 'ReceiptFinish', additionalProperties: false, description: 'Конец приёмки.' },
)

export const ReceiptConfirm = Type.Object(
  {
    version: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'version приёмки, которую вы посмотрели; другая не подтвердится.',
      }),
    ),
  },
  { $id: 'ReceiptConfirm', additionalProperties: false, description: 'Подтверждение заявки.' },
)

export const ReceiptCancel = Type.Object(
  {
    comment: Type.Optional(
      Type.String({ maxLength: 500, description: 'Почему: для склада, продавец не увидит.' }),
    ),
  },
  { $id: 'ReceiptCancel', additionalProperties: false, description: 'Отмена приёмки.' },
)

export const receiptsQuery = query({
  client_id: text({ description: 'Клиент; без него — все.' }),
  warehouse_code: warehouseFilter,
  status: oneOf(receiptStatuses, { description: 'Состояние; без него — все.' }),
  number: text({ description: 'Точный номер приёмки.' }),
  external_ref: text({ description: 'Точный номер документа продавца.' }),
  approval: oneOf(receiptApprovals, {
    description: 'Приёмки без документа: waiting — ждут одобрения, approved — одобрены.',
  }),
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
  sort: sortBy(receiptSorts, {
    description: 'planned — только приёмки с плановой датой.',
  }),
  ...shortPages,
})

export type ReceiptParams = { Params: { id: string } }
export const receiptParams = { id: 'Идентификатор приёмки.' }

export function addStaffReceipts(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addConfirmation(app, dependencies)
  addStart(app, dependencies)
  addFinish(app, dependencies)
  addCancel(app, dependencies)
}

/** Workers do not see receipts that wait for confirmation. */
export function viewerOf(request: FastifyRequest): ReceiptViewer {
  return { seesPending: covers(memberOn(request).role, 'manager') }
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listReceipts',
    tag: 'Приёмка',
    summary: 'Приёмки',
    description:
      'Приёмки всех клиентов или одного, без состава. Сотрудник склада не видит ' +
      'заявок, которые ждут подтверждения.',
    query: receiptsQuery,
    answers: { 200: { description: 'Страница.', schema: named(StaffReceiptPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/receipts', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, ...filter } = receiptsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'receipts', { limit, cursor, sort }, filter)
    const scoped = withinWarehouse(request, filter)
    const page = await listReceiptsOfAll(db, scoped, viewerOf(request), list.request)
    return list.answer(page)
  })

  const receiptSchema = staffOperation({
    id: 'getReceipt',
    tag: 'Приёмка',
    summary: 'Одна приёмка',
    description: 'Приёмка с составом.',
    params: receiptParams,
    answers: { 200: { description: 'Приёмка.', schema: named(StaffReceipt) } },
    errors: ['not_found'],
  })
  app.get<ReceiptParams>('/receipts/:id', { schema: receiptSchema }, async (request) => {
    const { id } = request.params
    const clientId = await receiptOwner(db, id, viewerOf(request))
    return receiptWithGoods(db, found(await findStaffReceipt(db, clientId, id, viewerOf(request))))
  })
}

function addConfirmation(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'confirmReceipt',
    tag: 'Приёмка',
    summary: 'Подтвердить заявку',
    description:
      'Заявка продавца становится задачей склада, а её товары — известными. С version подтверждается только та версия, ' +
      'которую вы посмотрели: продавец мог изменить заявку. Тело можно не передавать.',
    params: receiptParams,
    body: ReceiptConfirm,
    answers: { 200: { description: 'Подтверждена.', schema: named(StaffReceipt) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ReceiptParams>(
    '/receipts/:id/confirm',
    { schema, config: { role: 'manager' } },
    async (request) => {
      const { version } = bodyIfAny(ReceiptConfirm, request)
      return changeReceipt(dependencies, request, (work, clientId, id) =>
        confirmReceipt(work, clientId, id, version),
      )
    },
  )
}

function addStart(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'startReceipt',
    tag: 'Приёмка',
    summary: 'Начать приёмку',
    description: 'Товар приехал, и его начали считать.',
    params: receiptParams,
    answers: { 200: { description: 'Началась.', schema: named(StaffReceipt) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<ReceiptParams>('/receipts/:id/start', { schema }, async (request) =>
    changeReceipt(dependencies, request, startReceiving),
  )
}

function addFinish(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'finishReceipt',
    tag: 'Приёмка',
    summary: 'Закончить приёмку',
    description:
      'Для каждой строки, где принято меньше заявленного, нужна причина недостачи. Излишки ' +
      'остаются на складе под вопросом.',
    params: receiptParams,
    body: ReceiptFinish,
    answers: { 200: { description: 'Закончена.', schema: named(StaffReceipt) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ReceiptParams>('/receipts/:id/finish', { schema }, async (request) => {
    const { shortages = [] } = bodyIfAny(ReceiptFinish, request)
    const reasons = reasonsOf(shortages)
    return changeReceipt(dependencies, request, (work, clientId, id) =>
      finishReceiving(work, clientId, id, reasons),
    )
  })
}

function addCancel(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'cancelReceipt',
    tag: 'Приёмка',
    summary: 'Отменить приёмку',
    description:
      'Товар не приедет: приёмка завершается с расхождением, не принято ничего, причина каждой ' +
      'строки — CANCELLED. В показатели приёмки она не входит. Пока приёмку не начали считать; ' +
      'тело можно не передавать.',
    params: receiptParams,
    body: ReceiptCancel,
    answers: { 200: { description: 'Отменена.', schema: named(StaffReceipt) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ReceiptParams>(
    '/receipts/:id/cancel',
    { schema, config: { role: 'manager' } },
    async (request) => {
      const { comment } = bodyIfAny(ReceiptCancel, request, { emptyIsAbsent: true })
      return changeReceipt(dependencies, request, (work, clientId, id) =>
        cancelReceipt(work, clientId, id, comment),
      )
    },
  )
}

function reasonsOf(shortages: readonly { barcode: string; reason: string }[]): Map<string, string> {
  const reasons = new Map<string, string>()
  for (const [index, { barcode, reason }] of shortages.entries()) {
    if (reasons.has(barcode)) {
      throw invalidField(`shortages[${index}].barcode`, `причина для ${barcode} указана дважды`)
    }
    reasons.set(barcode, reason)
  }
  return reasons
}

/** Applies a verb to the receipt and answers the receipt. */
export async function changeReceipt(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  verb: (work: Work, clientId: string, id: string) => Promise<unknown>,
): Promise<StaffReceipt> {
  const { id } = request.params as ReceiptParams['Params']
  const clientId = await receiptOwner(dependencies.db, id, viewerOf(request))
  const look = (work: Work) => findReceiptHead(work.tx, clientId, id)
  return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
    await verb(work, clientId, id)
    const receipt = found(await findStaffReceipt(work.tx, clientId, id, viewerOf(request)))
    return { answer: await receiptWithGoods(work.tx, receipt) }
  })
}

async function receiptWithGoods(db: Queryable, receipt: StaffReceipt): Promise<StaffReceipt> {
  const { client_id: clientId } = receipt
  const items = await withPictures(db, clientId, receipt.items ?? [])
  return { ...receipt, items: await withOtherBarcodes(db, clientId, items) }
}
