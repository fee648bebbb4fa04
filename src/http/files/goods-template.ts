import type { FastifyReply } from 'fastify'
import type { ExportColumn } from '../../documents/exports/table.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { query } from '../route/query.ts'
import { sendTable, tableAnswer, tableFormat } from './table-answer.ts'

/** An empty table of goods to fill in: whatever is typed into it can be read back. */

export const templateQuery = query({ format: tableFormat })

export const templateOperation = {
  summary: 'Шаблон таблицы товаров',
  description:
    'Пустая таблица с заголовками, которую заполняют и загружают. В XLSX столбцы кодов уже текстовые: нули и цифры не теряются.',
  query: templateQuery,
  answers: { 200: tableAnswer },
} as const

const columns: readonly ExportColumn[] = [
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Название', kind: 'text' },
  { title: 'Артикул', kind: 'text', isCode: true },
  { title: 'Количество', kind: 'number' },
  { title: 'Честный знак (да/нет)', kind: 'text' },
]

export function sendTemplate(
  reply: FastifyReply,
  now: Instant,
  { format }: ReturnType<typeof templateQuery.parse>,
): Promise<FastifyReply> {
  const batches = (async function* () {})()
  return sendTable(reply, now, { name: 'goods', title: 'Товары', columns, format, batches })
}

/** Which sheet of a book was read: an answer says so in a header, because its object is the receipt. */

export const sheetHeaders = {
  'X-Sheet-Read': {
    type: 'string',
    description:
      'Какой лист книги прочитан, если листов несколько: имя в percent-кодировании UTF-8.',
  },
}

export function saySheet(reply: FastifyReply, sheet: string | undefined): void {
  if (sheet !== undefined) reply.header('X-Sheet-Read', encodeURIComponent(sheet.toWellFormed()))
}
