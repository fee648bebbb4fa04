import type { RemoteCommand } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

/** What a marketplace is asked to do. */
export const remoteCommandWords: Readonly<Record<RemoteCommand['kind'], string>> = {
  create: 'Создать отгрузку',
  fill: 'Добавить заказы',
  remove: 'Убрать заказ',
  deliver: 'Передать отгрузку',
  cancel: 'Отменить отгрузку',
  split: 'Разделить заказ',
  set_boxes: 'Назвать число коробок',
  add_boxes: 'Добавить грузоместа',
  remove_boxes: 'Удалить грузоместа',
}

const states: Readonly<Record<RemoteCommand['state'], readonly [Tone, string]>> = {
  asked: ['warn', 'ждём ответа'],
  done: ['good', 'сделано'],
  refused: ['bad', 'отказано'],
}

const columns: readonly Column<RemoteCommand>[] = [
  {
    title: 'Поручение',
    cell: ({ kind, name }) =>
      name ? `${remoteCommandWords[kind]} «${name}»` : remoteCommandWords[kind],
  },
  {
    title: 'Итог',
    cell: ({ state }) => <Badge tone={states[state][0]} word={states[state][1]} />,
  },
  { title: 'Заказов', cell: ({ orders_count: count }) => count || '', end: true },
  { title: 'Ответ', cell: ({ message }) => message },
  { title: 'Поручено', cell: ({ asked_at: at }) => <Moment at={at} /> },
  { title: 'Закончено', cell: ({ ended_at: at }) => <Moment at={at} /> },
]

/** What the cabinet asked of the marketplace, and how it ended. */
export function RemoteCommands({ cabinetId }: { readonly cabinetId: string }) {
  return (
    <List
      name="Поручения маркетплейсу"
      of={cabinetId}
      columns={columns}
      keyOf={({ id }) => id}
      ask={({ signal, ...page }) =>
        staff('GET /cabinets/{id}/tasks', { path: { id: cabinetId }, query: page, signal })
      }
      files={<ExportLinks list="commands" filter={{ cabinet_id: cabinetId }} />}
      empty="Поручений маркетплейсу ещё не было. Они появятся, когда склад соберёт или передаст отгрузку."
    />
  )
}
