import { GS, isGtin, withLikelySeparators, withoutScannerAffixes, withSeparators } from './gs1.ts'

/**
 * A lot: units of goods with one expiry date. The date comes typed, in a short Russian form, or from the elements of a
 * GS1 code: 17 (use by), 15 (best before), 7003 (with a time), and 10 for the number.
 */
export interface Lot {
  /** YYYY-MM-DD, the last day on which the goods are good. */
  readonly expiresOn: string
  /** Of the maker; empty where there is none. */
  readonly number: string
}

export const lotNumberMax = 20

/** The words for a date that can't be read, as the end of a sentence. */
export const expiryRule = 'это дата вида 31.12.2027, 311227 или 12.2027'

/**
 * The date that was typed: 31.12.2027, 31.12.27, 311227, 31122027, 2027-12-31, or a month alone, 12.2027 or 12.27, which
 * means its last day. Undefined for anything else, and for days that do not exist.
 */
export function readExpiry(text: string): string | undefined {
  const plain = text.trim().replaceAll(/[\s/,-]+/g, '.')
  const [, year, month, day] = /^(20\d\d)\.(\d\d)\.(\d\d)$/.exec(plain) ?? []
  if (year !== undefined) return dateOf(year, month, day)
  const whole =
    /^(\d{1,2})\.(\d{1,2})\.(20\d\d|\d\d)$/.exec(plain) ?? /^(\d\d)(\d\d)(20\d\d|\d\d)$/.exec(plain)
  if (whole !== null) return dateOf(whole[3], whole[2], whole[1])
  const ofMonth = /^(\d{1,2})\.(20\d\d|\d\d)$/.exec(plain)
  return ofMonth === null ? undefined : dateOf(ofMonth[2], ofMonth[1], '00')
}

/** The day 00 stands for the last one of the month, as in GS1. */
function dateOf(year = '', month = '', day = ''): string | undefined {
  const y = Number(year.length === 2 ? `20${year}` : year)
  const m = Number(month)
  if (m < 1 || m > 12) return undefined
  const last = new Date(Date.UTC(y, m, 0)).getUTCDate()
  const d = Number(day) === 0 ? last : Number(day)
  if (d > last) return undefined
  return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}

export interface LotCode {
  /** 14 digits; undefined where the code names none. */
  readonly gtin: string | undefined
  readonly lot: Lot | undefined
  /** The code names one unit: it is a marking code. */
  readonly isOfUnit: boolean
}

/** Lengths of the values of elements that end by themselves, by the first digits of their identifiers. */
const sized: readonly (readonly [RegExp, number])[] = [
  [/^00/, 18],
  [/^0[12]/, 14],
  [/^1[1-7]/, 6],
  [/^20/, 2],
  [/^3[1-6]\d\d/, 6],
  [/^8005/, 6],
]
const open = /^(?:10|2[12]|24[01]|25\d|3[07]|7003|91|92|93|9[4-9])/

/** As a label program prints a code: (01)…(17)…(10)… */
const BRACKETS = /\s*\((\d{2,4})\)\s*/g

/** What the elements of a GS1 code say of a lot; undefined for a text that is no such code. */
export function readLotCode(text: string): LotCode | undefined {
  const bare = withSeparators(withLikelySeparators(withoutScannerAffixes(text)))
  const elements = elementsOf(bare.startsWith('(') ? bare.replaceAll(BRACKETS, `${GS}$1`) : bare)
  if (elements === undefined) return undefined
  const gtin = elements.get('01') ?? elements.get('02')
  if (gtin !== undefined && !isGtin(gtin)) return undefined
  const date = elements.get('17') ?? elements.get('7003')?.slice(0, 6) ?? elements.get('15')
  const expiresOn = date && dateOf(date.slice(0, 2), date.slice(2, 4), date.slice(4, 6))
  const number = (elements.get('10') ?? '').slice(0, lotNumberMax)
  const lot = expiresOn ? { expiresOn, number } : undefined
  return { gtin, lot, isOfUnit: elements.has('21') }
}

function elementsOf(code: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  let rest = withoutGs(code)
  while (rest !== '') {
    const [head, length] = headOf(rest)
    if (head === undefined) return undefined
    const after = rest.slice(head.length)
    const end = length ?? (after.includes(GS) ? after.indexOf(GS) : after.length)
    const value = after.slice(0, end)
    if (value === '' || (length !== undefined && !/^\d+$/.test(value))) return undefined
    if (value.length < (length ?? 1)) return undefined
    found.set(head, value)
    rest = withoutGs(after.slice(end))
  }
  return found.size === 0 || !(found.has('01') || found.has('02')) ? undefined : found
}

function withoutGs(text: string): string {
  return text.startsWith(GS) ? text.slice(1) : text
}

function headOf(text: string): [head: string | undefined, length: number | undefined] {
  for (const [form, length] of sized) {
    const [head] = form.exec(text) ?? []
    if (head !== undefined) return [head, length]
  }
  return [open.exec(text)?.[0], undefined]
}
