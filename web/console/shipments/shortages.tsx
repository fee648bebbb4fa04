import type { ShipmentShortage, StaffShipment } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'
import { pathOf } from '../paths.ts'

const columnsOf = (client: string): readonly Column<ShipmentShortage>[] => [
  {
    title: 'Заказ',
    cell: ({ order_id: id, external_id: name }) => <a href={pathOf('order', id)}>{name}</a>,
  },
  { title: 'Товар', cell: (goods) => <Goods client={client} goods={goods} /> },
  { title: 'Сверх остатка', end: true, cell: ({ units }) => number(units) },
]

/** Units that left although the stock did not have them: the marketplace's cabinet let them go. */
export function Shortages({
  shipment: { id, client_id: client },
}: {
  readonly shipment: StaffShipment
}) {
  const { data, error, reload } = useAnswer(`shortages of ${id}`, (signal) =>
    staff('GET /shipments/{id}/shortages', { path: { id }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.items.length === 0)
    return <div class="empty">Товара хватило на все заказы отгрузки.</div>
  return (
    <Table
      name="Чего не хватило"
      rows={data.items}
      columns={columnsOf(client)}
      keyOf={({ order_id: order, line }) => `${order} ${line}`}
      files={<ExportLinks list="shortages" filter={{ shipment_id: id }} />}
    />
  )
}
