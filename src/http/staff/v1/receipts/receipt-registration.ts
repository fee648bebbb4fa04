import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { checkGoods, GoodsFileCheck } from '../../../../documents/imports/check.ts'
import { fileBytesMax, readGoods } from '../../../../documents/imports/goods.ts'
import { uploadBytesMax } from '../../../../documents/imports/multipart.ts'
import type { NamesLookup } from '../../../../documents/imports/table.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { lookUpProducts } from '../../../../warehouse/catalogue/product-lookup.ts'
import { ReceiptDraft, ReceiptDraftItem } from '../../../../warehouse/receipts/draft.ts'
import { type Registration, registerReceipt } from '../../../../warehouse/receipts/register.ts'
import { findReceiptHead, findStaffReceipt } from '../../../../warehouse/receipts/staff-queries.ts'
import { StaffReceipt } from '../../../../warehouse/receipts/view.ts'
import {
  saySheet,
  sendTemplate,
  sheetHeaders,
  templateOperation,
  templateQuery,
} from '../../../files/goods-template.ts'
import { uploadMedia, uploadOf } from '../../../files/uploads.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { filledText, query } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'
import { viewerOf } from './receipts.ts'

/** Receipts that a manager registers for a client, by hand or from a file. */

const linesMax = 10_000

const StaffReceiptDraftItem = Type.Object(
  {
    ...ReceiptDraftItem.properties,
    honest_mark: Type.Optional(
      Type.Boolean({
        description:
          'Подлежит ли товар маркировке; одинаково для всех строк. Если не указано, решает ' +
          'карточка товара.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Строка приёмки.' },
)

export const StaffReceiptDraft = Type.Object(
  {
    ...ReceiptDraft.properties,
    cabinet_id: Type.Optional(
      Type.String({ description: 'Кабинет клиента; единственный подставляется сам.' }),
    ),
    external_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Номер документа продавца, для склада.',
      }),
    ),
    items: Type.Array(StaffReceiptDraftItem, {
      minItems: 1,
      maxItems: linesMax,
      description: 'Состав поставки.',
    }),
  },
  { $id: 'StaffReceiptDraft', additionalProperties: false, description: 'Приёмка от менеджера.' },
)

const importQuery = query({
  cabinet_id: filledText({ description: 'Кабинет клиента; единственный подставляется сам.' }),
  external_ref: filledText({ description: 'Номер документа продавца, для склада.', max: 64 }),
  planned_date: filledText({ description: 'Плановая дата: YYYY-MM-DD по Москве или RFC 3339.' }),
})

const config = { role: 'manager' } as const
const answers = {
  201: { description: 'Создана, состояние EXPECTED.', schema: named(StaffReceipt) },
}
const formTexts = Object.fromEntries(
  Object.entries(importQuery.schema.properties).map(([name, { description }]) => [
    name,
    Type.Optional(Type.String({ description })),
  ]),
)
const media = uploadMedia(formTexts)

export function addReceiptRegistration(
  app: FastifyInstance,
  dependencies: StaffDependencies,
): void {
  const manualSchema = staffOperation({
    id: 'registerReceipt',
    tag: 'Приёмка',
    summary: 'Завести приёмку',
    description: 'Приёмка сразу ожидается на складе, её товары становятся известны.',
    params: clientParams,
    body: StaffReceiptDraft,
    answers,
    errors: ['bad_request', 'validation_error', 'mixed_marking', 'not_found'],
  })
  app.post<ClientParams>(
    '/clients/:id/receipts',
    { schema: manualSchema, config, bodyLimit: fileBytesMax },
    async (request, reply) => {
      const draft = bodyOf(StaffReceiptDraft, request, { emptyIsAbsent: true })
      return register(dependencies, request, reply, registrationOf(draft))
    },
  )
}

/** Receipts from a file, and what is wrong with a file before there is one. */
export function addReceiptImport(app: FastifyInstance, dependencies: StaffDependencies): void {
  addImport(app, dependencies)
  addFileCheck(app, dependencies)
  addTemplate(app, dependencies)
}

function addImport(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'importReceipt',
    tag: 'Приёмка',
    summary: 'Завести приёмку из файла',
    description:
      'CSV или XLSX до 10 МиБ и 10 000 строк: телом запроса или файлом формы, в поле file. ' +
      'Столбцы barcode, name, article, qty, honest_mark, заголовки английские или русские. ' +
      'Ошибка называет строку и столбец, и тогда ничего не создано. Параметры можно передать и ' +
      'полями формы; указанное в адресе важнее. Что читается и что нет — в справочнике API, «Файлы товаров».',
    params: clientParams,
    query: importQuery,
    media,
    answers: { 201: { ...answers[201], headers: sheetHeaders } },
    errors: ['bad_request', 'validation_error', 'mixed_marking', 'not_found'],
  })
  app.post<ClientParams>(
    '/clients/:id/receipts/import',
    { schema, config, bodyLimit: uploadBytesMax },
    async (request, reply) => {
      const { file, given } = await uploadOf(request, importQuery)
      const names = await namesFor(dependencies, request.params.id, given.cabinet_id)
      const { rows, sheet } = await readGoods(file, names)
      saySheet(reply, sheet)
      return register(dependencies, request, reply, {
        source: 'file',
        cabinetId: given.cabinet_id,
        externalRef: given.external_ref,
        plannedDate: given.planned_date,
        items: rows,
      })
    },
  )
}

function addFileCheck(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'checkReceiptFile',
    tag: 'Приёмка',
    summary: 'Проверить файл приёмки',
    description:
      'Читает тот же файл, что и импорт, и ничего не создаёт: показывает строки, а ошибки — по ячейкам.',
    params: clientParams,
    query: importQuery,
    media,
    answers: { 200: { description: 'Что в файле.', schema: named(GoodsFileCheck) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<ClientParams>(
    '/clients/:id/receipts/import/check',
    { schema, config, bodyLimit: uploadBytesMax },
    async (request) => {
      const { file, given } = await uploadOf(request, importQuery)
      return checkGoods(file, await namesFor(dependencies, request.params.id, given.cabinet_id))
    },
  )
}

function addTemplate(app: FastifyInstance, { clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getGoodsTemplate',
    tag: 'Приёмка',
    ...templateOperation,
    errors: ['bad_request'],
  })
  app.get('/receipts/import/template', { schema, config }, (request, reply) =>
    sendTemplate(reply, clock.now(), templateQuery.parse(rawQuery(request))),
  )
}

/** Which goods of the client have a name already. Throws not_found for an unknown client. */
async function namesFor(
  { db }: StaffDependencies,
  client: string,
  cabinetId: string | undefined,
): Promise<NamesLookup> {
  const clientId = await clientInPath(db, client)
  return (barcodes) => lookUpProducts(db, clientId, barcodes, cabinetId)
}

function registrationOf(draft: Static<typeof StaffReceiptDraft>): Registration {
  return {
    source: 'manual',
    cabinetId: draft.cabinet_id,
    externalRef: draft.external_ref,
    comment: draft.comment,
    plannedDate: draft.planned_date,
    items: draft.items.map(({ honest_mark: honestMark, ...item }) => ({ ...item, honestMark })),
  }
}

async function register(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  draft: Registration,
): Promise<FastifyReply> {
  const { id: clientId } = request.params as ClientParams['Params']
  const receipt = await change(dependencies, request, { clientId }, async (work) => {
    const id = await registerReceipt(work, clientId, draft)
    const after = { ...(await findReceiptHead(work.tx, clientId, id)), lines: draft.items.length }
    const answer = found(await findStaffReceipt(work.tx, clientId, id, viewerOf(request)))
    return { answer, made: { objectId: id, after } }
  })
  return reply.code(201).send(receipt)
}
