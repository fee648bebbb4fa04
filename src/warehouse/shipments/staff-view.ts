import Type from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, momentOrNull, named, type Shown, textOrNull } from '../../platform/kernel/schema.ts'
import { StaffOrder } from '../orders/staff-view.ts'
import { ShippingMethodView } from './shipping-view.ts'
import { Shipment, type ShipmentRow, shipmentView } from './view.ts'

export const StaffShipment = Type.Object(
  {
    ...Shipment.properties,
    client_id: Type.String({ description: 'Чья это отгрузка.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    cabinet_id: Type.String({ description: 'Кабинет, в котором она создана.' }),
    observed: Type.Boolean({
      description: 'Кабинет только наблюдают: продавец отгрузки не видит, и остатки она не меняет.',
    }),
    picking_task_id: textOrNull('Задание на её сборку; null, если собирали не здесь.'),
    shortage_units: Type.Integer({
      description:
        'Сколько единиц увезли сверх остатка, если собирали в кабинете маркетплейса; поимённо — в ' +
        '`GET /shipments/{id}/shortages`.',
    }),
    open_misses: count('Сколько ненайденных товаров её заказов ждёт решения менеджера.'),
    deadline: momentOrNull(
      'Самый ранний срок её заказов, которые ещё не переданы; null, если таких сроков нет.',
    ),
    shipping_method: Type.Union([named<ShippingMethodView>(ShippingMethodView), Type.Null()], {
      description: 'Куда её везут; null, если для неё самой пункт не выбран.',
    }),
    orders: Type.Optional(
      Type.Array(named<StaffOrder>(StaffOrder), {
        description: 'Заказы; нет в списке отгрузок.',
      }),
    ),
  },
  { $id: 'StaffShipment', description: 'Отгрузка, какой её видит склад.' },
)
export type StaffShipment = Shown<typeof StaffShipment>

export interface StaffShipmentRow extends ShipmentRow {
  client_id: string
  client_name: string
  cabinet_id: string
  observed: boolean
  picking_task_id: string | null
  shortage_units: number
  open_misses: number
  deadline: Timestamp | null
  shipping_method: ShippingMethodView | null
}

export function staffShipmentView(row: StaffShipmentRow, orders?: StaffOrder[]): StaffShipment {
  const { orders: _, ...shipment } = shipmentView(row)
  return {
    ...shipment,
    client_id: row.client_id,
    client_name: row.client_name,
    cabinet_id: row.cabinet_id,
    observed: row.observed,
    picking_task_id: row.picking_task_id,
    shortage_units: row.shortage_units,
    open_misses: row.open_misses,
    deadline: row.deadline,
    shipping_method: row.shipping_method,
    orders,
  }
}
