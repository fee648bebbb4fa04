import Type from 'typebox'
import { type Instant, midnight, moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { count, givenTime, named } from '../../../../platform/kernel/schema.ts'
import { marketplaces } from '../../../../warehouse/clients/marketplace.ts'
import {
  type FlowStage,
  flowStages,
  flowStageWords,
} from '../../../../warehouse/orders/flow-stages.ts'
import { orderSorts } from '../../../../warehouse/orders/staff-queries.ts'
import { StaffOrder } from '../../../../warehouse/orders/staff-view.ts'
import { orderStatuses } from '../../../../warehouse/orders/state.ts'
import { lackingGoodsKinds } from '../../../../warehouse/orders/today-uncovered.ts'
import { pageSchema } from '../../../route/list.ts'
import { longPages, oneOf, query, sortBy, text, time } from '../../../route/query.ts'
import { warehouseFilter } from '../../gate.ts'

/** Orders per call: with a few fields each they fit into the largest body. */
const ordersMax = 5000
const linesMax = 100

const rawStatus = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))
export const MarketplaceStatus = Type.Object(
  {
    supplier: rawStatus('WB: supplierStatus; OZON: status.'),
    buyer: rawStatus('WB: wbStatus; OZON: substatus.'),
  },
  {
    additionalProperties: false,
    description: 'Пара статусов маркетплейса; не переданная половина остаётся прежней.',
  },
)
const barcode = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
)
const article = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Артикул продавца; без barcode по нему находится товар, если такой один.',
  }),
)

const OrderLineDraft = Type.Object(
  {
    barcode,
    article,
    qty: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Сколько единиц.' }),
  },
  { additionalProperties: false },
)

const OrderDraft = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет клиента.' }),
    external_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Номер заказа в кабинете: известный заказ не удваивается.',
    }),
    barcode,
    article,
    nm_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Номер товара WB; у заказов OZON не хранится.' }),
    ),
    is_b2b: Type.Optional(Type.Boolean({ description: 'Оптовый заказ; по умолчанию false.' })),
    created_at: Type.Optional(givenTime('Когда создан, по RFC 3339; по умолчанию — сейчас.')),
    marketplace_status: Type.Optional(MarketplaceStatus),
    lines: Type.Optional(
      Type.Array(OrderLineDraft, {
        minItems: 1,
        maxItems: linesMax,
        description: 'Если товаров или единиц несколько; вместо barcode и article.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const OrderDrafts = Type.Array(OrderDraft, {
  $id: 'OrderDrafts',
  minItems: 1,
  maxItems: ordersMax,
  description: `Заказы одного клиента, до ${ordersMax} за вызов.`,
})
export const OrderPatch = Type.Object(
  { marketplace_status: MarketplaceStatus },
  { $id: 'OrderPatch', additionalProperties: false, description: 'Что говорит маркетплейс.' },
)
export const OrderIntake = Type.Object(
  {
    added: count('Сколько заказов новых.'),
    changed: count('У скольких известных изменился статус маркетплейса.'),
    items: Type.Array(named<StaffOrder>(StaffOrder), {
      description: 'Заказы, какими они стали, в порядке запроса.',
    }),
  },
  { $id: 'OrderIntake', description: 'Что вышло из переданных заказов.' },
)
export const StaffOrderPage = pageSchema(StaffOrder, 'StaffOrderPage', 'Страница заказов.')

export const staffOrdersQuery = query({
  client_id: text({ description: 'Заказы одного клиента; без него — всех действующих.' }),
  marketplace: oneOf(marketplaces, { description: 'Маркетплейс; без него — все.' }),
  status: oneOf(orderStatuses, { description: 'Статус; без него — все.' }),
  shipment_id: text({ description: 'Заказы одной отгрузки, по её id.' }),
  cabinet_id: text({ description: 'Заказы одного кабинета, по его id.' }),
  in_shipment: oneOf(['true', 'false'], {
    description:
      '`true` — только заказы в отгрузках, `false` — только вне отгрузок; без него — все.',
  }),
  barcode: text({ description: 'Точный штрихкод.' }),
  external_id: text({ description: 'Точный номер заказа в кабинете.' }),
  observed: oneOf(['true', 'false'], {
    description:
      '`true` — только из наблюдаемых кабинетов, `false` — только остальные; без него — все.',
  }),
  to_reship: oneOf(['true', 'false'], {
    description:
      'true — только заказы, которые нужно передать ещё раз: маркетплейс не нашёл их в отгрузке.',
  }),
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
  deadline_to: time({
    description: 'Ещё не переданы, и срок передачи раньше этого времени.',
    example: '2026-11-23',
  }),
  sort: sortBy(orderSorts, {
    description: 'deadline — только заказы, которые ждут передачи и у которых есть срок.',
  }),
  stage: oneOf(flowStages, { description: `Этап пути, как на первой странице. ${flowStageWords}` }),
  lacking: oneOf(lackingGoodsKinds, {
    description:
      'Только заказы, которым не хватает товара, как на первой странице: `any` — любого или, с barcode, этого, в какой бы ' +
      'строке он ни стоял; `unknown_barcode` — тем, чей штрихкод маркетплейс не назвал.',
  }),
  warehouse_code: warehouseFilter,
  ...longPages,
})

/** The filter with its stage at a moment. */
export function atStage<Asked extends { readonly stage?: FlowStage | undefined }>(
  { stage, ...filter }: Asked,
  now: Instant,
) {
  return { ...filter, at_stage: stage && { stage, since: midnight(moscowDate(now)) } }
}

export const OrderPackages = Type.Object(
  {
    packages: Type.Array(
      Type.Array(
        Type.Object(
          {
            barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
            qty: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Сколько единиц.' }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 200, description: 'Что в коробке.' },
      ),
      { minItems: 2, maxItems: 50, description: 'Коробки; вместе в них все единицы заказа.' },
    ),
  },
  { $id: 'OrderPackages', additionalProperties: false, description: 'Как разложить заказ.' },
)
export const OrderBoxCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Сколько коробок у заказа всего.',
    }),
  },
  { $id: 'OrderBoxCount', additionalProperties: false, description: 'Число коробок заказа.' },
)
export const SplitOrderParts = Type.Object(
  { items: Type.Array(named<StaffOrder>(StaffOrder), { description: 'Новые заказы.' }) },
  { $id: 'SplitOrderParts', description: 'Заказы, на которые разделился заказ.' },
)
