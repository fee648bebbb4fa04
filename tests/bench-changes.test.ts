import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { changes, describeChanges, lastResults } from '../bench/compare.ts'

function resultsOf(date: string, ratios: Readonly<Record<string, number>>, orders = 50_000) {
  const cases = Object.entries(ratios).map(([name, processorRatio]) => ({ name, processorRatio }))
  return { date, commit: `of ${date}`, orders, cases }
}

test('results are compared with the newest ones of as many orders, and what became worse is named', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sklad-results-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const write = (name: string, results: object) =>
    writeFileSync(join(directory, name), JSON.stringify(results))
  const before = resultsOf('2026-11-02', { stock: 1, orders: 1.5, gone: 1 })
  write('b.json', before)
  write('a.json', resultsOf('2026-11-01', { stock: 9, orders: 9 }))
  write('c.json', resultsOf('2026-11-03', { stock: 9, orders: 9 }, 1_000_000))
  write('d.json', { date: '2026-11-04', orders: 50_000, rounds: [] })
  write('e.json', { date: '2026-11-04', orders: 50_000, cases: [{ name: 'stock' }] })
  write('e.md', {})
  const now = resultsOf('2026-11-05', { stock: 1.3, orders: 1.6, added: 1 })
  assert.deepEqual(lastResults(directory, now), before)
  assert.deepEqual(
    changes(before, now).map(({ name, isWorse }) => [name, isWorse]),
    [
      ['stock', true],
      ['orders', false],
    ],
  )
  assert.match(describeChanges(before, now), /Worse: stock\.\n/)
  assert.match(describeChanges(before, before), /Nothing became worse/)
  assert.equal(lastResults(directory, resultsOf('2026-11-01', {})), undefined)
})
