import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import { readLocationCode } from '../../../src/warehouse/storage/location-code.ts'
import type { PickingTask } from '../../api/staff-calls.ts'
import { hasGtin, meantGoods } from '../scan/meant-goods.ts'
import { strayItem } from '../scan/stray.ts'
import type { WrongItem } from '../scan/verdict.ts'
import { isWanted, type PickingLine, wantedLines } from './task.ts'

/** What a scanned code means in a picking task. Pure. */
export type PickReading =
  | { readonly kind: 'unit'; readonly line: PickingLine; readonly marking?: string }
  /** Goods that need their marking code too. */
  | { readonly kind: 'marking-wanted'; readonly line: PickingLine }
  | { readonly kind: 'place'; readonly place: string }
  | { readonly kind: 'order'; readonly orderId: string; readonly number: string }
  | WrongItem

export interface PickContext {
  /** The order that is being filled. */
  readonly orderId: string | undefined
  /** The goods whose marking code was asked for. */
  readonly barcode: string | undefined
}

export function readPick(task: PickingTask, code: string, context: PickContext): PickReading {
  const lines = task.lines ?? []
  const order = lines.find((line) => line.order_external_id === code || line.order_id === code)
  if (order !== undefined) {
    return { kind: 'order', orderId: order.order_id, number: order.order_external_id }
  }
  const place = placeIn(lines, code)
  if (place !== undefined) return { kind: 'place', place }
  const barcodes = meantGoods(code, lines)
  if (barcodes.length > 0) return goodsOf(task, code, barcodes, context)
  const marking = readMarkingCode(code)
  if (marking.ok) return markedUnit(task, marking.gtin, code, context)
  return code.length > 25 ? { kind: 'wrong', sentence: marking.problem } : stray(task, code)
}

function stray({ client_id: clientId }: PickingTask, code: string): WrongItem {
  return strayItem({ code, clientId, reason: 'не из этого задания', action: 'Верните на место' })
}

function placeIn(lines: readonly PickingLine[], code: string): string | undefined {
  const box = readSscc(code)
  const location = readLocationCode(code)
  for (const { from, boxes } of lines) {
    for (const { location_code, sscc } of from) {
      if (location !== undefined && location_code === location) return location
      if (box !== undefined && sscc === box) return box
    }
    if (boxes.some(({ sscc }) => box !== undefined && sscc === box)) return box
  }
  return undefined
}

function goodsOf(
  task: PickingTask,
  code: string,
  barcodes: readonly string[],
  { orderId }: PickContext,
): PickReading {
  const isMeant = (line: PickingLine) => barcodes.includes(line.barcode)
  const line = wantedOf(task, isMeant, orderId)
  if (line === undefined) return nothingWanted(task, isMeant) ?? stray(task, code)
  const isMarked = line.required_marks.includes('marking_code')
  return isMarked ? { kind: 'marking-wanted', line } : { kind: 'unit', line }
}

function markedUnit(
  task: PickingTask,
  gtin: string,
  marking: string,
  { orderId, barcode }: PickContext,
): PickReading {
  const isOfCode = (line: PickingLine) =>
    barcode === undefined ? hasGtin(line, gtin) : line.barcode === barcode
  const line = wantedOf(task, isOfCode, orderId)
  return line === undefined
    ? (nothingWanted(task, isOfCode) ?? stray(task, marking))
    : { kind: 'unit', line, marking }
}

function wantedOf(
  task: PickingTask,
  isMeant: (line: PickingLine) => boolean,
  orderId: string | undefined,
): PickingLine | undefined {
  const wanted = wantedLines(task).filter(isMeant)
  return wanted.find((line) => line.order_id === orderId) ?? wanted[0]
}

/** Why goods of the task are not wanted now; undefined for goods that it does not have. */
function nothingWanted(
  { lines = [] }: PickingTask,
  isMeant: (line: PickingLine) => boolean,
): WrongItem | undefined {
  const known = lines.find((line) => isMeant(line) && !isWanted(line))
  if (known === undefined) return undefined
  const sentence =
    known.order_status === 'CANCELLED'
      ? `${quoted(known.name)}: заказ отменён. Верните товар на место`
      : `${quoted(known.name)}: уже всё собрано. Лишнее верните на место`
  return { kind: 'wrong', sentence }
}
