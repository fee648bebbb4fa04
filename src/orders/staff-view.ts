import Type, { type Static } from 'typebox'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, moment, oneOfValues } from '../kernel/schema.ts'
import { type OrderStatus, orderStatuses } from './state.ts'
import { Order, type OrderRow, orderView } from './view.ts'

const StaffOrderLine = Type.Object({
  barcode: Type.Optional(Type.String({ description: 'Штрихкод; если неизвестен, поля нет.' })),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц заказано.' }),
  picked: count('Сколько из них собрано.'),
})

export const StaffOrder = Type.Object(
  {
    ...Order.properties,
    client_id: Type.String({ description: 'Чей это заказ.' }),
    cabinet_id: Type.String({ description: 'Кабинет, в котором он создан.' }),
    observed: Type.Boolean({
      description: 'Кабинет только наблюдают: продавец заказа не видит, и здесь его не собирают.',
    }),
    lines: Type.Array(StaffOrderLine, {
      description: 'Все товары заказа; barcode и article самого заказа — из первой строки.',
    }),
  },
  { $id: 'StaffOrder', description: 'Заказ, каким его видит склад.' },
)
export type StaffOrder = Static<typeof StaffOrder>

/** Entries shown of a history; older ones are left out. */
export const historyMax = 200

const OrderHistoryEntry = Type.Object({
  at: moment('Когда сервис увидел эту перемену.'),
  status: oneOfValues(orderStatuses, 'Каким стал нормализованный статус.'),
  marketplace_status: Type.Object(
    {
      supplier: Type.Optional(
        Type.String({ description: 'Статус со стороны продавца; если не передан, поля нет.' }),
      ),
      buyer: Type.Optional(
        Type.String({ description: 'Статус со стороны покупателя; если не передан, поля нет.' }),
      ),
    },
    { description: 'Какой стала пара статусов маркетплейса, как есть.' },
  ),
})

export const StaffOrderWithHistory = Type.Object(
  {
    ...StaffOrder.properties,
    history: Type.Array(OrderHistoryEntry, {
      maxItems: historyMax,
      description: `Как менялись статус и пара маркетплейса: сначала старые, последние ${historyMax}.`,
    }),
  },
  { $id: 'StaffOrderWithHistory', description: 'Заказ с его товарами и историей статусов.' },
)
export type StaffOrderWithHistory = Static<typeof StaffOrderWithHistory>

export interface StaffOrderRow extends OrderRow {
  client_id: string
  cabinet_id: string
  observed: boolean
  lines: { barcode: string | null; article: string | null; qty: number; picked: number }[]
}

/** An order as staff see it: the seller's view with the client, the cabinet and all lines. */
export function staffOrderView(row: StaffOrderRow): StaffOrder {
  return {
    ...orderView(row),
    client_id: row.client_id,
    cabinet_id: row.cabinet_id,
    observed: row.observed,
    lines: row.lines.map(({ barcode, article, qty, picked }) => ({
      ...(barcode === null ? {} : { barcode }),
      ...(article === null ? {} : { article }),
      qty,
      picked,
    })),
  }
}

export interface OrderHistoryRow {
  at: Timestamp
  status: OrderStatus
  supplier_status: string | null
  buyer_status: string | null
}

/** An order with its history, the oldest entry first. */
export function staffOrderWithHistory(
  order: StaffOrder,
  history: readonly OrderHistoryRow[],
): StaffOrderWithHistory {
  return {
    ...order,
    history: history.map(({ at, status, supplier_status: supplier, buyer_status: buyer }) => ({
      at,
      status,
      marketplace_status: {
        ...(supplier === null ? {} : { supplier }),
        ...(buyer === null ? {} : { buyer }),
      },
    })),
  }
}
