import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goods } from '../scenario/goods.ts'
import { newOrders, nextReading, type RobotOrder } from './marketplace.ts'

const minute = 60_000
const start = Date.parse('2026-11-20T12:00:00+03:00')
const all = new Set(goods.map(({ barcode }) => barcode))

test('an order arrives every two minutes, the same for any division of the time into polls', () => {
  const whole = newOrders('client', start, start + 4 * minute, all)
  assert.ok(whole.length >= 1 && whole.length <= 3)
  const parts = [0, 1, 2, 3].flatMap((n) =>
    newOrders('client', start + n * minute, start + (n + 1) * minute, all),
  )
  assert.deepEqual(parts, whole)
  assert.notDeepEqual(newOrders('another', start, start + 4 * minute, all), whole)
})

test('after a pause only the newest orders arrive, and none while nothing is in stock', () => {
  assert.ok(newOrders('client', start, start + 600 * minute, all).length <= 3)
  assert.deepEqual(newOrders('client', start, start + 4 * minute, new Set()), [])
})

test('an order passes all stages in order, none before its time, and stops at a terminal status', () => {
  for (let n = 0; n < 50; n++) {
    let order: RobotOrder = {
      externalId: String(n),
      supplier: 'new',
      buyer: 'waiting',
      handedOver: false,
      acceptedAt: undefined,
    }
    const stages: string[] = []
    const report = (at: number) => {
      const reading = nextReading(order, at)
      if (reading === undefined) return
      stages.push(`${reading.supplier} ${reading.buyer}`)
      order = { ...order, supplier: reading.supplier ?? null, buyer: reading.buyer ?? null }
    }
    for (let times = 0; times < 3; times++) report(start)
    order = { ...order, handedOver: true }
    for (let times = 0; times < 3; times++) report(start)
    order = { ...order, acceptedAt: start }
    for (const after of [4, 5, 6, 20, 21, 40, 41]) report(start + after * minute)
    const last = stages.pop() ?? ''
    assert.deepEqual(stages, [
      'confirm waiting',
      'complete waiting',
      'complete sorted',
      'complete ready_for_pickup',
    ])
    assert.match(last, /^complete (sold|canceled_by_client)$/)
  }
})
