/**
 * Numbers of the GS1 system in scanned texts: GTINs of goods, SSCCs of boxes and pallets.
 * marking-code.ts reads marking codes, which contain them.
 */

/** The separator FNC1 inside a code, as a scanner sends it. */
export const GS = '\u001d'

/**
 * Spellings of GS by scanners, drivers and programs that cannot send the character. Each has a character that
 * no code may contain, so the meaning is certain. è is byte 232, which is FNC1 in Data Matrix; ↔ is what Windows types for
 * Alt and 29.
 */
const SPELLED_GS = [
  /[\u00e8\u2194\u241d]/,
  /\\+(?:x1[dD]|u001[dD]|035)/,
  /[{[](?:[gG][sS]|FNC1|(?:0x)?1[dD])[\]}]/,
  /\^\]|&#29;|&#x1[dD];/,
]
  .map(({ source }) => source)
  .join('|')

/** Spellings of GS that could also be characters of a code, although that is rare. */
const UNSURE_GS = /<(?:[gG][sS]|FNC1|(?:0x)?1[dD])>|_x001[dD]_/.source

/** AIM identifiers of Data Matrix, GS1 Data Matrix, GS1-128 and GS1 QR, and FNC1 at the start. */
const PREFIX = new RegExp(String.raw`^(?:\](?:d1|d2|C1|Q3))?(?:${GS}|${SPELLED_GS}|${UNSURE_GS})?`)
const SPELLED = new RegExp(SPELLED_GS, 'g')
const UNSURE = new RegExp(UNSURE_GS, 'g')
const SUFFIX = /[\r\n\t]+$/

/** The extension digit and a GS1 company prefix of 4..12 digits. */
const SSCC_PREFIX = /^\d{5,13}$/
const SSCC_BODY_LENGTH = 17

/** The scanned text without the scanner's prefix and suffix. */
export function withoutScannerAffixes(text: string): string {
  return text.replace(SUFFIX, '').replace(PREFIX, '')
}

/** Replaces spellings of the separator by GS. */
export function withSeparators(code: string): string {
  return code.replaceAll(SPELLED, GS)
}

/** Like `withSeparators`, for the spellings that could also be characters of the code. */
export function withLikelySeparators(code: string): string {
  return code.replaceAll(UNSURE, GS)
}

/**
 * A barcode of goods (EAN-13, EAN-8, UPC-A or ITF-14) as a GTIN of 14 digits; undefined for other
 * texts.
 */
export function gtinOf(barcode: string): string | undefined {
  if (!/^(?:\d{8}|\d{12,14})$/.test(barcode) || !hasCheckDigit(barcode)) return undefined
  return barcode.padStart(14, '0')
}

/** In digits, the longest first. */
export const gtinLengths: readonly number[] = [14, 13, 12, 8]

/** The barcodes of a GTIN of 14 digits: with and without its leading zeros. */
export function barcodesOfGtin(gtin: string): string[] {
  return gtinLengths
    .map((length) => gtin.slice(14 - length))
    .filter((barcode) => gtinOf(barcode) === gtin)
}

export function isGtin(text: string): boolean {
  return text.length === 14 && gtinOf(text) === text
}

/**
 * Whether a marking code with this GTIN cannot belong to goods with this barcode. A barcode that is no
 * GTIN contradicts no code. Nor do numbers that only look like a GTIN: marketplaces and shops assign 2…,
 * and the marking system assigned 029… to old stock.
 */
export function contradicts(gtin: string, barcode: string): boolean {
  const goods = gtinOf(barcode)
  return goods !== undefined && goods !== gtin && !isLocal(goods) && !isLocal(gtin)
}

/** GS1 ranges for use inside a company: 2… of EAN-13, 2… and 4… of UPC-A, 0… and 2… of EAN-8. */
function isLocal(gtin: string): boolean {
  return /^\d(?:2|0[24]|0{5}[02])/.test(gtin)
}

/**
 * The SSCC of a box or pallet: extension digit and company prefix (5..13 digits together), the
 * serial number padded to 17 digits in all, and the check digit. Throws RangeError if they do not
 * fit.
 */
export function sscc(prefix: string, serial: bigint): string {
  if (!SSCC_PREFIX.test(prefix)) throw new RangeError(`no prefix of an SSCC: ${prefix}`)
  const digits = serial.toString().padStart(SSCC_BODY_LENGTH - prefix.length, '0')
  const body = prefix + digits
  if (serial < 0n || body.length > SSCC_BODY_LENGTH) {
    throw new RangeError(`serial ${serial} does not fit behind ${prefix}`)
  }
  if (/^0+$/.test(body)) throw new RangeError('an SSCC of zeros alone names nothing')
  return body + checkDigit(body)
}

export function isSscc(text: string): boolean {
  return /^\d{18}$/.test(text) && hasCheckDigit(text)
}

/** The SSCC of a scanned label, of its human-readable line, or typed without its identifier. */
export function readSscc(text: string): string | undefined {
  if (text.length > 60) return undefined
  const code = withoutScannerAffixes(text).replaceAll(' ', '')
  const digits = code.startsWith('(00)') ? code.slice(4) : code
  const number = digits.length === 20 && digits.startsWith('00') ? digits.slice(2) : digits
  return isSscc(number) ? number : undefined
}

/** A number of zeros has a valid check digit, but is no number of GS1. */
function hasCheckDigit(digits: string): boolean {
  return /[1-9]/.test(digits) && checkDigit(digits.slice(0, -1)) === digits.at(-1)
}

/** Modulo 10 with the weights 3, 1, 3 … from the right, as for all GS1 numbers. */
function checkDigit(body: string): string {
  let sum = 0
  let weight = 3
  for (let place = body.length - 1; place >= 0; place--) {
    sum += weight * Number(body[place])
    weight = 4 - weight
  }
  return String((10 - (sum % 10)) % 10)
}
