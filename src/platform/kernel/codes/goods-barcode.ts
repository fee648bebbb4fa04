import { barcodesOfGtin, GS, gtinOf } from './gs1.ts'
import { plainCode, plainDigits, trimmedCode } from './written-code.ts'

/**
 * A barcode of goods as a scanner sends it. An AIM identifier may stand before it and line ends after it. It may have
 * more or fewer leading zeros than the product's barcode: UPC-A has 12 or 13 digits, GTIN-14 has 14. A product whose
 * barcode is exactly the scanned text takes precedence.
 */
export interface GoodsBarcode {
  /** The scanned text, and the text without the scanner's additions; in order of precedence. */
  readonly exact: readonly string[]
  /** All spellings of the same GTIN; empty if the text is no GTIN. */
  readonly alike: readonly string[]
}

/**
 * For example `]E0` for EAN-13, `]E4` for EAN-8, `]C1` for GS1-128, whose FNC1 may arrive as GS.
 */
const AIM_PREFIX = new RegExp(String.raw`^\][A-Za-z]\d${GS}?`)

export function readGoodsBarcode(text: string): GoodsBarcode {
  const bare = text.trim().replace(AIM_PREFIX, '')
  const plain = plainBarcode(bare)
  const gtin = gtinOf(plain)
  const exact = [...new Set([text, bare, plain])].filter((each) => each !== '' || text === '')
  return { exact, alike: gtin === undefined ? [] : barcodesOfGtin(gtin) }
}

/** Quotation marks around digits: a spreadsheet's apostrophe before a text, quotes of a list. */
const QUOTED_DIGITS = /^['’‘ʼ`´"“”„«]+(\d[\d -]*?)['’‘ʼ`´"“”»]*$/
/** Digits in groups, as they stand under the bars. Fewer of them may be a code of the seller's own. */
const GROUPED_DIGITS = /^(?=(?: *\d){8,14} *$)\d[\d ]*$/
const GROUPED_ISBN = /^97[89]-\d{1,5}-\d{1,7}-\d{1,6}-\d$/

/**
 * A barcode as it is stored: without what nobody sees, and digits as the bars encode them, however they were written.
 */
export function plainBarcode(text: string): string {
  const typed = plainDigits(plainCode(text))
  const bare = QUOTED_DIGITS.exec(typed)?.[1] ?? typed
  const joined = GROUPED_DIGITS.test(bare) ? bare.replaceAll(' ', '') : bare
  const isbn = GROUPED_ISBN.test(joined) ? joined.replaceAll('-', '') : ''
  if (gtinOf(isbn) !== undefined) return isbn
  return /^[\d -]+$/.test(joined) ? joined : trimmedCode(text)
}

/** What spreadsheets and programs leave where a value was: `########` of a narrow column, `#N/A`, `NULL`. */
const NO_VALUE =
  /^(?:#+|#(?:N\/A|Н\/Д|REF!|ССЫЛКА!|NAME\?|ИМЯ\?|VALUE!|ЗНАЧ!|DIV\/0!|ДЕЛ\/0!|NUM!|ЧИСЛО!|NULL!|ПУСТО!|SPILL!|CALC!|FIELD!)|null|\(null\)|n\/a|nan|none|undefined|true|false|истина|ложь|(?:нет|без)(?: шк| штрихкода)?|б\/н|отсутствует|[-–—−_?]+)$/i
const ROUNDED = /^\d+(?:[.,]\d+E\+?|E\+)\d+$/i
/** Barcodes of goods, one after the other. */
const SEVERAL = /^\d{8,14}(?:\s*[;,|/\\+\n]\s*|\s+)\d{8,14}(?:\D|$)/

/** Whether a text stands for a value that was lost, and is none. */
export function isNoValue(text: string): boolean {
  return NO_VALUE.test(text)
}

/** Why a text can be no barcode of goods, as the end of a sentence in Russian; undefined where it may be one. */
export function barcodeProblemOf(text: string): string | undefined {
  if (isNoValue(text))
    return `„${text.slice(0, 30)}“ — не штрихкод, а след потерянного значения: впишите штрихкод`
  if (ROUNDED.test(text)) {
    return `„${text}“ — не штрихкод, а округлённое число: в таблице задайте столбцу текстовый формат и введите значение заново`
  }
  if (/(?![\t\n\r])\p{Cc}/u.test(text)) return 'управляющий знак внутри штрихкода: уберите его'
  if (SEVERAL.test(plainDigits(text)))
    return 'несколько штрихкодов сразу: для каждого нужна своя строка'
  return undefined
}

/** All barcodes that the scanned product may have in the database. */
export function spellingsOf({ exact, alike }: GoodsBarcode): string[] {
  return [...new Set([...exact, ...alike])]
}

/** The known barcodes that match the scan; several if several products share the GTIN. */
export function matchingBarcodes(
  { exact, alike }: GoodsBarcode,
  known: readonly string[],
): string[] {
  const same = exact.find((barcode) => known.includes(barcode))
  return same === undefined ? alike.filter((barcode) => known.includes(barcode)) : [same]
}

/** Words beside a barcode, and signs that look like its digits. */
const LABEL = /^(?:ean|upc|gtin|шк|штрих-?код|barcode|баркод)(?:-?\d{1,2})?\s*[:№#.-]?\s*/i
const TAKEN_FOR_DIGIT: Readonly<Record<string, string>> = {
  o: '0',
  о: '0',
  l: '1',
  i: '1',
  з: '3',
  б: '6',
}

/** The GTIN that a text shows with other signs in it; undefined for a GTIN itself and for any other text. */
export function hiddenGtin(text: string): string | undefined {
  const bare = text.replace(LABEL, '')
  const isBare = bare === text && gtinOf(text) !== undefined
  if (isBare || !/^[\p{N}\p{P}\p{S}\s]*(?:[oоlizзб][\p{N}\p{P}\p{S}\s]*){0,3}$/iu.test(bare))
    return undefined
  const digits = [...bare.normalize('NFKC').toLowerCase()]
    .map((sign) => TAKEN_FOR_DIGIT[sign] ?? digitOf(sign))
    .join('')
  return digits.length >= 12 && gtinOf(digits) !== undefined ? digits : undefined
}

/** A digit of any script, whose ten stand in a row; nothing for any other sign. */
function digitOf(sign: string): string {
  if (/\d/.test(sign)) return sign
  if (!/\p{Nd}/u.test(sign)) return ''
  const code = sign.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}

/** The same for two barcodes of one product: spellings of its GTIN. */
export function goodsKey(barcode: string): string {
  return gtinOf(barcode) ?? barcode
}

/**
 * Finds repeated goods. Call the returned function with each barcode and its place, in order. It
 * returns the place at which the goods first occurred, in any spelling; for new goods that is the given place.
 */
export function firstPlaces<Place>(): (barcode: string, place: Place) => Place {
  const places = new Map<string, Place>()
  return (barcode, place) => {
    const key = goodsKey(barcode)
    const first = places.get(key) ?? place
    places.set(key, first)
    return first
  }
}
