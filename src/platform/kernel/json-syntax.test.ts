import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findJsonBreak } from './json-syntax.ts'

describe('where a text stops being JSON', () => {
  const cases: readonly (readonly [string, number, number, boolean])[] = [
    ['', 1, 1, true],
    ['{', 1, 2, true],
    ['{"a": 1', 1, 8, true],
    ['"abc', 1, 5, true],
    ['{"a": 1,}', 1, 9, false],
    ['[1, 2,]', 1, 7, false],
    ['[1 2]', 1, 4, false],
    ["{'a': 1}", 1, 2, false],
    ['{"a" 1}', 1, 6, false],
    ['{"a": 01}', 1, 8, false],
    ['{"a": .5}', 1, 7, false],
    ['{"a": True}', 1, 7, false],
    ['{"a": 1}]', 1, 9, false],
    ['{"a": 1]', 1, 8, false],
    ['{\n  "a": 1,\n  "b": x\n}', 3, 8, false],
    ['{"😀": x}', 1, 7, false],
    ['{"a": "b\nc"}', 1, 9, false],
    ['{"a": "\\x"}', 1, 8, false],
    ['[1]\u00a0', 1, 4, false],
  ]
  for (const [text, line, column, isEnd] of cases) {
    it(`names line ${line}, column ${column} of ${JSON.stringify(text)}`, () => {
      assert.throws(() => JSON.parse(text))
      assert.deepEqual(findJsonBreak(text), { line, column, isEnd })
    })
  }

  it('takes every valid text as whole and ends before what follows it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('}', ']', ',', ':', '"', 'x'), (text, more) => {
        const { line, column, isEnd } = findJsonBreak(text)
        const lines = text.split('\n')
        assert.ok(isEnd)
        assert.deepEqual([line, column], [lines.length, Array.from(lines.at(-1) ?? '').length + 1])
        assert.ok(!findJsonBreak(`[${text}${more}`).isEnd || more === ',' || more === ']')
      }),
    )
  })

  it('finds the first character that no continuation can mend', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('}', ',', 'x', '\u0001'), (text, n, bad) => {
        const cut = n % (text.length + 1)
        const broken = `${text.slice(0, cut)}${bad}${text.slice(cut)}`
        let isValid = true
        try {
          JSON.parse(broken)
        } catch {
          isValid = false
        }
        if (isValid) return
        const { column, isEnd } = findJsonBreak(broken)
        // Everything before the place is the text itself or its break.
        assert.ok(isEnd || column >= 1)
        const before = Array.from(broken)
          .slice(0, column - 1)
          .join('')
        assert.ok(findJsonBreak(before).isEnd)
      }),
    )
  })
})
