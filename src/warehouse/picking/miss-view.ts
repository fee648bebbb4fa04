import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import {
  type MissOutcome,
  type MissStatus,
  missDecisions,
  missEndings,
  missOutcomeLabels,
  missStatus,
  missStatuses,
  missStatusLabels,
} from './miss-state.ts'

/** A place of goods as people know it: a box, or a location for loose units. */
const MissPlace = Type.Object({
  location_id: Type.Optional(Type.String({ description: 'Место; если неизвестно, поля нет.' })),
  location_code: Type.Optional(Type.String({ description: 'Код места на этикетке.' })),
  box_id: Type.Optional(Type.String({ description: 'Короб; у единиц вне коробов поля нет.' })),
  sscc: Type.Optional(Type.String({ description: 'Его номер на этикетке.' })),
})
type MissPlace = Static<typeof MissPlace>

const placeOrNull = (description: string) =>
  Type.Unsafe<MissPlace | null>({ ...MissPlace, type: ['object', 'null'], description })

export const missPlace = placeOrNull('Где искали; null, если терминал места не назвал.')

export const missStatusRule =
  'OPEN: ждёт решения менеджера. DECIDED: решено. CLOSED: решать больше нечего. Товар нашёлся, о нём сообщили ещё раз, ' +
  'или заказ отменён либо ушёл из отгрузки.'

const outcomeRule =
  'Чем кончилось. Решения: look_elsewhere — взять в другом месте, correct_stock — остаток исправлен, ' +
  'remove_order — заказ убран из отгрузки, tell_seller — убран, и продавец видит единицы под вопросом. Без решения: ' +
  'found — товар нашёлся, order_left — заказ ушёл из отгрузки, reported_again — сообщили ещё раз. null — ещё ничем.'

/** What pickers see of a miss, too. */
export const missFields = {
  id: Type.String({ description: 'Идентификатор.' }),
  order_id: Type.String({ description: 'Заказ.' }),
  order_external_id: Type.String({ description: 'Номер заказа в кабинете.' }),
  barcode: Type.String({ description: 'Чего не нашли.' }),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц.' }),
  reason: Type.String({ description: 'Причина, код.' }),
  reason_label: Type.String({ description: 'Причина по-русски.' }),
  at: moment('Когда сообщили.'),
  place: missPlace,
  status: oneOfValues(missStatuses, missStatusRule),
  status_label: Type.String({ description: 'Состояние по-русски.' }),
  outcome: Type.Union([oneOfValues([...missDecisions, ...missEndings], outcomeRule), Type.Null()]),
  outcome_label: textOrNull('Чем кончилось, по-русски; null — ещё ничем.'),
  look_at: placeOrNull('Где менеджер велел взять товар; null, если места нет.'),
  comment: textOrNull('Комментарий к решению.'),
}

const shown = {
  ...missFields,
  client_id: Type.String({ description: 'Клиент.' }),
  client_name: Type.String({ description: 'Название клиента.' }),
  deadline: momentOrNull('До какого времени заказ нужно передать; null, если срока нет.'),
  picking_task_id: textOrNull('Задание на сборку; null, если отгрузку отменили.'),
  shipment_id: textOrNull('Отгрузка, которую собирали; null, если её отменили.'),
  shipment_external_id: textOrNull('Её номер в кабинете.'),
  name: Type.String({ description: 'Название товара.' }),
  reported_by: textOrNull('Логин того, кто не нашёл.'),
  ended_at: momentOrNull('Когда решено или закрыто.'),
  ended_by: textOrNull('Логин того, кто решил или нашёл; null, если не человек.'),
}

export const Miss = Type.Object(shown, {
  $id: 'Miss',
  description: 'Товар заказа, который не нашли при сборке.',
})
export type ShownMiss = Static<typeof Miss>

export const MissWithPlaces = Type.Object(
  {
    ...shown,
    missing: count('Скольких единиц заказу ещё не хватает.'),
    free: Type.Integer({ description: 'Сколько единиц товара свободно, без отложенных заказам.' }),
    places: Type.Array(
      Type.Object({ ...MissPlace.properties, qty: count('Сколько там единиц.') }),
      {
        description: 'Где ещё лежит товар по учёту, по порядку обхода; не больше 20 мест.',
      },
    ),
  },
  { $id: 'MissWithPlaces', description: 'Ненайденный товар и где он ещё лежит.' },
)
export type MissWithPlaces = Static<typeof MissWithPlaces>

/** The columns of `missFields` and whether the order is cancelled. */
export interface MissFactsRow {
  id: string
  order_id: string
  order_external_id: string
  barcode: string
  qty: number
  reason: string
  reason_label: string
  at: Timestamp
  place: MissPlace | null
  outcome: MissOutcome | null
  look_at: MissPlace | null
  comment: string | null
  cancelled: boolean
}

/** Completes the columns of `missFields`. */
export function missFactsView<Row extends MissFactsRow>({ cancelled, ...row }: Row) {
  const { outcome } = row
  const status: MissStatus = missStatus(outcome, cancelled)
  return {
    ...row,
    status,
    status_label: missStatusLabels[status],
    outcome_label: outcome === null ? null : missOutcomeLabels[outcome],
  }
}
