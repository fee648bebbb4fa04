import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { MarketplaceError } from '../calls/failure.ts'
import {
  accessOf,
  cardsOf,
  carriagesOf,
  departsAt,
  figureOf,
  memberOf,
  orderOf,
  postingOf,
  shipmentOf,
  stickerOf,
} from './mapper.ts'

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
  test('has a line for every product, and is of a company where the recipient is', () => {
    assert.deepEqual(orderOf(posting), {
      externalId: '33920143-0018-1',
      createdAt: Date.parse('2026-11-20T07:00:00Z'),
      isB2b: true,
      lines: [
        { article: 'A-1', itemId: 100, quantity: 2 },
        { itemId: 200, quantity: 1 },
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

  test('that was cancelled after it had left was sorted', () => {
    const cancelled = { ...posting, status: 'cancelled', substatus: 'posting_canceled' }
    assert.equal(orderOf(cancelled).reading?.sorted, false)
    const late = { ...cancelled, cancellation: { cancelled_after_ship: true } }
    assert.equal(orderOf(late).reading?.sorted, true)
  })

  test('of whose status nothing is said is read without one', () => {
    assert.throws(() => orderOf({ ...posting, status: null }), /status/)
    assert.deepEqual(orderOf({ ...posting, substatus: undefined }).reading, {
      supplier: 'delivering',
      status: 'IN_DELIVERY',
      sorted: false,
      delivered: false,
    })
  })

  test('without what it needs names the field', () => {
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
      assert.throws(() => orderOf({ ...posting, ...change }), named)
    }
  })

  test('of any shape is read or malformed', () => {
    const shapes = fc.dictionary(
      fc.constantFrom(...Object.keys(posting), 'cancellation', 'delivery_method', 'requirements'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(shapes, (change) => {
        for (const read of [orderOf, postingOf]) {
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

test('a key is good until the earliest end that is told', () => {
  const at = (day: number) => `2026-12-0${day}T00:00:00Z`
  assert.deepEqual(accessOf({}), { expiresAt: undefined })
  assert.deepEqual(accessOf({ expires_at: null, roles: null }), { expiresAt: undefined })
  const roles = [{ expires_at: at(5) }, { name: 'Admin' }]
  assert.deepEqual(accessOf({ expires_at: at(7), roles }), { expiresAt: Date.parse(at(5)) })
})

suite('cards', () => {
  test('are one for every number under which a product sells from the own warehouse', () => {
    const product = {
      id: 1,
      sku: 10,
      offer_id: 'A-1',
      name: 'Чай',
      barcodes: ['4600000000017', '', null, 'OZN10'],
      sources: [
        { sku: 10, source: 'SDS' },
        { sku: 11, source: 'FBO' },
        { sku: 12, source: 'FBS' },
        { sku: 13, source: 'fbs' },
      ],
    }
    const told = cardsOf(product)
    assert.deepEqual(
      told.map(({ itemId }) => itemId),
      [10, 12, 13],
    )
    assert.deepEqual(told[0], {
      itemId: 10,
      barcodes: ['4600000000017', 'OZN10'],
      article: 'A-1',
      name: 'Чай',
    })
  })

  test('are none for a product that is not on sale, and need no name or barcode', () => {
    assert.deepEqual(cardsOf({ id: 1, sku: 0 }), [])
    assert.deepEqual(cardsOf({ id: 1 }), [])
    const [bare] = cardsOf({ id: 1, sku: 7, barcodes: null, sources: null })
    assert.deepEqual([bare?.name, bare?.barcodes], ['7', []])
    const [long] = cardsOf({ id: 1, sku: 7, barcodes: ['x'.repeat(65), 'OZN7'] })
    assert.deepEqual(long?.barcodes, ['OZN7'], 'what no delivery could have is no barcode')
  })
})

test('stock is what is for sale, by warehouse where it is told', () => {
  const barcodes = new Map([[10, '4600000000017']])
  const row = { sku: 10, present: 7, reserved: 3, free_stock: 2, warehouse_id: 5 }
  const figure = { barcode: '4600000000017', itemId: 10, quantity: 4, warehouse: { id: 5 } }
  assert.deepEqual(figureOf(row, barcodes), { ...figure, quantity: 2 })
  assert.deepEqual(figureOf({ ...row, free_stock: null }, barcodes), figure)
  const named = { ...figure, product: 'A-1' }
  assert.deepEqual(figureOf({ ...row, free_stock: 4, offer_id: 'A-1' }, barcodes), named)
  assert.deepEqual(figureOf({ sku: 10, present: 7 }, barcodes), {
    barcode: '4600000000017',
    itemId: 10,
    quantity: 7,
  })
  assert.equal(figureOf({ ...row, sku: 11 }, barcodes), undefined)
  assert.throws(() => figureOf({ sku: 10 }, barcodes), /present/)
})

test('stock of which more is reserved than there is, is none', () => {
  const barcodes = new Map([[10, '4600000000017']])
  for (const told of [{ present: 3, reserved: 5 }, { free_stock: -2 }]) {
    assert.equal(figureOf({ sku: 10, ...told }, barcodes)?.quantity, 0)
  }
})

test('stock that can not be is malformed, by its name', () => {
  const barcodes = new Map([[10, '4600000000017']])
  const row = { sku: 10, present: 7, reserved: 3 }
  for (const [name, values] of [
    ['present', [-1, 2 ** 31, '9999999999', '99999999999999999999', 1.5]],
    ['reserved', [-1, 2 ** 31, 'x']],
    ['free_stock', [2 ** 31, '9999999999']],
  ] as const) {
    for (const value of values) {
      assert.throws(() => figureOf({ ...row, [name]: value }, barcodes), new RegExp(`${name}$`))
    }
  }
})

suite('a carriage', () => {
  const carriage = {
    carriage_id: 15,
    created_at: '2026-11-20T07:00:00Z',
    updated_at: '2026-11-20T09:00:00Z',
    departure_date: '2026-11-20',
  }
  const updated = Date.parse(carriage.updated_at)
  const asked = Date.parse('2026-11-24T12:00:00Z')

  test('is open, handed over, accepted or cancelled by its status', () => {
    const open = [undefined, undefined, false]
    const gone = [updated, undefined, false]
    const meanings = {
      new: open,
      in_process: open,
      beamed_up: open,
      formed: gone,
      sended: gone,
      received: gone,
      closed: [updated, updated, false],
      cancelled: [undefined, undefined, true],
    }
    for (const [status, meaning] of Object.entries(meanings)) {
      const { closedAt, acceptedAt, cancelled } = shipmentOf({ ...carriage, status }, '15', asked)
      assert.deepEqual([closedAt, acceptedAt, cancelled], meaning, status)
    }
  })

  test('was handed over no later than it changed and departed, and not before it was', () => {
    const closedAt = (change: object) =>
      shipmentOf({ ...carriage, status: 'closed', ...change }, '15', asked).closedAt
    const departed = Date.parse('2026-11-20T23:59:59+03:00')
    const created = Date.parse(carriage.created_at)
    assert.equal(closedAt({ updated_at: '2026-11-23T09:00:00Z' }), departed)
    assert.equal(closedAt({ updated_at: null }), departed)
    assert.equal(closedAt({ departure_date: '2026-11-20T00:00:00Z' }), updated)
    assert.equal(closedAt({ departure_date: 'завтра' }), updated)
    assert.equal(closedAt({ departure_date: '2026-11-01' }), created)
    assert.equal(closedAt({ updated_at: null, departure_date: null }), created)
  })

  test('need not tell more than how it stands', () => {
    assert.deepEqual(shipmentOf({ status: 'new' }, '15', asked), {
      externalId: '15',
      name: undefined,
      createdAt: asked,
      closedAt: undefined,
      acceptedAt: undefined,
      cancelled: false,
      orders: undefined,
    })
    const counted = shipmentOf({ status: 'closed', updated_at: carriage.updated_at }, '15', asked)
    const { createdAt, closedAt, acceptedAt } = counted
    assert.deepEqual([createdAt, closedAt, acceptedAt], [updated, updated, updated])
    assert.equal(shipmentOf({ status: 'sended' }, '15', asked).closedAt, asked)
    assert.throws(() => shipmentOf({}, '15', asked), /status/)
  })

  test('that could be made is none yet', () => {
    const drafts = [{ id: 0, status: '' }, { id: -1 }, { carriage_id: '-1' }]
    const carriages = [...drafts, { id: '15', status: 'new' }, { carriage_id: 16 }]
    assert.deepEqual(carriagesOf({ delivery_method_id: 7, carriages }), [
      { id: '15', methodId: '7', status: 'new' },
      { id: '16', methodId: '7', status: '' },
    ])
    assert.deepEqual(carriagesOf({ carriages: null }), [])
  })

  test('tells which of its postings were cancelled', () => {
    assert.deepEqual(memberOf({ posting_number: '1-1-1', status: 'cancelled' }), {
      number: '1-1-1',
      cancelled: true,
      packed: false,
    })
    assert.equal(memberOf({ posting_number: '1-1-1', status: 'awaiting_deliver' }).packed, true)
    assert.equal(memberOf({ posting_number: '1-1-1' }).cancelled, false)
  })
})

test('a file is what it begins with, and a page of words is none', () => {
  const typeOf = (text: string, contentType = 'application/octet-stream') =>
    stickerOf('1', { bytes: Buffer.from(text, 'latin1'), contentType }).contentType
  assert.equal(typeOf('%PDF-1.7'), 'application/pdf')
  assert.equal(typeOf('\x89PNG\r\n'), 'image/png')
  assert.equal(typeOf('<svg>'), 'image/svg+xml')
  assert.equal(typeOf('\x89PNG\r\n', 'application/pdf'), 'image/png')
  assert.equal(typeOf('no signature', 'application/pdf; a=b'), 'application/pdf')
  assert.throws(() => typeOf('', 'application/pdf'), /file_content/)
  for (const text of ['', '<html>', 'PDF']) assert.throws(() => typeOf(text), /file_content/)
})

test('a carriage may depart at a moment as far as OZON tells', () => {
  const at = Date.parse('2026-11-20T10:00:07.123Z')
  const cases = [
    ['2026-11-20T10:00:07.123Z', 'yes'],
    ['2026-11-20T10:00:07.124Z', 'no'],
    ['2026-11-20T10:00:07Z', 'maybe'],
    ['2026-11-20T10:00:09Z', 'no'],
    ['2026-11-20T00:00:00Z', 'maybe'],
    ['2026-11-21T10:00:09Z', 'maybe'],
    [undefined, 'maybe'],
  ] as const
  for (const [departure_date, may] of cases) {
    assert.equal(departsAt({ departure_date }, at), may, String(departure_date))
  }
})
