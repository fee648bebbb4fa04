import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { fakePicture } from '../../../../tests/support/marketplaces/fake-picture.ts'
import { cleanPng } from './png.ts'

const bounds = { sideMax: 8192, pointsMax: 4096 * 4096 }
const clean = (bytes: Buffer) => cleanPng(bytes, bounds)
const plain = fakePicture('one')
/** The signature and the header. */
const headEnd = 8 + 25

function chunk(type: string, data: Buffer | string): Buffer {
  const summed = Buffer.concat([Buffer.from(type), Buffer.from(data)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(summed.length - 4)
  sum.writeUInt32BE(crc32(summed))
  return Buffer.concat([length, summed, sum])
}

const withChunks = (...chunks: readonly Buffer[]) =>
  Buffer.concat([plain.subarray(0, headEnd), ...chunks, plain.subarray(headEnd)])

function withHeader(change: (header: Buffer) => void): Buffer {
  const header = Buffer.from(plain.subarray(16, 29))
  change(header)
  return Buffer.concat([plain.subarray(0, 8), chunk('IHDR', header), plain.subarray(headEnd)])
}

test('texts, positions, times and frames of a PNG are cut out, and the picture stays', () => {
  assert.deepEqual(clean(plain), plain)
  const noted = withChunks(
    chunk('tEXt', 'Comment\0Moscow'),
    chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0<exif:GPSLatitude>55,45.3N</exif:GPSLatitude>'),
    chunk('zTXt', 'Raw profile type exif\0\0x'),
    chunk('eXIf', 'MM\0*GPS'),
    chunk('iCCP', 'x\0\0bomb'),
    chunk('tIME', '2026'),
    chunk('acTL', 'frames'),
    chunk('fdAT', 'frame'),
  )
  assert.deepEqual(clean(noted), plain)
  const colours = chunk('gAMA', Buffer.of(0, 0, 177, 143))
  assert.deepEqual(clean(withChunks(colours)), withChunks(colours))
  assert.deepEqual(clean(Buffer.concat([plain, Buffer.from('PK\x03\x04')])), plain)
})

test('a PNG that is broken off, damaged or too large to be looked at is refused', () => {
  for (let at = 0; at < plain.length; at += 1) {
    assert.equal(clean(plain.subarray(0, at)), undefined, `the first ${at} bytes`)
    const changed = Buffer.from(plain)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(clean(changed), undefined, `byte ${at}`)
  }
  const hostile: Readonly<Record<string, Buffer>> = {
    'a bomb of many points': withHeader((header) => {
      header.writeUInt32BE(8192, 0)
      header.writeUInt32BE(8192, 4)
    }),
    'a long side': withHeader((header) => header.writeUInt32BE(60_000, 0)),
    'no height': withHeader((header) => header.writeUInt32BE(0, 4)),
    'an unknown packing': withHeader((header) => header.writeUInt8(1, 10)),
    'too many bits': withHeader((header) => header.writeUInt8(64, 8)),
    'unknown colours': withHeader((header) => header.writeUInt8(5, 9)),
    'two headers': withChunks(plain.subarray(8, headEnd)),
    'an unknown chunk that has to be read': withChunks(chunk('EVIL', '')),
    'thousands of empty chunks': withChunks(Buffer.concat(Array(10_000).fill(chunk('IDAT', '')))),
    'no data': Buffer.concat([plain.subarray(0, headEnd), chunk('IEND', '')]),
  }
  for (const [name, bytes] of Object.entries(hostile)) {
    assert.equal(clean(bytes), undefined, name)
  }
})
