import type { FastifyInstance } from 'fastify'
import { readGoods } from '../../../documents/imports/goods.ts'
import type { GoodsRow } from '../../../documents/imports/goods-row.ts'
import { uploadBytesMax } from '../../../documents/imports/multipart.ts'
import { cellPath } from '../../../platform/kernel/column-letters.ts'
import { type Breach, badRequest, invalidFields } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { lookUpProducts } from '../../../warehouse/catalogue/product-lookup.ts'
import { type ReceiptDraft, requestedLinesMax } from '../../../warehouse/receipts/draft.ts'
import { Receipt } from '../../../warehouse/receipts/view.ts'
import {
  saySheet,
  sendTemplate,
  sheetHeaders,
  templateOperation,
  templateQuery,
} from '../../files/goods-template.ts'
import { uploadMedia, uploadOf } from '../../files/uploads.ts'
import {
  openReceiptRequests,
  refuseReadOnlyCallers,
  refuseWithoutDatabase,
  requestErrors,
} from '../../public/v1/receipts.ts'
import { callerOf } from '../../route/gate.ts'
import { rawQuery } from '../../route/list.ts'
import { filledText, oneOf, query } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { accountOperation } from '../operation.ts'

/** A receipt request from a file, under the rules of `POST /v1/receipts`. */

const importQuery = query({
  cabinet_id: filledText({ description: 'Кабинет клиента; единственный подставляется сам.' }),
  external_ref: filledText({ description: 'Номер документа в вашей системе.', max: 64 }),
  planned_date: filledText({ description: 'Плановая дата: YYYY-MM-DD по Москве или RFC 3339.' }),
  honest_mark: oneOf(['true', 'false'], {
    description: 'Подлежат ли товары маркировке — для строк, где файл этого не говорит.',
  }),
  comment: filledText({ description: 'Комментарий.', max: 500 }),
})

export function addAccountReceiptImport(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'importAccountReceipt',
    tag: 'Приёмки',
    summary: 'Заявить поставку файлом',
    description:
      `CSV или XLSX до 10 МиБ и ${requestedLinesMax} строк: телом запроса или файлом формы, в поле file. Столбцы ` +
      'barcode, name, article, qty, honest_mark, заголовки английские или русские. Ошибка называет строку ' +
      'и столбец, и тогда ничего не создано. Что читается и что нет — в справочнике API, «Файлы товаров».',
    query: importQuery,
    media: uploadMedia(),
    answers: {
      201: { description: 'Заявка принята.', schema: named(Receipt), headers: sheetHeaders },
      200: {
        description: 'Такая заявка уже ждёт подтверждения.',
        schema: named(Receipt),
        headers: sheetHeaders,
      },
    },
    errors: requestErrors,
  })
  const options = {
    schema,
    bodyLimit: uploadBytesMax,
    onRequest: refuseReadOnlyCallers,
    errorHandler: refuseWithoutDatabase,
  }
  const intake = openReceiptRequests(dependencies)
  app.post('/receipts/import', options, async (request, reply) => {
    const { file, given } = await uploadOf(request, importQuery)
    const { clientId } = callerOf(request)
    const known = (barcodes: readonly string[]) =>
      lookUpProducts(dependencies.db, clientId, barcodes, given.cabinet_id)
    const { rows, sheet } = await readGoods(file, known)
    const draft = draftOf(given, rows)
    const { receipt, created } = await intake(request, draft)
    saySheet(reply, sheet)
    return reply.code(created ? 201 : 200).send(receipt)
  })
}

/** What to fill in and send to `/receipts/import`. */
export function addAccountGoodsTemplate(
  app: FastifyInstance,
  { clock }: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'getAccountGoodsTemplate',
    tag: 'Приёмки',
    ...templateOperation,
    errors: ['bad_request'],
  })
  app.get('/receipts/import/template', { schema }, (request, reply) =>
    sendTemplate(reply, clock.now(), templateQuery.parse(rawQuery(request))),
  )
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

function definedIn<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}

const markingRule = 'укажите «да» или «нет»: подлежит ли товар маркировке'

type Parameters = ReturnType<typeof importQuery.parse>

function draftOf(given: Parameters, rows: readonly GoodsRow[]): ReceiptDraft {
  const { honest_mark: marked, ...texts } = given
  if (rows.length > requestedLinesMax)
    throw badRequest(`В файле больше ${requestedLinesMax} строк: разделите его`)
  const unclear: Breach[] = rows
    .filter(({ honestMark }) => honestMark === undefined && marked === undefined)
    .map(({ row }) => ({
      path: cellPath(row),
      rule: markingRule,
      said: `honest_mark, строка ${row}: ${markingRule}`,
    }))
  if (unclear.length > 0) throw invalidFields(unclear)
  return {
    ...definedIn(texts),
    items: rows.map(({ row: _, honestMark, ...item }) => ({
      ...item,
      honest_mark: honestMark ?? marked === 'true',
    })),
  }
}
