import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { MarketplaceError } from '../../calls/failure.ts'
import { parsePosting, parsePostingOrder } from './postings.ts'

const posting = {
  posting_number: '33920143-0018-1',
  status: 'delivering',
  substatus: 'posting_in_pickup_point',
  in_process_at: '2026-11-20T07:00:00Z',
  products: [
    { sku: 100, offer_id: 'A-1', name: 'Чай', quantity: 2 },
    { sku: '200', offer_id: '', quantity: 1 },
  ],
  analytics_data: { is_legal: true },
}

suite('an order', () => {
  test('has a line for every product, and is B2B if the recipient is a legal entity', () => {
    const { facts: _, ...order } = parsePostingOrder(posting)
    assert.deepEqual(order, {
      externalId: '33920143-0018-1',
      createdAt: Date.parse('2026-11-20T07:00:00Z'),
      isB2b: true,
      lines: [
        // Lists don't say whether a weight is wanted.
        { article: 'A-1', itemId: 100, quantity: 2, unnamedMarks: ['weight'] },
        { itemId: 200, quantity: 1, unnamedMarks: ['weight'] },
      ],
      reading: {
        supplier: 'delivering',
        buyer: 'posting_in_pickup_point',
        status: 'IN_DELIVERY',
        sorted: true,
        delivered: false,
      },
    })
  })

  test('that was cancelled keeps only what was seen of it before', () => {
    const cancelled = { ...posting, status: 'cancelled', substatus: 'posting_canceled' }
    // OZON means packing, not the hand-over.
    const cancellation = { cancelled_after_ship: true }
    const { reading } = parsePostingOrder({ ...cancelled, cancellation })
    assert.deepEqual([reading?.sorted, reading?.keepsSorted], [false, true])
    assert.equal(parsePostingOrder(posting).reading?.keepsSorted, undefined)
  })

  test('that a courier service has was sorted', () => {
    const substatus = 'posting_in_courier_service'
    assert.equal(parsePostingOrder({ ...posting, substatus }).reading?.sorted, true)
  })

  test('needs a status, but no substatus', () => {
    assert.throws(() => parsePostingOrder({ ...posting, status: null }), /status/)
    assert.deepEqual(parsePostingOrder({ ...posting, substatus: undefined }).reading, {
      supplier: 'delivering',
      status: 'IN_DELIVERY',
      sorted: false,
      delivered: false,
    })
  })

  test('without a required field is malformed, and the failure names the field', () => {
    const missing = [
      ['posting_number', { posting_number: '' }],
      ['in_process_at', { in_process_at: null }],
      ['products', { products: [] }],
      ['products', { products: null }],
      ['quantity', { products: [{ sku: 1 }] }],
      ['quantity', { products: [{ sku: 1, quantity: 0 }] }],
      ['quantity', { products: [{ sku: 1, quantity: -1 }] }],
      ['quantity', { products: [{ sku: 1, quantity: 2 ** 31 }] }],
    ] as const
    for (const [field, change] of missing) {
      const named = { kind: 'malformed', message: new RegExp(field) }
      assert.throws(() => parsePostingOrder({ ...posting, ...change }), named)
    }
  })

  test('of any shape is parsed or malformed', () => {
    const shapes = fc.dictionary(
      fc.constantFrom(...Object.keys(posting), 'cancellation', 'delivery_method', 'requirements'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(shapes, (change) => {
        for (const read of [parsePostingOrder, parsePosting]) {
          try {
            read({ ...posting, ...change })
          } catch (error) {
            assert.ok(error instanceof MarketplaceError && error.kind === 'malformed', `${error}`)
          }
        }
      }),
    )
  })
})
