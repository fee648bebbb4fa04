import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakePhoto } from '../../../tests/support/fake-photo.ts'
import { fakeWebp } from '../../../tests/support/fake-webp.ts'
import { fakePicture } from '../../../tests/support/marketplaces/fake-picture.ts'
import { pictureBytesMax, readPicture } from './picture-bytes.ts'

test('a picture says its type by what it is', () => {
  for (const [type, bytes] of [
    ['image/jpeg', fakePhoto('one')],
    ['image/png', fakePicture('one')],
    ['image/webp', fakeWebp.lossy],
  ] as const) {
    assert.deepEqual(readPicture(bytes), { type, bytes })
    assert.deepEqual(readPicture(Buffer.concat([bytes, Buffer.from('<script>')])), { type, bytes })
  }
})

test('everything else is no picture, whatever it is called', () => {
  for (const start of [
    '',
    '\xff\xd8',
    '\xff\xd8\xff\xe0<script>alert(1)</script>',
    '\x89PNG\r\n\x1a\n....',
    'RIFF\n\0\n\0WEBPVP8 ',
    'RIFF....WAVE',
    'GIF89a',
    '\0\0\0\x18ftypheic',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    ' \xff\xd8\xff',
    '\n\x89PNG\r\n\x1a\n',
  ]) {
    assert.equal(readPicture(Buffer.from(start, 'latin1')), undefined, start)
  }
})

test('a picture has two megabytes at most', () => {
  const picture = fakePhoto('one')
  const ofSize = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
  assert.equal(readPicture(ofSize(pictureBytesMax + 1)), undefined)
  assert.deepEqual(readPicture(ofSize(pictureBytesMax))?.bytes, picture)
})
