import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoodsMovement } from '../../api/account-calls.ts'
import { movementsTogether } from './movements-together.ts'

const receipt = { kind: 'receipt', id: 'r', title: 'R-000001' } as const
const scan = (id: number, changed: Partial<GoodsMovement> = {}): GoodsMovement => ({
  id,
  time: '2026-11-03T12:00:00.000+03:00',
  barcode: '1',
  name: 'Плед',
  kind: 'acceptance',
  words: 'Принято',
  delta: 1,
  question_delta: 0,
  reason: null,
  document: receipt,
  ...changed,
})

test('scans of one receipt are one movement, and what differs stays apart', () => {
  const night = '2026-11-02T12:00:00.000+03:00'
  const given = [
    ...[scan(6), scan(5), scan(4, { delta: -1 }), scan(3)],
    ...[scan(2, { question_delta: 1 }), scan(1, { time: night }), scan(0, { barcode: '2' })],
  ]
  assert.deepEqual(
    movementsTogether(given).map(({ id, delta, words }) => [id, delta, words]),
    [
      ...[
        [6, 2, 'Принято'],
        [4, -1, 'Принято'],
        [3, 1, 'Принято'],
      ],
      ...[
        [2, 1, 'Принято'],
        [1, 1, 'Принято'],
        [0, 1, 'Принято'],
      ],
    ],
  )
  const together = movementsTogether([
    scan(2, { question_delta: 1 }),
    scan(1, { question_delta: 1 }),
  ])
  assert.deepEqual([together.length, together[0]?.words], [1, 'Принято под вопрос'])
})
