import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakePhoto, jpegSegment } from '../../../../tests/support/fake-photo.ts'
import { fakePicture } from '../../../../tests/support/marketplaces/fake-picture.ts'
import { cleanJpeg, cleanJpegPicture } from './jpeg.ts'

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

/** The photo with other bytes for the segment that begins with this marker, or with some before it. */
function withSegment(code: number, change: (data: Buffer) => Buffer): Buffer {
  const at = photo.indexOf(Buffer.of(0xff, code))
  const end = at + 2 + photo.readUInt16BE(at + 2)
  const data = photo.subarray(at + 4, end)
  return Buffer.concat([photo.subarray(0, at), change(data), photo.subarray(end)])
}
const [frame, scan, table] = [0xc0, 0xda, 0xdb]
const frameOf = (bits: number, components: number, rest = 0) =>
  withSegment(frame, () => {
    const described = Buffer.alloc(3 * components + rest, 1)
    return jpegSegment(frame, Buffer.of(bits, 0, 8, 0, 8, components, ...described))
  })
const longer = (data: Buffer) => Buffer.concat([data, Buffer.of(0)])
const before = (extra: Buffer) =>
  withSegment(table, (data) => Buffer.concat([extra, jpegSegment(table, data)]))

test('what the hostile photos are made of is a photo without the fault', () => {
  assert.ok(cleanJpeg(frameOf(8, 1)))
  assert.ok(cleanJpeg(frameOf(8, 3)))
  assert.ok(cleanJpeg(before(jpegSegment(0xdd, Buffer.of(0, 1)))))
})

const hostile: Readonly<Record<string, Buffer>> = {
  'thousands of empty tables': before(
    Buffer.concat(Array(10_000).fill(jpegSegment(table, Buffer.alloc(0)))),
  ),
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
  'a frame behind the scan': Buffer.concat([
    photo.subarray(0, -2),
    jpegSegment(frame, Buffer.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0)),
    photo.subarray(-2),
  ]),
  'another beginning': Buffer.concat([Buffer.from('PK'), photo.subarray(2)]),
  'a marker without its first byte': before(Buffer.of(0xe1, 0, 2)),
  'twelve bits': frameOf(12, 1),
  'two components': frameOf(8, 2),
  'four components': frameOf(8, 4),
  'a frame that is too long': frameOf(8, 1, 1),
  'a scan that is too long': withSegment(scan, (data) => jpegSegment(scan, longer(data))),
  'an interval of one byte': before(jpegSegment(0xdd, Buffer.of(1))),
  'a segment of an unknown kind': before(jpegSegment(0xdc, Buffer.of(0, 8))),
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

const bounds = { sideMax: 8192, pointsMax: 4096 * 4096 }
const exifOf = (
  order: 'II' | 'MM',
  entries: readonly (readonly [tag: number, value: number])[],
) => {
  const number = (bytes: number, value: number) => {
    const digits = Buffer.alloc(bytes)
    if (order === 'II') digits.writeUIntLE(value, 0, bytes)
    else digits.writeUIntBE(value, 0, bytes)
    return digits
  }
  const tags = entries.map(([tag, value]) =>
    Buffer.concat([number(2, tag), number(2, 3), number(4, 1), number(2, value), number(2, 0)]),
  )
  const directory = [number(2, tags.length), ...tags, number(4, 0)]
  const tiff = [Buffer.from(order), number(2, 42), number(4, 8), ...directory]
  return jpegSegment(
    0xe1,
    Buffer.concat([Buffer.from('Exif\0\0'), ...tiff, Buffer.from('55.7558 N')]),
  )
}

test('a picture of goods keeps which side is up and which colours it has, and nothing else', () => {
  for (const order of ['II', 'MM'] as const) {
    const turned = exifOf(order, [
      [0x10f, 7],
      [0x112, 6],
      [0x8825, 99],
    ])
    const clean = cleanJpegPicture(fakePhoto('one', { notes: [turned, ...notes] }), bounds)
    assert.deepEqual(
      clean,
      fakePhoto('one', { notes: [exifOf('MM', [[0x112, 6]]).subarray(0, -9)].map(resized) }),
    )
    assert.deepEqual(clean && cleanJpegPicture(clean, bounds), clean)
  }
  const adobe = jpegSegment(0xee, Buffer.from('Adobe\0d\0\0\0\0\x02', 'latin1'))
  const printed = fakePhoto('one', {
    notes: [adobe, jpegSegment(0xee, Buffer.from('Adobe, Moscow'))],
  })
  assert.deepEqual(cleanJpegPicture(printed, bounds), fakePhoto('one', { notes: [adobe] }))
  assert.deepEqual(
    cleanJpegPicture(frameOf(8, 4), bounds),
    frameOf(8, 4),
    'in the colours of print',
  )
  for (const upright of [
    exifOf('II', [[0x112, 1]]),
    exifOf('II', [[0x112, 9]]),
    exifOf('II', []),
  ]) {
    assert.deepEqual(cleanJpegPicture(fakePhoto('one', { notes: [upright] }), bounds), photo)
  }
})

/** A segment with the length that it has now. */
function resized(segment: Buffer): Buffer {
  return jpegSegment(0xe1, segment.subarray(4))
}

test('EXIF that lies about where things are is cut out as a whole', () => {
  const turned = exifOf('MM', [[0x112, 6]])
  for (let at = 4; at < turned.length; at += 1) {
    for (const byte of [0, 0x7f, 0xff]) {
      const changed = Buffer.from(turned)
      changed[at] = byte
      const clean = cleanJpegPicture(fakePhoto('one', { notes: [changed] }), bounds)
      assert.ok(clean && !clean.includes('55.7558'), `byte ${at}`)
    }
  }
})

test('a picture of goods is wide or has many points, and not both', () => {
  assert.ok(cleanJpegPicture(fakePhoto('one', { width: 8192, height: 2048 }), bounds))
  for (const [width, height] of [
    [8193, 8],
    [8192, 2049],
    [0, 8],
  ] as const) {
    assert.equal(cleanJpegPicture(fakePhoto('one', { width, height }), bounds), undefined)
  }
})

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
