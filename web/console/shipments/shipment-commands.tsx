import type { RemoteCommand, StaffShipment } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { remoteCommandWords } from '../cabinets/remote-commands.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

const states: Readonly<Record<RemoteCommand['state'], readonly [Tone, string]>> = {
  asked: ['now', 'ждём ответа'],
  done: ['good', 'сделано'],
  refused: ['bad', 'отказано'],
}

const columns: readonly Column<RemoteCommand>[] = [
  { title: 'Когда', cell: ({ asked_at: at }) => <Moment at={at} /> },
  { title: 'Что поручено', cell: ({ kind }) => remoteCommandWords[kind] },
  {
    title: 'Чем кончилось',
    cell: ({ state }) => {
      const [tone, word] = states[state]
      return <Badge tone={tone} word={word} />
    },
  },
  { title: 'Заказов', end: true, cell: ({ orders_count: count }) => number(count) },
  { title: 'Сообщение', cell: ({ message }) => message },
]

/** What this shipment's cabinet was asked to do at the marketplace. */
export function ShipmentCommands({ shipment }: { readonly shipment: StaffShipment }) {
  const { id, cabinet_id: cabinet } = shipment
  return (
    <List
      name="Поручения маркетплейсу"
      of={id}
      columns={columns}
      keyOf={(command) => command.id}
      ask={({ signal, ...page }) =>
        staff('GET /cabinets/{id}/tasks', {
          path: { id: cabinet },
          query: { ...page, shipment_id: id },
          signal,
        })
      }
      files={<ExportLinks list="commands" filter={{ cabinet_id: cabinet, shipment_id: id }} />}
      empty="Маркетплейсу ещё ничего не поручали: здесь будет каждый вызов по этой отгрузке и ответ на него."
    />
  )
}
