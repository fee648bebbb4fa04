import { areSidesWithin, type PictureBounds, picturePartsMax } from './picture-size.ts'

/**
 * JPEG without anything but the picture. It is read segment by segment and never decoded. What tells of the device, of the place or of
 * anything else (APPn and COM: EXIF, XMP, previews) is cut out, and so is what follows the picture. A file that is not exactly a JPEG of
 * a bounded size is refused, so that no viewer is asked to open a bomb.
 */

export const photoSideMax = 4096
/** A progressive photo has about ten scans. Each costs a viewer as much as the whole picture. */
const scansMax = 24

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const quantization = 0xdb
const huffman = 0xc4
const restartInterval = 0xdd
const comment = 0xfe
const exifNote = 0xe1
const adobeNote = 0xee
/** Baseline, extended and progressive, in Huffman coding: what browsers make and show. */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2]

interface Rules {
  readonly bounds: PictureBounds
  /** How many colours a point may have. */
  readonly components: readonly number[]
  /** What is kept of a segment that is none of the picture, with its two bytes of length. */
  readonly keptOf: (code: number, note: Buffer) => Buffer | undefined
}

const photo: Rules = {
  bounds: { sideMax: photoSideMax, pointsMax: photoSideMax * photoSideMax },
  components: [1, 3],
  keptOf: () => undefined,
}

/** The photo alone, grey or in colours; undefined where the bytes are no such JPEG. */
export function cleanJpeg(bytes: Buffer): Buffer | undefined {
  return cleaned(bytes, photo)
}

/** A picture that others made, perhaps for print: as it is to be turned and coloured is kept with it. */
export function cleanJpegPicture(bytes: Buffer, bounds: PictureBounds): Buffer | undefined {
  return cleaned(bytes, { bounds, components: [1, 3, 4], keptOf: lookOf })
}

function cleaned(bytes: Buffer, rules: Rules): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return undefined
  const kept = [bytes.subarray(0, 2)]
  const seen = { frames: 0, scans: 0 }
  let at = 2
  for (let part = 0; part < picturePartsMax; part += 1) {
    const marker = markerAt(bytes, at)
    if (marker === undefined) return undefined
    if (marker.code === endOfImage) {
      if (seen.scans === 0) return undefined
      return Buffer.concat([...kept, Buffer.of(0xff, endOfImage)])
    }
    const segment = segmentAt(bytes, marker.start)
    if (segment === undefined || !isExpected(marker.code, segment, seen, rules)) return undefined
    at = marker.start + segment.length
    if (marker.code === startOfScan) at = endOfScan(bytes, at)
    if (!isNote(marker.code)) kept.push(bytes.subarray(marker.start - 2, at))
    else if (seen.frames === 0) {
      const look = rules.keptOf(marker.code, segment)
      if (look !== undefined) kept.push(Buffer.of(0xff, marker.code), look)
    }
  }
  return undefined
}

/** The code of the marker that stands here, after any number of fill bytes, and where it ends. */
function markerAt(bytes: Buffer, from: number): { code: number; start: number } | undefined {
  let at = from
  if (bytes[at] !== 0xff) return undefined
  while (bytes[at] === 0xff) at += 1
  const code = bytes[at]
  return code === undefined || code === 0 ? undefined : { code, start: at + 1 }
}

/** The segment with its two bytes of length. */
function segmentAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + 2 > bytes.length) return undefined
  const length = bytes.readUInt16BE(at)
  return length < 2 || at + length > bytes.length ? undefined : bytes.subarray(at, at + length)
}

interface Seen {
  frames: number
  scans: number
}

function isExpected(code: number, segment: Buffer, seen: Seen, rules: Rules): boolean {
  if (frames.includes(code)) {
    seen.frames += 1
    return seen.frames === 1 && isFrame(segment, rules)
  }
  if (code === startOfScan) {
    seen.scans += 1
    const components = segment[2] ?? 0
    return seen.frames === 1 && seen.scans <= scansMax && segment.length === 6 + 2 * components
  }
  if (code === restartInterval) return segment.length === 4
  return code === quantization || code === huffman || isNote(code)
}

/** Eight bits, of bounded sides. */
function isFrame(segment: Buffer, { bounds, components }: Rules): boolean {
  if (segment.length < 8) return false
  const sides = [segment.readUInt16BE(5), segment.readUInt16BE(3)] as const
  const count = segment[7] ?? 0
  const isKnown = segment[2] === 8 && components.includes(count)
  return isKnown && areSidesWithin(bounds, sides) && segment.length === 8 + 3 * count
}

/** A segment that says something about the picture and is no part of it. */
function isNote(code: number): boolean {
  return (code >= 0xe0 && code <= 0xef) || code === comment
}

/** Where the coded data ends: at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes[at + 1] ?? -1
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
    at = bytes.indexOf(0xff, at + 2)
  }
  return bytes.length
}

/** Which colours the numbers are, and which side is up: without these a picture looks wrong. */
function lookOf(code: number, note: Buffer): Buffer | undefined {
  if (code === adobeNote)
    return note.length === 14 && textAt(note, 5) === 'Adobe' ? note : undefined
  const turned = code === exifNote ? orientationIn(note) : undefined
  return turned === undefined ? undefined : exifOf(turned)
}

const exifStart = 8
const orientationTag = 0x112
const short = 3

/** How a camera was held, from 2 to 8; undefined where EXIF says nothing or that it was held upright. */
function orientationIn(note: Buffer): number | undefined {
  if (textAt(note, 6) !== 'Exif\0\0') return undefined
  const tiff = note.subarray(exifStart)
  if (tiff.length < 8) return undefined
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = u32(4)
  if (directory + 2 > tiff.length) return undefined
  for (let entry = 0; entry < u16(directory); entry += 1) {
    const at = directory + 2 + 12 * entry
    if (at + 12 > tiff.length) return undefined
    if (u16(at) !== orientationTag || u16(at + 2) !== short) continue
    const turned = u16(at + 8)
    return turned >= 2 && turned <= 8 ? turned : undefined
  }
  return undefined
}

/** EXIF that says this alone, with its two bytes of length. */
function exifOf(turned: number): Buffer {
  const entry = [0, 1, 0x01, 0x12, 0, short, 0, 0, 0, 1, 0, turned, 0, 0, 0, 0, 0, 0]
  const tiff = Buffer.of(...Buffer.from('MM'), 0, 42, 0, 0, 0, 8, ...entry)
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  return Buffer.concat([Buffer.of(0, body.length + 2), body])
}

function textAt(note: Buffer, length: number): string {
  return note.toString('latin1', 2, 2 + length)
}
