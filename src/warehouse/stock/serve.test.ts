import assert from 'node:assert/strict'
import test from 'node:test'
import { serveWanted } from './serve.ts'

const part = (barcode: string, qty: number) => ({ barcode, name: barcode, qty })
const sets = new Map([
  ['KIT', { parts: [part('CUP', 2), part('SAUCER', 1)] }],
  ['PAIR', { parts: [part('CUP', 2)] }],
])
const served = (wanted: Record<string, number>, stock: Record<string, number>) =>
  serveWanted(
    Object.entries(wanted).map(([barcode, units]) => ({ barcode, units })),
    new Map(Object.entries(stock)),
    sets,
  ).map(({ wanted: { barcode }, ready, fromParts, short }) => [barcode, ready, fromParts, short])

test('sets that lie ready go first, the others are put together as far as the parts go', () => {
  assert.deepEqual(served({ KIT: 4 }, { KIT: 1, CUP: 5, SAUCER: 9 }), [['KIT', 1, 2, 1]])
})

test('a set takes no part that is wanted alone, and no part twice', () => {
  assert.deepEqual(served({ KIT: 1, CUP: 4 }, { CUP: 5, SAUCER: 1 }), [
    ['CUP', 4, 0, 0],
    ['KIT', 0, 0, 1],
  ])
  assert.deepEqual(served({ KIT: 1, PAIR: 1 }, { CUP: 3, SAUCER: 1 }), [
    ['KIT', 0, 1, 0],
    ['PAIR', 0, 0, 1],
  ])
})

test('goods that are unknown, or taken by others, serve nothing', () => {
  assert.deepEqual(served({ KIT: 1, CUP: 1 }, { CUP: -3 }), [
    ['CUP', 0, 0, 1],
    ['KIT', 0, 0, 1],
  ])
})
