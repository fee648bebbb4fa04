import { isId } from '../../platform/kernel/ids.ts'

/** The goods that a change handled, and how many units of them. */
export interface HandledGoods {
  readonly barcode: string
  /** Null where the change is not about a number of units, as that of a product. */
  readonly qty: number | null
}

type Fields = Readonly<Record<string, unknown>>

interface Recorded {
  readonly action: string
  readonly client_id: string | null
  readonly object_id: string | null
  readonly before: unknown
  readonly after: unknown
}

/** Scans that take one unit where their record names no number. */
const ofOneUnit = new Set([
  'pickUnit',
  'undoPick',
  'scanReturn',
  'scanReturnOfDay',
  'undoReturnScan',
])

export function handledGoods(entry: Recorded): HandledGoods | undefined {
  const [before, after] = [fieldsOf(entry.before), fieldsOf(entry.after)]
  // A scan that names no number is of one unit.
  const state = isKeptScan(entry.after) ? fieldsOf(after.scan) : after
  const barcode = textOf(state.barcode) ?? textOf(before.barcode) ?? ownBarcode(entry)
  if (barcode === undefined) return undefined
  const qty = unitsOf(entry.action, before, state)
  return { barcode, qty: state === after ? qty : (qty ?? 1) }
}

/** Whether the scan was kept for a manager, since it could not be counted. */
export function isKeptScan(after: unknown): boolean {
  const { scan, decision } = fieldsOf(after)
  return typeof scan === 'object' && scan !== null && decision === null
}

/** Stock and products have no id: the journal knows them by their barcode. */
function ownBarcode({ client_id: client, object_id: object }: Recorded): string | undefined {
  return client !== null && object !== null && !isId(object) ? object : undefined
}

function unitsOf(action: string, before: Fields, after: Fields): number | null {
  if (typeof after.qty === 'number') return after.qty
  if (ofOneUnit.has(action)) return 1
  if (typeof after.units !== 'number' || after.barcode === undefined) return null
  const were = typeof before.units === 'number' ? before.units : 0
  return Math.abs(after.units - were)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function fieldsOf(state: unknown): Fields {
  return typeof state === 'object' && state !== null ? (state as Fields) : {}
}
