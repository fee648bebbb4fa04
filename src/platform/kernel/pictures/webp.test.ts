import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeWebp } from '../../../../tests/support/fake-webp.ts'
import { cleanWebp } from './webp.ts'

const clean = (bytes: Buffer) => cleanWebp(bytes, { sideMax: 8192, pointsMax: 4096 * 4096 })

function chunk(type: string, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([Buffer.from(type), length, bytes, Buffer.alloc(bytes.length % 2)])
}

function riff(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return chunk('RIFF', body)
}

const { lossy, lossless, seeThrough, moving } = fakeWebp
const pictureOf = (webp: Buffer) => webp.subarray(12)
const extended = (flags: number, ...chunks: readonly Buffer[]) =>
  riff(chunk('VP8X', Buffer.of(flags, 0, 0, 0, 0, 0, 0, 0, 0, 0)), ...chunks)

test('positions, texts and profiles of a WebP are cut out, and the picture stays', () => {
  for (const webp of [lossy, lossless, seeThrough]) assert.deepEqual(clean(webp), webp)
  const notes = [
    chunk('EXIF', 'MM\0*GPS'),
    chunk('XMP ', '<exif:GPSLatitude>55,45.3N'),
    chunk('????', 'x'),
  ]
  for (const webp of [lossy, lossless]) {
    assert.deepEqual(clean(riff(pictureOf(webp), ...notes)), webp)
    const noted = extended(0x2c, chunk('ICCP', 'made by'), pictureOf(webp), ...notes)
    assert.deepEqual(clean(noted), extended(0, pictureOf(webp)))
  }
  assert.deepEqual(clean(Buffer.concat([lossy, Buffer.from('PK\x03\x04')])), lossy)
})

test('a WebP that is broken off, moves or is too large to be looked at is refused', () => {
  for (const webp of [lossy, lossless, seeThrough]) {
    for (let at = 0; at < webp.length; at += 1) {
      assert.equal(clean(webp.subarray(0, at)), undefined, `the first ${at} bytes`)
      const changed = Buffer.from(webp)
      changed[at] = 0xff
      const kept = clean(changed)
      if (kept !== undefined) assert.deepEqual(clean(kept), kept, `byte ${at}`)
    }
  }
  const sides = (webp: Buffer, at: number, bytes: Buffer) => {
    const changed = Buffer.from(webp)
    bytes.copy(changed, at)
    return changed
  }
  const hostile: Readonly<Record<string, Buffer>> = {
    moving,
    'said to move': extended(0x02, pictureOf(lossy)),
    'two pictures': riff(pictureOf(lossy), pictureOf(lossless)),
    'no picture': riff(chunk('EXIF', 'x')),
    'a canvas of other sides': riff(
      chunk('VP8X', Buffer.of(0, 0, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0)),
      pictureOf(lossy),
    ),
    'many points': sides(lossy, 26, Buffer.of(0xff, 0x3f, 0xff, 0x3f)),
    'many points without loss': sides(lossless, 21, Buffer.of(0xff, 0xff, 0xff, 0x0f)),
    'thousands of empty chunks': riff(
      pictureOf(lossy),
      Buffer.concat(Array(10_000).fill(chunk('EXIF', ''))),
    ),
    'no picture of its kind': riff(chunk('VP8L', '12345678')),
    'a picture that is too short': riff(chunk('VP8 ', 'x'), chunk('VP8L', '')),
  }
  for (const [name, bytes] of Object.entries(hostile)) assert.equal(clean(bytes), undefined, name)
})
