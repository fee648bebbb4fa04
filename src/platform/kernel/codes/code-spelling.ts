import { GS } from './gs1.ts'

/**
 * Codes that a program has written in its own way before they came here. A label program prints the elements of a code in
 * brackets, `(01)…(21)…(93)…`; a program that reads codes out of XML leaves `&amp;` for a sign of the code.
 */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ESCAPED = /&(amp|lt|gt|quot|apos|#\d{2,3}|#x[0-9a-f]{2});/gi

/** What stands behind a serial number, and may stand in brackets. */
const BRACKETED = new RegExp(
  String.raw`\s*${GS}?\((9\d|8005|7003|1[0-7]|20|24[01]|3[07]|3[1-6]\d\d)\)\s*`,
  'g',
)

/** The code as it is encoded, of a text without escapes and the scanner's additions. */
export function withoutBrackets(code: string): string {
  const head = /^\(01\)\s*(\d{14})\s*\(21\)\s*/.exec(code)
  if (head === null) return code
  return `01${head[1]}21${code.slice(head[0].length).replace(BRACKETED, `${GS}$1`)}`
}

/** An escape of another program may be escaped again. Spellings of the separator stay: they are read as such. */
export function withoutEscapes(text: string): string {
  const plain = text.replace(ESCAPED, (whole, name: string) => signOf(name.toLowerCase()) ?? whole)
  return plain === text ? text : withoutEscapes(plain)
}

function signOf(name: string): string | undefined {
  if (!name.startsWith('#')) return named[name]
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined
}
