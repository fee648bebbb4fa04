import { gtinOf } from './gs1.ts'

/**
 * Reads what a worker gives of a unit beside its marking code. Each kind has one stored form, in which
 * equal marks are equal texts.
 *
 * The lengths are those of the marketplaces: УИН has 16 digits, IMEI 15.
 */

export const givenMarkKinds = [
  'uin',
  'imei',
  'gtin',
  'expiration',
  'customs_declaration',
  'rnpt',
  'country',
  'weight',
] as const
export type GivenMarkKind = (typeof givenMarkKinds)[number]

/** Null: the unit has none, and a worker said so. */
export type GivenMarks = Readonly<Partial<Record<GivenMarkKind, string | null>>>

/** Kinds that name one unit in the world. */
export const uniqueMarkKinds: readonly GivenMarkKind[] = ['uin', 'imei']

/** Kinds that a unit may truly lack: goods that were never imported, or came in before 2021. */
export const absentMarkKinds: readonly GivenMarkKind[] = ['customs_declaration', 'rnpt']

/** In the accusative, as in «отсканируйте …». */
export const markNames: Readonly<Record<string, string>> = {
  marking_code: 'код маркировки',
  uin: 'УИН',
  imei: 'IMEI',
  gtin: 'GTIN',
  expiration: 'срок годности',
  customs_declaration: 'номер таможенной декларации',
  rnpt: 'РНПТ',
  country: 'страну изготовления',
  weight: 'вес',
}

/** What each kind is, for the reference. */
export const markTitles: Readonly<Record<GivenMarkKind, string>> = {
  uin: 'УИН ювелирного изделия, 16 цифр',
  imei: 'IMEI, 15 цифр',
  gtin: 'GTIN, 8, 12, 13 или 14 цифр',
  expiration: 'Срок годности: 2027-12-31 или 31.12.2027',
  customs_declaration: 'Номер таможенной декларации: 10704010/010624/0000302',
  rnpt: 'РНПТ: 10704010/010624/0000302/001',
  country: 'Страна изготовления: две латинские буквы её кода',
  weight: 'Вес единицы в граммах',
}

/** A few units weigh a ton, none weighs more. */
const weightMaxGrams = 1_000_000

/** How much of a mark is read: the longest has about 30 characters. */
export const markLengthMax = 64

export type MarkReading =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string }

/** The stored form of a mark, or what is wrong with it, as the end of a sentence in Russian. */
export function readMark(kind: GivenMarkKind, text: string): MarkReading {
  const value = readers[kind](text.replaceAll(/\s+/g, ''))
  return value === undefined ? { ok: false, problem: rules[kind] } : { ok: true, value }
}

const rules: Readonly<Record<GivenMarkKind, string>> = {
  uin: 'УИН — это 16 цифр с бирки изделия, отсканируйте его ещё раз',
  imei: 'IMEI — это 15 цифр с верной контрольной цифрой, отсканируйте его ещё раз',
  gtin: 'GTIN — это 8, 12, 13 или 14 цифр с верной контрольной цифрой, сверьте его с упаковкой',
  expiration: 'срок годности — это дата вида 31.12.2027 или 2027-12-31',
  customs_declaration:
    'номер таможенной декларации — это код таможни, дата и номер: 10704010/010624/0000302',
  rnpt: 'РНПТ — это номер декларации и номер товара в ней: 10704010/010624/0000302/001',
  country: 'страна — это две латинские буквы её кода, например CN',
  weight: `вес — это целое число граммов от 1 до ${weightMaxGrams}`,
}

const readers: Readonly<Record<GivenMarkKind, (text: string) => string | undefined>> = {
  uin: (text) => (/^\d{16}$/.test(text) ? text : undefined),
  imei: (text) => (/^\d{15}$/.test(text) && passesLuhn(text) ? text : undefined),
  gtin: (text) => (gtinOf(text) === undefined ? undefined : text),
  expiration: readDate,
  customs_declaration: (text) => declarationOf(text),
  rnpt: readRnpt,
  country: (text) => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined),
  weight: (text) => (isWeight(text) ? String(Number(text)) : undefined),
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0 && /[1-9]/.test(digits)
}

/** A date of the calendar in ISO form. */
function readDate(text: string): string | undefined {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  const iso = year === undefined ? text : `${year}-${month}-${day}`
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return undefined
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso
}

/** Customs office, date (DDMMYY), number; the number may begin with a letter. */
function declarationOf(text: string): string | undefined {
  const [, day, month, year] =
    /^(?:\d{2}|\d{5}|\d{8})\/(\d{2})(\d{2})(\d{2})\/[\dA-ZА-Я]\d{6}$/.exec(text.toUpperCase()) ?? []
  const isDated = readDate(`20${year}-${month}-${day}`) !== undefined
  return isDated ? text.toUpperCase() : undefined
}

/** The number of a declaration, or of a notice to the tax office, and the number of the goods in it. */
function readRnpt(text: string): string | undefined {
  const [, number = '', item] = /^(.+)\/(\d{1,3})$/.exec(text) ?? []
  if (item === undefined || Number(item) === 0) return undefined
  const isNotice = /^\d{4}\/\d{6}(?:\d{2})?\/\d{1,8}$/.test(number)
  return isNotice || declarationOf(number) !== undefined ? text.toUpperCase() : undefined
}

function isWeight(text: string): boolean {
  const grams = Number(text)
  return /^\d{1,7}$/.test(text) && grams >= 1 && grams <= weightMaxGrams
}
