import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stickerFrom } from './files.ts'

test('the first bytes of a file decide its type; a page of text is no file', () => {
  const typeOf = (text: string, contentType = 'application/octet-stream') =>
    stickerFrom('1', { bytes: Buffer.from(text, 'latin1'), contentType }).contentType
  assert.equal(typeOf('%PDF-1.7'), 'application/pdf')
  assert.equal(typeOf('\x89PNG\r\n'), 'image/png')
  assert.equal(typeOf('<svg>'), 'image/svg+xml')
  assert.equal(typeOf('\x89PNG\r\n', 'application/pdf'), 'image/png')
  assert.equal(typeOf('no signature', 'application/pdf; a=b'), 'application/pdf')
  assert.throws(() => typeOf('', 'application/pdf'), /file_content/)
  for (const text of ['', '<html>', 'PDF']) assert.throws(() => typeOf(text), /file_content/)
})
