import { badRequest } from '../kernel/errors.ts'
import type { SheetRows } from './cell.ts'
import { csvRows } from './csv.ts'
import { refusedFile, unknownFormat } from './refusals.ts'
import { type GoodsRow, readTable } from './table.ts'
import { xlsxRows } from './xlsx/xlsx.ts'

/**
 * Goods from a file that people made in a spreadsheet program: CSV or XLSX. All rows are given or
 * none. Everything is bounded, whatever the file: its size, what it unpacks to, rows, columns,
 * lengths, and how long the event loop waits; an XLSX file is never wholly unpacked in memory.
 */

export interface GoodsFile {
  readonly bytes: Buffer
  /** As it was sent; asked only where the content does not say what it is. */
  readonly contentType?: string | undefined
  readonly fileName?: string | undefined
}

export const FILE_BYTES_MAX = 10 * 1024 * 1024

/** Throws ApiError: bad_request for what is no table, validation_error for what is wrong in it. */
export async function readGoods(file: GoodsFile): Promise<GoodsRow[]> {
  if (file.bytes.length === 0) throw badRequest('Файл пуст')
  if (file.bytes.length > FILE_BYTES_MAX) {
    throw badRequest(`Файл больше ${FILE_BYTES_MAX / 2 ** 20} МиБ`)
  }
  return readTable(rowsOf(file))
}

const zipMarks = ['504b0304', '504b0506']

/** Of an old .xls, and of an .xlsx with a password. */
const oldOfficeMark = 'd0cf11e0a1b11ae1'

/** How browsers and programs call CSV; application/vnd.ms-excel is what Windows says of it. */
const textTypes = new Set([
  '',
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'text/comma-separated-values',
  'text/x-csv',
  'application/csv',
  'application/x-csv',
  'application/vnd.ms-excel',
  'application/octet-stream',
])

function rowsOf({ bytes, contentType = '', fileName = '' }: GoodsFile): SheetRows {
  const start = bytes.subarray(0, 8).toString('hex')
  if (zipMarks.some((mark) => start.startsWith(mark))) return xlsxRows(bytes)
  if (start === oldOfficeMark) {
    throw refusedFile(
      'Старый формат Excel (.xls) или файл с паролем не читается: сохраните таблицу как .xlsx ' +
        'без пароля',
    )
  }
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!textTypes.has(type) && !/\.(?:csv|tsv|txt)$/i.test(fileName)) throw unknownFormat()
  return csvRows(bytes)
}
