import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  allowsReceiptVerb,
  isCompleted,
  outcomeOfCounting,
  type ReceiptVerb,
  receiptStatuses,
  refusalOfReceipt,
  shortage,
} from './state.ts'

// Guarantee (receipts): A receipt changes its status only along its diagram.
test('every verb is allowed in its statuses only', () => {
  const allowed: Record<ReceiptVerb, readonly string[]> = {
    confirm: ['PENDING_CONFIRMATION'],
    start: ['EXPECTED'],
    count: ['RECEIVING'],
    finish: ['RECEIVING'],
    cancel: ['PENDING_CONFIRMATION', 'EXPECTED'],
    approve: ['RECEIVING', 'RECEIVED', 'RECEIVED_WITH_DISCREPANCY'],
    change: ['PENDING_CONFIRMATION'],
    withdraw: ['PENDING_CONFIRMATION'],
  }
  for (const [verb, only] of Object.entries(allowed)) {
    for (const status of receiptStatuses) {
      assert.equal(
        allowsReceiptVerb(status, verb as ReceiptVerb),
        only.includes(status),
        `${verb} ${status}`,
      )
    }
  }
})

const line = fc.record({ expected: fc.nat(50), accepted: fc.nat(50) })

test('counting ends RECEIVED only if no line differs', () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const differs = lines.some((each) => each.expected !== each.accepted)
      const outcome = outcomeOfCounting(lines)
      assert.equal(outcome, differs ? 'RECEIVED_WITH_DISCREPANCY' : 'RECEIVED')
      assert.ok(isCompleted(outcome))
    }),
  )
})

test('a shortage is never negative, and 0 before the receipt is completed', () => {
  fc.assert(
    fc.property(line, fc.constantFrom(...receiptStatuses), (each, status) => {
      const missing = shortage(status, each)
      assert.equal(missing, isCompleted(status) ? Math.max(0, each.expected - each.accepted) : 0)
    }),
  )
})

test('a refused verb says in which state the receipt is, and what to do', () => {
  const refusals = (
    [
      ['PENDING_CONFIRMATION', 'count'],
      ['EXPECTED', 'count'],
      ['EXPECTED', 'confirm'],
      ['RECEIVING', 'start'],
      ['RECEIVING', 'cancel'],
      ['RECEIVED', 'count'],
      ['RECEIVED_WITH_DISCREPANCY', 'finish'],
    ] as const
  ).map(([status, verb]) => refusalOfReceipt(status, verb))
  assert.deepEqual(refusals, [
    'Приёмка в состоянии «Ожидает подтверждения»: сначала её подтверждает менеджер',
    'Приёмка в состоянии «Ожидается на складе»: сначала начните её',
    'Приёмка в состоянии «Ожидается на складе»: она уже подтверждена',
    'Приёмка в состоянии «Идёт приёмка»: она уже начата, сканируйте товар',
    'Приёмка в состоянии «Идёт приёмка»: она уже начата, закончите её',
    'Приёмка в состоянии «Принята»: этот товар примите другой приёмкой',
    'Приёмка в состоянии «Принята с расхождением»: она закончена',
  ])
})
