import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../calls/answer.ts'
import { MarketplaceError } from '../calls/failure.ts'
import {
  figureOf,
  orderOf,
  shipmentOf,
  sizesOf,
  statusOf,
  stickerOf,
  warehouseOf,
} from './mapper.ts'
import { readToken } from './token.ts'

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

const cardsOf = (card: Fields) => sizesOf(card).map((readSize) => readSize())

function malformedAt(field: string) {
  return (error: unknown) =>
    error instanceof MarketplaceError && error.kind === 'malformed' && error.message.includes(field)
}

test('an order is one unit of the goods with its barcodes', () => {
  assert.deepEqual(orderOf(order), {
    externalId: '13833711',
    createdAt: Date.parse('2026-11-20T07:56:40Z'),
    isB2b: true,
    nmId: 123456789,
    lines: [{ barcodes: order.skus, article: 'ART-1', itemId: 987654321, quantity: 1 }],
  })
})

test('an order needs its number and time only', () => {
  const { id, createdAt } = order
  const bare = orderOf({ id, createdAt, skus: null, options: null, article: null })
  assert.deepEqual([bare.isB2b, bare.lines], [false, [{ barcodes: [], quantity: 1 }]])
  assert.throws(() => orderOf({ createdAt }), malformedAt('id'))
  assert.throws(() => orderOf({ id: 'A-1', createdAt }), malformedAt('id'))
  assert.throws(() => orderOf({ id, createdAt: null }), malformedAt('createdAt'))
})

test('a status keeps its raw pair, and is none where nothing is told', () => {
  const told = statusOf({ id: 1, supplierStatus: 'complete', wbStatus: 'teleported' })
  assert.deepEqual(told, {
    externalId: '1',
    reading: {
      supplier: 'complete',
      buyer: 'teleported',
      status: 'OTHER',
      sorted: false,
      delivered: false,
    },
  })
  assert.equal(statusOf({ id: 1, supplierStatus: null }), undefined)
  assert.throws(() => statusOf({ wbStatus: 'sold' }), malformedAt('id'))
})

test('a supply is closed when it says so, or was scanned, or is done', () => {
  const created = '2026-11-20T07:00:00Z'
  const at = (time: string) => Date.parse(time)
  const supply = { id: 'WB-GI-1', createdAt: created, done: false, closedAt: null, scanDt: null }
  const open = shipmentOf(supply)
  assert.deepEqual([open.closedAt, open.acceptedAt, open.orders], [undefined, undefined, undefined])
  const scanned = shipmentOf({ ...supply, scanDt: '2026-11-20T09:00:00Z' })
  assert.equal(scanned.closedAt, at('2026-11-20T09:00:00Z'))
  assert.equal(scanned.acceptedAt, at('2026-11-20T09:00:00Z'))
  const closed = shipmentOf({ ...supply, done: true, closedAt: '2026-11-20T08:00:00Z' }, ['1'])
  assert.deepEqual([closed.closedAt, closed.orders], [at('2026-11-20T08:00:00Z'), ['1']])
  assert.equal(shipmentOf({ ...supply, done: true }).closedAt, at(created))
  assert.throws(() => shipmentOf({ id: 'WB-GI-1' }), malformedAt('createdAt'))
})

test('each size of a card is a card', () => {
  const card = {
    nmID: 5,
    vendorCode: 'V',
    title: 'Платье',
    needKiz: true,
    sizes: [
      { chrtID: 51, techSize: '42', skus: ['b1', 'b2'] },
      { chrtID: 52, techSize: '44', skus: null },
    ],
  }
  const common = { article: 'V', honestMark: true }
  assert.deepEqual(cardsOf(card), [
    { itemId: 51, barcodes: ['b1', 'b2'], name: 'Платье, 42', ...common },
    { itemId: 52, barcodes: [], name: 'Платье, 44', ...common },
  ])
  const [only] = cardsOf({ ...card, sizes: [{ chrtID: 51, techSize: '0', skus: [] }] })
  assert.equal(only?.name, 'Платье')
  assert.deepEqual(cardsOf({ nmID: 5, sizes: null }), [])
  assert.equal(cardsOf({ ...card, title: '' })[0]?.name, 'V, 42')
  const [, bare] = cardsOf({ sizes: card.sizes })
  assert.deepEqual(bare, { itemId: 52, barcodes: [], article: undefined, name: '52' })
  assert.throws(() => cardsOf({ ...card, sizes: [{ skus: [] }] }), malformedAt('chrtID'))
})

test('what no delivery could have is no barcode', () => {
  const longest = '\u{1f4e6}'.repeat(64)
  const skus = ['b1', `${longest}.`, longest, 'x'.repeat(4_000)]
  const [card] = cardsOf({ sizes: [{ chrtID: 51, skus }] })
  assert.deepEqual(card?.barcodes, ['b1', longest])
  assert.deepEqual(orderOf({ ...order, skus }).lines[0]?.barcodes, ['b1', longest])
})

test('stock is that of warehouses that ship through WB', () => {
  assert.deepEqual(warehouseOf({ id: 7, name: 'Склад', deliveryType: 1 }), { id: 7, name: 'Склад' })
  assert.deepEqual(warehouseOf({ id: 7 }), { id: 7 })
  assert.equal(warehouseOf({ id: 7, deliveryType: 2 }), undefined)
  const barcodes = new Map([[51, 'b1']])
  const warehouse = { id: 7 }
  assert.deepEqual(figureOf({ chrtId: 51, amount: 0 }, barcodes, warehouse), {
    barcode: 'b1',
    itemId: 51,
    quantity: 0,
    warehouse,
  })
  assert.equal(figureOf({ chrtId: 52, amount: 3 }, barcodes, warehouse), undefined)
  for (const amount of [undefined, null, -1, 2 ** 31, '99999999999999999999', 0.5]) {
    const row = { chrtId: 51, amount }
    assert.throws(() => figureOf(row, barcodes, warehouse), malformedAt('amount'))
  }
})

test('a sticker is the picture, and what its code holds', () => {
  const sticker = stickerOf('1', { file: Buffer.from('<svg/>').toString('base64'), barcode: '!u' })
  assert.equal(sticker.bytes.toString(), '<svg/>')
  assert.deepEqual([sticker.externalId, sticker.code], ['1', '!u'])
  assert.throws(() => stickerOf('1', { barcode: '!u' }), malformedAt('file'))
})

test('a token tells when it ends and whose it is, where it is a JWT', () => {
  const token = (payload: unknown) =>
    `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`
  assert.deepEqual(readToken(token({ exp: 1_800_000_000, sid: 's' })), {
    expiresAt: 1_800_000_000_000,
    seller: 's',
  })
  for (const other of ['', 'abc', 'a.b.c', 'a.!.c', token(null), token({ exp: 'x', sid: 7 })]) {
    assert.deepEqual(readToken(other), { expiresAt: undefined, seller: undefined }, other)
  }
  assert.equal(readToken(token({ exp: 1e300 })).expiresAt, undefined)
})
