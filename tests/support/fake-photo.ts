import { createHash } from 'node:crypto'

/** A segment of a JPEG. */
export function jpegSegment(code: number, data: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  return Buffer.concat([Buffer.of(0xff, code), length, data])
}

interface PhotoShape {
  readonly width?: number
  readonly height?: number
  /** Segments behind the first marker, such as those of a camera. */
  readonly notes?: readonly Buffer[]
  readonly scans?: number
}

/** A grey JPEG that every browser shows, of eight points a side; its name decides its bytes. */
export function fakePhoto(
  name: string,
  { width = 8, height = 8, notes = [], scans = 1 }: PhotoShape = {},
): Buffer {
  const chance = createHash('sha512').update(name).digest()
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  const codes = Buffer.from([1, ...Array<number>(15).fill(0)])
  const scan = Buffer.concat([
    jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
    // One block: the code of seven bits that follow, those bits, the end of the block.
    Buffer.of((chance[0] ?? 0) & 0x7f, 0x7f),
  ])
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...notes,
    jpegSegment(0xdb, Buffer.from([0, ...chance.map((byte) => (byte % 32) + 1)])),
    jpegSegment(0xc0, Buffer.concat([Buffer.of(8), size, Buffer.of(1, 1, 0x11, 0)])),
    jpegSegment(0xc4, Buffer.concat([Buffer.of(0x00), codes, Buffer.of(7)])),
    jpegSegment(0xc4, Buffer.concat([Buffer.of(0x10), codes, Buffer.of(0)])),
    ...Array<Buffer>(scans).fill(scan),
    Buffer.of(0xff, 0xd9),
  ])
}
