import Type from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  named,
  oneOfValues,
  type Shown,
} from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { Order } from '../orders/view.ts'
import { type ShipmentStatus, shipmentStatuses, shipmentStatusLabels } from './state.ts'

export const Shipment = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор отгрузки в сервисе.' }),
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    external_id: Type.String({ description: 'Номер отгрузки в кабинете маркетплейса.' }),
    name: Type.Optional(Type.String({ description: 'Название; если не дано, поля нет.' })),
    status: oneOfValues(shipmentStatuses, 'Состояние отгрузки.'),
    status_label: Type.String({ description: 'Состояние по-русски; текст может измениться.' }),
    orders_count: count(
      'Сколько заказов в отгрузке, вместе с отменёнными, которых склад ещё не убрал.',
    ),
    created_at: moment('Когда открыта.'),
    closed_at: momentOrNull('Когда закрыта на складе; null, пока собирается.'),
    accepted_at: momentOrNull(
      'Когда маркетплейс отсканировал отгрузку у себя (юридически значимая приёмка); до этого null.',
    ),
    orders: Type.Optional(
      Type.Array(named<Order>(Order), {
        description: 'Заказы; есть только в ответе на одну отгрузку.',
      }),
    ),
  },
  {
    $id: 'Shipment',
    description: 'Отгрузка: собранные заказы, которые склад передаёт маркетплейсу.',
  },
)
export type Shipment = Shown<typeof Shipment>

export interface ShipmentRow {
  id: string
  marketplace: Marketplace
  external_id: string
  name: string | null
  status: ShipmentStatus
  orders_count: number
  created_at: Timestamp
  closed_at: Timestamp | null
  accepted_at: Timestamp | null
}

/** A shipment as the API shows it; lists show it without its orders. */
export function shipmentView(row: ShipmentRow, orders?: Order[]): Shipment {
  return {
    id: row.id,
    marketplace: row.marketplace,
    external_id: row.external_id,
    name: row.name ?? undefined,
    status: row.status,
    status_label: shipmentStatusLabels[row.status],
    orders_count: row.orders_count,
    created_at: row.created_at,
    closed_at: row.closed_at,
    accepted_at: row.accepted_at,
    orders,
  }
}
