import { posix } from 'node:path'
import type { ServiceError } from '../../../platform/kernel/errors.ts'
import type { Sheet } from '../cell.ts'
import { otherArchive } from '../other-formats.ts'
import { damagedXlsx, refusedFile } from '../refusals.ts'
import { type Archive, openArchive } from './archive.ts'
import { sheetRows } from './sheet.ts'
import { readSharedStrings } from './strings.ts'
import { readNumberFormats } from './styles.ts'
import { readWholeXml } from './xml.ts'

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

/** The parts that a table needs, by their paths. */
export interface Workbook {
  /** Those that people see, the one that lay open first, then in the order of their tabs. */
  readonly sheets: readonly NamedSheet[]
  readonly strings: string | undefined
  readonly styles: string | undefined
}

interface NamedSheet {
  readonly name: string
  readonly path: string
}

interface Relation {
  readonly id: string
  /** The last word of the type's URI: `worksheet`, `styles`. */
  readonly type: string
  readonly path: string
}

const RELATIONS_MAX = 1_000

/** Finds the sheets that are not hidden. Throws ServiceError. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = (await relations(archive, '')).find(({ type }) => type === 'officeDocument')?.path
  if (path?.endsWith('.bin')) {
    throw refusedFile('Двоичная книга Excel (.xlsb) не читается: сохраните её как .xlsx')
  }
  if (path === undefined || !archive.has(path) || path.startsWith('word/')) throw noBook(archive)
  const targets = await relations(archive, path)
  const sheets = (await visibleSheets(archive, path)).flatMap(({ id, name }) => {
    const found = targets.find((target) => target.id === id)
    return found?.type === 'worksheet' ? [{ name, path: found.path }] : []
  })
  if (sheets.length === 0) throw refusedFile('В файле XLSX нет ни одного листа с таблицей')
  const partOf = (wanted: string) => {
    const found = targets.find(({ type, path }) => type === wanted && archive.has(path))
    return found?.path
  }
  return { sheets, strings: partOf('sharedStrings'), styles: partOf('styles') }
}

function noBook(archive: Archive): ServiceError {
  return refusedFile(otherArchive(archive.has))
}

/** The parts to which a part refers. References to outside the file are ignored. */
async function relations(archive: Archive, of: string): Promise<Relation[]> {
  const folder = posix.dirname(of)
  const path = posix.join(folder, '_rels', `${posix.basename(of)}.rels`)
  if (!archive.has(path)) throw of === '' ? noBook(archive) : damagedXlsx('no relations')
  const found: Relation[] = []
  await readWholeXml(archive.part(path), {
    open(name, { Id = '', Type = '', Target = '', TargetMode = '' }) {
      if (name !== 'Relationship' || TargetMode === 'External') return
      if (found.length === RELATIONS_MAX) return
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      // Some programs write the separators of Windows.
      const given = Target.replaceAll('\\', '/')
      found.push({ id: Id, type, path: posix.join('/', folder, target(given)).slice(1) })
    },
  })
  return found

  function target(given: string): string {
    return given.startsWith('/') ? posix.relative(posix.join('/', folder), given) : given
  }
}

interface Tab {
  /** Of its relation. */
  readonly id: string
  readonly name: string
}

async function visibleSheets(archive: Archive, path: string): Promise<Tab[]> {
  const tabs: (Tab & { readonly isHidden: boolean })[] = []
  let active = 0
  await readWholeXml(archive.part(path), {
    open(element, attributes) {
      const { state = 'visible', name = '', activeTab } = attributes
      if (element === 'workbookView' && activeTab !== undefined) active = Number(activeTab)
      if (element !== 'sheet' || tabs.length === RELATIONS_MAX) return
      const id = Object.entries(attributes).find(([key]) => /^[^:]+:id$/.test(key))?.[1] ?? ''
      tabs.push({ id, name, isHidden: state !== 'visible' })
    },
  })
  const open = tabs[active]
  const inOrder = open === undefined ? tabs : [open, ...tabs.filter((tab) => tab !== open)]
  return inOrder.filter(({ isHidden }) => !isHidden)
}
