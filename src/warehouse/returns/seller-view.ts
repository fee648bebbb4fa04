import Type from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  type Shown,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import {
  type ReturnBatchStatus,
  type ReturnCondition,
  returnBatchStatuses,
  returnBatchStatusLabels,
  returnConditions,
} from './state.ts'

/** Return batches as their seller reads them. */

export const ReturnedGoods = Type.Object({
  order_id: textOrNull('Заказ, с которым единицы уехали; null, если его не узнать.'),
  order_external_id: textOrNull('Номер этого заказа в кабинете.'),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  name: Type.String({ description: 'Название товара.' }),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
  condition: oneOfValues(
    returnConditions,
    'sellable — можно продавать; damaged — повреждён, unknown — не осмотрен: они под вопросом.',
  ),
  reason: Type.Optional(Type.String({ description: 'Причина словами; если нет, поля нет.' })),
})

export const Return = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор.' }),
    number: Type.String({ description: 'Номер на акте склада: `RT-000001`.' }),
    status: oneOfValues(returnBatchStatuses, 'OPEN — склад принимает, FINISHED — принял.'),
    status_label: Type.String({ description: 'Состояние по-русски.' }),
    qty: count('Сколько единиц вернулось.'),
    sellable_qty: count('Сколько из них можно продавать.'),
    in_question_qty: count('Сколько повреждено или не осмотрено: они под вопросом.'),
    created_at: moment('Когда склад начал принимать.'),
    finished_at: momentOrNull('Когда закончил; до этого null.'),
    items: Type.Optional(
      Type.Array(ReturnedGoods, { description: 'Что вернулось; в списке этого поля нет.' }),
    ),
  },
  { $id: 'Return', description: 'Возвраты, которые склад принял за один раз.' },
)
export type Return = Shown<typeof Return>

export interface ReturnRow {
  id: string
  number: string
  status: ReturnBatchStatus
  qty: number
  sellable_qty: number
  in_question_qty: number
  created_at: Timestamp
  finished_at: Timestamp | null
}

export interface ReturnedGoodsRow {
  order_id: string | null
  order_external_id: string | null
  barcode: string
  article: string | null
  name: string
  qty: number
  condition: ReturnCondition
  reason: string | null
}

/** A return with the goods where they are given, as in a list otherwise. */
export function returnView(row: ReturnRow, goods?: readonly ReturnedGoodsRow[]): Return {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    status_label: returnBatchStatusLabels[row.status],
    qty: row.qty,
    sellable_qty: row.sellable_qty,
    in_question_qty: row.in_question_qty,
    created_at: row.created_at,
    finished_at: row.finished_at,
    items: goods?.map(goodsView),
  }
}

function goodsView(row: ReturnedGoodsRow): Shown<typeof ReturnedGoods> {
  return {
    order_id: row.order_id,
    order_external_id: row.order_external_id,
    barcode: row.barcode,
    article: row.article ?? undefined,
    name: row.name,
    qty: row.qty,
    condition: row.condition,
    reason: row.reason ?? undefined,
  }
}
