import { posix } from 'node:path'
import { refusedFile, unknownFormat } from '../refusals.ts'
import type { Archive } from './archive.ts'
import { readWholeXml } from './xml.ts'

/** The paths of the parts that a table needs. */
export interface Workbook {
  readonly sheet: string
  readonly strings: string | undefined
  readonly styles: string | undefined
}

interface Relation {
  readonly id: string
  /** The last word of the type's URI: `worksheet`, `styles`. */
  readonly type: string
  readonly path: string
}

const RELATIONS_MAX = 1_000

/** Finds the first sheet that is not hidden. Throws ServiceError. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = (await relations(archive, '')).find(({ type }) => type === 'officeDocument')?.path
  if (path?.endsWith('.bin')) {
    throw refusedFile('Двоичная книга Excel (.xlsb) не читается: сохраните её как .xlsx')
  }
  if (path === undefined || !archive.has(path)) throw unknownFormat()
  const targets = await relations(archive, path)
  const ids = await visibleSheets(archive, path)
  const sheets = ids.map((id) => targets.find((target) => target.id === id))
  const sheet = sheets.find((target) => target?.type === 'worksheet')
  if (sheet === undefined) throw refusedFile('В файле XLSX нет ни одного листа с таблицей')
  const partOf = (wanted: string) => {
    const found = targets.find(({ type, path }) => type === wanted && archive.has(path))
    return found?.path
  }
  return { sheet: sheet.path, strings: partOf('sharedStrings'), styles: partOf('styles') }
}

/** The parts to which a part refers. References to outside the file are ignored. */
async function relations(archive: Archive, of: string): Promise<Relation[]> {
  const folder = posix.dirname(of)
  const path = posix.join(folder, '_rels', `${posix.basename(of)}.rels`)
  if (!archive.has(path)) throw unknownFormat()
  const found: Relation[] = []
  await readWholeXml(archive.part(path), {
    open(name, { Id = '', Type = '', Target = '', TargetMode = '' }) {
      if (name !== 'Relationship' || TargetMode === 'External') return
      if (found.length === RELATIONS_MAX) return
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      found.push({ id: Id, type, path: posix.join('/', folder, target(Target)).slice(1) })
    },
  })
  return found

  function target(given: string): string {
    return given.startsWith('/') ? posix.relative(posix.join('/', folder), given) : given
  }
}

/** The reference ids of the visible sheets, in the order of their tabs. */
async function visibleSheets(archive: Archive, path: string): Promise<string[]> {
  const found: string[] = []
  await readWholeXml(archive.part(path), {
    open(name, attributes) {
      if (name !== 'sheet' || found.length === RELATIONS_MAX) return
      if ((attributes.state ?? 'visible') !== 'visible') return
      const id = Object.entries(attributes).find(([key]) => /^[^:]+:id$/.test(key))?.[1]
      if (id !== undefined) found.push(id)
    },
  })
  return found
}
