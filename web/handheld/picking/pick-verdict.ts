import type { PickDraft, PickingTask } from '../../api/staff-calls.ts'
import { plainCall, scanCall } from '../queue/queue.ts'
import type { Verdict } from '../scan/verdict.ts'
import { remembered } from '../sign-in/worker.ts'
import { foldPicking, isPacked, nextLine, type PickingLine, placeOf } from './task.ts'

export type Marks = NonNullable<PickDraft['marks']>

/** One unit on its way into an order. */
export interface Unit {
  readonly line: PickingLine
  readonly marking?: string | undefined
  readonly marks?: Marks | undefined
  /** Where it was taken from, as scanned. */
  readonly place?: string | undefined
}

/** What the marketplace requires of the unit and is typed or scanned by hand. */
export function missingMarks({ line, marks = {} }: Unit): (keyof Marks)[] {
  return line.required_marks.filter(
    (kind): kind is keyof Marks => kind in markLabels && !(kind in marks),
  )
}

export const markLabels: Readonly<Record<keyof Marks, string>> = {
  uin: 'УИН, 16 цифр',
  imei: 'IMEI, 15 цифр',
  gtin: 'GTIN',
  expiration: 'Срок годности, 31.12.2027',
  customs_declaration: 'Номер таможенной декларации',
  rnpt: 'РНПТ',
  country: 'Страна, две латинские буквы',
  weight: 'Вес единицы, г',
}

export function verdictOfUnit(task: PickingTask, unit: Unit): Verdict {
  const { line, marking, marks } = unit
  const source = sourceOf(unit)
  const effect = { orderId: line.order_id, barcode: line.barcode, source }
  const after = foldPicking(task, effect, 1)
  const packed = isPacked(after.lines ?? [], line.order_id)
  const figure = line.picked + 1
  const path = { id: task.id }
  const call = scanCall('POST /picking-tasks/{id}/picks', path, {
    order_id: line.order_id,
    barcode: line.barcode,
    ...(marking === undefined ? {} : { marking_code: marking }),
    ...(marks === undefined ? {} : { marks }),
    ...(source?.box_id === undefined ? {} : { box_id: source.box_id }),
    ...(source?.box_id !== undefined || source?.location_id === undefined
      ? {}
      : { location_id: source.location_id }),
  })
  const undo = {
    name: line.name,
    figureAfter: line.picked,
    call: (scanId: string) =>
      plainCall(
        'POST /picking-tasks/{id}/picks/{scan_id}/undo',
        { ...path, scan_id: scanId },
        undefined,
      ),
  }
  return {
    kind: 'counts',
    call,
    effect,
    undo,
    outcome: packed ? 'full' : 'good',
    figure,
    of: line.qty,
    sentence: packed
      ? packedSentence(after, line)
      : `${line.name}. Заказ ${line.order_external_id}`,
    ...(packed ? { followUps: (scanId: string) => sticker(line.order_id, scanId) } : {}),
  }
}

function packedSentence(after: PickingTask, line: PickingLine): string {
  const next = nextLine(after, undefined)
  const end = next === undefined ? 'Всё собрано' : `Дальше ${placeOf(next)}: ${next.name}`
  return `Заказ ${line.order_external_id} собран. ${end}`
}

/** Prints the sticker at the chosen station. Without a station the screen shows it on request. */
function sticker(orderId: string, scanId: string) {
  const station = remembered.station.get()
  if (station === undefined) return []
  const job = { kind: 'order-sticker', object_id: orderId, station_id: station.id } as const
  return [plainCall('POST /print-jobs', undefined, { ...job, print_id: scanId })]
}

/** The scanned place if the goods lie there, on the walk or not, else the next one of the walk. */
function sourceOf({ line, place }: Unit): PickingLine['from'][number] | undefined {
  if (place === undefined) return line.from[0]
  const planned = line.from.find(({ location_code, sscc }) => [location_code, sscc].includes(place))
  return planned ?? line.boxes.find(({ sscc }) => sscc === place) ?? line.from[0]
}
