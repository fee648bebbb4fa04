import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureBytesMax, readPicture } from './picture-bytes.ts'

const typeOf = (start: string) => readPicture(Buffer.from(start, 'latin1'))?.type

test('the first bytes of a picture say its type', () => {
  assert.equal(typeOf('\xff\xd8\xff\xe0'), 'image/jpeg')
  assert.equal(typeOf('\x89PNG\r\n\x1a\n....'), 'image/png')
  assert.equal(typeOf('RIFF\n\0\n\0WEBPVP8 '), 'image/webp')
})

test('everything else is no picture, whatever it is called', () => {
  for (const start of [
    '',
    '\xff\xd8',
    'RIFF....WAVE',
    'GIF89a',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    ' \xff\xd8\xff',
    '\n\x89PNG\r\n\x1a\n',
  ]) {
    assert.equal(typeOf(start), undefined, start)
  }
})

test('a picture has two megabytes at most', () => {
  const bytes = Buffer.alloc(pictureBytesMax + 1)
  bytes.set([0xff, 0xd8, 0xff])
  assert.equal(readPicture(bytes), undefined)
  assert.equal(readPicture(bytes.subarray(1)), undefined)
  assert.equal(readPicture(bytes.subarray(0, pictureBytesMax))?.bytes.length, pictureBytesMax)
})
