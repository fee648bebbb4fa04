import { badRequest } from '../../platform/kernel/errors.ts'
import type { Sheet } from './cell.ts'
import { isZip, otherFormat } from './other-formats.ts'
import { refusedFile, unknownFormat } from './refusals.ts'
import { type GoodsTable, type NamesLookup, readTable } from './table.ts'

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

export const fileBytesMax = 10 * 1024 * 1024

/**
 * Without `known` a row needs no name. Throws ServiceError: bad_request if the file is no table, validation_error if its content is
 * wrong.
 */
export async function readGoods(file: GoodsFile, known?: NamesLookup): Promise<GoodsTable> {
  return readTable(await sheetsOf(file), known)
}

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

/**
 * The tables of a file of either format, the likeliest first. Their reader is loaded now: most processes never need one.
 * Throws ServiceError.
 */
export async function sheetsOf({
  bytes,
  contentType = '',
  fileName = '',
}: GoodsFile): Promise<readonly Sheet[]> {
  if (bytes.length === 0) throw badRequest('Файл пуст')
  if (bytes.length > fileBytesMax) {
    throw badRequest(`Файл больше ${fileBytesMax / 2 ** 20} МиБ`)
  }
  const other = otherFormat(bytes)
  if (other !== undefined) throw refusedFile(other)
  if (isZip(bytes)) {
    const { xlsxSheets } = await import('./xlsx/xlsx.ts')
    return xlsxSheets(bytes)
  }
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!textTypes.has(type) && !/\.(?:csv|tsv|txt)$/i.test(fileName)) throw unknownFormat()
  const { csvSheet } = await import('./csv.ts')
  return [csvSheet(bytes)]
}
