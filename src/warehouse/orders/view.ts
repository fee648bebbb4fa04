import Type from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  moment,
  momentOrNull,
  oneOfValues,
  type Shown,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { type OrderStatus, orderStatuses, orderStatusLabels } from './state.ts'

/** The statuses of an order at its marketplace. */
export const rawStatusPair = {
  supplier: Type.Optional(
    Type.String({ description: 'Статус со стороны продавца; если не передан, поля нет.' }),
  ),
  buyer: Type.Optional(
    Type.String({ description: 'Статус со стороны покупателя; если не передан, поля нет.' }),
  ),
}

export const Order = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор заказа в сервисе.' }),
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    external_id: Type.String({ description: 'Номер заказа в кабинете маркетплейса.' }),
    status: oneOfValues(orderStatuses, 'Нормализованный статус; набор значений закрыт.'),
    status_label: Type.String({ description: 'Статус по-русски; текст может измениться.' }),
    marketplace_status: Type.Object(
      {
        ...rawStatusPair,
        changed_at: Type.Optional(moment('Когда пара изменилась по наблюдению сервиса.')),
      },
      {
        description:
          'Статусы маркетплейса как есть. Значения у каждого свои и могут пополняться: ' +
          'не стройте на них логику.',
      },
    ),
    article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
    barcode: Type.Optional(Type.String({ description: 'Штрихкод; если неизвестен, поля нет.' })),
    nm_id: Type.Optional(
      Type.Integer({ description: 'Номер товара WB; у заказов OZON и если неизвестен, поля нет.' }),
    ),
    is_b2b: Type.Boolean({ description: 'Заказ из оптовой поставки, а не обычный розничный.' }),
    shipment_id: textOrNull(
      'Отгрузка в сервисе; null, пока заказ ни в одной. Тогда status ведёт маркетплейс: ASSEMBLING ' +
        'и IN_DELIVERY бывают и без отгрузки.',
    ),
    shipment_external_id: textOrNull('Номер этой отгрузки на маркетплейсе; иначе null.'),
    created_at: moment('Когда заказ создан на маркетплейсе.'),
    packed_at: momentOrNull('Когда заказ собран; до этого null.'),
    synced_at: momentOrNull('Когда заказ обновлён с маркетплейса; null, если ещё ни разу.'),
  },
  { $id: 'Order', description: 'Заказ покупателя по схеме FBS.' },
)
export type Order = Shown<typeof Order>

export interface OrderRow {
  id: string
  marketplace: Marketplace
  external_id: string
  status: OrderStatus
  supplier_status: string | null
  buyer_status: string | null
  status_changed_at: Timestamp | null
  article: string | null
  barcode: string | null
  nm_id: number | null
  is_b2b: boolean
  shipment_id: string | null
  shipment_external_id: string | null
  created_at: Timestamp
  packed_at: Timestamp | null
  synced_at: Timestamp | null
}

/** An order as the API and events show it. */
export function orderView(row: OrderRow): Order {
  return {
    id: row.id,
    marketplace: row.marketplace,
    external_id: row.external_id,
    status: row.status,
    status_label: orderStatusLabels[row.status],
    marketplace_status: {
      supplier: row.supplier_status ?? undefined,
      buyer: row.buyer_status ?? undefined,
      changed_at: row.status_changed_at ?? undefined,
    },
    article: row.article ?? undefined,
    barcode: row.barcode ?? undefined,
    nm_id: row.nm_id ?? undefined,
    is_b2b: row.is_b2b,
    shipment_id: row.shipment_id,
    shipment_external_id: row.shipment_external_id,
    created_at: row.created_at,
    packed_at: row.packed_at,
    synced_at: row.synced_at,
  }
}
