import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OzonClient } from '../client.ts'
import { explainIncomplete } from './refusals.ts'

/** What the status shows of the one unit of the posting. */
const shown = (status: string, mark: object = {}) => ({
  status,
  products: [
    { product_id: 1, exemplars: [{ exemplar_id: 2, marks: [{ mark_type: 'imei', ...mark }] }] },
  ],
})

/** The product wants an IMEI, which OZON has or not. */
function clientWith(status: object, hasMark: boolean) {
  const marks = hasMark ? [{ mark: '356938035643809', mark_type: 'imei' }] : []
  const exemplars = [{ exemplar_id: 2, marks }]
  const products = [{ product_id: 1, has_imei: true, exemplars }]
  return {
    exemplarsStatus: async () => status,
    exemplars: async () => ({ products }),
    posting: async () => ({ posting_number: 'P', status: 'awaiting_packaging', products: [] }),
  } as unknown as OzonClient
}

const refused = { mark: '356938035643809', check_status: 'failed', error_codes: ['BAD'] }
const cases: readonly (readonly [string, object, boolean, RegExp])[] = [
  ['checked', shown('validation_in_process', refused), false, /ещё проверяет .* заказа P/],
  ['refused', shown('ship_not_available', refused), false, /не принял .* IMEI .*\(BAD\)/],
  [
    'not checked in time',
    shown('ship_not_available', { ...refused, error_codes: [] }),
    false,
    /ещё проверяет/,
  ],
  [
    'open',
    shown('ship_not_available', { ...refused, check_status: 'processing', error_codes: [] }),
    false,
    /ещё проверяет/,
  ],
  ['lacking', { status: 'ship_not_available', products: [] }, false, /требует IMEI/],
  ['there by now', shown('ship_available'), true, /ещё проверяет/],
]

for (const [title, status, hasMark, said] of cases) {
  test(`a posting that is not packed while its mark is ${title} is refused in words that say so`, async () => {
    const error = await explainIncomplete(clientWith(status, hasMark), 'P')
    assert.equal(error?.kind, 'rejected')
    assert.match(error.message, said)
  })
}
