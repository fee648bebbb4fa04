/**
 * In which encoding of one byte per letter a text is written: Windows', or one that 1С, DOS programs, old Unix tables
 * and Macs still write. Each reading is judged by how much it looks like Russian; where two look alike, none is chosen.
 */

const names = [
  'windows-1251',
  'ibm866',
  'koi8-r',
  'x-mac-cyrillic',
  'iso-8859-5',
  'windows-1252',
] as const
export type EncodingName = (typeof names)[number]

/** Enough letters to judge by. */
const sampleBytes = 16 * 1024

/** How much likelier Windows' encoding is before a letter is read, as a natural logarithm: it is the one Excel writes. */
const windowsLead = 4
/** By how much the best reading must win. */
const leastLead = 2

/** Undefined where the bytes may be read in two ways that differ. */
export function likelyEncoding(bytes: Uint8Array): EncodingName | undefined {
  const sample = sampleOf(bytes)
  const readings = names
    .map((name) => {
      const text = new TextDecoder(name).decode(sample)
      return { name, text, score: russianness(text) + (name === 'windows-1251' ? windowsLead : 0) }
    })
    .sort((one, other) => other.score - one.score)
  const [best] = readings
  if (best === undefined) return undefined
  const rival = readings.find(({ text }) => text !== best.text)
  return rival === undefined || best.score - rival.score >= leastLead ? best.name : undefined
}

/** Whether text that is no valid UTF-8 was UTF-8 once: most of its letters still are. */
export function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(sampleOf(bytes), { stream: true })
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const whole = text.match(/[\u00a0-\u04ff\u2000-\u22ff]/g)?.length ?? 0
  return whole > broken
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte > 0x7f)
  return bytes.subarray(Math.max(0, from), from + sampleBytes)
}

/** How often each letter stands among ten thousand of a Russian text. */
const frequencies: Readonly<Record<string, number>> = {
  ...{ о: 1098, е: 845, а: 801, и: 735, н: 670, т: 626, с: 547, р: 473, в: 454, л: 440, к: 349 },
  ...{ м: 321, д: 298, п: 281, у: 262, я: 201, ы: 190, ь: 174, г: 170, з: 165, б: 159, ч: 144 },
  ...{ й: 121, х: 97, ж: 94, ш: 73, ю: 64, ц: 48, щ: 36, э: 32, ф: 26, ъ: 4, ё: 13 },
}
const signs = new Set('№«»—–°„“”’‘…®™©±·×€\u00a0')

/** The logarithm of how likely the characters beyond ASCII are in a Russian table. */
function russianness(text: string): number {
  let score = 0
  let previous = ''
  for (const character of text) {
    if (character > '\u007f') score += likeliness(character, previous)
    previous = character
  }
  const words = text.toLowerCase().match(/[а-яё]+/g) ?? []
  const glued = text.match(/\p{L}[—–°™®©±·×€]|[—–°±·×€]\p{L}/gu) ?? []
  return score - words.reduce((sum, word) => sum + oddityOf(word), 0) - 6 * glued.length
}

/** How little a word looks like a Russian one. */
function oddityOf(word: string): number {
  if (/^[ьъы]/.test(word)) return 6
  if (word.length === 1) return /[авикосуя]/.test(word) ? 0 : 5
  return word.length >= 3 && !/[аеёиоуыэюя]/.test(word) ? 4 : 0
}

function likeliness(character: string, previous: string): number {
  const small = character.toLowerCase()
  const frequency = frequencies[small]
  if (frequency !== undefined) {
    const isOdd = character !== small && isSmall(previous)
    return Math.log(frequency / 10_000) - (isOdd || /[A-Za-z]/.test(previous) ? 4 : 0)
  }
  if (signs.has(character)) return -5
  if (/\p{Script=Latin}/u.test(character)) return /[A-Za-z]/.test(previous) ? -5 : -9
  return /\p{Script=Cyrillic}/u.test(character) ? -8 : -12
}

function isSmall(character: string): boolean {
  return character !== character.toUpperCase()
}
