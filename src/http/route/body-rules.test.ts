import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { keeps, type Rule } from './body-rules.ts'

const size = fc.nat(6)
const bound = fc.integer({ min: -5, max: 5 })
const optional = { requiredKeys: ['type'] as ['type'] }

const texts = {
  type: fc.constantFrom('string', ['string', 'null']),
  minLength: size,
  maxLength: size,
  pattern: fc.constantFrom('^[a-z]*$', '^.$', '\\p{Lu}'),
}
const numbers = { type: fc.constantFrom('integer', 'number'), minimum: bound, maximum: bound }
const lists = { type: fc.constant('array'), minItems: size, maxItems: size }
const typed: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ type: fc.constantFrom('null', 'boolean', 'object') }),
  fc.record(numbers, optional),
  fc.record(texts, optional),
  fc.record(lists, optional),
)
const listed: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ const: fc.constantFrom('a', 1, true) }),
  fc.record({ enum: fc.array(fc.constantFrom('a', 'bc', 1, null), { minLength: 1 }) }),
)
const rule: fc.Arbitrary<Rule> = fc.oneof(
  typed,
  listed,
  fc.record({ anyOf: fc.array(typed, { minLength: 1, maxLength: 3 }) }),
)

const value = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', 'bc', 'Й', '😀', 'e\u0301', {}, []),
  fc.oneof(fc.integer({ min: -7, max: 7 }), fc.double({ min: -7, max: 7 })),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.jsonValue({ maxDepth: 1 }),
)

test('a value keeps a rule as JSON schema has it', () => {
  fc.assert(
    fc.property(rule, value, (rule, value) => {
      fc.pre(typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value))
      assert.equal(keeps(rule, value), Check(rule as object, value))
    }),
    { numRuns: 3_000 },
  )
})

test('texts are counted in code points, and integers are safe ones', () => {
  assert.ok(keeps({ type: 'string', maxLength: 1 }, '😀'))
  assert.ok(!keeps({ type: 'string', maxLength: 1 }, 'e\u0301'))
  assert.ok(keeps({ type: 'integer' }, Number.MAX_SAFE_INTEGER))
  assert.ok(!keeps({ type: 'integer' }, 2 ** 53))
  assert.ok(!keeps({ type: 'integer' }, 1.5))
})
