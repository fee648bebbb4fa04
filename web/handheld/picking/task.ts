import type { PickingTask } from '../../api/staff-calls.ts'

type Miss = NonNullable<PickingTask['misses']>[number]
export type PickingLine = NonNullable<PickingTask['lines']>[number]
type Source = PickingLine['from'][number]

/** What a call does to the task that is shown. */
export type PickingEffect =
  | { readonly orderId: string; readonly barcode: string; readonly source?: Source | undefined }
  | { readonly missedOrderId: string; readonly barcode: string }

/** The task after a call; `times` is -1 where it is undone. */
export function foldPicking(task: PickingTask, effect: PickingEffect, times: 1 | -1): PickingTask {
  if ('missedOrderId' in effect) return withMiss(task, effect.missedOrderId, effect.barcode)
  const lines = task.lines ?? []
  const ofGoods = (line: PickingLine) =>
    line.order_id === effect.orderId && line.barcode === effect.barcode
  const changing =
    times === 1
      ? lines.find((line) => ofGoods(line) && line.picked < line.qty)
      : lines.findLast((line) => ofGoods(line) && line.picked > 0)
  if (changing === undefined) return task
  const next = lines.map((line) =>
    line === changing
      ? { ...line, picked: line.picked + times, from: afterTaking(line.from, effect.source, times) }
      : line,
  )
  const packed = isPacked(next, effect.orderId)
  const change = Number(packed) - Number(isPacked(lines, effect.orderId))
  return { ...task, lines: next, packed_count: task.packed_count + change }
}

/** The service says the rest when the task is read anew. */
function withMiss(task: PickingTask, orderId: string, barcode: string): PickingTask {
  const line = task.lines?.find((each) => each.order_id === orderId && each.barcode === barcode)
  if (line === undefined) return task
  const miss: Miss = {
    ...{ id: '', order_id: orderId, order_external_id: line.order_external_id, barcode },
    ...{ qty: line.qty - line.picked, reason: '', reason_label: '', at: '', place: null },
    ...{ status: 'OPEN', status_label: '', outcome: null, outcome_label: null },
    ...{ look_at: null, comment: null },
  }
  return { ...task, misses: [...(task.misses ?? []), miss] }
}

/** What was reported of a line last. */
export function missOf(task: PickingTask, line: PickingLine): Miss | undefined {
  return task.misses?.findLast(
    (miss) => miss.order_id === line.order_id && miss.barcode === line.barcode,
  )
}

/** Numbers of the orders that a manager took out because of their missing goods. */
export function ordersTakenOut(task: PickingTask): string[] {
  const inside = new Set(task.lines?.map((line) => line.order_id))
  const out = (task.misses ?? []).filter(
    ({ outcome, order_id: id }) =>
      (outcome === 'remove_order' || outcome === 'tell_seller') && !inside.has(id),
  )
  return [...new Set(out.map((miss) => miss.order_external_id))]
}

function afterTaking(from: readonly Source[], source: Source | undefined, times: 1 | -1): Source[] {
  if (source === undefined) return [...from]
  const isSame = (each: Source) =>
    each.box_id === source.box_id &&
    each.location_id === source.location_id &&
    each.expires_on === source.expires_on
  if (!from.some(isSame)) return times === 1 ? [...from] : [{ ...source, qty: 1 }, ...from]
  return from
    .map((each) => (isSame(each) ? { ...each, qty: each.qty - times } : each))
    .filter(({ qty }) => qty > 0)
}

export function isPacked(lines: readonly PickingLine[], orderId: string): boolean {
  return lines.every((line) => line.order_id !== orderId || line.picked >= line.qty)
}

export function isWanted(line: PickingLine): boolean {
  return line.picked < line.qty && line.order_status !== 'CANCELLED'
}

/** Lines that are still to be picked, in walking order; orders that wait for a manager's decision come last. */
export function wantedLines(task: PickingTask): PickingLine[] {
  const waiting = waitingOrders(task)
  const wanted = (task.lines ?? []).filter(isWanted)
  return [
    ...wanted.filter((line) => !waiting.has(line.order_id)),
    ...wanted.filter((line) => waiting.has(line.order_id)),
  ]
}

function waitingOrders(task: PickingTask): ReadonlySet<string> {
  const open = (task.misses ?? []).filter(({ status }) => status === 'OPEN')
  return new Set(open.map((miss) => miss.order_id))
}

/** Where to go next: the rest of an order that is begun and waits for nobody, else the nearest line. */
export function nextLine(task: PickingTask, orderId: string | undefined): PickingLine | undefined {
  const wanted = wantedLines(task)
  const begun = waitingOrders(task).has(orderId ?? '') ? undefined : orderId
  return wanted.find((line) => line.order_id === begun) ?? wanted[0]
}

export function placeOf(line: PickingLine): string {
  const [source] = line.from
  const box = source?.sscc ?? line.boxes[0]?.sscc
  if (source?.location_code !== undefined) return source.location_code
  return box === undefined ? 'Вне мест' : `Короб …${box.slice(-5)}`
}
