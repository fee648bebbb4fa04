import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  type Shown,
} from '../../platform/kernel/schema.ts'
import { pictureOfGoods } from '../catalogue/pictures.ts'
import { markKinds } from './fact-kinds.ts'
import type { StoredLatenessCost } from './facts.ts'
import { type OrderStatus, orderStatuses } from './state.ts'
import { Order, type OrderRow, orderView, rawStatusPair } from './view.ts'

/** The goods of a line, as sellers see them, too. */
export const GoodsOfLine = Type.Object({
  barcode: Type.Optional(Type.String({ description: 'Штрихкод; если неизвестен, поля нет.' })),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц заказано.' }),
  picked: count('Сколько из них собрано.'),
})

const textList = (description: string) => Type.Array(Type.String(), { description })

/** The kinds that we know; a marketplace may name others. */
const knownMarks = markKinds.map((kind) => `\`${kind}\``).join(', ')

/** What the marketplace wants to know of each unit of a line. */
export const lineMarks = {
  required_marks: textList(
    `Что маркетплейс требует указать для каждой единицы: ${knownMarks}; новые виды — под именем ` +
      'маркетплейса.',
  ),
  optional_marks: textList('Что для каждой единицы можно указать; виды те же.'),
}

const StaffOrderLine = Type.Object({
  ...GoodsOfLine.properties,
  name: Type.Optional(Type.String({ description: 'Название товара; если неизвестно, поля нет.' })),
  picture: pictureOfGoods,
  set_barcode: Type.Optional(
    Type.String({
      description: 'Набор, вместо которого отложена эта строка; у остальных строк поля нет.',
    }),
  ),
  ...lineMarks,
})

const OrderWarehouse = Type.Object(
  {
    id: Type.String({ description: 'Номер склада на маркетплейсе.' }),
    name: Type.Optional(Type.String({ description: 'Его название; если неизвестно, поля нет.' })),
  },
  { description: 'Склад продавца, с которого едет заказ; если неизвестен, поля нет.' },
)

const optionalText = (description: string) => Type.Optional(Type.String({ description }))

const LatenessCostShown = Type.Object({
  until: momentOrNull('До какого времени действует; null — дальше без срока.'),
  tariff: Type.String({
    description:
      'Тариф, как у маркетплейса: `no_discount`, `commission` — доплата, `discount` — скидка.',
  }),
  percent: Type.Optional(Type.Number({ description: 'Процент от цены.' })),
  amount: optionalText('Сумма, как у маркетплейса.'),
  currency: optionalText('Её валюта.'),
})

/** What the marketplace reported of an order; a field is absent while nothing is known. */
const reportedFacts = {
  deadline: momentOrNull(
    'До какого времени заказ нужно передать маркетплейсу: по его данным, а если он срока не ' +
      'называет — по правилу кабинета; null, если срока нет.',
  ),
  deadline_without_delay: Type.Optional(
    moment('До какого времени передача не считается просрочкой; если неизвестно, поля нет.'),
  ),
  lateness_costs: Type.Optional(
    Type.Array(LatenessCostShown, {
      description:
        'Во что обходится передача к сроку и после него, сначала ранние; если неизвестно, поля нет.',
    }),
  ),
  warehouse: Type.Optional(OrderWarehouse),
  scheme: optionalText('Схема: `fbs` или имя другой, как у маркетплейса.'),
  cargo_type: optionalText('Габаритный тип, как у маркетплейса (WB: 1 — МГТ, 2 — СГТ, 3 — КГТ+).'),
  cross_border_type: optionalText('Трансграничный тип, как у маркетплейса (WB: 0 — нет).'),
  comment: optionalText('Комментарий покупателя.'),
  cancel_reason: optionalText('Почему заказ отменён, словами маркетплейса.'),
  cancelled_by: optionalText('Кто отменил заказ.'),
  cancellable: Type.Optional(
    Type.Boolean({ description: 'Может ли продавец ещё отменить заказ.' }),
  ),
  label_codes: Type.Optional(textList('Коды, которые могут стоять на этикетке заказа.')),
  parent_external_id: optionalText('Номер заказа, от которого отделён этот.'),
  related_external_ids: Type.Optional(textList('Номера связанных с ним заказов.')),
  boxes: Type.Optional(
    Type.Integer({ minimum: 1, description: 'В скольких коробках едет заказ.' }),
  ),
  needs_boxes: Type.Optional(
    Type.Boolean({
      description:
        'true: маркетплейс ждёт число коробок заказа, укажите его до закрытия отгрузки; иначе поля нет.',
    }),
  ),
}

export const StaffOrder = Type.Object(
  {
    ...Order.properties,
    client_id: Type.String({ description: 'Чей это заказ.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    cabinet_id: Type.String({ description: 'Кабинет, в котором он создан.' }),
    reship_since: momentOrNull(
      'С какого времени заказ ждёт повторной передачи: маркетплейс не нашёл его в отгрузке; null, если не ждёт.',
    ),
    observed: Type.Boolean({
      description: 'Кабинет только наблюдают: продавец заказа не видит, и здесь его не собирают.',
    }),
    shipped_elsewhere: Type.Optional(
      Type.Boolean({
        description:
          'true: отгрузки кабинета этого заказа делают на маркетплейсе, здесь их не открывают; иначе поля нет.',
      }),
    ),
    open_misses: count('Сколько ненайденных товаров заказа ждёт решения менеджера.'),
    ...reportedFacts,
    lines: Type.Array(StaffOrderLine, {
      description: 'Все товары заказа; barcode и article самого заказа — из первой строки.',
    }),
  },
  { $id: 'StaffOrder', description: 'Заказ, каким его видит склад.' },
)
export type StaffOrder = Shown<typeof StaffOrder>

/** Entries shown of a history; older ones are left out. */
export const historyMax = 200

const OrderHistoryEntry = Type.Object({
  at: moment('Когда сервис увидел эту перемену.'),
  status: oneOfValues(orderStatuses, 'Каким стал нормализованный статус.'),
  marketplace_status: Type.Object(rawStatusPair, {
    description: 'Какой стала пара статусов маркетплейса, как есть.',
  }),
})

export const StaffOrderWithHistory = Type.Object(
  {
    ...StaffOrder.properties,
    reshipments: Type.Array(
      Type.Object({
        at: moment('Когда заказ вернулся на склад.'),
        shipment_id: Type.String({ description: 'Отгрузка, из которой он вернулся.' }),
        supply: Type.String({ description: 'Её номер у маркетплейса.' }),
      }),
      { description: 'Отгрузки, в которых маркетплейс заказа не нашёл; сначала старые.' },
    ),
    history: Type.Array(OrderHistoryEntry, {
      maxItems: historyMax,
      description: `Как менялись статус и пара маркетплейса: сначала старые, последние ${historyMax}.`,
    }),
  },
  { $id: 'StaffOrderWithHistory', description: 'Заказ с его товарами и историей статусов.' },
)
export type StaffOrderWithHistory = Shown<typeof StaffOrderWithHistory>

export interface StaffOrderRow extends OrderRow {
  client_id: string
  client_name: string
  cabinet_id: string
  reship_since: Timestamp | null
  observed: boolean
  shipped_elsewhere: boolean | null
  open_misses: number
  deadline: Timestamp | null
  deadline_without_delay: Timestamp | null
  lateness_costs: readonly StoredLatenessCost[] | null
  /** As the API shows it; so are the lines. */
  warehouse: Static<typeof OrderWarehouse> | null
  scheme: string | null
  cargo_type: string | null
  cross_border_type: string | null
  comment: string | null
  cancel_reason: string | null
  cancelled_by: string | null
  cancellable: boolean | null
  label_codes: string[] | null
  parent_external_id: string | null
  related_external_ids: string[] | null
  boxes: number | null
  needs_boxes: boolean | null
  lines: Static<typeof StaffOrderLine>[]
}

/** An order as staff see it: the seller's view with the client, the cabinet and all lines. */
export function staffOrderView(row: StaffOrderRow): StaffOrder {
  return {
    ...orderView(row),
    client_id: row.client_id,
    client_name: row.client_name,
    cabinet_id: row.cabinet_id,
    reship_since: row.reship_since,
    observed: row.observed,
    shipped_elsewhere: row.shipped_elsewhere ?? undefined,
    open_misses: row.open_misses,
    deadline: row.deadline,
    deadline_without_delay: row.deadline_without_delay ?? undefined,
    lateness_costs: row.lateness_costs?.map(({ until, tariff, percent, amount, currency }) => ({
      until,
      tariff,
      percent,
      amount,
      currency,
    })),
    warehouse: row.warehouse ?? undefined,
    scheme: row.scheme ?? undefined,
    cargo_type: row.cargo_type ?? undefined,
    cross_border_type: row.cross_border_type ?? undefined,
    comment: row.comment ?? undefined,
    cancel_reason: row.cancel_reason ?? undefined,
    cancelled_by: row.cancelled_by ?? undefined,
    cancellable: row.cancellable ?? undefined,
    label_codes: row.label_codes ?? undefined,
    parent_external_id: row.parent_external_id ?? undefined,
    related_external_ids: row.related_external_ids ?? undefined,
    boxes: row.boxes ?? undefined,
    needs_boxes: row.needs_boxes ?? undefined,
    lines: row.lines,
  }
}

export interface OrderHistoryRow {
  at: Timestamp
  status: OrderStatus
  supplier_status: string | null
  buyer_status: string | null
}

export interface ReshipmentRow {
  at: Timestamp
  shipment_id: string
  supply: string
}

/** An order with its history, the oldest entry first. */
export function staffOrderWithHistory(
  order: StaffOrder,
  history: readonly OrderHistoryRow[],
  reshipments: readonly ReshipmentRow[],
): StaffOrderWithHistory {
  return {
    ...order,
    reshipments: reshipments.map((row) => ({ ...row })),
    history: history.map(({ at, status, supplier_status: supplier, buyer_status: buyer }) => ({
      at,
      status,
      marketplace_status: {
        supplier: supplier ?? undefined,
        buyer: buyer ?? undefined,
      },
    })),
  }
}
