import { plainCode } from '../../platform/kernel/codes/written-code.ts'
import { invalidField } from '../../platform/kernel/errors.ts'

/** Codes of locations as they are printed and scanned, and patterns that stand for many of them. */

const codeForm = /^[A-Z0-9][A-Z0-9._-]{0,31}$/
const rule =
  'до 32 знаков: латинские буквы, цифры, точка, дефис, подчёркивание, и не одни цифры, например A-01-2'

/** The code of a scanned or typed text; undefined for a text that can't be one. */
export function readLocationCode(text: string): string | undefined {
  const code = plainCode(text)
    .replace(/^\]C[01]/, '')
    .toUpperCase()
  return codeForm.test(code) && !/^\d+$/.test(code) ? code : undefined
}

/** Throws validation_error for a text that can't be a code. */
export function locationCodeOf(text: string): string {
  const code = readLocationCode(text)
  if (code === undefined) throw invalidField('code', rule)
  return code
}

/** Locations that one pattern may stand for. */
export const patternMax = 2_000

/**
 * The codes that a pattern stands for, in its order: `A-{01..10}-{1..4}` is A-01-1, A-01-2 … A-10-4. A range has
 * numbers, which keep the zeros of its beginning, or single letters. Throws validation_error.
 */
export function codesOfPattern(pattern: string): string[] {
  const parts = plainCode(pattern)
    .toUpperCase()
    .split(/(\{[^{}]*\})/)
  let codes = ['']
  for (const part of parts) {
    const values = part.startsWith('{') ? valuesOf(part) : [part]
    if (codes.length * values.length > patternMax) {
      throw invalidField('pattern', `задаёт больше ${patternMax} мест, разделите на несколько`)
    }
    codes = codes.flatMap((head) => values.map((value) => head + value))
  }
  const bad = codes.find((code) => readLocationCode(code) !== code)
  if (bad !== undefined)
    throw invalidField('pattern', `код ${JSON.stringify(bad)} не подходит: ${rule}`)
  return codes
}

function valuesOf(group: string): string[] {
  const [, from = '', to = ''] = /^\{(\d{1,6}|[A-Z])\.\.(\d{1,6}|[A-Z])\}$/.exec(group) ?? []
  const numbers = /^\d+$/.test(from) && /^\d+$/.test(to)
  const letters = /^[A-Z]$/.test(from) && /^[A-Z]$/.test(to)
  if (!numbers && !letters) {
    throw invalidField('pattern', `${group}: нужен диапазон, например {01..10} или {A..D}`)
  }
  const [first, last] = numbers
    ? [Number(from), Number(to)]
    : [from.charCodeAt(0), to.charCodeAt(0)]
  if (last < first) throw invalidField('pattern', `${group}: начало диапазона больше конца`)
  if (last - first >= patternMax) {
    throw invalidField('pattern', `задаёт больше ${patternMax} мест, разделите на несколько`)
  }
  return Array.from({ length: last - first + 1 }, (_, n) =>
    numbers ? String(first + n).padStart(from.length, '0') : String.fromCharCode(first + n),
  )
}
