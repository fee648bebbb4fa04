/**
 * What the font of papers and labels can't draw. Letters of other scripts become a word in brackets that names the
 * script, instead of empty boxes: a font with Chinese alone would be larger than all documents of the service. Article
 * and barcode beside them still say what the goods are. Pictures are left out, and rare accents are dropped.
 */

/** The characters of PT Sans, regular and bold; `drawable.test.ts` compares them with the files. */
const inFont =
  '\\u{20}-\\u{7e}\\u{a0}-\\u{ac}\\u{ae}-\\u{109}\\u{10c}-\\u{113}\\u{116}-\\u{11f}\\u{122}-\\u{127}\\u{12a}\\u{12b}\\u{12e}-\\u{131}' +
  '\\u{134}-\\u{137}\\u{139}-\\u{13e}\\u{141}-\\u{148}\\u{14c}\\u{14d}\\u{150}-\\u{165}\\u{16a}-\\u{173}\\u{178}-\\u{17f}' +
  '\\u{218}-\\u{21b}\\u{301}\\u{394}\\u{3a9}\\u{3bc}\\u{3c0}\\u{401}-\\u{40c}\\u{40e}-\\u{44f}\\u{451}-\\u{45c}\\u{45e}\\u{45f}' +
  '\\u{48a}-\\u{4c0}\\u{4c3}-\\u{4f9}\\u{1e9e}\\u{2011}\\u{2013}\\u{2014}\\u{2018}-\\u{201a}\\u{201c}-\\u{201e}' +
  '\\u{2020}-\\u{2022}\\u{2026}\\u{2030}\\u{2039}\\u{203a}\\u{20ac}\\u{20b4}\\u{20b9}-\\u{20bf}\\u{2116}\\u{2122}\\u{2126}' +
  '\\u{2206}\\u{2211}\\u{2212}\\u{221a}\\u{221e}\\u{2248}\\u{2260}\\u{2264}\\u{2265}'

const known = new RegExp(`^[${inFont}]+$`, 'u')
/** Words in a row, with single spaces between them, of characters that the font lacks. */
const unknown = new RegExp(`[^${inFont}]+(?: [^${inFont}]+)*`, 'gu')

const names: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, '[яп.]'],
  [/\p{Script=Hangul}/u, '[кор.]'],
  [/\p{Script=Han}/u, '[кит.]'],
  [/\p{Script=Georgian}/u, '[груз.]'],
  [/\p{Script=Armenian}/u, '[арм.]'],
  [/\p{Script=Arabic}/u, '[араб.]'],
  [/₸/, 'тг'],
  [/[\p{L}\p{N}\p{P}\p{Sc}\p{Sm}]/u, '[?]'],
]
const invisible = /[\p{Cc}\p{Cf}\p{M}]/gu

/** The text in characters that the font has. */
export function drawable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}]/gu, ' ')
    .replace(unknown, standInFor)
}

function standInFor(run: string): string {
  const plain = run.normalize('NFD').replace(invisible, '')
  if (plain === '' || known.test(plain)) return plain
  return names.find(([pattern]) => pattern.test(plain))?.[1] ?? ''
}
