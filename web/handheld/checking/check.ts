import { readGoodsBarcode } from '../../../src/platform/kernel/codes/goods-barcode.ts'
import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { PickingTask } from '../../api/staff-calls.ts'
import { plural } from '../../words/format.ts'
import type { PickingLine } from '../picking/task.ts'
import { hasGtin, meantGoods } from '../scan/meant-goods.ts'
import { strayItem } from '../scan/stray.ts'
import type { WrongItem } from '../scan/verdict.ts'

/** What a scanned code means in the packing check of a shipment. Pure. */
export type CheckReading =
  | { readonly kind: 'order'; readonly orderId: string; readonly number: string }
  | { readonly kind: 'unit'; readonly line: PickingLine }
  /** Goods that are checked by their marking codes. */
  | { readonly kind: 'marking-wanted'; readonly line: PickingLine }
  /** A label that only the warehouse knows. */
  | { readonly kind: 'unknown' }
  | WrongItem

export interface CheckContext {
  /** The order whose parcel is open. */
  readonly orderId: string | undefined
  /** The goods whose marking code was asked for. */
  readonly barcode: string | undefined
}

export function readCheck(task: PickingTask, code: string, context: CheckContext): CheckReading {
  const lines = task.lines ?? []
  const order = lines.find((line) => line.order_external_id === code || line.order_id === code)
  if (order !== undefined) return parcelOf(task, order.order_id)
  if (readSscc(code) !== undefined) return wrong(notBox)
  const barcodes = meantGoods(code, lines)
  if (barcodes.length > 0)
    return unitOf(task, code, (line) => barcodes.includes(line.barcode), context)
  const marking = readMarkingCode(code)
  if (marking.ok) {
    const { barcode } = context
    const isOfCode = (line: PickingLine) =>
      barcode === undefined ? hasGtin(line, marking.gtin) : line.barcode === barcode
    return unitOf(task, code, isOfCode, context)
  }
  if (code.length > 25) return wrong(marking.problem)
  return readGoodsBarcode(code).alike.length > 0 ? stray(task, code) : { kind: 'unknown' }
}

function stray({ client_id: clientId }: PickingTask, code: string): WrongItem {
  return strayItem({ code, clientId, reason: 'нет в этой отгрузке', action: 'Уберите из посылки' })
}

const notBox = 'Короб целиком не проверяют. Отсканируйте каждую единицу в посылке'

function wrong(sentence: string) {
  return { kind: 'wrong', sentence } as const
}

/** The parcel that the worker takes next. */
export function parcelOf({ lines = [] }: PickingTask, orderId: string): CheckReading {
  const line = lines.find((each) => each.order_id === orderId)
  if (line === undefined) return wrong('Этот заказ не из этой отгрузки')
  const number = line.order_external_id
  if (line.order_status === 'CANCELLED') return wrong(`Заказ ${number} отменён: не отправляйте его`)
  return { kind: 'order', orderId, number }
}

function unitOf(
  task: PickingTask,
  code: string,
  isMeant: (line: PickingLine) => boolean,
  { orderId }: CheckContext,
): CheckReading {
  const lines = task.lines ?? []
  const meant = lines.filter(isMeant)
  const [some] = meant
  if (some === undefined) return stray(task, code)
  const number = lines.find((line) => line.order_id === orderId)?.order_external_id
  if (number === undefined) return wrong('Сначала отсканируйте этикетку или номер заказа')
  const own = meant.filter((line) => line.order_id === orderId)
  if (own.length === 0)
    return wrong(`${quoted(some.name)} не из заказа ${number}. Уберите его из посылки`)
  const line = own.find((each) => each.checked < each.picked)
  if (line === undefined) {
    return own.every((each) => each.picked >= each.qty)
      ? wrong(`${quoted(some.name)}: в заказе ${number} лишняя единица. Верните её на полку`)
      : wrong(`${quoted(some.name)} в заказ ${number} ещё не собран. Сначала соберите его`)
  }
  const needsMarking = line.required_marks.includes('marking_code') && !readMarkingCode(code).ok
  return { kind: needsMarking ? 'marking-wanted' : 'unit', line }
}

/** What a scan does to the task that is shown. */
export interface CheckEffect {
  readonly orderId: string
  readonly barcode: string
}

/** The task after a check. */
export function foldCheck(task: PickingTask, effect: CheckEffect): PickingTask {
  const lines = task.lines ?? []
  const checked = lines.find(
    (line) =>
      line.order_id === effect.orderId &&
      line.barcode === effect.barcode &&
      line.checked < line.picked,
  )
  return {
    ...task,
    lines: lines.map((line) => (line === checked ? { ...line, checked: line.checked + 1 } : line)),
  }
}

export interface Parcel {
  readonly orderId: string
  readonly number: string
  readonly lines: readonly PickingLine[]
  readonly checked: number
  readonly units: number
}

/** The parcels of a shipment in the order of their lines; cancelled orders are left out. */
export function parcelsOf({ lines = [] }: PickingTask): Parcel[] {
  const wanted = lines.filter((line) => line.order_status !== 'CANCELLED')
  const ids = [...new Set(wanted.map((line) => line.order_id))]
  return ids.map((orderId) => {
    const own = wanted.filter((line) => line.order_id === orderId)
    return {
      orderId,
      number: own[0]?.order_external_id ?? orderId,
      lines: own,
      checked: own.reduce((sum, line) => sum + line.checked, 0),
      units: own.reduce((sum, line) => sum + line.qty, 0),
    }
  })
}

export function isComplete({ checked, units }: Parcel): boolean {
  return checked >= units
}

/** Of how many parcels the packing was checked; undefined where it was of all. */
export function uncheckedWords(task: PickingTask): string | undefined {
  const parcels = parcelsOf(task)
  const checked = parcels.filter(isComplete).length
  if (checked === parcels.length) return undefined
  return `Упаковка проверена у ${checked} из ${plural(parcels.length, 'посылки', 'посылок', 'посылок')}`
}
