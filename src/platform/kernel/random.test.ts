import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { seededRandom } from './random.ts'

const anInt = fc.maxSafeInteger().map((n) => Math.trunc(n / 2))

test('a seed always produces the same numbers', () => {
  const random = seededRandom('sandbox')
  const numbers = Array.from({ length: 6 }, () => random.int(0, 999_999))
  assert.deepEqual(numbers, [756_152, 987_137, 723_833, 819_618, 406_003, 40_470])
})

test('different seeds produce different numbers', () => {
  const firsts = new Set(Array.from({ length: 1000 }, (_, seed) => seededRandom(`${seed}`).next()))
  assert.equal(firsts.size, 1000)
})

test('an integer stays within its bounds', () => {
  fc.assert(
    fc.property(fc.string(), anInt, anInt, (seed, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)]
      const value = seededRandom(seed).int(min, max)
      assert.ok(Number.isSafeInteger(value) && value >= min && value <= max)
    }),
  )
  const random = seededRandom('dice')
  const counts = new Array<number>(6).fill(0)
  for (let roll = 0; roll < 60_000; roll++) {
    const face = random.int(0, 5)
    counts[face] = (counts[face] ?? 0) + 1
  }
  for (const count of counts) assert.ok(count > 9600 && count < 10_400, String(counts))
})

test('bounds without an integer between them are refused', () => {
  const random = seededRandom('')
  assert.throws(() => random.int(1, 0), RangeError)
  assert.throws(() => random.int(0.5, 2), RangeError)
  assert.throws(() => random.int(0, Number.POSITIVE_INFINITY), RangeError)
  assert.throws(() => random.pick([]), RangeError)
})

test('shuffling keeps every item, and picking takes one of them', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.integer(), { minLength: 1 }), (seed, items) => {
      const before = [...items]
      const random = seededRandom(seed)
      const shuffled = random.shuffle(items)
      assert.deepEqual(items, before)
      assert.deepEqual(shuffled.toSorted(), items.toSorted())
      assert.ok(items.includes(random.pick(items)))
    }),
  )
})

test('every order of three items is about equally frequent', () => {
  const random = seededRandom('orders')
  const counts = new Map<string, number>()
  for (let round = 0; round < 12_000; round++) {
    const order = random.shuffle(['a', 'b', 'c']).join('')
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  assert.equal(counts.size, 6)
  for (const count of counts.values()) assert.ok(count > 1800 && count < 2200)
})
