import { isUtf8 } from 'node:buffer'
import { type EncodingName, isDamagedUtf8, likelyEncoding } from './likely-encoding.ts'
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
const chunkBytes = 2 * 1024
const headBytes = 64 * 1024

interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | EncodingName
  readonly markBytes: number
}

/**
 * A byte order mark decides the encoding. Without one, valid UTF-8 is UTF-8, because Cyrillic text in an encoding of
 * one byte per letter is never valid UTF-8. Throws ServiceError if the bytes are no text, are damaged, or may be read
 * in two ways.
 */
export function readText(bytes: Uint8Array): Text {
  const encoding = encodingOf(bytes)
  if (unitBytesOf(encoding) === 1 && bytes.includes(0)) throw unknownFormat()
  const body = bytes.subarray(encoding.markBytes)
  const head = new TextDecoder(encoding.name).decode(body.subarray(0, headBytes))
  return { head, chunks: (skipped) => chunksOf(body, encoding, skipped) }
}

function unitBytesOf({ name }: Encoding): 1 | 2 {
  return name.startsWith('utf-16') ? 2 : 1
}

function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) throw unknownFormat()
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', markBytes: 2 }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', markBytes: 2 }
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf
  if (isUtf8(bytes)) {
    return utf16Unmarked(bytes) ?? { name: 'utf-8', markBytes: isMarked ? 3 : 0 }
  }
  if (isMarked || isDamagedUtf8(bytes)) throw damagedText()
  const unmarked = utf16Unmarked(bytes)
  if (unmarked !== undefined) return unmarked
  if (bytes.includes(0)) throw unknownFormat()
  const name = likelyEncoding(bytes)
  if (name === undefined) throw unclearEncoding()
  return { name, markBytes: 0 }
}

/** UTF-16 without its mark: digits, separators and line ends have a zero byte, always in the same half of the pair. */
function utf16Unmarked(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  const head = bytes.subarray(0, headBytes)
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const isText = Math.max(even, odd) >= head.length / 20 && Math.min(even, odd) === 0
  if (bytes.length % 2 === 1 || !isText) return undefined
  return { name: odd > 0 ? 'utf-16le' : 'utf-16be', markBytes: 0 }
}

function* chunksOf(body: Uint8Array, encoding: Encoding, skipped: number): Generator<Uint8Array> {
  const { name } = encoding
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true })
  for (let at = skipped * unitBytesOf(encoding); at < body.length; at += chunkBytes) {
    const piece = body.subarray(at, at + chunkBytes)
    const isLast = at + chunkBytes >= body.length
    yield name === 'utf-8' ? piece : Buffer.from(decode(decoder, piece, isLast))
  }
}

function decode(decoder: TextDecoder, piece: Uint8Array, isLast: boolean): string {
  try {
    return decoder.decode(piece, { stream: !isLast })
  } catch {
    throw damagedText()
  }
}

function damagedText() {
  return refusedFile(
    'Текст файла повреждён, часть букв потеряна: сохраните таблицу заново как CSV UTF-8 или XLSX',
  )
}

function unclearEncoding() {
  return refusedFile(
    'Кодировка файла не определена, буквы можно прочесть по-разному: сохраните таблицу как CSV UTF-8 или XLSX',
  )
}
