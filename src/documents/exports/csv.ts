import { Readable } from 'node:stream'
import { type ExportColumn, type ExportTable, shownCell } from './table.ts'

/**
 * A table as CSV that Excel opens in Russian Windows: UTF-8 with a mark, semicolons, decimal commas. A text that a
 * spreadsheet would read as a formula gets an apostrophe before it.
 */
export function csvOf(table: ExportTable): Readable {
  return Readable.from(csvParts(table), { objectMode: false })
}

async function* csvParts({ columns, batches }: ExportTable): AsyncGenerator<Buffer> {
  const headings = columns.map(({ title }) => quoted(title)).join(';')
  yield Buffer.from(`\ufeff${headings}\r\n`)
  for await (const rows of batches) {
    const lines = rows.map((row) => columns.map((column, n) => cell(row[n] ?? null, column)))
    if (lines.length > 0)
      yield Buffer.from(`${lines.map((line) => line.join(';')).join('\r\n')}\r\n`)
  }
}

function cell(value: string | number | null, column: ExportColumn): string {
  const text = shownCell(value, column)
  return typeof value === 'number' ? text : quoted(harmless(text))
}

/** Spreadsheets evaluate what begins so, also after spaces. */
function harmless(text: string): string {
  return /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
