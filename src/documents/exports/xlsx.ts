import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { columnLetters } from '../../platform/kernel/column-letters.ts'
import type { ExportColumn, ExportRow, ExportTable } from './table.ts'

/**
 * A table as XLSX, written while it is read: memory holds one batch of rows. Texts stand in their cells as texts, so no
 * spreadsheet evaluates them. What one sheet cannot hold goes on in the next. `write-excel-file` would hold all rows, and `exceljs`
 * has had no release since 2023.
 */
export function xlsxOf(table: ExportTable, now: Date, rowsMax = 1_000_000): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const source = new RowSource(table.batches)
  const entry = { mtime: now }
  let sheets = 0
  const addSheet = () => {
    sheets += 1
    const sheet = Readable.from(sheetParts(table.columns, source, rowsMax), { objectMode: false })
    sheet.on('error', (error) => output.destroy(error))
    sheet.once('end', () => (source.isOver ? finish() : addSheet()))
    output.once('close', () => sheet.destroy())
    zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`, entry)
  }
  const finish = () => {
    for (const [path, xml] of bookParts(table.title, sheets)) {
      zip.addBuffer(Buffer.from(xml), path, entry)
    }
    zip.end()
  }
  zip.on('error', (error) => output.destroy(error))
  addSheet()
  return output
}

/** Hands the rows of batches out in pieces: one sheet after the other takes what it can hold. */
class RowSource {
  readonly #batches: AsyncIterator<readonly ExportRow[]>
  #rest: readonly ExportRow[] = []
  isOver = false

  constructor(batches: AsyncIterable<readonly ExportRow[]>) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** Up to `max` rows; none at the end. */
  async take(max: number): Promise<readonly ExportRow[]> {
    while (this.#rest.length === 0 && !this.isOver) {
      const { done, value } = await this.#batches.next()
      if (done) this.isOver = true
      else this.#rest = value
    }
    const taken = this.#rest.slice(0, max)
    this.#rest = this.#rest.slice(max)
    return taken
  }

  /** Learns whether a row follows. */
  async look(): Promise<void> {
    this.#rest = [...(await this.take(1)), ...this.#rest]
  }

  async close(): Promise<void> {
    this.isOver = true
    await this.#batches.return?.()
  }
}

async function* sheetParts(
  columns: readonly ExportColumn[],
  source: RowSource,
  rowsMax: number,
): AsyncGenerator<Buffer> {
  let isComplete = false
  try {
    const widths = columns.map(
      ({ kind, isCode }, n) =>
        `<col min="${n + 1}" max="${n + 1}" width="${widthOf[kind]}" customWidth="1"${isCode ? ' style="3"' : ''}/>`,
    )
    const titles = columns.map(({ title }, n) => textCell(cellAt(n, 1), title, ' s="2"'))
    let row = 1
    yield Buffer.from(
      `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
        `<cols>${widths.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`,
    )
    for (let left = rowsMax; left > 0; ) {
      const rows = await source.take(left)
      if (rows.length === 0) break
      left -= rows.length
      const first = row + 1
      row += rows.length
      yield Buffer.from(rows.map((cells, at) => rowXml(columns, cells, first + at)).join(''))
    }
    await source.look()
    yield Buffer.from('</sheetData></worksheet>')
    isComplete = true
  } finally {
    if (!isComplete) await source.close()
  }
}

const widthOf = { text: 24, number: 12, money: 14, moment: 17 } as const
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** Rows and cells name their places: the format does not ask for it, but many readers of tables need it. */
function rowXml(columns: readonly ExportColumn[], cells: ExportRow, row: number): string {
  const written = columns.map((column, n) => cellXml(cellAt(n, row), cells[n] ?? null, column))
  return `<row r="${row}">${written.join('')}</row>`
}

/** A reference such as `AB12`: the column counts from 0, the row from 1. */
function cellAt(column: number, row: number): string {
  return `${columnLetters(column)}${row}`
}

function cellXml(at: string, value: ExportRow[number], { kind, isCode }: ExportColumn): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') {
    return `<c r="${at}"${kind === 'money' ? ' s="4"' : ''}><v>${value}</v></c>`
  }
  const serial = kind === 'moment' ? dateSerial(value) : undefined
  if (serial !== undefined) return `<c r="${at}" s="1"><v>${serial}</v></c>`
  return textCell(at, value, isCode ? ' s="3"' : '')
}

/** Characters that a cell of a spreadsheet holds. */
const textMax = 32_767

function textCell(at: string, text: string, style: string): string {
  const shown = text
    .slice(0, textMax)
    .toWellFormed()
    // XML can't hold control characters. A space keeps the words on both sides apart.
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, ' ')
    // Readers take `_x0041_` for an escaped letter, unless its underscore is escaped.
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>]/g, (character) => escapes[character] ?? character)
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${shown}</t></is></c>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The wall time of a timestamp (Moscow's), in whole seconds, as days since 30.12.1899. */
function dateSerial(timestamp: string): number | undefined {
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(timestamp)?.[0]
  if (local === undefined) return undefined
  return Math.round((Date.parse(`${local}Z`) / 86_400_000 + 25_569) * 1e10) / 1e10
}

const plain = 'numFmtId="0" fontId="0" fillId="0" borderId="0"'

/** The other parts of the book, by path. */
function bookParts(title: string, sheets: number): [string, string][] {
  const numbers = Array.from({ length: sheets }, (_, n) => n + 1)
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const names = numbers.map((n) => {
    const name = n === 1 ? title : `${title} ${n}`
    return `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`
  })
  const relations = numbers.map(
    (n) =>
      `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const styles = `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/>`
  const types = numbers.map(
    (n) =>
      `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  )
  return [
    [
      '[Content_Types].xml',
      `${xmlHead}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${types.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${xmlHead}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${xmlHead}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xmlHead}<Relationships xmlns="${packages}/relationships">${relations.join('')}${styles}</Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${xmlHead}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf ${plain}/></cellStyleXfs><cellXfs count="5"><xf ${plain} xfId="0"/><xf ${plain.replace('numFmtId="0"', 'numFmtId="164"')} xfId="0" applyNumberFormat="1"/><xf ${plain.replace('fontId="0"', 'fontId="1"')} xfId="0" applyFont="1"/><xf ${plain.replace('numFmtId="0"', 'numFmtId="49"')} xfId="0" applyNumberFormat="1"/><xf ${plain.replace('numFmtId="0"', 'numFmtId="4"')} xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
  ]
}
