import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, which its name decides. */
export function fakePicture(name: string, size = 48): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2], 8)
  const colour = createHash('sha256').update(name).digest().subarray(0, 3)
  const row = Buffer.concat([Buffer.of(0), ...Array<Buffer>(size).fill(colour)])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(size).fill(row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
