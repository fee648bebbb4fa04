import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface PackedFile {
  /** At most 100 bytes. */
  readonly path: string
  readonly text: string
}

const blockBytes = 512
/** npm gives this time to every file of a package, so that the same files make the same bytes. */
const npmModifiedAt = 499_162_500

/** An archive in the format ustar (POSIX.1-1988). */
export function tarOf(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap(({ path, text }) => {
    const content = Buffer.from(text)
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
    return [header(path, content.length), content, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive`)
  block.write(path, 0)
  block.write(octal(0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(npmModifiedAt, 11), 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  // The sum is taken with spaces in its own place.
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

/** The earliest that an archive can say, by the local clock as archives do: the same files make the same bytes. */
const zipModifiedAt = new Date(1980, 0, 1)

export function zipOf(files: readonly PackedFile[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { path, text } of files) {
    const options = { mtime: zipModifiedAt, mode: 0o100644, forceDosTimestamp: true }
    zip.addBuffer(Buffer.from(text), path, options)
  }
  zip.end()
  return buffer(zip.outputStream as Readable)
}
