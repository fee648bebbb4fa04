import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { ExportColumn, ExportRow } from '../../../../documents/exports/table.ts'
import { readMeasures } from '../../../../documents/imports/measures.ts'
import { uploadBytesMax } from '../../../../documents/imports/multipart.ts'
import { calendarDay, count, named } from '../../../../platform/kernel/schema.ts'
import { addMeasuresOfMany } from '../../../../warehouse/billing/measures.ts'
import { knownBarcodes, listProducts } from '../../../../warehouse/catalogue/products.ts'
import { rowBatches, sendTable, tableAnswer, tableFormat } from '../../../files/table-answer.ts'
import { uploadMedia, uploadOf } from '../../../files/uploads.ts'
import { rawQuery } from '../../../route/list.ts'
import { filledText, query } from '../../../route/query.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'

/** Measures of many products in one table: the goods that nobody has measured are saved, filled in and sent back. */

const config = { role: 'manager' } as const

const importQuery = query({
  first_day: filledText({
    description: 'С какого дня действуют, YYYY-MM-DD; без него — с сегодня.',
  }),
})
const templateQuery = query({ format: tableFormat })

const ImportedMeasures = Type.Object(
  {
    first_day: calendarDay('С какого дня действуют.'),
    products: count('Сколько товаров в таблице.'),
    changed: count('У скольких из них размеры с этого дня теперь другие.'),
  },
  { $id: 'ImportedMeasures', description: 'Что сделано по таблице размеров.' },
)

const media = uploadMedia({
  first_day: Type.Optional(Type.String({ description: 'То же, что в адресе.' })),
})

export function addMeasuresFile(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'importMeasures',
    tag: 'Клиенты',
    summary: 'Измерить товары по таблице',
    description:
      'CSV или XLSX до 10 МиБ и 10 000 строк со столбцами «Штрихкод», «Длина, см», «Ширина, см», «Высота, см» и, ' +
      'если взвешены, «Вес, г»; читаются и миллиметры с килограммами, если так сказано в заголовке. Строки без ' +
      'размеров пропускаются. Ошибка называет строку и столбец, и тогда ничего не записано.',
    params: clientParams,
    query: importQuery,
    media,
    answers: { 200: { description: 'Измерены.', schema: named(ImportedMeasures) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<ClientParams>(
    '/clients/:id/measures/import',
    { schema, config, bodyLimit: uploadBytesMax },
    async (request) => {
      const { file, given } = await uploadOf(request, importQuery)
      const clientId = await clientInPath(db, request.params.id)
      const measured = await readMeasures(file, (barcodes) => knownBarcodes(db, clientId, barcodes))
      return change(dependencies, request, { clientId }, async (work) => {
        const draft = { firstDay: given.first_day, measured }
        const { firstDay, changed } = await addMeasuresOfMany(work, clientId, draft)
        const answer = { first_day: firstDay, products: measured.length, changed }
        return { answer, made: { after: answer }, changed: changed > 0 }
      })
    },
  )
  addTemplate(app, dependencies)
}

const columns: readonly ExportColumn[] = [
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Название', kind: 'text' },
  { title: 'Артикул', kind: 'text', isCode: true },
  { title: 'Длина, см', kind: 'number' },
  { title: 'Ширина, см', kind: 'number' },
  { title: 'Высота, см', kind: 'number' },
  { title: 'Вес, г', kind: 'number' },
]

function addTemplate(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getMeasuresTemplate',
    tag: 'Клиенты',
    summary: 'Таблица товаров без размеров',
    description:
      'Товары клиента, которых никто не измерил: размеры вписывают и загружают таблицу обратно.',
    params: clientParams,
    query: templateQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<ClientParams>(
    '/clients/:id/measures/template',
    { schema, config },
    async (request, reply) => {
      const { format } = templateQuery.parse(rawQuery(request))
      const client = await clientInPath(db, request.params.id)
      const filter = {
        barcode: undefined,
        search: undefined,
        words: undefined,
        measured: 'false',
      } as const
      const batches = rowBatches(
        (page) => listProducts(db, client, filter, page),
        ({ barcode, name, article }): ExportRow => [barcode, name, article ?? null, ...noMeasures],
      )
      return sendTable(reply, clock.now(), {
        ...{ name: 'measures', title: 'Товары без размеров', columns, format, batches },
      })
    },
  )
}

const noMeasures = [null, null, null, null]
