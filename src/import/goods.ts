import { badRequest } from '../kernel/errors.ts'
import type { SheetRows } from './cell.ts'
import { refusedFile, unknownFormat } from './refusals.ts'
import { type GoodsRow, type NamesLookup, readTable } from './table.ts'

/**
 * Reads goods from a spreadsheet file, CSV or XLSX.
 *
 * - The result has all rows or none: any error refuses the whole file.
 * - Everything is bounded: file size, unpacked size, rows, columns, lengths, and the time that the
 *   event loop waits.
 * - An XLSX file is never unpacked into memory as a whole.
 */

export interface GoodsFile {
  readonly bytes: Buffer
  /** As the client sent it; used only if the content does not show the format. */
  readonly contentType?: string | undefined
  readonly fileName?: string | undefined
}

export const FILE_BYTES_MAX = 10 * 1024 * 1024

/**
 * Without `known` a row needs no name. Throws ServiceError: bad_request if the file is no table, validation_error if its content is
 * wrong.
 */
export async function readGoods(file: GoodsFile, known?: NamesLookup): Promise<GoodsRow[]> {
  return readTable(await rowsOf(file), known)
}

const zipSignatures = ['504b0304', '504b0506']

/** Of an old .xls, and of an .xlsx with a password. */
const oldOfficeSignature = 'd0cf11e0a1b11ae1'

/** Types that browsers and programs send for CSV; Windows sends application/vnd.ms-excel. */
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

/** The rows of a file of either format, whose reader is loaded now: most processes never need one. Throws ServiceError. */
export async function rowsOf({
  bytes,
  contentType = '',
  fileName = '',
}: GoodsFile): Promise<SheetRows> {
  if (bytes.length === 0) throw badRequest('Файл пуст')
  if (bytes.length > FILE_BYTES_MAX) {
    throw badRequest(`Файл больше ${FILE_BYTES_MAX / 2 ** 20} МиБ`)
  }
  const start = bytes.subarray(0, 8).toString('hex')
  if (zipSignatures.some((signature) => start.startsWith(signature))) {
    const { xlsxRows } = await import('./xlsx/xlsx.ts')
    return xlsxRows(bytes)
  }
  if (start === oldOfficeSignature) {
    throw refusedFile(
      'Старый формат Excel (.xls) или файл с паролем не читается: сохраните таблицу как .xlsx ' +
        'без пароля',
    )
  }
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!textTypes.has(type) && !/\.(?:csv|tsv|txt)$/i.test(fileName)) throw unknownFormat()
  const { csvRows } = await import('./csv.ts')
  return csvRows(bytes)
}
