import { crc32 } from 'node:zlib'
import { areSidesWithin, type PictureBounds, picturePartsMax } from './picture-size.ts'

/**
 * PNG without anything but the picture. It is read chunk by chunk and never decoded. What is no picture is cut out: texts, EXIF, times,
 * packed profiles, all frames of an animation but its first picture, and what follows the end.
 */

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** What makes the picture, and its plain colours. */
const kept = ['PLTE', 'IDAT', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP', 'bKGD']
/** The bits of a colour, by the kinds of colours. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Undefined where the bytes are no whole PNG within the bounds. */
export function cleanPng(bytes: Buffer, bounds: PictureBounds): Buffer | undefined {
  if (!bytes.subarray(0, signature.length).equals(signature)) return undefined
  const header = chunkAt(bytes, signature.length)
  if (header?.type !== 'IHDR' || !isHeader(header.data, bounds)) return undefined
  const chunks = [signature, header.whole]
  let at = signature.length + header.whole.length
  let hasData = false
  for (let part = 0; part < picturePartsMax; part += 1) {
    const chunk = chunkAt(bytes, at)
    if (chunk === undefined) return undefined
    const { type, whole } = chunk
    at += whole.length
    if (type === 'IEND') return hasData ? Buffer.concat([...chunks, whole]) : undefined
    if (kept.includes(type)) chunks.push(whole)
    // A reader may skip only chunks whose type begins with a small letter.
    else if (!/^[a-z]/.test(type)) return undefined
    hasData ||= type === 'IDAT'
  }
  return undefined
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** With its length, type and sum. */
  readonly whole: Buffer
}

/** The whole chunk that begins here, if its sum is right. */
function chunkAt(bytes: Buffer, at: number): Chunk | undefined {
  if (at + 12 > bytes.length) return undefined
  const length = bytes.readUInt32BE(at)
  const end = at + 12 + length
  if (end > bytes.length) return undefined
  const summed = bytes.subarray(at + 4, end - 4)
  const type = summed.toString('latin1', 0, 4)
  if (!/^[A-Za-z]{4}$/.test(type) || crc32(summed) !== bytes.readUInt32BE(end - 4)) return undefined
  return { type, data: summed.subarray(4), whole: bytes.subarray(at, end) }
}

function isHeader(data: Buffer, bounds: PictureBounds): boolean {
  if (data.length !== 13) return false
  const [depth = 0, colours = 0, packing, filter, interlace = 0] = data.subarray(8)
  const isKnown = depths[colours]?.includes(depth) && packing === 0 && filter === 0 && interlace < 2
  return isKnown === true && areSidesWithin(bounds, [data.readUInt32BE(0), data.readUInt32BE(4)])
}
