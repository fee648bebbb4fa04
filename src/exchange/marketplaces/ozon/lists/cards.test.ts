import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseProductCards } from './cards.ts'

suite('cards', () => {
  test('are one for each sku under which the own warehouse sells a product', () => {
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
    const cards = parseProductCards(product)
    assert.deepEqual(
      cards.map(({ itemId }) => itemId),
      [10, 12, 13],
    )
    assert.deepEqual(cards[0], {
      itemId: 10,
      barcodes: ['4600000000017', 'OZN10'],
      article: 'A-1',
      name: 'Чай',
    })
  })

  test('name the main picture, else the first of the others; what is no address says nothing', () => {
    const pictureOf = (images: object) => parseProductCards({ sku: 10, ...images })[0]?.picture
    const [one, two] = ['https://ir.ozone.ru/1.jpg', 'https://ir.ozone.ru/2.jpg']
    assert.equal(pictureOf({ primary_image: [one], images: [two] }), one)
    assert.equal(pictureOf({ primary_image: one }), one)
    assert.equal(pictureOf({ primary_image: [], images: [two] }), two)
    assert.equal(pictureOf({ primary_image: '', images: [two] }), two)
    for (const odd of [
      null,
      5,
      {},
      ['/1.jpg'],
      ['javascript:alert(1)'],
      [`https://a/${'x'.repeat(2_048)}`],
    ]) {
      assert.equal(pictureOf({ primary_image: odd }), undefined)
    }
  })

  test('are none for a product without a sku, and need no name or barcode', () => {
    assert.deepEqual(parseProductCards({ id: 1, sku: 0 }), [])
    assert.deepEqual(parseProductCards({ id: 1 }), [])
    const [bare] = parseProductCards({ id: 1, sku: 7, barcodes: null, sources: null })
    assert.deepEqual([bare?.name, bare?.barcodes], ['7', []])
    const [long] = parseProductCards({ id: 1, sku: 7, barcodes: ['x'.repeat(65), 'OZN7'] })
    assert.deepEqual(long?.barcodes, ['OZN7'], 'a barcode longer than 64 characters is skipped')
    const barcodes = [' 4600000000017\u00a0', '4600000000017', ' ']
    const [spaced] = parseProductCards({ id: 1, sku: 7, barcodes })
    assert.deepEqual(spaced?.barcodes, ['4600000000017'], 'white space is no part of a barcode')
  })
})
