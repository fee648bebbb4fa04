import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { damagedXlsx, refusedFile } from '../refusals.ts'

/** The parts of an XLSX file: a zip archive, unpacked in pieces up to a bound. */
export interface Archive {
  has(path: string): boolean
  /** Throws ServiceError if the part is missing or damaged, or the archive exceeds its bound. */
  part(path: string): AsyncIterable<Buffer>
}

const entriesMax = 1_000

/** The bound for all parts that are read, together. */
export const unpackedBytesMax = 32 * 1024 * 1024

/** Throws ServiceError. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const { zip, entries } = await readDirectory(bytes).catch((error) => {
    throw damagedXlsx(error)
  })
  const budget = { bytes: unpackedBytesMax }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    part: (path) => unpack(zip, entries.get(path.toLowerCase()), budget),
  }
}

async function readDirectory(
  bytes: Buffer,
): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const zip = await fromBufferPromise(bytes)
  if (zip.entryCount > entriesMax) throw new Error(`${zip.entryCount} entries`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.toLowerCase()
    if (entries.has(path)) throw new Error('two entries with one name')
    entries.set(path, entry)
  }
  return { zip, entries }
}

async function* unpack(
  zip: ZipFile,
  entry: Entry | undefined,
  budget: { bytes: number },
): AsyncGenerator<Buffer> {
  if (entry === undefined) throw damagedXlsx('a part is missing')
  if (entry.isEncrypted()) throw refusedFile('Файл защищён паролем: сохраните его без пароля')
  if (entry.uncompressedSize > budget.bytes) throw tooLarge()
  let checksum = 0
  for await (const piece of pieces(zip, entry)) {
    budget.bytes -= piece.length
    if (budget.bytes < 0) throw tooLarge()
    checksum = crc32(piece, checksum)
    yield piece
  }
  if (checksum !== entry.crc32) throw damagedXlsx('checksum')
}

async function* pieces(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  try {
    stream = await zip.openReadStreamPromise(entry)
    yield* stream
  } catch (error) {
    throw damagedXlsx(error)
  } finally {
    stream?.destroy()
  }
}

function tooLarge() {
  return refusedFile(
    `Файл XLSX в распакованном виде больше ${unpackedBytesMax / 2 ** 20} МиБ: ` +
      'оставьте в нём один лист с товарами, без картинок и лишних столбцов',
  )
}
