import { type LabelText, smallSheet } from './page.ts'

/** Fits text into one line of a label, without knowing the printer's font. */

/** How wide a small sheet is printed. */
export const innerWidth = smallSheet.width - 2 * smallSheet.margin

/** A line of text from margin to margin of a small sheet. */
export function lineAcross(
  text: string,
  { y, size }: Pick<LabelText, 'y' | 'size'>,
  anchor: LabelText['anchor'],
): LabelText {
  const shown = fitted(visibleText(text), innerWidth / size)
  return { text: shown, x: smallSheet.margin, y, size, width: innerWidth, anchor }
}

/** More than any line of a label holds; the text beyond is not measured. */
const MAX_CHARACTERS = 200
const graphemes = new Intl.Segmenter('ru', { granularity: 'grapheme' })

/** Widths in ems, about those of the widest common font. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/^[ !'(),.:;[\]`ijl|I]$/, 0.4],
  [/^[ЖМШЩЫЮФMW@%…—жшщыюфmw]$/, 1.08],
  [/^[a-zа-яё0-9]$/, 0.64],
  [/^[\p{Script=Latin}\p{Script=Cyrillic}\p{ASCII}«»№–]$/u, 0.8],
]
const WIDEST = 1.3

/** The printable text in one line, without control characters and bidirectional controls. */
export function visibleText(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .trim()
}

/** The text if it fits into `ems`, or else its beginning with an ellipsis. */
export function fitted(text: string, ems: number): string {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (total(characters) <= ems) return text
  while (characters.length > 0 && total([...characters, '…']) > ems) characters.pop()
  return `${characters.join('').trimEnd()}…`
}

function total(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + width(character), 0)
}

function width(character: string): number {
  return widths.find(([pattern]) => pattern.test(character))?.[1] ?? WIDEST
}
