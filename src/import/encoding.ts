import { isUtf8 } from 'node:buffer'
import { refusedFile, unknownFormat } from './refusals.ts'

/** The text of a file in any encoding that spreadsheet programs use. */
export interface Text {
  /** The beginning of the text, tens of thousands of characters. */
  readonly head: string
  /**
   * The text after its first `skipped` characters (all ASCII) in chunks of UTF-8. Throws
   * ServiceError.
   */
  chunks(skipped: number): Iterable<Uint8Array>
}

/** Small because of the worst case: a thousand rows of two characters at 20 µs each. */
const CHUNK_BYTES = 2 * 1024
const HEAD_BYTES = 64 * 1024

interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'
  readonly markBytes: number
  readonly unitBytes: 1 | 2
}

/**
 * A byte order mark decides the encoding. Without one, valid UTF-8 is UTF-8, because Cyrillic text
 * in Windows-1251 is never valid UTF-8. Throws ServiceError if the bytes are no text.
 */
export function readText(bytes: Uint8Array): Text {
  const encoding = encodingOf(bytes)
  if (encoding.unitBytes === 1 && bytes.includes(0)) throw unknownFormat()
  const body = bytes.subarray(encoding.markBytes)
  const head = new TextDecoder(encoding.name).decode(body.subarray(0, HEAD_BYTES))
  return { head, chunks: (skipped) => chunksOf(body, encoding, skipped) }
}

function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf && isUtf8(bytes)) {
    return { name: 'utf-8', markBytes: 3, unitBytes: 1 }
  }
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', markBytes: 2, unitBytes: 2 }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', markBytes: 2, unitBytes: 2 }
  return { name: isUtf8(bytes) ? 'utf-8' : 'windows-1251', markBytes: 0, unitBytes: 1 }
}

function* chunksOf(
  body: Uint8Array,
  { name, unitBytes }: Encoding,
  skipped: number,
): Generator<Uint8Array> {
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true })
  for (let at = skipped * unitBytes; at < body.length; at += CHUNK_BYTES) {
    const piece = body.subarray(at, at + CHUNK_BYTES)
    const isLast = at + CHUNK_BYTES >= body.length
    yield name === 'utf-8' ? piece : Buffer.from(decode(decoder, piece, isLast))
  }
}

function decode(decoder: TextDecoder, piece: Uint8Array, isLast: boolean): string {
  try {
    return decoder.decode(piece, { stream: !isLast })
  } catch {
    throw refusedFile('Текст файла повреждён: сохраните таблицу как CSV UTF-8 или XLSX')
  }
}
