import { crc32, deflateRawSync } from 'node:zlib'

/** XLSX files made by hand, part by part, for what no program would write. */

export interface ZipPart {
  readonly path: string
  readonly content: string | Buffer
  /** What the archive says of it, where that is not true. */
  readonly says?: { size?: number; checksum?: number; isEncrypted?: boolean }
}

export function zipOf(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const { local, central } = zipEntry(part, offset)
    files.push(local)
    directory.push(central)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...directory, end])
}

function zipEntry({ path, content, says = {} }: ZipPart, offset: number) {
  const bytes = Buffer.from(content)
  const packed = deflateRawSync(bytes)
  const name = Buffer.from(path)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(says.isEncrypted ? 1 : 0, 2)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(says.checksum ?? crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(says.size ?? bytes.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(offset, 10)
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, name])
  return { local, central }
}

export interface HandmadeXlsx {
  /** What stands in `sheetData`. */
  readonly rows?: string
  /** The whole sheet, instead of `rows`. */
  readonly sheet?: string
  readonly strings?: string
  readonly styles?: string
  readonly workbook?: string
  /** Of the workbook. */
  readonly relations?: string
  readonly others?: readonly ZipPart[]
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function relationsXml(relations: readonly [id: string, type: string, target: string][]) {
  const lines = relations.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="x">${lines.join('')}</Relationships>`
}

export function sheetXml(rows: string): string {
  return `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`
}

export function workbookXml(sheets: string): string {
  return `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets}</sheets></workbook>`
}

export function xlsxParts(made: HandmadeXlsx): ZipPart[] {
  const relations = relationsXml([
    ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
    ['rId2', 'sharedStrings', 'sharedStrings.xml'],
    ['rId3', 'styles', '/xl/styles.xml'],
  ])
  const parts: (ZipPart | undefined)[] = [
    {
      path: '_rels/.rels',
      content: relationsXml([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    },
    {
      path: 'xl/workbook.xml',
      content: made.workbook ?? workbookXml('<sheet name="Лист1" sheetId="1" r:id="rId1"/>'),
    },
    { path: 'xl/_rels/workbook.xml.rels', content: made.relations ?? relations },
    { path: 'xl/worksheets/sheet1.xml', content: made.sheet ?? sheetXml(made.rows ?? '') },
    made.strings === undefined
      ? undefined
      : { path: 'xl/sharedStrings.xml', content: `<sst xmlns="${main}">${made.strings}</sst>` },
    made.styles === undefined
      ? undefined
      : {
          path: 'xl/styles.xml',
          content: `<styleSheet xmlns="${main}">${made.styles}</styleSheet>`,
        },
    ...(made.others ?? []),
  ]
  return parts.filter((part) => part !== undefined)
}

export function xlsxOf(made: HandmadeXlsx): Buffer {
  return zipOf(xlsxParts(made))
}

/** A row of texts within the cells themselves. */
export function inlineRow(...texts: readonly string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  return `<row>${cells.join('')}</row>`
}

/** A book whose first sheet says how to fill it in, and whose second one, `Товары`, has these rows. */
export function bookWithInstruction(rows: string): Buffer {
  return xlsxOf({
    workbook: workbookXml(
      '<sheet name="Инструкция" sheetId="1" r:id="rId1"/><sheet name="Товары" sheetId="2" r:id="rId2"/>',
    ),
    relations: relationsXml([
      ['rId1', 'worksheet', 'worksheets\\sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets\\goods.xml'],
    ]),
    rows: inlineRow('Как заполнять'),
    others: [{ path: 'xl/worksheets/goods.xml', content: sheetXml(rows) }],
  })
}
