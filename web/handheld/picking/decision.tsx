import type { PickingTask } from '../../api/staff-calls.ts'
import { missOf, ordersTakenOut, type PickingLine } from './task.ts'

/** What a manager decided about the goods of a line that were not found. */
export function Decision({
  task,
  line,
}: {
  readonly task: PickingTask
  readonly line: PickingLine
}) {
  const miss = missOf(task, line)
  if (miss === undefined || miss.status === 'CLOSED') return null
  if (miss.status === 'OPEN') {
    return (
      <p class="notice warn">Не найден: что делать с заказом, решит менеджер. Нашли — сканируйте</p>
    )
  }
  return (
    <p class="notice">
      {miss.outcome === 'look_elsewhere'
        ? whereToLook(miss.look_at)
        : 'Остаток исправлен: возьмите другую единицу'}
      {miss.comment !== null && `. ${miss.comment}`}
    </p>
  )
}

type LookAt = NonNullable<PickingTask['misses']>[number]['look_at']

function whereToLook(place: LookAt): string {
  const box = place?.sscc === undefined ? undefined : `в коробе …${place.sscc.slice(-5)}`
  const location =
    place?.location_code === undefined ? undefined : `на месте ${place.location_code}`
  const where = [box, location].filter((part) => part !== undefined).join(' ')
  return where === '' ? 'Менеджер просит поискать ещё' : `Менеджер решил: возьмите ${where}`
}

/** The units of such an order go back to the shelf. */
export function TakenOut({ task }: { readonly task: PickingTask }) {
  const orders = ordersTakenOut(task)
  if (task.status === 'DONE' || orders.length === 0) return null
  return (
    <p class="notice warn">
      Менеджер убрал из отгрузки: {orders.join(', ')}. Что для них собрано, верните на место
    </p>
  )
}
