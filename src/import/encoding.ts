import { isUtf8 } from 'node:buffer'
import { refusedFile, unknownFormat } from './refusals.ts'

/** Text of a file in any of the encodings that spreadsheet programs write here. */
export interface Text {
  /** The beginning: some ten thousand characters. */
  readonly head: string
  /** All of it but its first characters, which are ASCII, as UTF-8 piece by piece. Throws ApiError. */
  portions(skipped: number): Iterable<Uint8Array>
}

/** Small, for the worst of them: a thousand rows of two characters, of 20 µs each. */
const PORTION_BYTES = 2 * 1024
const HEAD_BYTES = 64 * 1024

interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'
  readonly markBytes: number
  readonly unitBytes: 1 | 2
}

/**
 * A byte order mark decides; without one, what is UTF-8 is that, as Cyrillic in Windows-1251 never
 * happens to be. Throws ApiError for what is no text.
 */
export function readText(bytes: Uint8Array): Text {
  const encoding = encodingOf(bytes)
  if (encoding.unitBytes === 1 && bytes.includes(0)) throw unknownFormat()
  const body = bytes.subarray(encoding.markBytes)
  const head = new TextDecoder(encoding.name).decode(body.subarray(0, HEAD_BYTES))
  return { head, portions: (skipped) => portions(body, encoding, skipped) }
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

function* portions(
  body: Uint8Array,
  { name, unitBytes }: Encoding,
  skipped: number,
): Generator<Uint8Array> {
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true })
  for (let at = skipped * unitBytes; at < body.length; at += PORTION_BYTES) {
    const piece = body.subarray(at, at + PORTION_BYTES)
    const isLast = at + PORTION_BYTES >= body.length
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
