import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { ExportColumn, ExportRow } from '../../../../documents/exports/table.ts'
import { FileProblems, problemsShown } from '../../../../documents/imports/check.ts'
import { readUpload, uploadBytesMax } from '../../../../documents/imports/multipart.ts'
import {
  type ComposedSet,
  composedSets,
  readSets,
  type SetsTable,
  setsHeadings,
} from '../../../../documents/imports/sets.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { allPages } from '../../../../platform/db/lists/page.ts'
import { count, named, textOrNull } from '../../../../platform/kernel/schema.ts'
import { partsMax, SetPart } from '../../../../warehouse/catalogue/set-fields.ts'
import {
  goodsOfSets,
  lockSets,
  type SetGoods,
  writeParts,
} from '../../../../warehouse/catalogue/sets.ts'
import { listGoods } from '../../../../warehouse/stock/goods-list.ts'
import { sendTable, tableAnswer, tableFormat } from '../../../files/table-answer.ts'
import { uploadMedia } from '../../../files/uploads.ts'
import { bytesOf } from '../../../route/body.ts'
import { rawQuery } from '../../../route/list.ts'
import { query } from '../../../route/query.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'

/** What sets are made of, in one table: it is saved as it is, changed and sent back. */

const config = { role: 'manager' } as const
const bounded = { config, bodyLimit: uploadBytesMax }
const tableQuery = query({ format: tableFormat })

const ImportedSets = Type.Object(
  {
    sets: count('Сколько наборов в таблице.'),
    changed: count('У скольких из них состав теперь другой.'),
  },
  { $id: 'ImportedSets', description: 'Что сделано по таблице наборов.' },
)

const setsShown = 100
const SetsFileCheck = Type.Object(
  {
    sheet: textOrNull('Какой лист книги прочитан; null — лист в файле один.'),
    sets: count('Сколько наборов в таблице.'),
    changed: count('У скольких из них состав станет другим.'),
    changes: Type.Array(
      Type.Object({
        barcode: Type.String({ description: 'Штрихкод набора.' }),
        name: Type.String({ description: 'Его название.' }),
        is_new: Type.Boolean({ description: 'Сейчас это не набор.' }),
        parts: Type.Array(SetPart, { description: 'Из чего он будет, по порядку таблицы.' }),
      }),
      { description: `Наборы, которые изменятся, не больше ${setsShown}.` },
    ),
    problems: FileProblems,
  },
  { $id: 'SetsFileCheck', description: 'Что в таблице наборов и что в ней не так.' },
)

const media = uploadMedia()

export function addSetsFile(app: FastifyInstance, dependencies: StaffDependencies): void {
  addImport(app, dependencies)
  addCheck(app, dependencies)
  addTable(app, dependencies)
}

function addImport(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'importSets',
    tag: 'Клиенты',
    summary: 'Составить наборы по таблице',
    description:
      'CSV или XLSX до 10 МиБ и 10 000 строк, строка на часть: столбцы «Штрихкод набора», «Штрихкод части», ' +
      '«Штук в наборе». Состав каждого набора из таблицы становится таким, как в ней; остальные наборы не меняются. ' +
      'Ошибка называет строку и столбец, и тогда ничего не записано.',
    params: clientParams,
    media,
    answers: { 200: { description: 'Составлены.', schema: named(ImportedSets) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<ClientParams>('/clients/:id/sets/import', { schema, ...bounded }, async (request) => {
    const clientId = await clientInPath(dependencies.db, request.params.id)
    const table = await tableOf(request)
    return change(dependencies, request, { clientId }, async (work) => {
      await lockSets(work, clientId)
      const { sets } = await resolved(work.tx, clientId, table)
      if (!table.problems.none) throw table.problems.error()
      const changed = await writeParts(work, clientId, sets)
      const answer = { sets: sets.length, changed }
      return { answer, made: { after: answer }, changed: changed > 0 }
    })
  })
}

function addCheck(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'checkSetsFile',
    tag: 'Клиенты',
    summary: 'Проверить таблицу наборов',
    description:
      'Читает ту же таблицу, что и загрузка, и ничего не меняет: показывает, какие наборы изменятся, а ошибки — по ячейкам.',
    params: clientParams,
    media,
    answers: { 200: { description: 'Что в таблице.', schema: named(SetsFileCheck) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<ClientParams>(
    '/clients/:id/sets/import/check',
    { schema, ...bounded },
    async (request): Promise<Static<typeof SetsFileCheck>> => {
      const clientId = await clientInPath(db, request.params.id)
      const table = await tableOf(request)
      const { sets, goods } = await resolved(db, clientId, table)
      const changed = sets.filter((set) => !goods.isMadeOf(set))
      return {
        ...{ sheet: table.sheet ?? null, sets: sets.length, changed: changed.length },
        changes: changed.slice(0, setsShown).map((set) => changeView(set, goods)),
        problems: problemsShown(table.problems),
      }
    },
  )
}

function changeView({ barcode, parts }: ComposedSet, { nameOf, isSet }: SetGoods) {
  return {
    ...{ barcode, name: nameOf(barcode), is_new: !isSet(barcode) },
    parts: [...parts].map(([part, qty]) => ({ barcode: part, name: nameOf(part), qty })),
  }
}

async function tableOf(request: FastifyRequest): Promise<SetsTable> {
  const { file: upload } = await readUpload(bytesOf(request), request.bodyType)
  return readSets(upload)
}

async function resolved(db: Queryable, clientId: string, table: SetsTable) {
  const written = table.rows.flatMap(({ set, part }) => [set, part])
  const goods = await goodsOfSets(db, clientId, written)
  return { goods, sets: composedSets(table, goods, partsMax) }
}

const columns: readonly ExportColumn[] = [
  { title: setsHeadings.set, kind: 'text', isCode: true },
  { title: 'Название набора', kind: 'text' },
  { title: setsHeadings.part, kind: 'text', isCode: true },
  { title: 'Название части', kind: 'text' },
  { title: setsHeadings.qty, kind: 'number' },
  { title: 'Выйдет из частей', kind: 'number' },
]

function addTable(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getSetsTable',
    tag: 'Клиенты',
    summary: 'Таблица наборов',
    description:
      'Наборы клиента и их части. Таблицу меняют и загружают обратно; пока наборов нет, в ней только заголовки.',
    params: clientParams,
    query: tableQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request', 'not_found'],
  })
  app.get<ClientParams>('/clients/:id/sets/table', { schema, config }, async (request, reply) => {
    const { format } = tableQuery.parse(rawQuery(request))
    const batches = setRows(db, await clientInPath(db, request.params.id))
    return sendTable(reply, clock.now(), {
      ...{ name: 'sets', title: 'Наборы', columns, format, batches },
    })
  })
}

async function* setRows(
  db: StaffDependencies['db'],
  clientId: string,
): AsyncGenerator<readonly ExportRow[]> {
  const filter = { barcode: undefined, is_set: 'true' } as const
  for await (const sets of allPages((page) => listGoods(db, clientId, filter, page))) {
    yield sets.flatMap((set) =>
      set.parts.map(
        (part): ExportRow => [
          ...[set.barcode, set.name, part.barcode, part.name, part.quantity, set.parts_allow],
        ],
      ),
    )
  }
}
