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
  assert.throws(() => parseSticker('1', { barcode: '!u' }), malformedAt('file'))
})
