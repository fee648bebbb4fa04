import type { Sheet } from '../cell.ts'
import { openArchive } from './archive.ts'
import { sheetRows } from './sheet.ts'
import { readSharedStrings } from './strings.ts'
import { readNumberFormats } from './styles.ts'
import { readWorkbook } from './workbook.ts'

/**
 * The visible sheets of an XLSX file, to be streamed: the one that lay open when it was saved comes first. Memory holds
 * the shared texts and the rows of one piece. Throws ServiceError.
 */
export async function xlsxSheets(bytes: Buffer): Promise<readonly Sheet[]> {
  const archive = await openArchive(bytes)
  const { sheets, strings, styles } = await readWorkbook(archive)
  const formats = styles === undefined ? [] : await readNumberFormats(archive.part(styles))
  const texts = strings === undefined ? [] : await readSharedStrings(archive.part(strings))
  const context = { strings: texts, formats }
  return sheets.map(({ name, path }) => ({
    name: sheets.length === 1 ? undefined : name,
    rows: () => sheetRows(archive.part(path), context),
  }))
}
