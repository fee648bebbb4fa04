import Type from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { momentOrNull, oneOfValues, type Shown } from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { findStaffOrderWithHistory } from './staff-queries.ts'
import { GoodsOfLine, StaffOrderWithHistory } from './staff-view.ts'

/** What a seller may know of an order beside the object of the specification. */
export const OrderDetails = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор заказа в сервисе.' }),
    cabinet: Type.Object(
      {
        id: Type.String({ description: 'Идентификатор кабинета.' }),
        marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
        name: Type.String({ description: 'Название.' }),
      },
      { description: 'Кабинет, в котором создан заказ.' },
    ),
    deadline: momentOrNull(
      'До какого времени заказ нужно передать маркетплейсу; null, если срока нет.',
    ),
    cancel_reason: Type.Optional(
      Type.String({ description: 'Почему отменён, словами маркетплейса; иначе поля нет.' }),
    ),
    lines: Type.Array(GoodsOfLine, {
      description:
        'Все товары заказа; barcode и article самого заказа — из первой строки. Набор, который собирают под заказ, — своими частями.',
    }),
    history: StaffOrderWithHistory.properties.history,
  },
  { $id: 'OrderDetails', description: 'Состав заказа и история его статусов.' },
)
export type OrderDetails = Shown<typeof OrderDetails>

/** Undefined where the client has no order of that id. */
export async function findOrderDetails(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<OrderDetails | undefined> {
  const order = await findStaffOrderWithHistory(db, clientId, id)
  if (order === undefined || order.observed) return undefined
  const [cabinet] = await db<{ id: string; marketplace: Marketplace; name: string }[]>`
    select id, marketplace, name from cabinets
    where client_id = ${clientId} and id = ${order.cabinet_id}`
  if (cabinet === undefined) throw new Error(`order ${id} is of an unknown cabinet`)
  const { deadline, cancel_reason, lines, history } = order
  return {
    id,
    cabinet,
    deadline,
    cancel_reason,
    lines: lines.map(
      ({ required_marks: _, optional_marks: __, set_barcode: ___, ...goods }) => goods,
    ),
    history,
  }
}
