import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakePhoto, jpegSegment } from '../../../tests/support/fake-photo.ts'
import { fakePicture } from '../../../tests/support/marketplaces/fake-picture.ts'
import { cleanJpeg } from './jpeg.ts'

const photo = fakePhoto('one')
const exif = jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 55.7558 37.6173'))
const notes = [
  jpegSegment(0xe0, Buffer.from('JFIF\0')),
  exif,
  jpegSegment(0xed, Buffer.from('Photoshop 3.0\0Moscow')),
  jpegSegment(0xfe, Buffer.from('taken by Ivan')),
]

test('what tells of the camera and of the place is cut out, and the picture stays', () => {
  assert.deepEqual(cleanJpeg(photo), photo)
  assert.deepEqual(cleanJpeg(fakePhoto('one', { notes })), photo)
  const late = Buffer.concat([photo.subarray(0, -2), ...notes, photo.subarray(-2)])
  assert.deepEqual(cleanJpeg(late), photo, 'behind the scan')
  const followed = Buffer.concat([photo, fakePhoto('preview', { notes })])
  assert.deepEqual(cleanJpeg(followed), photo, 'behind the picture')
})

test('fill bytes, restarts and stuffed bytes belong to a JPEG', () => {
  const filled = Buffer.concat([photo.subarray(0, 2), Buffer.of(0xff, 0xff), photo.subarray(2)])
  assert.deepEqual(cleanJpeg(filled), photo)
  const restarted = Buffer.concat([
    photo.subarray(0, -2),
    Buffer.of(0xff, 0xd0, 0xff, 0x00, 0x12),
    photo.subarray(-2),
  ])
  assert.deepEqual(cleanJpeg(restarted), restarted)
})

const hostile: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a PNG': fakePicture('one'),
  'a page': Buffer.from('<script>alert(1)</script>'),
  'an archive': Buffer.from('PK\x03\x04'),
  'only the beginning': Buffer.of(0xff, 0xd8, 0xff),
  'without an end': photo.subarray(0, -2),
  'without a scan': fakePhoto('one', { scans: 0 }),
  'a segment that is longer than the file': Buffer.concat([
    photo.subarray(0, 2),
    Buffer.of(0xff, 0xe1, 0xff, 0xff),
    photo.subarray(2),
  ]),
  'a segment of no length': Buffer.concat([
    photo.subarray(0, 2),
    Buffer.of(0xff, 0xe1, 0, 1),
    photo.subarray(2),
  ]),
  'other bytes between segments': Buffer.concat([
    photo.subarray(0, 2),
    Buffer.from('x'),
    photo.subarray(2),
  ]),
  'two frames': Buffer.concat([photo.subarray(0, -2), photo.subarray(2)]),
  'a bomb of many points': fakePhoto('one', { width: 65_535, height: 65_535 }),
  'a bomb of many scans': fakePhoto('one', { scans: 1_000 }),
  'no height': fakePhoto('one', { height: 0 }),
  'an unknown coding': Buffer.from(photo).fill(0xc9, photo.indexOf(0xc0), photo.indexOf(0xc0) + 1),
}

for (const [name, bytes] of Object.entries(hostile)) {
  test(`refused: ${name}`, () => {
    assert.equal(cleanJpeg(bytes), undefined)
  })
}

test('every beginning of a photo and every changed byte is refused or stays a photo without what was cut out', () => {
  const whole = fakePhoto('one', { notes })
  for (let at = 0; at < whole.length; at += 1) {
    assert.equal(cleanJpeg(whole.subarray(0, at)), undefined, `the first ${at} bytes`)
    const changed = Buffer.from(whole)
    changed[at] = 0xff
    const clean = cleanJpeg(changed)
    if (clean !== undefined) assert.deepEqual(cleanJpeg(clean), clean, `byte ${at}`)
  }
})
