import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { type PrintStatus, printStatuses, printStatusRule } from './state.ts'

export const printFormats = ['58x40', 'A4'] as const
export type PrintFormat = (typeof printFormats)[number]
const formatRule = '58x40 — этикетки 58 × 40 мм, A4 — документы.'

/** What can be printed, and on what. */
export const formatOfKind = {
  'order-sticker': '58x40',
  'shipment-stickers': '58x40',
  'box-label': '58x40',
  'pallet-label': '58x40',
  'location-label': '58x40',
  receipt: 'A4',
  return: 'A4',
  count: 'A4',
  shipment: 'A4',
  'picking-task': 'A4',
} as const satisfies Readonly<Record<string, PrintFormat>>
export type PrintKind = keyof typeof formatOfKind
export const printKinds = Object.keys(formatOfKind) as PrintKind[]
export const printKindRule =
  'order-sticker — этикетка заказа, shipment-stickers — этикетки всех заказов отгрузки (первые 200), ' +
  'box-label, pallet-label, location-label — этикетки короба, паллеты, места; receipt, return, count, ' +
  'shipment, picking-task — документы, как GET /staff/v1/documents.'

export const PrintStation = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор станции.' }),
    warehouse_code: Type.String({ description: 'Склад.' }),
    name: Type.String({ description: 'Название: по нему станцию узнают на складе.' }),
    formats: Type.Array(oneOfValues(printFormats, formatRule), { description: 'Что печатает.' }),
    active: Type.Boolean({ description: 'false — заданий больше не получает.' }),
    waiting: count('Сколько заданий ждёт: её собственных и тех, что может взять любая станция.'),
    created_at: moment('Когда заведена.'),
    seen_at: momentOrNull(
      'Когда её страница последний раз просила задание, с точностью до минуты; null — ещё ни разу.',
    ),
  },
  { $id: 'PrintStation', description: 'Станция печати: компьютер с принтером.' },
)
export type PrintStation = Static<typeof PrintStation>

export const PrintJob = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор задания.' }),
    print_id: textOrNull('Номер, с которым его прислали; null — без номера.'),
    warehouse_code: Type.String({ description: 'Склад.' }),
    station_id: textOrNull('На какой станции печатать; null — на любой подходящей этого склада.'),
    format: oneOfValues(printFormats, formatRule),
    kind: oneOfValues(printKinds, printKindRule),
    object_id: Type.String({ description: 'Что печатается: идентификатор объекта.' }),
    title: Type.String({ description: 'То же словами.' }),
    copies: Type.Integer({ description: 'Сколько экземпляров; они уже есть в содержимом.' }),
    status: oneOfValues(printStatuses, printStatusRule),
    reason: textOrNull('Почему не напечатано; null в других состояниях.'),
    attempts: count('Сколько раз станции брали задание с тех пор, как оно встало в очередь.'),
    taken_station_id: textOrNull('Станция, которая взяла его последней; null — ещё никакая.'),
    lease_expires_at: momentOrNull(
      'До какого времени его печатает станция; потом задание возьмёт другая. null — не печатается.',
    ),
    created_at: moment('Когда попросили напечатать.'),
    created_by: Type.String({ description: 'Кто попросил: `staff:<id>`.' }),
    ended_at: momentOrNull('Когда напечатано или не напечатано; null, пока неизвестно.'),
  },
  { $id: 'PrintJob', description: 'Задание печати.' },
)
export type PrintJob = Static<typeof PrintJob>

export interface PrintJobRow {
  id: string
  print_id: string | null
  warehouse_code: string
  station_id: string | null
  format: PrintFormat
  kind: PrintKind
  object_id: string
  title: string
  copies: number
  status: PrintStatus
  reason: string | null
  attempts: number
  taken_station_id: string | null
  leased_until: Timestamp | null
  created_at: Timestamp
  created_by: string
  ended_at: Timestamp | null
}

export function printJobView(row: PrintJobRow): PrintJob {
  return {
    id: row.id,
    print_id: row.print_id,
    warehouse_code: row.warehouse_code,
    station_id: row.station_id,
    format: row.format,
    kind: row.kind,
    object_id: row.object_id,
    title: row.title,
    copies: row.copies,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    taken_station_id: row.taken_station_id,
    lease_expires_at: row.leased_until,
    created_at: row.created_at,
    created_by: row.created_by,
    ended_at: row.ended_at,
  }
}
