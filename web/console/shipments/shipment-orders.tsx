import type { StaffOrder, StaffShipment } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { orderTones, orderWords } from '../../words/statuses.ts'
import { FirstGoods, OrderDeadline } from '../orders/orders.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { becauseOf } from './shipment-actions.tsx'

interface ShipmentOrdersProps {
  readonly shipment: StaffShipment
  readonly reload: () => void
}

export function ShipmentOrders({ shipment, reload }: ShipmentOrdersProps) {
  const { id, orders = [] } = shipment
  const { hrefWith } = useAddress()
  const canChange = becauseOf(shipment)('fill') === undefined
  const remove = async ({ id: order, external_id: name }: StaffOrder) => {
    await staff('DELETE /shipments/{id}/orders/{order_id}', { path: { id, order_id: order } })
    reload()
    showToast(`Заказ ${name} убран`, async () => {
      await staff('POST /shipments/{id}/orders', { path: { id }, body: { order_ids: [order] } })
      reload()
    })
  }
  const columns: readonly Column<StaffOrder>[] = [
    {
      title: 'Заказ',
      cell: (order) => <a href={pathOf('order', order.id)}>{order.external_id}</a>,
    },
    {
      title: 'Статус',
      main: true,
      cell: (order) => <Badge tone={orderTones[order.status]} word={orderWords[order.status]} />,
    },
    { title: 'Товар', cell: (order) => <FirstGoods order={order} /> },
    { title: 'Срок', cell: (order) => <OrderDeadline order={order} /> },
    { title: 'Собран', cell: ({ packed_at: at }) => <Moment at={at} /> },
  ]
  const removing: Column<StaffOrder> = {
    title: 'Убрать',
    cell: (order) => <ActionButton label="Убрать" act={() => remove(order)} />,
  }
  if (orders.length === 0) {
    return (
      <div class="empty">
        Заказов ещё нет. {canChange && <a href={hrefWith({ form: 'fill' })}>Добавьте заказы</a>}
      </div>
    )
  }
  return (
    <Table
      name="Заказы отгрузки"
      rows={orders}
      columns={canChange ? [...columns, removing] : columns}
      keyOf={({ id: key }) => key}
      files={<ExportLinks list="orders" filter={{ shipment_id: id }} />}
    />
  )
}
