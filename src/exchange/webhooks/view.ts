import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, named, oneOfValues } from '../../platform/kernel/schema.ts'
import { eventTypes, subscribableTypes } from '../../warehouse/events/catalogue.ts'

export const Webhook = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор подписки.' }),
    url: Type.String({ description: 'Адрес, на который приходят события.' }),
    events: Type.Array(oneOfValues(subscribableTypes, 'Тип события.'), {
      description: 'Типы событий.',
    }),
    description: Type.Optional(Type.String({ description: 'Описание; если не дано, поля нет.' })),
    active: Type.Boolean({
      description: 'false после 8 неудач подряд: создайте подписку заново.',
    }),
    created_at: moment('Когда создана.'),
    disabled_at: momentOrNull('Когда отключена; null, пока работает.'),
    disabled_reason: Type.Optional(Type.String({ description: 'Почему отключена.' })),
    last_delivery_at: momentOrNull('Когда была последняя попытка; null, если не было.'),
    last_status_code: Type.Optional(
      Type.Integer({ description: 'Последний код ответа; 0 — ответа не было.' }),
    ),
    failures_in_row: count('Неудач подряд.'),
  },
  { $id: 'Webhook', description: 'Подписка на события.' },
)
export type Webhook = Static<typeof Webhook>

export const Event = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор события: один на все его повторы.' }),
    type: oneOfValues(eventTypes, 'Тип события.'),
    occurred_at: moment('Когда произошло.'),
    data: Type.Unknown({ description: 'Объект события.' }),
  },
  { $id: 'Event', description: 'Событие, как оно отправлено.' },
)

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор доставки.' }),
    webhook_id: Type.String({ description: 'Подписка.' }),
    event_id: Type.String({ description: 'Событие.' }),
    event_type: oneOfValues(eventTypes, 'Тип события.'),
    status: oneOfValues(deliveryStatuses, 'Состояние доставки.'),
    attempts: count('Сколько было попыток.'),
    last_attempt_at: momentOrNull('Когда была последняя попытка; null, если не было.'),
    last_status_code: Type.Optional(
      Type.Integer({ description: 'Код ответа; 0 — ответа не было.' }),
    ),
    last_error: Type.Optional(Type.String({ description: 'Почему попытка не удалась.' })),
    next_attempt_at: momentOrNull('Когда следующая попытка; null, если её не будет.'),
    created_at: moment('Когда создана.'),
    payload: Type.Optional(named<unknown>(Event)),
  },
  { $id: 'Delivery', description: 'Доставка события по подписке.' },
)
export type Delivery = Static<typeof Delivery>

export interface WebhookRow {
  id: string
  url: string
  events: Webhook['events']
  description: string | null
  created_at: Timestamp
  disabled_at: Timestamp | null
  disabled_reason: string | null
  last_delivery_at: Timestamp | null
  last_status_code: number | null
  failures_in_row: number
}

export function webhookView(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    ...(row.description === null ? {} : { description: row.description }),
    active: row.disabled_at === null,
    created_at: row.created_at,
    disabled_at: row.disabled_at,
    ...(row.disabled_reason === null ? {} : { disabled_reason: row.disabled_reason }),
    last_delivery_at: row.last_delivery_at,
    ...(row.last_status_code === null ? {} : { last_status_code: row.last_status_code }),
    failures_in_row: row.failures_in_row,
  }
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  event_type: Delivery['event_type']
  status: DeliveryStatus
  attempts: number
  last_attempt_at: Timestamp | null
  last_status_code: number | null
  last_error: string | null
  next_attempt_at: Timestamp | null
  created_at: Timestamp
}

/** A delivery; `payload` is the event's body, for the views that show it. */
export function deliveryView(row: DeliveryRow, payload?: string): Delivery {
  const { last_status_code, last_error, ...always } = row
  return {
    ...always,
    ...(last_status_code === null ? {} : { last_status_code }),
    ...(last_error === null ? {} : { last_error }),
    ...(payload === undefined ? {} : { payload: JSON.parse(payload) }),
  }
}
