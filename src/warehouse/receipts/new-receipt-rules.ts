import { barcodeProblemOf, firstPlaces } from '../../platform/kernel/codes/goods-barcode.ts'
import { cellPath } from '../../platform/kernel/column-letters.ts'
import {
  errorMessages,
  invalidField,
  invalidFields,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'
import type { KnownProduct } from '../catalogue/product-lookup.ts'

/** The rules of every new receipt, whether a seller requests it or a manager registers it. */

/** A line as it is requested: a name and article that the service knows may be left out. */
interface UnnamedItem {
  readonly barcode: string
  readonly name?: string | undefined
  readonly article?: string | undefined
  /** The row of the file that the line comes from. */
  readonly row?: number
}

type NamedItem<Item> = Item & { readonly name: string; readonly article: string | null | undefined }

/** Refuses what is no barcode, and a second line of the same goods. Throws validation_error. */
export function refuseWrongBarcodes(items: readonly { barcode: string }[]): void {
  const wrong = items.flatMap(({ barcode }, index) => {
    const rule = barcodeProblemOf(barcode)
    return rule === undefined ? [] : [{ index, rule }]
  })
  refuseLines('barcode', wrong)
  const firstPlace = firstPlaces<number>()
  const first = items.map(({ barcode }, index) => firstPlace(barcode, index))
  refuseLines('barcode', repeatedLines(items, first))
}

/**
 * Refuses a second line of goods that have several barcodes. `own` has, for each line, the barcode under which its product
 * is stored; the line may name another one. Throws validation_error.
 */
export function refuseSameGoods(
  items: readonly Pick<UnnamedItem, 'barcode' | 'row'>[],
  own: readonly string[],
): void {
  const first = items.map((_, index) => own.indexOf(own[index] ?? ''))
  refuseLines('barcode', repeatedLines(items, first))
}

/** `first` has, for each line, the place of the first one of the same goods. */
function repeatedLines(
  items: readonly Pick<UnnamedItem, 'barcode' | 'row'>[],
  first: readonly number[],
): LineProblem[] {
  return items.flatMap(({ barcode, row }, index) => {
    const place = first[index] ?? index
    if (place === index) return []
    const before = items[place]?.barcode
    const rule =
      barcode === before
        ? `штрихкод ${barcode} уже есть в этой заявке`
        : `${barcode} — тот же товар, что ${before}, а он уже есть в этой заявке`
    return { index, row, rule }
  })
}

/** Why a line is refused. A line of a file has its row. */
interface LineProblem {
  readonly index: number
  readonly row?: number | undefined
  readonly rule: string
}

const columns = { barcode: 'barcode (штрихкод)', name: 'name (название)' }

/** Problems of rows that one message lists at most. */
const problemsMax = 50

function refuseLines(
  field: keyof typeof columns,
  problems: readonly LineProblem[],
  heading = 'Файл не принят',
): void {
  if (problems.length === 0) return
  const breaches = problems.map(({ index, row, rule }) => ({
    path: row === undefined ? `items[${index}].${field}` : cellPath(row),
    rule,
  }))
  const rows = problems.flatMap(({ row, rule }) =>
    row === undefined ? [] : [`строка ${row}, столбец ${columns[field]}: ${rule}`],
  )
  if (rows.length === 0) throw invalidFields(breaches)
  const listed = rows.slice(0, problemsMax).join('\n')
  throw new ServiceError('validation_error', `${heading}:\n${listed}`, { breaches })
}

/**
 * The lines with the barcodes, names and articles by which the service knows their goods; a name or article that the
 * line has stays. Throws validation_error for every line, or row of a file, without a known name.
 */
export function nameItems<Item extends UnnamedItem>(
  items: readonly Item[],
  products: ReadonlyMap<string, KnownProduct>,
): NamedItem<Item>[] {
  const completed = items.map((item) => {
    const { barcode = item.barcode, name, article } = products.get(item.barcode) ?? {}
    return { ...item, barcode, name: item.name ?? name, article: item.article ?? article }
  })
  const nameless = completed.flatMap(({ barcode, name, row }, index) => {
    if (name !== undefined) return []
    return { index, row, rule: `товар ${barcode} складу ещё не известен, укажите название` }
  })
  refuseLines('name', nameless, `Файл не принят, строк без названия: ${nameless.length}`)
  return completed.map((item) => ({ ...item, name: item.name ?? '' }))
}

/** Marked and unmarked goods are counted differently, so one request has one kind of them. */
export function refuseMixedMarking(items: readonly { honest_mark: boolean }[]): void {
  const marked = linesWith(items, true)
  const plain = linesWith(items, false)
  if (marked === '' || plain === '') return
  throw new ServiceError(
    'mixed_marking',
    `${errorMessages.mixed_marking}: honest_mark true — ${marked}; false — ${plain}`,
  )
}

/** Lines that a message names at most. */
const namedLinesMax = 10

function linesWith(items: readonly { honest_mark: boolean }[], honestMark: boolean): string {
  const lines = [...items.entries()].filter(([, item]) => item.honest_mark === honestMark)
  const named = lines.slice(0, namedLinesMax).map(([index]) => `items[${index}]`)
  const others = lines.length - named.length
  return others === 0 ? named.join(', ') : `${named.join(', ')} и ещё ${others}`
}

/** The Moscow date on which the goods are expected, YYYY-MM-DD. Throws validation_error. */
export function readPlannedDate(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDateField('planned_date', text)
}

/** How many units the lines announce. */
export function announcedUnits(items: readonly { readonly qty: number }[]): number {
  return items.reduce((sum, { qty }) => sum + qty, 0)
}

interface CabinetRules {
  /** Refuse a receipt that names no cabinet when the client has several. */
  readonly oneOfSeveralRequired: boolean
  /** What the caller reads about a cabinet that the client does not have. */
  readonly unknown: string
}

export type ReceiptMaker = 'seller' | 'staff'

const cabinetRules: Readonly<Record<ReceiptMaker, CabinetRules>> = {
  seller: {
    oneOfSeveralRequired: true,
    unknown: 'такого кабинета нет, возьмите id из GET /v1/me',
  },
  staff: { oneOfSeveralRequired: false, unknown: 'у этого клиента нет такого кабинета' },
}

/**
 * The requested cabinet or the client's only one; undefined where the client has none, or several of which staff need not
 * choose one. Throws validation_error or cabinet_required.
 */
export function chooseCabinet(
  cabinets: readonly string[],
  requested: string | undefined,
  maker: ReceiptMaker,
): string | undefined {
  const { oneOfSeveralRequired, unknown } = cabinetRules[maker]
  if (requested !== undefined) {
    if (cabinets.includes(requested)) return requested
    throw invalidField('cabinet_id', unknown)
  }
  const [only, ...others] = cabinets
  if (others.length === 0) return only
  if (oneOfSeveralRequired) throw new ServiceError('cabinet_required')
  return undefined
}
