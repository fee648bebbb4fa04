import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type HandmadeXlsx,
  inlineRow,
  sheetXml,
  xlsxOf,
  xlsxParts,
  type ZipPart,
  zipOf,
} from '../../../../tests/support/xlsx-file.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { readGoods } from '../goods.ts'

const rows = `${inlineRow('barcode', 'qty')}${inlineRow('a', '1')}`

async function refusal(bytes: Buffer): Promise<string> {
  const error = await readGoods({ bytes }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ServiceError, String(error))
  return error.message
}

const refused = (made: HandmadeXlsx) => refusal(xlsxOf(made))

/** Peak growth of resident memory during an action, in MiB, measured between its chunks. */
async function growth(act: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let peak = before
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 1)
  await act()
  clearInterval(look)
  return (peak - before) / 2 ** 20
}

test('a bomb that declares its size is refused without being unpacked', async () => {
  const parts = xlsxParts({ rows }).map((part): ZipPart => {
    return part.path.includes('sheet1') ? { ...part, says: { size: 2 ** 30 } } : part
  })
  assert.match(await refusal(zipOf(parts)), /в распакованном виде больше 32 МиБ/)
})

test('unpacking stops at a bomb that declares a small size', async () => {
  const content = sheetXml(' '.repeat(40 * 2 ** 20))
  const parts = xlsxParts({ rows }).map((part): ZipPart => {
    return part.path.includes('sheet1') ? { ...part, content, says: { size: 1_000 } } : part
  })
  const bomb = zipOf(parts)
  const used = await growth(async () => assert.match(await refusal(bomb), /повреждён/))
  assert.ok(used < 16, `${used} MiB`)
})

test('one bound applies to all parts together', async () => {
  const filler = `<!-- -->`.repeat(20 * 2 ** 17)
  const found = await refused({ sheet: sheetXml(rows + filler), strings: filler })
  assert.match(found, /больше 32 МиБ/)
})

test('a DOCTYPE is refused: nothing is expanded or fetched', async () => {
  const nested = Array.from(
    { length: 9 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  )
  const types = [
    `<!DOCTYPE x [<!ENTITY l0 "ha">${nested.join('')}]>`,
    '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">',
  ]
  for (const type of types) {
    const body = sheetXml(`${rows}${inlineRow('&l9;', '1')}`).replace(/^<\?.*?\?>/, '')
    assert.match(await refused({ sheet: type + body }), /повреждён/)
    assert.match(await refused({ sheet: type + sheetXml(rows).slice(21) }), /повреждён/)
    assert.match(await refused({ workbook: `${type}<workbook/>` }), /повреждён/)
  }
  assert.match(await refused({ rows: inlineRow('&nbsp;', 'qty') }), /повреждён/)
})

test('XML without bounds in any direction is refused', async () => {
  const many = 1_000_000
  const sheets = [
    '<a>'.repeat(many),
    `<row>${'<c><v>1</v></c>'.repeat(many)}</row>`,
    `<c ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
    `<c r="${'A'.repeat(many)}"/>`,
    `<${'c'.repeat(many)}/>`,
    `<row r="1e9"/>`,
    `<!--${'-'.repeat(many)}`,
    `<![CDATA[${' '.repeat(many)}`,
    `<row><c r="A1"><v>${'1'.repeat(many)}</v></c></row>`,
    `<row><c t="wrong"><v>1</v></c></row>`,
  ]
  for (const made of sheets) {
    const found = await refused({ rows: rows + made })
    assert.match(found, /повреждён|больше 100 столбцов/, made.slice(0, 40))
  }
  assert.match(await refused({ rows: rows + '<row/>'.repeat(many) }), /больше 100000 строк/)
  const strings = '<si/>'.repeat(100_000)
  assert.match(await refused({ rows, strings: `${strings}<si/>` }), /больше 100000 разных текстов/)
  assert.equal((await readGoods({ bytes: xlsxOf({ rows, strings }) })).rows.length, 1)
  const runs = `<si>${'<t/>'.repeat(400_000)}</si>`
  assert.match(await refused({ rows, strings: runs }), /слишком много ячеек или текстов/)
  const cells = `<row>${'<c/>'.repeat(many)}</row>`
  assert.match(await refused({ rows: rows + cells }), /слишком много ячеек или текстов/)
  const styles = `<cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs>`
  assert.match(await refused({ rows, styles }), /повреждён/)
})

test('a cell of many megabytes is too long and not stored', async () => {
  const long = 'ы'.repeat(15 * 2 ** 20)
  const bytes = xlsxOf({ rows: `${inlineRow('barcode', 'qty')}${inlineRow(long, '1')}` })
  const used = await growth(async () => {
    assert.match(await refusal(bytes), /строка 2, столбец „barcode“ \(A\): не больше 64 символов/)
  })
  assert.ok(used < 32, `${used} MiB`)
})

test('an archive with too many entries or a repeated name is refused', async () => {
  const others = Array.from({ length: 1_000 }, (_, at) => ({ path: `x${at}`, content: '' }))
  assert.match(await refused({ rows, others }), /повреждён/)
  const duplicate = { path: 'XL/Workbook.xml', content: '<workbook/>' }
  assert.match(await refused({ rows, others: [duplicate] }), /повреждён/)
})

test('an encrypted entry, or one with a wrong checksum, is refused', async () => {
  const saying = (says: ZipPart['says']) =>
    zipOf(xlsxParts({ rows }).map((part) => (says === undefined ? part : { ...part, says })))
  assert.match(await refusal(saying({ isEncrypted: true })), /защищён паролем/)
  assert.match(await refusal(saying({ checksum: 1 })), /повреждён/)
  assert.equal((await readGoods({ bytes: saying(undefined) })).rows.length, 1)
})

test('references to outside the file are ignored', async () => {
  const relations =
    '<Relationships><Relationship Id="rId1" Type="x/worksheet" TargetMode="External" ' +
    'Target="http://127.0.0.1:1/sheet.xml"/></Relationships>'
  assert.match(await refused({ rows, relations }), /нет ни одного листа/)
  const climbing = relations
    .replace('TargetMode="External" ', '')
    .replace('http:', '../../../../..')
  assert.match(await refused({ rows, relations: climbing }), /повреждён/)
})

test('a zip archive that is no spreadsheet is refused as such', async () => {
  assert.match(await refusal(zipOf([])), /не похож/)
  assert.match(await refusal(zipOf([{ path: 'content.xml', content: '<x/>' }])), /не похож/)
  const binary = xlsxParts({ rows }).map((part) =>
    part.path === '_rels/.rels'
      ? { ...part, content: String(part.content).replace('workbook.xml', 'workbook.bin') }
      : part,
  )
  assert.match(await refusal(zipOf(binary)), /\.xlsb/)
})

test('a file truncated at any point is refused', async () => {
  const bytes = xlsxOf({ rows })
  for (let end = 1; end < bytes.length; end += 7) {
    assert.ok((await refusal(bytes.subarray(0, end))).length > 0)
  }
})
