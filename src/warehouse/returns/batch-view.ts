import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  named,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { ReturnScan } from './return-scans.ts'
import { type ReturnBatchStatus, returnBatchStatuses } from './state.ts'

const ReturnLine = Type.Object({
  external_id: Type.String({
    description: 'Номер заказа; если сервис его не знает — номер возврата у маркетплейса.',
  }),
  order_id: textOrNull('Заказ; null, если сервис его не знает.'),
  barcode: textOrNull('Штрихкод товара; null, если маркетплейс его не сообщил.'),
  name: textOrNull('Название товара.'),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц ждали.' }),
  came_qty: count('Сколько из них приехало.'),
  missing_qty: count('Скольких не хватает.'),
})

const figures = {
  expected_qty: count('Сколько единиц ждали.'),
  came_qty: count('Сколько единиц приехало, вместе с теми, кого не ждали.'),
  unexpected_qty: count('Сколько из них не ждали.'),
  missing_qty: count('Скольких из списка не хватает.'),
  sellable_qty: count('Сколько приехавших можно продавать.'),
  damaged_qty: count('Сколько повреждено: они под вопросом.'),
  unknown_qty: count('Сколько не осмотрено: они под вопросом.'),
}

const head = {
  id: Type.String({ description: 'Идентификатор приёма возвратов.' }),
  client_id: Type.String({ description: 'Чей товар.' }),
  client_name: Type.String({ description: 'Название клиента.' }),
  cabinet_id: textOrNull('Кабинет, из которого возвраты; null, если любой.'),
  number: Type.String({ description: 'Номер для бумаг: `RT-000001`.' }),
  status: oneOfValues(returnBatchStatuses, 'OPEN — принимают, FINISHED — закончен.'),
  day: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'День, если его открыли сканы POST /returns/scans; иначе null.',
  }),
  comment: textOrNull('Комментарий.'),
  ...figures,
  created_at: moment('Когда начат.'),
  created_by: Type.String({ description: 'Кем: `staff:<id>` или `robot`.' }),
  finished_at: momentOrNull('Когда закончен; до этого null.'),
  finished_by: textOrNull('Кем закончен; до этого null.'),
}

export const ReturnBatch = Type.Object(head, {
  $id: 'ReturnBatch',
  description: 'Приём возвратов: что вернулось за один раз.',
})
export type ReturnBatch = Static<typeof ReturnBatch>

export const ReturnBatchContent = Type.Object(
  {
    ...head,
    expected: Type.Array(ReturnLine, { description: 'Что ждали и что из этого приехало.' }),
    scans: Type.Array(named<ReturnScan>(ReturnScan), {
      description: 'Приехавшие единицы в порядке сканов; отменённые тоже.',
    }),
  },
  { $id: 'ReturnBatchContent', description: 'Приём возвратов со всем, что нужно для акта.' },
)
export type ReturnBatchContent = Static<typeof ReturnBatchContent>

export interface ReturnBatchRow {
  id: string
  client_id: string
  client_name: string
  cabinet_id: string | null
  number: string
  status: ReturnBatchStatus
  day: string | null
  comment: string | null
  expected_qty: number
  came_qty: number
  unexpected_qty: number
  sellable_qty: number
  damaged_qty: number
  unknown_qty: number
  created_at: Timestamp
  created_by: string
  finished_at: Timestamp | null
  finished_by: string | null
}

export interface ReturnLineRow {
  external_id: string
  order_id: string | null
  barcode: string | null
  name: string | null
  qty: number
  came_qty: number
}

export function returnBatchView(row: ReturnBatchRow): ReturnBatch {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    cabinet_id: row.cabinet_id,
    number: row.number,
    status: row.status,
    day: row.day,
    comment: row.comment,
    expected_qty: row.expected_qty,
    came_qty: row.came_qty,
    unexpected_qty: row.unexpected_qty,
    missing_qty: row.expected_qty - (row.came_qty - row.unexpected_qty),
    sellable_qty: row.sellable_qty,
    damaged_qty: row.damaged_qty,
    unknown_qty: row.unknown_qty,
    created_at: row.created_at,
    created_by: row.created_by,
    finished_at: row.finished_at,
    finished_by: row.finished_by,
  }
}

export function returnBatchContent(
  batch: ReturnBatchRow,
  lines: readonly ReturnLineRow[],
  scans: ReturnScan[],
): ReturnBatchContent {
  return {
    ...returnBatchView(batch),
    expected: lines.map((line) => ({ ...line, missing_qty: line.qty - line.came_qty })),
    scans,
  }
}
