import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../../../tests/support/marketplaces/malformed-at.ts'
import { parseAssemblyOrder, parseOrderStatus } from './orders.ts'

const order = {
  id: 13833711,
  rid: 'f884001e44e511edb8780242ac120002',
  article: 'ART-1',
  nmId: 123456789,
  chrtId: 987654321,
  skus: ['6665956397512', '6665956397513'],
  createdAt: '2026-11-20T07:56:40Z',
  warehouseId: 658434,
  options: { isB2B: true },
  comment: '',
}

const nothing = {
  deadline: undefined,
  warehouseId: undefined,
  scheme: undefined,
  cargoType: undefined,
  crossBorderType: undefined,
  comment: undefined,
}

test('an assembly order is one unit of goods with their barcodes', () => {
  assert.deepEqual(parseAssemblyOrder(order), {
    externalId: '13833711',
    createdAt: Date.parse('2026-11-20T07:56:40Z'),
    isB2b: true,
    nmId: 123456789,
    lines: [{ barcodes: order.skus, article: 'ART-1', itemId: 987654321, quantity: 1 }],
    facts: { ...nothing, warehouseId: '658434', comment: null },
  })
})

test('an order has the earlier of its dates, to the end of the day in Moscow, and its marks', () => {
  const { facts, lines } = parseAssemblyOrder({
    ...order,
    ddate: '24.11.2026',
    sellerDate: '23.11.2026',
    deliveryType: 'FBS',
    cargoType: 1,
    crossBorderType: 0,
    comment: 'В плёнку',
    requiredMeta: ['sgtin', 'customsDeclaration', 'newKind'],
    optionalMeta: ['uin', null],
  })
  assert.deepEqual(facts, {
    deadline: Date.parse('2026-11-23T23:59:59.999+03:00'),
    warehouseId: '658434',
    scheme: 'fbs',
    cargoType: '1',
    crossBorderType: '0',
    comment: 'В плёнку',
  })
  assert.deepEqual(lines[0]?.requiredMarks, ['marking_code', 'customs_declaration', 'newKind'])
  assert.deepEqual(lines[0]?.optionalMarks, ['uin'])
})

test('no shape of a fact costs the order', () => {
  const { facts, lines } = parseAssemblyOrder({
    ...order,
    ddate: '31.02.2026',
    sellerDate: 5,
    warehouseId: {},
    deliveryType: [],
    cargoType: true,
    crossBorderType: {},
    comment: ['x'],
    requiredMeta: 'sgtin',
    optionalMeta: {},
  })
  assert.deepEqual(facts, nothing)
  assert.equal(lines[0]?.requiredMarks, undefined)
  const none = { ...order, ddate: null, sellerDate: null, warehouseId: 0, requiredMeta: null }
  const { facts: reported, lines: bare } = parseAssemblyOrder(none)
  assert.deepEqual(reported, { ...nothing, deadline: null, warehouseId: null, comment: null })
  assert.deepEqual(bare[0]?.requiredMarks, [])
})

test('an order needs only its number and its time of creation', () => {
  const { id, createdAt } = order
  const bare = parseAssemblyOrder({ id, createdAt, skus: null, options: null, article: null })
  assert.deepEqual([bare.isB2b, bare.lines], [false, [{ barcodes: [], quantity: 1 }]])
  assert.throws(() => parseAssemblyOrder({ createdAt }), malformedAt('id'))
  assert.throws(() => parseAssemblyOrder({ id: 'A-1', createdAt }), malformedAt('id'))
  assert.throws(() => parseAssemblyOrder({ id, createdAt: null }), malformedAt('createdAt'))
})

test('a barcode longer than 64 characters is skipped', () => {
  const longest = '\u{1f4e6}'.repeat(64)
  const skus = ['b1', `${longest}.`, longest, 'x'.repeat(4_000)]
  assert.deepEqual(parseAssemblyOrder({ ...order, skus }).lines[0]?.barcodes, ['b1', longest])
})

test('a status keeps its raw pair, and is undefined without both halves', () => {
  const status = parseOrderStatus({ id: 1, supplierStatus: 'complete', wbStatus: 'teleported' })
  assert.deepEqual(status, {
    externalId: '1',
    reading: {
      supplier: 'complete',
      buyer: 'teleported',
      status: 'OTHER',
      sorted: false,
      delivered: false,
    },
    facts: { cancellable: undefined, cancelledBy: null },
  })
  const cancelled = { id: 1, supplierStatus: 'cancel', wbStatus: 'waiting', isCancellable: false }
  assert.deepEqual(parseOrderStatus(cancelled)?.facts, {
    cancellable: false,
    cancelledBy: 'Продавец',
  })
  assert.equal(parseOrderStatus({ id: 1, supplierStatus: null }), undefined)
  assert.throws(() => parseOrderStatus({ wbStatus: 'sold' }), malformedAt('id'))
})
