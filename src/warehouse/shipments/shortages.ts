import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { textOrNull } from '../../platform/kernel/schema.ts'

export const ShipmentShortage = Type.Object(
  {
    order_id: Type.String({ description: 'Заказ.' }),
    external_id: Type.String({ description: 'Его номер в кабинете маркетплейса.' }),
    line: Type.Integer({ description: 'Строка заказа, с единицы.' }),
    barcode: textOrNull('Штрихкод товара; null, если он неизвестен.'),
    article: textOrNull('Артикул продавца, если известен.'),
    name: textOrNull('Название товара; null, если оно неизвестно.'),
    units: Type.Integer({ description: 'Сколько единиц уехало сверх остатка.' }),
  },
  { $id: 'ShipmentShortage', description: 'Чего не было на складе, когда отгрузку закрыли.' },
)
export type ShipmentShortage = Static<typeof ShipmentShortage>

/** The units that a shipment took beyond the stock: at most one row per line of its orders. */
export async function shortagesOf(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<ShipmentShortage[]> {
  return db<ShipmentShortage[]>`
    select m.order_id, o.external_id, m.line, m.barcode, l.article, p.name, m.units
    from shipment_shortages m
    join orders o on o.client_id = m.client_id and o.id = m.order_id
    join order_lines l on l.client_id = m.client_id and l.order_id = m.order_id and l.line = m.line
    left join products p on p.client_id = m.client_id and p.barcode = m.barcode
    where m.client_id = ${clientId} and m.shipment_id = ${shipmentId}
    order by m.order_id, m.line`
}

/** These orders have left their shipments again: nothing of them is missing there. */
export async function removeShortages(
  { tx }: Work,
  clientId: string,
  orders: readonly { readonly order: { readonly id: string }; readonly shipmentId: string }[],
): Promise<void> {
  const rows = orders.map(({ order, shipmentId }) => ({
    order_id: order.id,
    shipment_id: shipmentId,
  }))
  await tx`
    delete from shipment_shortages x
    using jsonb_to_recordset(${tx.json(rows)}) as r (order_id uuid, shipment_id uuid)
    where x.client_id = ${clientId} and x.shipment_id = r.shipment_id and x.order_id = r.order_id`
}
