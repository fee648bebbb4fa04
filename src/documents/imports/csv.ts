import { parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { pauses } from '../../platform/concurrency/loop-turns.ts'
import { type Cell, columnsMax, type Sheet, type SheetRow, textCell } from './cell.ts'
import { readText, type Text } from './encoding.ts'
import { fieldOf } from './headings.ts'
import { refusedFile, tooManyColumns } from './refusals.ts'

/**
 * Reads CSV as spreadsheet programs write it: comma, semicolon or tab, any line ends, an optional
 * first line `sep=;`. A quote inside an unquoted field is a character. Rows have the numbers that
 * those programs show: an empty line counts as a row; a quoted line break and the line `sep=;` do
 * not.
 */

/**
 * In bytes of UTF-8, with the precision of a chunk. The parser's own bound ignores empty fields.
 */
const recordBytesMax = 128 * 1024

const separators = [';', ',', '\t', '|'] as const
const dialect = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  // Empty lines count as rows; as records they would cost 20 µs each.
  skip_empty_lines: true,
}

interface CsvRecord {
  readonly row: number
  readonly fields: readonly string[]
}

/** The only table of the file. */
export function csvSheet(bytes: Uint8Array): Sheet {
  return { name: undefined, rows: () => csvRows(bytes) }
}

/** Throws ServiceError. */
async function* csvRows(bytes: Uint8Array): AsyncGenerator<SheetRow[]> {
  const text = readText(bytes)
  const named = /^"?sep=([;,\t|])"?(?:\r\n|\n|\r)/i.exec(text.head)
  const separator = named?.[1] ?? likelySeparator(text.head)
  const pause = pauses()
  for await (const chunk of records(text, named?.[0].length ?? 0, separator)) {
    yield chunk.map(sheetRow)
    await pause()
  }
}

async function* records(
  text: Text,
  skipped: number,
  separator: string,
): AsyncGenerator<CsvRecord[]> {
  let chunk: CsvRecord[] = []
  let count = 0
  let lines = 0
  let openBytes = 0
  const parser = parseStream({
    ...dialect,
    delimiter: separator,
    on_record: (fields: string[], { empty_lines }) => {
      chunk.push({ row: ++count + empty_lines, fields })
      return undefined
    },
  })
  const linesRead = () => count + parser.info.empty_lines
  const finished = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      act((error) => (error ? reject(brokenRecord(linesRead() + 1, error)) : resolve()))
    })
  // Each write reports its own error; without a listener the event would end the process.
  parser.on('error', () => {})
  parser.resume()
  try {
    for (const piece of text.chunks(skipped)) {
      await finished((done) => parser.write(piece, done))
      openBytes = linesRead() === lines ? openBytes + piece.length : 0
      lines = linesRead()
      if (openBytes > recordBytesMax) throw longRecord(lines + 1)
      yield chunk
      chunk = []
    }
    await finished((done) => parser.end(done))
    yield chunk
  } finally {
    parser.destroy()
  }
}

function sheetRow({ row, fields }: CsvRecord): SheetRow {
  if (fields.slice(columnsMax).some((field) => textCell(field))) throw tooManyColumns(row)
  return { row, cells: fields.slice(0, columnsMax).map(cellOf) }
}

function cellOf(field: string): Cell | undefined {
  const own = withoutOuterQuotes(field)
  if (own === undefined) return { kind: 'quotes', text: field }
  return textCell(unguarded(own))
}

/**
 * Programs that do not double the quotes inside a text write `"Плед "Уют" серый"`, and the parser leaves it so: the outer
 * quotes are not its own. Those of `"Утро" и "День"` are. Undefined where nobody can tell.
 */
function withoutOuterQuotes(field: string): string | undefined {
  const text = field.trim()
  if (!text.startsWith('"')) return field
  const inner = text.length > 1 && text.endsWith('"') ? text.slice(1, -1) : undefined
  if (text.split('"').length % 2 === 0) {
    const hasInches = inner !== undefined && /^[^"]*\d"[^"]*$/.test(inner)
    return hasInches ? inner : undefined
  }
  const opensInside = /^"[^"]*[\s(«-]"\S/.test(text)
  return opensInside ? inner : field
}

/** Without the apostrophe that our own exports put before what a spreadsheet would take for a formula. */
function unguarded(text: string): string {
  return /^'(?:[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/.test(text) ? text.slice(1) : text
}

/** How much of the beginning is read to find the headings. */
const linesBefore = 50

/** The separator by which a line has the most known headings, or else the first filled line the most fields. */
function likelySeparator(head: string): string {
  const scores = separators.map((separator) => {
    const lines = firstRecords(head, separator)
    const known = lines.map((fields) => fields.filter((field) => fieldOf(field)).length)
    return { separator, known: Math.max(0, ...known), fields: lines[0]?.length ?? 0 }
  })
  scores.sort((one, other) => other.known - one.known || other.fields - one.fields)
  return scores[0]?.separator ?? ';'
}

function firstRecords(head: string, delimiter: string): string[][] {
  const lines: string[][] = []
  try {
    parse(head.replace(/^[;,\t|"\s]*[\r\n]/, ''), {
      ...dialect,
      delimiter,
      to: linesBefore,
      on_record: (fields: string[]) => {
        lines.push(fields)
        return null
      },
    })
  } catch {
    // The beginning may end within quotes; what was read before is enough.
  }
  return lines
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
    `Строка ${row}: длиннее ${recordBytesMax / 1024} КиБ; возможно, не закрыта кавычка`,
  )
}
