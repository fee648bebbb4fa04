import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connect,
  day,
  hour,
  itemsOf,
  made,
  now,
} from '../support/marketplaces/wildberries-connected.ts'

/** WB tells of at most thirty days at once: a longer time is asked for in several questions. */
const month = 30 * day

for (const [name, ago, questions] of [
  ['an hour', hour, 1],
  ['thirty days', month, 1],
  ['thirty days and some milliseconds', month + 5, 1],
  ['thirty days and a second', month + 1_000, 2],
  ['sixty days', 2 * month, 2],
  ['ninety days', 3 * month, 3],
] as const) {
  test(`${name}: ${questions}, none of them for no time at all`, async () => {
    // Moments are milliseconds, and WB is asked in seconds.
    const late = now + 700
    await itemsOf(connect({ now: () => late }).orders(late - ago))
    const asked = made('GET /api/v3/orders').filter(({ path }) => path === '/api/v3/orders')
    const windows = asked.map(
      ({ query }) => [Number(query.dateFrom), Number(query.dateTo)] as const,
    )
    assert.equal(windows.length, questions)
    for (const [index, [from, to]] of windows.entries()) {
      assert.ok(from < to && to - from <= month / 1000)
      assert.equal(from, windows[index - 1]?.[1] ?? Math.floor((late - ago) / 1000))
    }
    assert.equal(windows.at(-1)?.[1], Math.floor(late / 1000))
  })
}
