import { parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { COLUMNS_MAX, type SheetRow, textCell } from './cell.ts'
import { readText, type Text } from './encoding.ts'
import { fieldOf } from './headings.ts'
import { pauses } from './pause.ts'
import { refusedFile, tooManyColumns } from './refusals.ts'

/**
 * CSV as spreadsheet programs write it: comma, semicolon or tab, any ends of lines, `sep=;` before
 * all. A quote inside an unquoted field stands for itself. Rows are numbered as those programs number
 * them: a quoted line break makes no new row, an empty line does, the line `sep=;` does not.
 */

/** In bytes of UTF-8, give or take a portion. The parser's own bound leaves out empty fields. */
const RECORD_BYTES_MAX = 128 * 1024

const separators = [';', ',', '\t'] as const
const dialect = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  // They still count as rows; as records they would cost 20 µs each.
  skip_empty_lines: true,
}

interface CsvRecord {
  readonly row: number
  readonly fields: readonly string[]
}

/** Throws ApiError. */
export async function* csvRows(bytes: Uint8Array): AsyncGenerator<SheetRow[]> {
  const text = readText(bytes)
  const named = /^"?sep=([;,\t])"?(?:\r\n|\n|\r)/i.exec(text.head)
  const separator = named?.[1] ?? likelySeparator(text.head)
  const pause = pauses()
  for await (const portion of records(text, named?.[0].length ?? 0, separator)) {
    yield portion.map(({ row, fields }) => sheetRow(row, fields))
    await pause()
  }
}

async function* records(
  text: Text,
  skipped: number,
  separator: string,
): AsyncGenerator<CsvRecord[]> {
  let portion: CsvRecord[] = []
  let count = 0
  let lines = 0
  let unended = 0
  const parser = parseStream({
    ...dialect,
    delimiter: separator,
    on_record: (fields: string[], { empty_lines }) => {
      portion.push({ row: ++count + empty_lines, fields })
      return undefined
    },
  })
  const linesRead = () => count + parser.info.empty_lines
  const settled = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      act((error) => (error ? reject(brokenRecord(linesRead() + 1, error)) : resolve()))
    })
  // Each write tells of its own error; without a listener the event would end the process.
  parser.on('error', () => {})
  parser.resume()
  try {
    for (const piece of text.portions(skipped)) {
      await settled((done) => parser.write(piece, done))
      unended = linesRead() === lines ? unended + piece.length : 0
      lines = linesRead()
      if (unended > RECORD_BYTES_MAX) throw longRecord(lines + 1)
      yield portion
      portion = []
    }
    await settled((done) => parser.end(done))
    yield portion
  } finally {
    parser.destroy()
  }
}

function sheetRow(row: number, record: readonly string[]): SheetRow {
  if (record.slice(COLUMNS_MAX).some((field) => textCell(field))) throw tooManyColumns(row)
  return { row, cells: record.slice(0, COLUMNS_MAX).map(textCell) }
}

/** The one by which the first filled line has most headings that are known; else the most fields. */
function likelySeparator(head: string): string {
  const scores = separators.map((separator) => {
    const fields = firstRecord(head, separator)
    const known = fields.filter((field) => fieldOf(field) !== undefined)
    return { separator, known: known.length, fields: fields.length }
  })
  scores.sort((one, other) => other.known - one.known || other.fields - one.fields)
  return scores[0]?.separator ?? ';'
}

function firstRecord(head: string, delimiter: string): string[] {
  const text = head.replace(/^[;,\t"\s]*[\r\n]/, '')
  try {
    return parse(text, { ...dialect, delimiter, to: 1 })[0] ?? []
  } catch {
    return []
  }
}

function brokenRecord(row: number, { code }: Error & { code?: string }) {
  return refusedFile(
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `Строка ${row}: кавычка открыта и не закрыта до конца файла`
      : `Строка ${row}: не разобрана как CSV`,
  )
}

function longRecord(row: number) {
  return refusedFile(
    `Строка ${row}: длиннее ${RECORD_BYTES_MAX / 1024} КиБ; возможно, не закрыта кавычка`,
  )
}
