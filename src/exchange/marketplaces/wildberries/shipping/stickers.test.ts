import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../../../tests/support/marketplaces/malformed-at.ts'
import { parseSticker, stickerCodes } from './stickers.ts'

test('a sticker has the picture and the content of its code', () => {
  const sticker = parseSticker('1', {
    file: Buffer.from('<svg/>').toString('base64'),
    barcode: '!u',
  })
  assert.equal(sticker.bytes.toString(), '<svg/>')
  assert.deepEqual([sticker.externalId, sticker.code], ['1', '!u'])
  for (const file of ['<svg/>', '\n<?xml version="1.0"?><svg/>', '\ufeff<svg/>']) {
    assert.equal(parseSticker('1', { file }).bytes.toString(), file)
  }
  assert.throws(() => parseSticker('1', { barcode: '!u' }), malformedAt('file'))
})

test('the number on a sticker is read as it is printed and as one', () => {
  const codes = stickerCodes({ barcode: '!u', partA: '231648', partB: 9753 })
  assert.deepEqual(codes, ['!u', '231648 9753', '2316489753'])
  assert.deepEqual(stickerCodes({ barcode: '!u', partA: '231648' }), ['!u'])
})
