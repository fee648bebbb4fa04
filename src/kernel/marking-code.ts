import {
  GS,
  gtinOf,
  isGtin,
  readSscc,
  unspelled,
  unspelledBoldly,
  withoutScannerMarks,
} from './gs1.ts'

/**
 * Marking codes of «Честный знак» as handhelds send them.
 *
 * A code is 01 GTIN 21 serial, a separator, and a tail: 91 and 92, or 93, with or without the price
 * or weight. A pack of tobacco has 29 characters without identifiers. Which unit a code is of is
 * told by GTIN and serial alone, and a wrong serial would make a unit that does not exist: where
 * separators are lost and the serial could end in two places, the code is refused.
 */

export interface MarkingCode {
  readonly ok: true
  /** 14 digits with a right check digit. */
  readonly gtin: string
  readonly serial: string
  /** GTIN and serial in one; equal for two scans of the same unit, and for no others. */
  readonly identity: string
  /**
   * What came from the scanner, but for its own marks: the symbology identifier and FNC1 in front,
   * line ends behind. Kept for ever, never rebuilt.
   */
  readonly raw: string
  /** `raw` with separators that the scanner spelled out (`<GS>`, `\x1d`) turned back into GS. */
  readonly code: string
  /** The scanner swallowed separators: the unit is known, but others may not accept such a code. */
  readonly separatorsLost: boolean
}

export type MarkingCodeReading = MarkingCode | { readonly ok: false; readonly problem: string }

/** Of all groups of goods so far; 13 is the usual one. A new length goes here, and only here. */
const SERIAL_LENGTHS: readonly number[] = [6, 7, 13, 20]
/** The most WB takes. */
const MAX_CODE_LENGTH = 135
/** A code with every separator spelled out is shorter; longer input is not looked at. */
const MAX_INPUT_LENGTH = 200

/** No tobacco has a GTIN from 01…, and a damaged code of other goods could look like one. */
const TOBACCO_PACK = /^(?!01)(\d{14})(.{7}).{8}$/
const HEAD = /^01(\d{14})21/
const SERIAL_START = 18
/** The characters of GS1 set 82. */
const ALLOWED = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
/** What appears on a keyboard switched to Russian; № stands on the key of #. */
const RUSSIAN_LAYOUT = /\p{Script=Cyrillic}|№/u
/** Elements whose length is given; a separator between two of them may be missing. */
const SIZED = /^(?:91.{4}|92(?:.{88}|.{44})|93.{4}|8005\d{6}|3[1-6]\d{8}|1[1-7]\d{6})/
/** Those after which GS1 wants no separator: dates and measures. */
const PREDEFINED = /^(?:1[1-7]|3[1-6])/
const UNSIZED = /^(?!9[123])\d\d.+/
/** Tails of today's goods, as they look when all separators are lost. */
const GLUED_TAIL = /^(?:91.{4}92(?:.{88}|.{44})|93.{4}|93.{4}3[13]\d{8}|8005\d{6}93.{4})?$/

const again = 'отсканируйте ещё раз'
const problems = {
  empty: 'Код пуст: отсканируйте код маркировки Data Matrix',
  long: `Код длиннее ${MAX_CODE_LENGTH} знаков, возможно, считаны два подряд: ${again}`,
  russian: `В коде русские буквы: раскладка клавиатуры сканера русская, переключите её на английскую и ${again}`,
  foreign: `В коде есть знак, которого в кодах маркировки не бывает: ${again}`,
  barcode: 'Это штрихкод товара: отсканируйте код маркировки Data Matrix на самой единице',
  sscc: 'Это код короба или паллеты: отсканируйте код маркировки Data Matrix на единице товара',
  other: 'Это не код маркировки: отсканируйте Data Matrix «Честный знак»',
  gtin: `Код считан с ошибкой, контрольная цифра GTIN не сходится: ${again}`,
  serial: `Код считан не полностью, серийный номер бывает из ${lengthsShown()} знаков: ${again}`,
  tail: `Код считан не полностью, код проверки после серийного номера повреждён: ${again}`,
  unseparated: `Код считан не полностью или сканер не передаёт разделители GS: включите их передачу в сканере и ${again}`,
} as const

type Problem = keyof typeof problems
type Found = Pick<MarkingCode, 'gtin' | 'serial' | 'code' | 'separatorsLost'>

/** Reads what a scanner sent. The problem is a sentence for the one who scanned. */
export function readMarkingCode(text: string): MarkingCodeReading {
  if (text.length > MAX_INPUT_LENGTH) return refused('long')
  const raw = withoutScannerMarks(text)
  if (raw === '') return refused('empty')
  if (RUSSIAN_LAYOUT.test(raw)) return refused('russian')
  const code = unspelled(raw)
  if (!ALLOWED.test(code.replaceAll(GS, ''))) return refused('foreign')
  const found = reading(code)
  if (typeof found === 'string') return refused(found)
  const { gtin, serial } = found
  if (found.code.length > MAX_CODE_LENGTH) return refused('long')
  return { ok: true, ...found, identity: gtin + serial, raw }
}

/**
 * Four and more characters in a row that look like a separator, right where one belongs, are one,
 * unless the scanner has shown that it sends GS itself.
 */
function reading(code: string): Found | Problem {
  const bold = code.includes(GS) ? code : unspelledBoldly(code)
  const found = interpret(bold)
  return typeof found === 'string' && bold !== code ? interpret(code) : found
}

function interpret(code: string): Found | Problem {
  const head = HEAD.exec(code)
  const gtin = head?.[1] ?? ''
  if (isGtin(gtin)) return interpretSerial(gtin, code)
  const pack = TOBACCO_PACK.exec(code)
  if (pack !== null && !code.includes(GS)) return interpretPack(code, pack)
  return head === null ? nameOther(code) : 'gtin'
}

function interpretPack(code: string, [, gtin = '', serial = '']: RegExpExecArray): Found | Problem {
  return isGtin(gtin) ? { gtin, serial, code, separatorsLost: false } : 'gtin'
}

function interpretSerial(gtin: string, code: string): Found | Problem {
  const [first = '', ...tail] = code.slice(SERIAL_START).split(GS)
  if (tail.length === 0) return interpretGlued(gtin, code, first)
  if (!SERIAL_LENGTHS.includes(first.length)) return 'serial'
  if (tail.at(-1) === '') tail.pop()
  if (!isTail(tail)) return 'tail'
  return { gtin, serial: first, code, separatorsLost: tail.some(isGlued) }
}

/** No separator came: the code is taken when it can be split in one way only. */
function interpretGlued(gtin: string, code: string, rest: string): Found | Problem {
  const lengths = SERIAL_LENGTHS.filter(
    (length) => rest.length >= length && GLUED_TAIL.test(rest.slice(length)),
  )
  const [length] = lengths
  if (length === undefined || lengths.length > 1) return 'unseparated'
  const serial = rest.slice(0, length)
  return { gtin, serial, code, separatorsLost: length < rest.length }
}

/** Elements known by their lengths, 92 right behind 91, and whatever else has an identifier. */
function isTail(groups: readonly string[]): boolean {
  const identifiers = groups.flatMap(elements).map((element) => element.slice(0, 2))
  return !identifiers.includes('') && !/9[12]/.test(identifiers.join(' ').replace('91 92', ''))
}

/** Whether a separator is missing that GS1 asks for. */
function isGlued(group: string): boolean {
  const ended = elements(group).slice(0, -1)
  return ended.some((element) => !PREDEFINED.test(element))
}

/** The elements of a group; an empty one stands for what is none. */
function elements(group: string): string[] {
  const found: string[] = []
  let rest = group
  do {
    const element = (SIZED.exec(rest) ?? UNSIZED.exec(rest))?.[0] ?? ''
    found.push(element)
    if (element === '') return found
    rest = rest.slice(element.length)
  } while (rest !== '')
  return found
}

/** What was scanned instead of a marking code. */
function nameOther(code: string): Problem {
  if (gtinOf(code) !== undefined) return 'barcode'
  return readSscc(code) === undefined ? 'other' : 'sscc'
}

function lengthsShown(): string {
  return new Intl.ListFormat('ru', { type: 'disjunction' }).format(SERIAL_LENGTHS.map(String))
}

function refused(problem: Problem): MarkingCodeReading {
  return { ok: false, problem: problems[problem] }
}
