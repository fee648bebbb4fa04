import Type, { type Static, type TOptional, type TUnsafe } from 'typebox'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues, textOrNull } from '../kernel/schema.ts'
import { type GivenMarkKind, givenMarkKinds, markTitles } from '../kernel/unit-mark.ts'
import { lineMarks } from '../orders/staff-view.ts'
import { orderStatuses } from '../orders/state.ts'
import { type PickingTaskStatus, pickingTaskStatuses } from './state.ts'

const summary = {
  id: Type.String({ description: 'Идентификатор задания.' }),
  client_id: Type.String({ description: 'Чьи это заказы.' }),
  shipment_id: Type.String({ description: 'Отгрузка, которую собирают.' }),
  shipment_external_id: Type.String({ description: 'Её номер в кабинете маркетплейса.' }),
  status: oneOfValues(pickingTaskStatuses, 'OPEN: собирается; DONE: отгрузка закрыта.'),
  opened_at: moment('Когда открыто.'),
  done_at: momentOrNull('Когда отгрузка закрыта; до этого null.'),
  orders_count: count('Сколько заказов в отгрузке, не считая отменённых.'),
  packed_count: count('Сколько из них собрано.'),
  cancelled_count: count('Сколько заказов отгрузки отменено: их собирать не нужно.'),
  deadline: momentOrNull('Самый ранний срок её непереданных заказов; null, если сроков нет.'),
}

/** Marks as they are stored, by kind. */
export const StoredMarks = Type.Object(
  Object.fromEntries(
    givenMarkKinds.map((kind) => [
      kind,
      Type.Optional(textOrNull(`${markTitles[kind]}; null: у единицы его нет.`)),
    ]),
  ) as Record<GivenMarkKind, TOptional<TUnsafe<string | null>>>,
  { description: 'Что указано о единице, по видам; чего не указывали, того поля нет.' },
)

const PickedUnitOfLine = Type.Object({
  scan_id: Type.String({ description: 'Номер скана.' }),
  marking_code: Type.Boolean({ description: 'Есть ли у единицы код маркировки.' }),
  marks: StoredMarks,
})
const notes = Type.Array(Type.String(), {
  description: 'Что ещё сделать: чего маркетплейс требует, а сюда не вводят. Обычно пусто.',
})

const PickingLine = Type.Object({
  order_id: Type.String({ description: 'Заказ.' }),
  order_external_id: Type.String({ description: 'Его номер в кабинете.' }),
  order_status: oneOfValues(orderStatuses, 'Статус заказа; CANCELLED собирать не нужно.'),
  packed_at: momentOrNull('Когда заказ собран целиком; до этого null.'),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц нужно.' }),
  picked: count('Сколько из них собрано.'),
  honest_mark: Type.Boolean({ description: 'Товар с маркировкой: лучше сканировать её код.' }),
  ...lineMarks,
  notes,
  deadline: momentOrNull(
    'До какого времени заказ нужно передать маркетплейсу; null, если срока нет.',
  ),
  comment: Type.Optional(
    Type.String({ description: 'Комментарий покупателя к заказу; если нет, поля нет.' }),
  ),
  cargo_type: Type.Optional(
    Type.String({ description: 'Габаритный тип, как у маркетплейса; если неизвестен, поля нет.' }),
  ),
  picks: Type.Array(PickedUnitOfLine, {
    description: 'Собранные единицы строки по порядку: сканы и что у них указано.',
  }),
  boxes: Type.Array(
    Type.Object({
      box_id: Type.String({ description: 'Короб.' }),
      sscc: Type.Optional(Type.String({ description: 'Его номер на этикетке.' })),
      qty: Type.Integer({ minimum: 1, description: 'Сколько единиц этого товара в коробе.' }),
    }),
    { description: 'Где искать: не больше пяти коробов; пусто, если единицы лежат вне коробов.' },
  ),
})

const PickingMiss = Type.Object({
  order_id: Type.String({ description: 'Заказ.' }),
  barcode: Type.String({ description: 'Чего не нашли.' }),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
  reason: Type.String({ description: 'Причина, код.' }),
  reason_label: Type.String({ description: 'Причина по-русски.' }),
  at: moment('Когда сообщили.'),
})

export const PickingTask = Type.Object(
  {
    ...summary,
    lines: Type.Optional(
      Type.Array(PickingLine, { description: 'Что собрать; нет в списке заданий.' }),
    ),
    misses: Type.Optional(
      Type.Array(PickingMiss, { description: 'Чего не нашли, по порядку; нет в списке заданий.' }),
    ),
  },
  { $id: 'PickingTask', description: 'Задание на сборку отгрузки.' },
)
export type PickingTask = Static<typeof PickingTask>
export type PickingLine = Static<typeof PickingLine>
export type PickingMiss = Static<typeof PickingMiss>

export const PickResult = Type.Object(
  {
    scan_id: Type.String({ description: 'Номер скана.' }),
    repeated: Type.Boolean({
      description: 'true: этот скан уже был принят, ничего не изменилось.',
    }),
    undone: Type.Boolean({
      description: 'true: скан был отменён, когда заказ убрали из отгрузки; нужен новый scan_id.',
    }),
    order_id: Type.String({ description: 'Заказ, в который попала единица.' }),
    barcode: Type.String({ description: 'Её штрихкод.' }),
    order_packed: Type.Boolean({ description: 'Собран ли заказ целиком.' }),
    packed_at: momentOrNull('Когда собран; до этого null.'),
    marks: StoredMarks,
    notes,
  },
  { $id: 'PickResult', description: 'Что вышло из скана.' },
)
export type PickResult = Static<typeof PickResult>

export interface PickingTaskRow {
  id: string
  client_id: string
  shipment_id: string
  shipment_external_id: string
  status: PickingTaskStatus
  opened_at: Timestamp
  done_at: Timestamp | null
  orders_count: number
  packed_count: number
  cancelled_count: number
  deadline: Timestamp | null
}

export function pickingTaskView(
  row: PickingTaskRow,
  content?: { readonly lines: PickingLine[]; readonly misses: PickingMiss[] },
): PickingTask {
  return {
    id: row.id,
    client_id: row.client_id,
    shipment_id: row.shipment_id,
    shipment_external_id: row.shipment_external_id,
    status: row.status,
    opened_at: row.opened_at,
    done_at: row.done_at,
    orders_count: row.orders_count,
    packed_count: row.packed_count,
    cancelled_count: row.cancelled_count,
    deadline: row.deadline,
    ...content,
  }
}
