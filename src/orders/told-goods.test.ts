import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KnownLine, toldAgain } from './told-goods.ts'
import type { OrderLineDraft } from './verbs.ts'

const known = (line: number, given: Partial<KnownLine>): KnownLine => ({
  line,
  barcode: null,
  article: null,
  item_id: null,
  quantity: 1,
  ...given,
})
const rank = (barcode: string) => (barcode.startsWith('stored') ? 0 : 2)
const changing = { mayChange: true, rank }
const fixed = { mayChange: false, rank }
const a = { article: 'A', itemId: 1, quantity: 2 }
const b = { article: 'B', itemId: 2, barcode: 'BB', quantity: 1 }
const both = [
  known(1, { article: 'A', item_id: 1, quantity: 2 }),
  known(2, { article: 'B', item_id: 2, barcode: 'BB' }),
]

test('the same goods in another order change nothing', () => {
  assert.equal(toldAgain(both, [a, b], changing), undefined)
  assert.equal(toldAgain(both, [b, a], changing), undefined)
})

test('a line gets what it lacks, by its goods and not by its place', () => {
  const told = [b, { ...a, barcode: 'AA' }]
  for (const mayChange of [true, false]) {
    assert.deepEqual(toldAgain(both, told, { mayChange, rank }), [
      { ...both[0], barcode: 'AA' },
      both[1],
    ])
  }
  assert.equal(toldAgain(both, [a, { ...b, barcode: 'other' }], changing), undefined)
})

test('a barcode that the warehouse has goods under takes the place of one that it has not', () => {
  const told = { ...b, barcode: 'stored B' }
  const better = [both[0], { ...both[1], barcode: told.barcode }]
  assert.deepEqual(toldAgain(both, [a, told], changing), better)
  assert.equal(toldAgain(both, [a, told], fixed), undefined)
  const stored = [
    both[0] ?? known(1, {}),
    known(2, { item_id: 2, article: 'B', barcode: 'stored' }),
  ]
  assert.equal(toldAgain(stored, [a, told], changing), undefined)
})

test('other goods and quantities count while they may', () => {
  assert.deepEqual(toldAgain(both, [b], changing), [{ ...both[1], line: 1 }])
  assert.deepEqual(toldAgain(both, [{ ...a, quantity: 1 }, b], changing), [
    { ...both[0], quantity: 1 },
    both[1],
  ])
  for (const told of [[b], [{ ...a, quantity: 1 }, b], [a, b, { article: 'C', quantity: 1 }]]) {
    assert.equal(toldAgain(both, told, fixed), undefined)
  }
})

test('goods that came by one name are found by another', () => {
  const byArticle = [known(1, { article: 'A' })]
  const complete = [known(1, { article: 'A', item_id: 1, barcode: 'AA' })]
  const told = { article: 'A', itemId: 1, barcode: 'AA', quantity: 1 }
  assert.deepEqual(toldAgain(byArticle, [told], changing), complete)
  assert.deepEqual(toldAgain([known(1, {})], [told], changing), complete)
  assert.equal(toldAgain(complete, [{ barcode: 'AA', quantity: 1 }], changing), undefined)
  assert.equal(toldAgain(complete, [{ article: 'A', quantity: 1 }], changing), undefined)
})

const name = fc.constantFrom('X', 'Y', 'Z')
const drafts: fc.Arbitrary<OrderLineDraft[]> = fc.array(
  fc.record(
    {
      barcode: name,
      article: name,
      itemId: fc.integer({ min: 1, max: 3 }),
      quantity: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['quantity'] },
  ),
  { minLength: 1, maxLength: 4 },
)
const units = (lines: readonly { readonly quantity: number }[]) =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

test('whatever is told: the units are those told last, and told twice it changes nothing', () => {
  fc.assert(
    fc.property(drafts, drafts, (first, second) => {
      const before = toldAgain([], first, changing) ?? []
      const after = toldAgain(before, second, changing) ?? before
      assert.equal(units(after), units(second))
      assert.deepEqual(
        after.map(({ line }) => line),
        after.map((_, index) => index + 1),
      )
      assert.equal(toldAgain(after, second, changing), undefined)
    }),
    { numRuns: 1_000 },
  )
})

test('vague lines take no clear one’s goods, and told again they stay where they are', () => {
  const before = [known(1, { item_id: 2 }), known(2, { item_id: 2 })]
  const told = [{ quantity: 1 }, { article: 'X', itemId: 2, quantity: 1 }, { quantity: 1 }]
  const after = toldAgain(before, told, changing)
  assert.deepEqual(after, [
    known(1, { item_id: 2 }),
    known(2, { article: 'X', item_id: 2 }),
    known(3, {}),
  ])
  assert.equal(toldAgain(after, told, changing), undefined)
})

test('whatever is told too late: no unit changes, and no name that is there', () => {
  fc.assert(
    fc.property(drafts, drafts, (first, second) => {
      const before = toldAgain([], first, changing) ?? []
      const after = toldAgain(before, second, fixed) ?? before
      assert.equal(after.length, before.length)
      for (const [index, line] of before.entries()) {
        const { quantity, barcode, article, item_id } = line
        assert.equal(after[index]?.quantity, quantity)
        assert.equal(after[index]?.barcode, barcode ?? after[index]?.barcode)
        assert.equal(after[index]?.article, article ?? after[index]?.article)
        assert.equal(after[index]?.item_id, item_id ?? after[index]?.item_id)
      }
      assert.equal(toldAgain(after, second, fixed), undefined)
    }),
    { numRuns: 1_000 },
  )
})
