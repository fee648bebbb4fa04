import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Urgency, worstFirst } from './worst-first.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const at = (clock: string) => `2026-11-20T${clock}:00Z`

test('what is late comes first, then what is due soon, then the rest by its kind', () => {
  const things: readonly Urgency[] = [
    { kind: 'webhook', deadline: null },
    { kind: 'miss', deadline: at('20:00') },
    { kind: 'cabinet', deadline: null },
    { kind: 'uncovered', deadline: at('11:00') },
    { kind: 'shipment', deadline: at('13:30') },
    { kind: 'miss', deadline: at('18:00') },
  ]
  assert.deepEqual(
    things
      .toSorted((one, other) => worstFirst(one, other, now))
      .map(({ kind, deadline }) => [kind, deadline]),
    [
      ['uncovered', at('11:00')],
      ['shipment', at('13:30')],
      ['miss', at('18:00')],
      ['miss', at('20:00')],
      ['cabinet', null],
      ['webhook', null],
    ],
  )
})
