import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { OrderLineDraft } from './draft.ts'
import type { StoredLine } from './lines.ts'
import { reconcileLines } from './reconcile-lines.ts'

const stored = (line: number, given: Partial<StoredLine>): StoredLine => ({
  line,
  barcode: null,
  article: null,
  item_id: null,
  quantity: 1,
  required_marks: [],
  optional_marks: [],
  ...given,
})
const rank = (barcode: string) => (barcode.startsWith('stocked') ? 0 : 2)
const changing = { mayChange: true, rank }
const fixed = { mayChange: false, rank }
const a = { article: 'A', itemId: 1, quantity: 2 }
const b = { article: 'B', itemId: 2, barcode: 'BB', quantity: 1 }
const both = [
  stored(1, { article: 'A', item_id: 1, quantity: 2 }),
  stored(2, { article: 'B', item_id: 2, barcode: 'BB' }),
]

test('the same lines in another order change nothing', () => {
  assert.equal(reconcileLines(both, [a, b], changing), undefined)
  assert.equal(reconcileLines(both, [b, a], changing), undefined)
})

test('a line gets the names it lacks from the line with the same goods', () => {
  const reported = [b, { ...a, barcode: 'AA' }]
  for (const mayChange of [true, false]) {
    assert.deepEqual(reconcileLines(both, reported, { mayChange, rank }), [
      { ...both[0], barcode: 'AA' },
      both[1],
    ])
  }
  assert.equal(reconcileLines(both, [a, { ...b, barcode: 'other' }], changing), undefined)
})

test('a barcode that is in stock replaces one that is not', () => {
  const reported = { ...b, barcode: 'stocked B' }
  const better = [both[0], { ...both[1], barcode: reported.barcode }]
  assert.deepEqual(reconcileLines(both, [a, reported], changing), better)
  assert.equal(reconcileLines(both, [a, reported], fixed), undefined)
  const stocked = [
    both[0] ?? stored(1, {}),
    stored(2, { item_id: 2, article: 'B', barcode: 'stocked' }),
  ]
  assert.equal(reconcileLines(stocked, [a, reported], changing), undefined)
})

test('reported goods and quantities replace stored ones only while they may change', () => {
  assert.deepEqual(reconcileLines(both, [b], changing), [{ ...both[1], line: 1 }])
  assert.deepEqual(reconcileLines(both, [{ ...a, quantity: 1 }, b], changing), [
    { ...both[0], quantity: 1 },
    both[1],
  ])
  for (const reported of [[b], [{ ...a, quantity: 1 }, b], [a, b, { article: 'C', quantity: 1 }]]) {
    assert.equal(reconcileLines(both, reported, fixed), undefined)
  }
})

test('a line matches by any of its names', () => {
  const byArticle = [stored(1, { article: 'A' })]
  const complete = [stored(1, { article: 'A', item_id: 1, barcode: 'AA' })]
  const reported = { article: 'A', itemId: 1, barcode: 'AA', quantity: 1 }
  assert.deepEqual(reconcileLines(byArticle, [reported], changing), complete)
  assert.deepEqual(reconcileLines([stored(1, {})], [reported], changing), complete)
  assert.equal(reconcileLines(complete, [{ barcode: 'AA', quantity: 1 }], changing), undefined)
  assert.equal(reconcileLines(complete, [{ article: 'A', quantity: 1 }], changing), undefined)
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

test('for any two reports the units are those of the second, and repeating it changes nothing', () => {
  fc.assert(
    fc.property(drafts, drafts, (first, second) => {
      const before = reconcileLines([], first, changing) ?? []
      const after = reconcileLines(before, second, changing) ?? before
      assert.equal(units(after), units(second))
      assert.deepEqual(
        after.map(({ line }) => line),
        after.map((_, index) => index + 1),
      )
      assert.equal(reconcileLines(after, second, changing), undefined)
    }),
    { numRuns: 1_000 },
  )
})

test('a vague line never takes the match of a clear one, and a repeated report moves no line', () => {
  const before = [stored(1, { item_id: 2 }), stored(2, { item_id: 2 })]
  const reported = [{ quantity: 1 }, { article: 'X', itemId: 2, quantity: 1 }, { quantity: 1 }]
  const after = reconcileLines(before, reported, changing)
  assert.deepEqual(after, [
    stored(1, { item_id: 2 }),
    stored(2, { article: 'X', item_id: 2 }),
    stored(3, {}),
  ])
  assert.equal(reconcileLines(after, reported, changing), undefined)
})

test('for any report that may change nothing, quantities and known names stay', () => {
  fc.assert(
    fc.property(drafts, drafts, (first, second) => {
      const before = reconcileLines([], first, changing) ?? []
      const after = reconcileLines(before, second, fixed) ?? before
      assert.equal(after.length, before.length)
      for (const [index, line] of before.entries()) {
        const { quantity, barcode, article, item_id } = line
        assert.equal(after[index]?.quantity, quantity)
        assert.equal(after[index]?.barcode, barcode ?? after[index]?.barcode)
        assert.equal(after[index]?.article, article ?? after[index]?.article)
        assert.equal(after[index]?.item_id, item_id ?? after[index]?.item_id)
      }
      assert.equal(reconcileLines(after, second, fixed), undefined)
    }),
    { numRuns: 1_000 },
  )
})
