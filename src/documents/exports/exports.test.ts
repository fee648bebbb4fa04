import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { openArchive } from '../imports/xlsx/archive.ts'
import { csvOf } from './csv.ts'
import type { ExportColumn, ExportRow, ExportTable } from './table.ts'
import { xlsxOf } from './xlsx.ts'

const now = new Date('2026-11-22T12:00:00Z')
const columns: readonly ExportColumn[] = [
  { title: 'Товар', kind: 'text' },
  { title: 'Остаток', kind: 'number' },
  { title: 'Когда', kind: 'moment' },
]

function tableOf(...batches: readonly (readonly ExportRow[])[]): ExportTable {
  return {
    title: 'Остатки',
    columns,
    batches: (async function* () {
      yield* batches
    })(),
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const csv = async (...rows: readonly ExportRow[]) =>
  (await bytesOf(csvOf(tableOf(rows)))).toString().split('\r\n')

test('CSV has headings, a mark of its encoding and Moscow times', async () => {
  const lines = await csv(['Плед "Уют"; серый', -3, '2026-11-20T18:25:02.123+03:00'], ['', 0, null])
  assert.deepEqual(lines, [
    '\ufeffТовар;Остаток;Когда',
    '"Плед ""Уют""; серый";-3;20.11.2026 18:25',
    ';0;',
    '',
  ])
})

test('no text of a seller becomes a formula in CSV, and numbers stay numbers', async () => {
  const formulas = [
    '=HYPERLINK("http://x")',
    '+7 900',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1',
    '＝1',
  ]
  for (const text of formulas) {
    const all = (await bytesOf(csvOf(tableOf([[text, -1, null]])))).toString()
    const cell = all.slice(all.indexOf('\r\n') + 2)
    assert.match(cell, /^"?'/, JSON.stringify(cell))
    assert.match(cell, /;-1;\r\n$/)
  }
  const [, plain] = await csv(['Плед = 5', 5, null])
  assert.equal(plain, 'Плед = 5;5;')
})

test('fractions have a comma in CSV, and money its kopecks; a book holds them as numbers', async () => {
  const priced: readonly ExportColumn[] = [
    { title: 'Литры', kind: 'number' },
    { title: 'Сумма', kind: 'money' },
  ]
  const table = () => ({ ...tableOf([[1.5, 75.5]], [[-2, -0.05]]), columns: priced })
  const lines = (await bytesOf(csvOf(table()))).toString().split('\r\n')
  assert.deepEqual(lines.slice(1), ['1,5;75,50', '-2;-0,05', ''])
  assert.match(await sheetOf(table()), /<c r="A2"><v>1.5<\/v><\/c><c r="B2" s="4"><v>75.5</)
})

/** What a reader of the book finds on its first sheet. */
async function sheetOf(table: ExportTable): Promise<string> {
  const archive = await openArchive(await bytesOf(xlsxOf(table, now)))
  const parts: Buffer[] = []
  for await (const part of archive.part('xl/worksheets/sheet1.xml')) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('rows and cells of XLSX say where they stand, in every batch and beyond column Z', async () => {
  const sheet = await sheetOf(tableOf([['a', 1, null]], [[null, 2, null]]))
  assert.deepEqual(sheet.match(/<row r="\d+">/g), ['<row r="1">', '<row r="2">', '<row r="3">'])
  assert.deepEqual(
    [...sheet.matchAll(/<c r="([A-Z]+\d+)"/g)].map(([, at]) => at),
    ['A1', 'B1', 'C1', 'A2', 'B2', 'B3'],
  )
  assert.doesNotMatch(sheet, /<(?:row|c)(?: (?!r=)|>|\/)/)
  const wide = Array.from(
    { length: 28 },
    (_, at): ExportColumn => ({ title: `${at}`, kind: 'text' }),
  )
  const batches = (async function* () {})()
  assert.match(await sheetOf({ title: 'x', columns: wide, batches }), /r="Z1".*r="AA1".*r="AB1"/)
})

test('texts of XLSX are read as they are: nothing in them is an escape, a control character is a space', async () => {
  const texts = ['_x0041_', 'a_x000D_b', '_x5_', 'А\u0001Б\u000bВ', 'две\nстроки', '<&>']
  const sheet = await sheetOf(tableOf(texts.map((text) => [text, 1, null] as const)))
  const shown = [...sheet.matchAll(/<t xml:space="preserve">([^<]*)</g)].map(([, text]) => text)
  assert.deepEqual(shown.slice(3), [
    ...['_x005F_x0041_', 'a_x005F_x000D_b', '_x5_', 'А Б В', 'две\nстроки', '&lt;&amp;&gt;'],
  ])
})

/** Rows that no compression makes small, and how many batches were asked for. */
function endless() {
  const seen = { batches: 0, isClosed: false }
  const row = (n: number): ExportRow => [
    createHash('sha256').update(String(n)).digest('hex'),
    n,
    null,
  ]
  const batches = (async function* () {
    try {
      for (let n = 0; ; n += 500) {
        seen.batches += 1
        yield Array.from({ length: 500 }, (_, at) => row(n + at))
      }
    } finally {
      seen.isClosed = true
    }
  })()
  return { seen, table: { title: 'Остатки', columns, batches } }
}

for (const [format, write] of [
  ['CSV', csvOf],
  ['XLSX', (table: ExportTable) => xlsxOf(table, now)],
] as const) {
  // Guarantee (exports): An export is written while it is read, and stops when its reader leaves.
  test(`${format} is written as it is read: whoever stops reading stops it, and whoever leaves ends it`, async () => {
    const { seen, table } = endless()
    const stream = write(table)
    let read = 0
    for await (const part of stream) {
      read += (part as Buffer).length
      if (read > 1_000_000) break
    }
    // A batch has about forty kilobytes.
    assert.ok(seen.batches < 100, `${seen.batches} batches`)
    await new Promise(setImmediate)
    const stopped = seen.batches
    await new Promise(setImmediate)
    assert.equal(seen.batches, stopped)
    assert.ok(seen.isClosed)
  })

  test(`${format}: a failure of the source ends the file with an error`, async () => {
    const failing = (async function* () {
      yield [['a', 1, null]] as const
      throw new Error('the database is away')
    })()
    await assert.rejects(bytesOf(write({ title: 'x', columns, batches: failing })), /away/)
  })
}
