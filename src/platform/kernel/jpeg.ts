/**
 * Photos as the service takes them: JPEG without anything but the picture. It is read segment by segment and never decoded. What
 * tells of the device, of the place or of anything else (APPn and COM: EXIF, XMP, previews) is cut out, and so is what follows the
 * picture. A file that is not exactly a JPEG of a bounded size is refused, so that no viewer is asked to open a bomb.
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
/** Baseline, extended and progressive, in Huffman coding: what browsers make and show. */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2]

/** The picture alone; undefined where the bytes are no such JPEG. */
export function cleanJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return undefined
  const kept = [bytes.subarray(0, 2)]
  const seen = { frames: 0, scans: 0 }
  let at = 2
  for (;;) {
    const marker = markerAt(bytes, at)
    if (marker === undefined) return undefined
    if (marker.code === endOfImage) {
      if (seen.scans === 0) return undefined
      return Buffer.concat([...kept, Buffer.of(0xff, endOfImage)])
    }
    const segment = segmentAt(bytes, marker.start)
    if (segment === undefined || !isExpected(marker.code, segment, seen)) return undefined
    at = marker.start + segment.length
    if (marker.code === startOfScan) at = endOfScan(bytes, at)
    if (!isNote(marker.code)) kept.push(bytes.subarray(marker.start - 2, at))
  }
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

function isExpected(code: number, segment: Buffer, seen: Seen): boolean {
  if (frames.includes(code)) {
    seen.frames += 1
    return seen.frames === 1 && isFrame(segment)
  }
  if (code === startOfScan) {
    seen.scans += 1
    const components = segment[2] ?? 0
    return seen.frames === 1 && seen.scans <= scansMax && segment.length === 6 + 2 * components
  }
  if (code === restartInterval) return segment.length === 4
  return code === quantization || code === huffman || isNote(code)
}

/** Eight bits, of bounded sides, grey or in colours. */
function isFrame(segment: Buffer): boolean {
  if (segment.length < 8) return false
  const [height, width, components] = [segment.readUInt16BE(3), segment.readUInt16BE(5), segment[7]]
  const areSides = [height, width].every((side) => side > 0 && side <= photoSideMax)
  const isKnown = components === 1 || components === 3
  return segment[2] === 8 && areSides && isKnown && segment.length === 8 + 3 * components
}

/** A segment that tells of the picture and is none of it. */
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
