import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connect,
  day,
  hour,
  itemsOf,
  made,
  now,
} from '../support/marketplaces/wildberries-fixture.ts'

/** WB lists at most thirty days of orders at once: a longer period takes several requests. */
const month = 30 * day

for (const [name, ago, count] of [
  ['an hour', hour, 1],
  ['thirty days', month, 1],
  ['thirty days and some milliseconds', month + 5, 1],
  ['thirty days and a second', month + 1_000, 2],
  ['sixty days', 2 * month, 2],
  ['ninety days', 3 * month, 3],
] as const) {
  test(`${name} of orders take ${count} requests, none of them for an empty period`, async () => {
    // WB takes seconds, and the clock has milliseconds.
    const late = now + 700
    await itemsOf(connect({ now: () => late }).orders(late - ago))
    const requests = made('GET /api/v3/orders').filter(({ path }) => path === '/api/v3/orders')
    const periods = requests.map(
      ({ query }) => [Number(query.dateFrom), Number(query.dateTo)] as const,
    )
    assert.equal(periods.length, count)
    for (const [index, [from, to]] of periods.entries()) {
      assert.ok(from < to && to - from <= month / 1000)
      assert.equal(from, periods[index - 1]?.[1] ?? Math.floor((late - ago) / 1000))
    }
    assert.equal(periods.at(-1)?.[1], Math.floor(late / 1000))
  })
}
