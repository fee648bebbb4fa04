import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { PackedFile } from './tar.ts'

/** The earliest that an archive can say, by the local clock as archives do: the same files make the same bytes. */
const modifiedAt = new Date(1980, 0, 1)

export function zipOf(files: readonly PackedFile[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { path, text } of files) {
    const options = { mtime: modifiedAt, mode: 0o100644, forceDosTimestamp: true }
    zip.addBuffer(Buffer.from(text), path, options)
  }
  zip.end()
  return buffer(zip.outputStream as Readable)
}
