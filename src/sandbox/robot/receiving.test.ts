import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextReceiptStep, type OwnReceipt } from './receiving.ts'
import { countLine } from './rules.ts'

const second = 1000

test('no receipt is confirmed in its first minute', () => {
  const receipt: OwnReceipt = { id: 'r', createdAt: 0, status: 'PENDING_CONFIRMATION' }
  for (let age = -5; age <= 60; age++) {
    assert.equal(nextReceiptStep(receipt, age * second), undefined)
  }
  assert.equal(nextReceiptStep(receipt, 65 * second)?.kind, 'confirm')
})

test('every line is counted by its rule, in any sequence of ticks, and no scan is repeated', () => {
  for (const lineCount of [1, 50, 51, 500]) {
    const lines = Array.from({ length: lineCount }, (_, n) => ({
      line: n + 1,
      barcode: n % 9 === 8 ? `${n}-MISSING` : String(n),
      expected: n + 1,
    }))
    const taken = new Map<string, number>()
    const units = new Map<string, number>()
    for (let age = 90; ; age += 3) {
      assert.ok(age < 180, `${lineCount} lines are not done after ${age} s`)
      const takenScans = new Set(taken.keys())
      const receipt = { id: 'r', createdAt: 0, status: 'RECEIVING', lines, takenScans } as const
      const step = nextReceiptStep(receipt, age * second)
      if (step?.kind === 'finish') break
      for (const scan of step?.kind === 'count' ? step.scans : []) {
        assert.ok(!taken.has(scan.scanId))
        taken.set(scan.scanId, scan.units)
        units.set(scan.barcode, (units.get(scan.barcode) ?? 0) + scan.units)
      }
    }
    for (const line of lines) assert.equal(units.get(line.barcode) ?? 0, countLine(line).units)
  }
})

test('every line with missing units has a reason', () => {
  for (let expected = 1; expected <= 300; expected++) {
    for (const barcode of ['1', '1-MISSING']) {
      const { units, reason } = countLine({ barcode, expected })
      assert.ok(units >= 0)
      assert.equal(reason !== undefined, units < expected)
    }
  }
})
