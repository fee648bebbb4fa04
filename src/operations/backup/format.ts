import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { StartError } from '../../platform/kernel/errors.ts'

/**
 * A backup is one file: a line that names the format, then records under Zstandard. A record is its kind (one
 * byte), the length of its content (four bytes, big-endian) and the content:
 *
 * | kind | content |
 * |---|---|
 * | `h` | the header, JSON |
 * | `t` | a table begins: its name and columns, JSON |
 * | `d` | rows of the table, in PostgreSQL's text format of COPY; ends anywhere, also within a row |
 * | `s` | the sequences, JSON |
 * | `z` | SHA-256 over all records before it; the last one |
 */

export const magic = 'sklad backup 1\n'

export type RecordKind = 'h' | 't' | 'd' | 's' | 'z'

export interface BackupRecord {
  readonly kind: RecordKind
  readonly content: Buffer
}

export interface Header {
  /** When the snapshot was taken. */
  readonly madeAt: string
  readonly serverVersion: string
  readonly migrations: readonly {
    readonly number: number
    readonly name: string
    readonly checksum: string
  }[]
  /** Of the secrets that sealed what the backup holds; see platform/process/secrets.ts. */
  readonly secretFingerprints: readonly string[]
  /** Partitions that maintenance made: no migration makes them. */
  readonly partitions: readonly Partition[]
  readonly tables: number
}

export interface Partition {
  readonly name: string
  readonly parent: string
  /** As PostgreSQL writes it: `FOR VALUES FROM (…) TO (…)`. */
  readonly bound: string
  /** Storage parameters, as in `with (…)`. */
  readonly options: string | null
}

export interface TableStart {
  readonly name: string
  readonly columns: readonly string[]
}

export interface SequenceValue {
  readonly name: string
  readonly value: string
}

const headBytes = 5
/** Far more than PostgreSQL and its driver give at once. */
const contentBytesMax = 64 * 1024 * 1024
const kinds = 'htdsz'
const digestAlgorithm = 'sha256'

/** Makes the bytes of records, and of the last one, which holds the digest of all others. */
export function recordWriter() {
  const digest = createHash(digestAlgorithm)
  const record = (kind: RecordKind, content: Buffer): Buffer => {
    const head = Buffer.alloc(headBytes)
    head.write(kind, 0, 'latin1')
    head.writeUInt32BE(content.length, 1)
    return Buffer.concat([head, content])
  }
  return {
    bytes(kind: RecordKind, content: Buffer): Buffer {
      const bytes = record(kind, content)
      digest.update(bytes)
      return bytes
    },
    json(kind: RecordKind, value: unknown): Buffer {
      return this.bytes(kind, Buffer.from(JSON.stringify(value)))
    },
    end: (): Buffer => record('z', digest.digest()),
  }
}

/**
 * The records of a file, up to the last one, which is checked and not given. Holds one record in memory at a time.
 *
 * @throws StartError for a file that is no backup, is cut off or damaged; records before the damage have been given
 */
export async function* readRecords(path: string): AsyncGenerator<BackupRecord> {
  await checkMagic(path)
  const damaged = (cause?: unknown) =>
    new StartError(`${path} is damaged or cut off: it can't be restored`, { cause })
  const bytes = pipeline(
    createReadStream(path, { start: magic.length }),
    createZstdDecompress(),
    // A failure reaches the reader of the stream as well.
    () => {},
  )
  try {
    yield* checkedRecords(bytes, damaged)
  } catch (error) {
    throw error instanceof StartError ? error : damaged(error)
  }
}

async function checkMagic(path: string): Promise<void> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${path} can't be read: ${error.code}`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    if (buffer.toString('latin1', 0, bytesRead) !== magic) {
      throw new StartError(`${path} is not a backup of Sklad`)
    }
  } finally {
    await file.close()
  }
}

async function* checkedRecords(
  bytes: AsyncIterable<Buffer>,
  damaged: () => StartError,
): AsyncGenerator<BackupRecord> {
  const digest = createHash(digestAlgorithm)
  let rest: Buffer = Buffer.alloc(0)
  let ended = false
  for await (const chunk of bytes) {
    if (ended) throw damaged()
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (;;) {
      const found = recordAt(rest, at, damaged)
      if (found === undefined) break
      at += headBytes + found.content.length
      if (found.kind === 'z') {
        ended = true
        if (!found.content.equals(digest.digest()) || at < rest.length) throw damaged()
        break
      }
      digest.update(rest.subarray(at - headBytes - found.content.length, at))
      yield found
    }
    rest = rest.subarray(at)
  }
  if (!ended) throw damaged()
}

/** The record that begins there; undefined where not all of it has come. */
function recordAt(bytes: Buffer, at: number, damaged: () => StartError): BackupRecord | undefined {
  if (bytes.length - at < headBytes) return undefined
  const kind = String.fromCharCode(bytes[at] ?? 0)
  const length = bytes.readUInt32BE(at + 1)
  if (!kinds.includes(kind) || length > contentBytesMax) throw damaged()
  const from = at + headBytes
  if (bytes.length - from < length) return undefined
  return { kind: kind as RecordKind, content: bytes.subarray(from, from + length) }
}
