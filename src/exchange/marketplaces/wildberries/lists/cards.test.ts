import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../../../tests/support/marketplaces/malformed-at.ts'
import type { Fields } from '../../calls/response-fields.ts'
import { parseSizes } from './cards.ts'

const cardsOf = (card: Fields) => parseSizes(card).map((parseSize) => parseSize())

test('each size of a card becomes a card', () => {
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

test('a card measures its goods, packed, unless WB doubts it; what is no measure says nothing', () => {
  const measuresOf = (dimensions: unknown) =>
    cardsOf({ dimensions, sizes: [{ chrtID: 51, skus: [] }] })[0]?.measures
  const box = { length: 55, width: 40.4, height: 15, weightBrutto: 6.24 }
  const sides = { length_mm: 550, width_mm: 404, height_mm: 150 }
  assert.deepEqual(measuresOf({ ...box, isValid: true }), { ...sides, weight_g: 6_240 })
  assert.deepEqual(measuresOf({ ...box, weightBrutto: 0 }), sides)
  for (const odd of [{ isValid: false }, { length: 0 }, { width: 1_001 }, { height: '15' }]) {
    assert.equal(measuresOf({ ...box, ...odd }), undefined)
  }
  for (const odd of [null, 5, 'x', [], {}]) assert.equal(measuresOf(odd), undefined)
})

test('a barcode longer than 64 characters is skipped', () => {
  const longest = '\u{1f4e6}'.repeat(64)
  const skus = ['b1', `${longest}.`, longest, 'x'.repeat(4_000)]
  const [card] = cardsOf({ sizes: [{ chrtID: 51, skus }] })
  assert.deepEqual(card?.barcodes, ['b1', longest])
})

test('a card names a second GTIN, for all its sizes or for one; what is no GTIN says nothing', () => {
  const gtinsOf = (gtin: unknown, own?: unknown) =>
    cardsOf({ gtin, sizes: [{ chrtID: 51, skus: [], gtin: own }] }).map((card) => card.gtin)
  assert.deepEqual(gtinsOf('4660000000118'), ['04660000000118'])
  assert.deepEqual(gtinsOf(4660000000118), ['04660000000118'])
  assert.deepEqual(gtinsOf('4660000000118', '4660000000125'), ['04660000000125'])
  for (const odd of ['', '4660000000119', 'нет', null, ['4660000000118']]) {
    assert.deepEqual(gtinsOf(odd), [undefined], String(odd))
  }
})

test('a card names its first picture in the size that suits lists; odd pictures say nothing', () => {
  const pictureOf = (photos: unknown) =>
    cardsOf({ photos, sizes: [{ chrtID: 51, skus: [] }] })[0]?.picture
  const at = (size: string) => `https://basket-10.wbbasket.ru/images/${size}/1.webp`
  const all = { big: at('big'), tm: at('tm'), c246x328: at('c246x328'), square: at('square') }
  assert.equal(pictureOf([all, { c246x328: at('other') }]), at('c246x328'))
  assert.equal(pictureOf([{ big: at('big'), tm: at('tm') }]), at('tm'))
  assert.equal(pictureOf([{ big: at('big') }]), at('big'))
  for (const odd of [
    undefined,
    null,
    [],
    {},
    'x',
    [null],
    ['x'],
    [{}],
    [{ big: 5 }],
    [{ big: '/1' }],
  ]) {
    assert.equal(pictureOf(odd), undefined)
  }
})
