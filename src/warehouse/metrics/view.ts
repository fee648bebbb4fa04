import Type, { type Static } from 'typebox'
import { count, moment, named, oneOfValues } from '../../platform/kernel/schema.ts'
import { orderStatuses } from '../orders/state.ts'

export const ReasonCount = Type.Object(
  {
    reason: Type.String({ description: 'Код причины; список пополняется.' }),
    label: Type.String({ description: 'Причина по-русски.' }),
    count: count('Единиц.'),
  },
  { $id: 'ReasonCount', description: 'Сколько единиц приходится на причину.' },
)
export type ReasonCount = Static<typeof ReasonCount>

const StatusCount = Type.Object({
  status: oneOfValues(orderStatuses, 'Статус заказа.'),
  label: Type.String({ description: 'Статус по-русски.' }),
  count: count('Заказов.'),
})

const reasonCounts = (description: string) =>
  Type.Array(named<ReasonCount>(ReasonCount), { description })

export const Metrics = Type.Object(
  {
    period: Type.Object(
      { from: moment('Начало, включительно.'), to: moment('Конец, не включая.') },
      { description: 'Период, за который посчитано.' },
    ),
    funnel: Type.Object(
      {
        accepted: count('Единиц принято за период.'),
        in_storage: count('Остаток сейчас: равен сумме quantity по GET /v1/stock.'),
        shipped: count('Единиц в отгрузках, закрытых за период.'),
        sorted_by_marketplace: count(
          'Заказов, которые маркетплейс отсортировал или провёл дальше; не меньше delivered.',
        ),
        delivered: count('Заказов, полученных покупателем.'),
        by_current_status: Type.Boolean({
          description:
            'true — sorted_by_marketplace и delivered посчитаны по нынешнему статусу заказов, ' +
            'созданных в периоде; false — по переходам внутри периода.',
        }),
      },
      { description: 'Воронка.' },
    ),
    storage: Type.Object(
      {
        units: count('Единиц на складе сейчас.'),
        boxes: count('Коробов с товаром сейчас.'),
        pallets: count('Паллет с товаром сейчас.'),
        sku_count: count('Разных товаров на складе сейчас.'),
        in_question: count('Единиц под вопросом сейчас; входят в units.'),
        received: count('Единиц принято за период.'),
        shipped: count('Единиц отгружено за период.'),
      },
      { description: 'Хранение.' },
    ),
    receiving: Type.Object(
      {
        receipts: count('Приёмок завершено за период.'),
        expected_units: count('В них заявлено единиц.'),
        accepted_units: count('В них принято единиц.'),
        fill_rate: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'accepted_units / expected_units; 0, если ничего не заявляли.',
        }),
        discrepancy_units: count('Единиц недостачи.'),
        shortages_by_reason: reasonCounts('Недостача по причинам; в сумме discrepancy_units.'),
      },
      { description: 'Приёмка.' },
    ),
    shipments: Type.Object(
      {
        orders_total: count('Заказов создано за период.'),
        orders_by_status: Type.Array(StatusCount, {
          description: 'Они же по статусам; в сумме orders_total.',
        }),
        shipments_closed: count('Отгрузок закрыто за период.'),
        units_shipped: count('Единиц отгружено за период.'),
        cancelled: count('Заказов в статусе CANCELLED.'),
        not_found: count('Единиц не найдено при сборке за период.'),
        not_found_by_reason: reasonCounts('Ненайденное по причинам; в сумме not_found.'),
      },
      { description: 'Отгрузка.' },
    ),
    notes: Type.Array(Type.String(), { description: 'Пояснения для человека.' }),
  },
  { $id: 'Metrics', description: 'Показатели за период.' },
)
export type Metrics = Static<typeof Metrics>
