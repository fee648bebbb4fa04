import { withoutBrackets, withoutEscapes } from './code-spelling.ts'
import {
  GS,
  gtinOf,
  isGtin,
  readSscc,
  withLikelySeparators,
  withoutScannerAffixes,
  withSeparators,
} from './gs1.ts'

/**
 * Reads marking codes of «Честный знак» as handhelds send them.
 *
 * - A code is 01 GTIN 21 serial, a separator, and a tail: 91 and 92, or 93, with or without a price
 *   or weight.
 * - The code of a pack of tobacco has 29 characters and no identifiers.
 * - GTIN and serial alone identify the unit, and a wrong serial would create a unit that does not
 *   exist. So a code is refused if separators are lost and its serial could end in two places.
 * - Marketplaces refuse a code without separators. Lost ones are put back where the lengths of its elements leave no doubt:
 *   whatever is accepted here has all of them.
 */

export interface MarkingCode {
  readonly ok: true
  /** 14 digits with a valid check digit. */
  readonly gtin: string
  readonly serial: string
  /** GTIN and serial together: equal for two scans only if they are of the same unit. */
  readonly identity: string
  /**
   * The code as it is encoded, which is stored and sent: GS stands between its elements, even where the scanner
   * spelled it otherwise or dropped it. What scanners and programs add is gone: the symbology identifier and FNC1
   * before the code, line ends after it, brackets around its identifiers, escapes of XML.
   */
  readonly code: string
}

export type MarkingCodeReading = MarkingCode | { readonly ok: false; readonly problem: string }

/**
 * The serial lengths of all groups of goods; 13 is the usual one. A new length is added only here.
 */
const SERIAL_LENGTHS: readonly number[] = [6, 7, 13, 20]
/** The longest code that WB accepts. */
const MAX_CODE_LENGTH = 135
/** Longer than any code with every separator spelled. Longer input is refused unread. */
const MAX_INPUT_LENGTH = 200

/** Tobacco has no GTIN from 01…; without this rule a damaged code of other goods could match. */
const TOBACCO_PACK = /^(?!01)(\d{14})(.{7}).{8}$/
const HEAD = /^01(\d{14})21/
const SERIAL_START = 18
/** The characters of GS1 set 82. */
const ALLOWED = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
/** Characters of a Russian keyboard layout; № is on the key of #. */
const RUSSIAN_LAYOUT = /\p{Script=Cyrillic}|№/u
/** Elements of a fixed length that another may follow without a separator: dates, measures, a price. */
const SIZED = /^(?:1[1-7]\d{6}|20\d{2}|3[1-6]\d{8}|8005\d{6})/
/** Parts of the check of a code. What may follow each without a separator is known: anything else is another code. */
const CHECK = /^(?:91.{4}(?=92|$)|92(?:.{88}|.{44})$|93.{4}(?=3[13]\d{8}$|$))/
/** Elements that end with their group: a batch, a seller's number, a count, a company's own. */
const OPEN = /^(?:10.{1,20}|7003\d{10,12}|24[01].{1,30}|3[07]\d{1,8}|9[4-9].{1,90})$/
/** Elements after which GS1 requires no separator: dates and measures. */
const PREDEFINED = /^(?:1[1-7]|20|3[1-6])/
/** The tails in use, as they look when all separators are lost. */
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
  several: 'Кодов в одном скане несколько: отсканируйте только код маркировки этой единицы',
  unseparated: `Код считан не полностью или сканер не передаёт разделители GS: включите их передачу в сканере и ${again}`,
} as const

type Problem = keyof typeof problems
type Found = Pick<MarkingCode, 'gtin' | 'serial' | 'code'>

/** Reads a scanned text. The problem is a Russian sentence for the worker who scanned. */
export function readMarkingCode(text: string): MarkingCodeReading {
  if (text.length > MAX_INPUT_LENGTH) return refused('long')
  const plain = withoutBrackets(withoutScannerAffixes(withoutEscapes(text)))
  if (plain === '') return refused('empty')
  if (RUSSIAN_LAYOUT.test(plain)) return refused('russian')
  const code = withSeparators(plain)
  if (!ALLOWED.test(code.replaceAll(GS, ''))) {
    return refused(holdsSeveral(code) ? 'several' : 'foreign')
  }
  const found = reading(code)
  if (typeof found === 'string') return refused(wholeProblem(code, found))
  const { gtin, serial } = found
  if (found.code.length > MAX_CODE_LENGTH) return refused('long')
  return { ok: true, ...found, identity: gtin + serial }
}

/** A code that was kept as it was scanned, as it is encoded. */
export function encodedCode(kept: string): string {
  const reading = readMarkingCode(kept)
  return reading.ok ? reading.code : kept
}

function wholeProblem(code: string, problem: Problem): Problem {
  if (holdsSeveral(code)) return 'several'
  const isTooLong =
    code.length > MAX_CODE_LENGTH && (problem === 'tail' || problem === 'unseparated')
  return isTooLong ? 'long' : problem
}

/** Whether a marking code stands beside another code, with or without white space between them. */
function holdsSeveral(text: string): boolean {
  for (let at = 8; at <= text.length - 8; at++) {
    const [first, second] = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()]
    if (beginsUnit(second) ? isUnit(first) || isOther(first) : isOther(second) && isUnit(first))
      return true
  }
  return false
}

function beginsUnit(text: string): boolean {
  const [, gtin = ''] = HEAD.exec(text) ?? TOBACCO_PACK.exec(text) ?? []
  return isGtin(gtin)
}

function isUnit(text: string): boolean {
  return beginsUnit(text) && typeof reading(text) !== 'string'
}

/** Whether a text is a barcode of goods, or the code of a box or pallet. */
function isOther(text: string): boolean {
  return gtinOf(text) !== undefined || /^(?:\(00\)|00)\d{18}$/.test(text)
}

/**
 * Takes a spelling that could also be part of the code for a separator if one belongs there, unless
 * the scanner has sent GS itself.
 */
function reading(code: string): Found | Problem {
  const likely = code.includes(GS) ? code : withLikelySeparators(code)
  const found = interpret(likely)
  return typeof found === 'string' && likely !== code ? interpret(code) : found
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
  return isGtin(gtin) ? { gtin, serial, code } : 'gtin'
}

function interpretSerial(gtin: string, code: string): Found | Problem {
  const [head = '', ...groups] = code.split(GS)
  const serial = head.slice(SERIAL_START)
  if (groups.length === 0) return interpretGlued(gtin, code, serial)
  if (!SERIAL_LENGTHS.includes(serial.length)) return 'serial'
  if (endsWithBarcode(serial, gtin)) return 'several'
  const tail = groups.at(-1) === '' ? groups.slice(0, -1) : groups
  if (!isTail(tail)) return 'tail'
  return { gtin, serial, code: [head, ...groups.map(withGs)].join(GS) }
}

/** Without any separator the code is accepted only if it can be split in exactly one way. */
function interpretGlued(gtin: string, code: string, rest: string): Found | Problem {
  const lengths = SERIAL_LENGTHS.filter(
    (length) => rest.length >= length && GLUED_TAIL.test(rest.slice(length)),
  )
  const [length] = lengths
  if (length === undefined || lengths.length > 1) return 'unseparated'
  const end = SERIAL_START + length
  if (end < code.length) return interpretSerial(gtin, code.slice(0, end) + GS + code.slice(end))
  return endsWithBarcode(rest, gtin) ? 'several' : { gtin, serial: rest, code }
}

/** Whether a serial of twenty is one of six or seven and the barcode of the same goods. */
function endsWithBarcode(serial: string, gtin: string): boolean {
  return serial.length === 20 && [6, 7].some((length) => gtinOf(serial.slice(length)) === gtin)
}

/**
 * Whether a tail has only elements that are known, with 92 directly after 91, and no code of another unit in them.
 */
function isTail(groups: readonly string[]): boolean {
  if (groups.some((group) => isGtin(/01(\d{14})21/.exec(group)?.[1] ?? ''))) return false
  const identifiers = groups.flatMap(elements).map((element) => element.slice(0, 2))
  return !identifiers.includes('') && !/9[12]/.test(identifiers.join(' ').replace('91 92', ''))
}

/** A group of elements with the separators that GS1 requires between them. */
function withGs(group: string): string {
  const found = elements(group)
  return found
    .map((element, n) =>
      n + 1 < found.length && !PREDEFINED.test(element) ? element + GS : element,
    )
    .join('')
}

/** The elements of a group; an empty text stands for a part that is none. */
function elements(group: string): string[] {
  const found: string[] = []
  let rest = group
  do {
    const element = (SIZED.exec(rest) ?? CHECK.exec(rest) ?? OPEN.exec(rest))?.[0] ?? ''
    found.push(element)
    if (element === '') return found
    rest = rest.slice(element.length)
  } while (rest !== '')
  return found
}

/** Names what was scanned instead of a marking code. */
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
