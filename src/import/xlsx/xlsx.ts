import type { SheetRow } from '../cell.ts'
import { openArchive } from './archive.ts'
import { sheetRows } from './sheet.ts'
import { readSharedStrings } from './strings.ts'
import { readNumberFormats } from './styles.ts'
import { readWorkbook } from './workbook.ts'

/**
 * Streams the first visible sheet of an XLSX file. Memory holds the shared texts and the rows of
 * one piece. Throws ServiceError.
 */
export async function* xlsxRows(bytes: Buffer): AsyncGenerator<SheetRow[]> {
  const archive = await openArchive(bytes)
  const { sheet, strings, styles } = await readWorkbook(archive)
  const formats = styles === undefined ? [] : await readNumberFormats(archive.part(styles))
  const texts = strings === undefined ? [] : await readSharedStrings(archive.part(strings))
  yield* sheetRows(archive.part(sheet), { strings: texts, formats })
}
