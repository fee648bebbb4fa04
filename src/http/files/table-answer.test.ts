import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRequest } from '../../platform/db/lists/page.ts'
import { rowBatches, summedRows } from './table-answer.ts'

/** A list of so many goods that notes how often it was read. */
function listOf(goods: number) {
  const reads: PageRequest[] = []
  const read = async (page: PageRequest) => {
    reads.push(page)
    const from = Number(page.after?.[0] ?? 0)
    const to = Math.min(goods, from + page.limit)
    const items = Array.from({ length: to - from }, (_, at) => from + at)
    return { items, total: goods, next: to < goods ? [to] : null }
  }
  return { read, reads }
}

test('a file of goods that are summed reads them once, and other files page by page', async () => {
  for (const [rows, times] of [
    [summedRows, 1],
    [rowBatches, 4],
  ] as const) {
    const { read, reads } = listOf(2_000)
    const batches = await Array.fromAsync(rows(read, (item) => [item]))
    assert.equal(batches.flat().length, 2_000)
    assert.equal(reads.length, times)
  }
})
