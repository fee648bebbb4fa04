import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
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
