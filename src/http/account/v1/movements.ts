import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { ExportColumn, ExportRow } from '../../../documents/exports/table.ts'
import type { Database } from '../../../platform/db/connection.ts'
import type { Page, PageRequest } from '../../../platform/db/lists/page.ts'
import { named, oneOfValues, textOrNull } from '../../../platform/kernel/schema.ts'
import { objectNames } from '../../../warehouse/lookup/object-names.ts'
import { movementKinds } from '../../../warehouse/stock/ledger.ts'
import { movementWords } from '../../../warehouse/stock/movement-words.ts'
import {
  listMovements,
  movementGoods,
  movementUnits,
  type StockMovement,
} from '../../../warehouse/stock/movements.ts'
import { reasonLabels } from '../../../warehouse/stock/reasons.ts'
import { rowBatches, sendTable, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, query, range, shortPages, text, time } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** Every unit of a seller that came, left or was set aside, without who of the warehouse did it. */

const documentKinds = ['receipt', 'shipment', 'return_batch'] as const

export const GoodsMovement = Type.Object(
  {
    id: Type.Integer({ description: 'Номер движения: растёт.' }),
    ...movementGoods,
    words: Type.String({ description: 'Что произошло, словами; текст может измениться.' }),
    ...movementUnits,
    reason: textOrNull('Причина словами.'),
    document: Type.Union(
      [
        Type.Object({
          kind: oneOfValues(documentKinds, 'Приёмка, отгрузка или приём возвратов.'),
          id: Type.String({ description: 'Идентификатор.' }),
          title: Type.String({ description: 'Номер.' }),
        }),
        Type.Null(),
      ],
      { description: 'На каком основании; null: без документа.' },
    ),
  },
  { $id: 'GoodsMovement', description: 'Движение товара.' },
)
type GoodsMovement = Static<typeof GoodsMovement>

const filters = {
  barcode: text({ description: 'Движения одного товара, точный штрихкод.' }),
  kind: oneOf(movementKinds, { description: 'Вид движения; без него — все.' }),
  from: time({ description: 'Не раньше.', example: '2026-11-01' }),
  to: time({ description: 'Раньше этого времени.' }),
}
const movementsQuery = query({ ...filters, ...shortPages })
const exportQuery = query({ ...filters, format: tableFormat })

const columns: readonly ExportColumn[] = [
  { title: 'Когда', kind: 'moment' },
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Товар', kind: 'text' },
  { title: 'Что', kind: 'text' },
  { title: 'Остаток', kind: 'number' },
  { title: 'Под вопросом', kind: 'number' },
  { title: 'Документ', kind: 'text', isCode: true },
  { title: 'Причина', kind: 'text' },
]

const cells = (each: GoodsMovement): ExportRow => [
  ...[each.time, each.barcode, each.name, each.words, each.delta, each.question_delta],
  ...[each.document?.title ?? null, each.reason],
]

export function addAccountMovements(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, reports, clock, cursors } = dependencies
  const listSchema = accountOperation({
    id: 'listAccountMovements',
    tag: 'Остатки',
    summary: 'Движения товаров',
    description:
      'Каждая единица: когда пришла, ушла или отложена и на каком основании. Новые первыми.',
    query: movementsQuery,
    answers: {
      200: {
        description: 'Страница движений.',
        schema: named(
          pageSchema(GoodsMovement, 'GoodsMovementPage', 'Движения; total считается до 100 000.'),
        ),
      },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/movements', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = movementsQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    const { clientId } = visitorOn(request)
    const list = openList(cursors, clientId, 'movements', { limit, cursor }, filter)
    return list.answer(await movementsOf(db, clientId, filter, list.request))
  })

  const exportSchema = accountOperation({
    id: 'exportAccountMovements',
    tag: 'Остатки',
    summary: 'Выгрузить движения товаров',
    description: 'Файл со всеми движениями, с фильтрами списка и в его порядке.',
    query: exportQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/movements', { schema: exportSchema }, async (request, reply) => {
    const { format, ...filter } = exportQuery.parse(rawQuery(request))
    range(filter.from, filter.to, ['from', 'to'])
    const { clientId } = visitorOn(request)
    const source = await reports.database()
    const batches = rowBatches((page) => movementsOf(source, clientId, filter, page), cells)
    return sendTable(reply, clock.now(), {
      name: 'movements',
      title: 'Движения',
      columns,
      format,
      batches,
    })
  })
}

type Filter = Omit<ReturnType<typeof movementsQuery.parse>, 'limit' | 'cursor'>

async function movementsOf(
  db: Database,
  clientId: string,
  filter: Filter,
  page: PageRequest,
): Promise<Page<GoodsMovement>> {
  const asked = { ...filter, client_id: clientId, reason: undefined }
  const { items, ...rest } = await listMovements(db, asked, page)
  const ids = items.map((item) => ({ client_id: clientId, id: documentOf(item) }))
  const [documents, reasons] = await Promise.all([objectNames(db, ids), reasonLabels(db)])
  const view = (item: StockMovement): GoodsMovement => {
    const { id, time, barcode, name, kind, delta, question_delta, reason } = item
    const found = documents.get(documentOf(item) ?? '')
    const documentKind = documentKinds.find((each) => each === found?.kind)
    return {
      ...{ id, time, barcode, name, kind, words: movementWords(item), delta, question_delta },
      reason: reason === null ? null : (reasons.get(reason) ?? null),
      document:
        found === undefined || documentKind === undefined
          ? null
          : { kind: documentKind, id: found.id, title: found.title },
    }
  }
  return { ...rest, items: items.map(view) }
}

function documentOf({ receipt_id, return_id, shipment_id }: StockMovement): string | null {
  return receipt_id ?? return_id ?? shipment_id
}
