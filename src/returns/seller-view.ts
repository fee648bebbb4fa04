import Type, { type Static } from 'typebox'
import { jsonShape, withList } from '../db/json-shape.ts'
import { count, moment, momentOrNull, oneOfValues, textOrNull } from '../kernel/schema.ts'
import { returnBatchStatuses, returnBatchStatusLabels, returnConditions } from './state.ts'

/** Return batches as their seller reads them. */

const ReturnedGoods = Type.Object({
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
export type Return = Static<typeof Return>

/** From the rows of a list to its answer. */
export const returnJson = jsonShape(Type.Omit(Return, ['items']), {
  status_label: { of: 'status', labels: returnBatchStatusLabels },
})
export const returnWithGoodsJson = withList(returnJson, 'items', jsonShape(ReturnedGoods))
