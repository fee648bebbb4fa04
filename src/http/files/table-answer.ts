import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { ExportColumn, ExportRow, ExportTable } from '../../documents/exports/table.ts'
import { allPages, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { oneOf } from '../route/query.ts'

/** Lists as files. */

/** A list as a file: its columns, and a cell for each of them. */
export interface FileOf<Item> {
  readonly columns: readonly ExportColumn[]
  readonly cells: (item: Item) => ExportRow
}

export const fileColumn = {
  text: (title: string): ExportColumn => ({ title, kind: 'text' }),
  code: (title: string): ExportColumn => ({ title, kind: 'text', isCode: true }),
  number: (title: string): ExportColumn => ({ title, kind: 'number' }),
  moment: (title: string): ExportColumn => ({ title, kind: 'moment' }),
  money: (title: string): ExportColumn => ({ title, kind: 'money' }),
} as const

const formats = ['xlsx', 'csv'] as const
type Format = (typeof formats)[number]

const mediaTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const

export const tableFormat = oneOf(formats, {
  description: 'xlsx — книга Excel, так и без него; csv — с «;».',
})

/** How an operation describes the file that it answers. */
export const tableAnswer = {
  description: 'Файл.',
  media: {
    [mediaTypes.xlsx]: Type.String({ format: 'binary' }),
    'text/csv': Type.String(),
  },
  headers: { 'Content-Disposition': { type: 'string', description: 'Имя файла.' } },
}

interface AnsweredTable extends Omit<ExportTable, 'batches'> {
  /** Of the file, without day and format. */
  readonly name: string
  readonly format: Format | undefined
  readonly batches: AsyncGenerator<
    ExportTable['batches'] extends AsyncIterable<infer T> ? T : never
  >
}

/** Sends the file while its rows are read. */
export async function sendTable(
  reply: FastifyReply,
  now: Instant,
  { name, format = 'xlsx', batches, ...shape }: AnsweredTable,
): Promise<FastifyReply> {
  const table = { ...shape, batches: await begun(batches) }
  return reply
    .header('Content-Disposition', `attachment; filename="${name}-${moscowDate(now)}.${format}"`)
    .type(mediaTypes[format])
    .send(await writers[format](table, new Date(now)))
}

/** Loaded when somebody saves a list. */
const writers = {
  csv: async (table: ExportTable) => (await import('../../documents/exports/csv.ts')).csvOf(table),
  xlsx: async (table: ExportTable, now: Date) =>
    (await import('../../documents/exports/xlsx.ts')).xlsxOf(table, now),
}

/** Reads the first batch now, so that what fails at once is answered as an error and not as half a file. */
async function begun<T>(batches: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await batches.next()
  return (async function* () {
    if (first.done) return
    try {
      yield first.value
      yield* batches
    } finally {
      await batches.return(undefined)
    }
  })()
}

/** The rows of a list whose every page is summed over all goods: one page holds the goods of nearly every client. */
export function summedRows<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  cells: (item: Item) => ExportRow,
): AsyncGenerator<readonly ExportRow[]> {
  return rowBatches(read, cells, 50_000)
}

/** The rows of a list, in batches. */
export async function* rowBatches<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  cells: (item: Item) => ExportRow,
  limit?: number,
): AsyncGenerator<readonly ExportRow[]> {
  for await (const items of allPages(read, limit)) yield items.map(cells)
}
