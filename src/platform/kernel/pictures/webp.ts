import { areSidesWithin, type PictureBounds, picturePartsMax, type Sides } from './picture-size.ts'

/**
 * WebP without anything but the picture. It is read chunk by chunk and never decoded. EXIF, XMP, profiles and what follows the end are
 * cut out. An animation is refused: each of its frames costs a viewer as much as a picture.
 */

/** Flags of an extended WebP: that there is transparency, and that there are frames. */
const [withAlpha, withFrames] = [0x10, 0x02]

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** Undefined where the bytes are no whole still WebP within the bounds. */
export function cleanWebp(bytes: Buffer, bounds: PictureBounds): Buffer | undefined {
  const chunks = chunksOf(bytes)
  if (chunks === undefined) return undefined
  const [first] = chunks
  const picture = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const sides = picture.length === 1 && picture[0] && sidesOf(picture[0])
  if (!sides || !areSidesWithin(bounds, sides)) return undefined
  if (first?.type !== 'VP8X') return first === picture[0] ? riff(picture) : undefined
  const flags = first.data[0] ?? 0
  if (first.data.length !== 10 || (flags & withFrames) !== 0) return undefined
  const canvas = [first.data.readUIntLE(4, 3) + 1, first.data.readUIntLE(7, 3) + 1]
  if (canvas[0] !== sides[0] || canvas[1] !== sides[1]) return undefined
  const alpha = chunks.filter(({ type }) => type === 'ALPH').slice(0, 1)
  const header = Buffer.from(first.data)
  header[0] = flags & withAlpha
  return riff([{ type: 'VP8X', data: header }, ...alpha, ...picture])
}

/** Undefined where bytes are missing at the end, and for too many chunks. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return undefined
  const chunks: Chunk[] = []
  let at = 12
  while (at < end) {
    if (at + 8 > end || chunks.length === picturePartsMax) return undefined
    const from = at + 8
    const length = bytes.readUInt32LE(at + 4)
    if (from + length > end) return undefined
    chunks.push({
      type: bytes.toString('latin1', at, at + 4),
      data: bytes.subarray(from, from + length),
    })
    at = from + length + (length % 2)
  }
  return chunks
}

function sidesOf({ type, data }: Chunk): Sides | undefined {
  if (type === 'VP8L') {
    if (data.length < 5 || data[0] !== 0x2f) return undefined
    const packed = data.readUInt32LE(1)
    return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1]
  }
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
}

function riff(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    ...chunks.flatMap(({ type, data }) => [
      Buffer.from(type),
      lengthOf(data.length),
      data,
      Buffer.alloc(data.length % 2),
    ]),
  ])
  return Buffer.concat([Buffer.from('RIFF'), lengthOf(body.length), body])
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes)
  return length
}
