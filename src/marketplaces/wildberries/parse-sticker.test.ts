import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../tests/support/marketplaces/malformed-at.ts'
import { parseSticker } from './parse-sticker.ts'

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
