import type { Delivery } from '../../exchange/webhooks/view.ts'
import { orderStatuses } from '../../warehouse/orders/state.ts'
import { receiptStatuses } from '../../warehouse/receipts/state.ts'
import { shipmentStatuses } from '../../warehouse/shipments/state.ts'
import { examples, signedExample } from './examples.ts'

/**
 * The section `webhooks` of the OpenAPI document: the request that a receiver gets, by type of
 * event.
 */

type EventType = Delivery['event_type']

interface EventDescription {
  readonly summary: string
  readonly description: string
  readonly data: object
}

const receipt = { $ref: '#/components/schemas/Receipt' }

const descriptions: Readonly<Record<EventType, EventDescription>> = {
  'receipt.created': {
    summary: 'Приёмка создана',
    description: 'Появилась приёмка: вашей заявкой через `POST /v1/receipts` или на складе.',
    data: receipt,
  },
  'receipt.confirmed': {
    summary: 'Заявка подтверждена',
    description: 'Менеджер подтвердил заявку: `PENDING_CONFIRMATION` → `EXPECTED`.',
    data: receipt,
  },
  'receipt.status_changed': {
    summary: 'Приёмка изменила состояние',
    description: 'Любая смена состояния, кроме подтверждения и завершения.',
    data: changed('Receipt', receiptStatuses),
  },
  'receipt.completed': {
    summary: 'Приёмка завершена',
    description: 'Товар посчитан: `RECEIVED` или `RECEIVED_WITH_DISCREPANCY`.',
    data: receipt,
  },
  'shipment.status_changed': {
    summary: 'Отгрузка изменила состояние',
    description: 'Отгрузка передана маркетплейсу (`HANDED_OVER`) или принята им (`ACCEPTED`).',
    data: changed('Shipment', shipmentStatuses),
  },
  'order.status_changed': {
    summary: 'Заказ изменил состояние',
    description: 'Сменился `status` заказа; пара `marketplace_status` событий не вызывает.',
    data: changed('Order', orderStatuses),
  },
  'webhook.ping': {
    summary: 'Проверка адреса',
    description: 'Приходит при создании подписки и по просьбе. В `events` её не указывают.',
    data: {
      type: 'object',
      required: ['webhook_id', 'message'],
      properties: {
        webhook_id: { type: 'string', description: 'Подписка.' },
        message: { type: 'string', description: 'Текст для человека.' },
      },
    },
  },
}

function changed(name: string, statuses: readonly string[]): object {
  return {
    type: 'object',
    required: ['object', 'previous_status'],
    properties: {
      object: { $ref: `#/components/schemas/${name}` },
      previous_status: { type: 'string', enum: statuses, description: 'Состояние до события.' },
    },
  }
}

/** The operations by type of event, for `webhooks` of the OpenAPI document. */
export function eventOperations() {
  const operations = Object.entries(descriptions).map(([type, each]) => [
    type,
    { post: eventOperation(type, each) },
  ])
  return Object.fromEntries(operations) as Record<
    string,
    { post: ReturnType<typeof eventOperation> }
  >
}

interface OpenDocument {
  readonly components?: { readonly schemas?: Record<string, object> }
}

/**
 * Gives `Event` of an OpenAPI document the data of each type, wherever it stands: in the feed, in the
 * delivery log and in the requests that a receiver gets.
 */
export function typeEvents(document: object): void {
  const schemas = (document as OpenDocument).components?.schemas
  if (schemas === undefined) return
  const types = Object.entries(descriptions)
  for (const [type, { data }] of types) schemas[schemaNameOf(type)] = eventSchema(type, data)
  const references = types.map(([type]) => [type, reference(type)] as const)
  schemas.Event = {
    description: 'Событие, как оно отправлено. Что в data, зависит от type.',
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
  }
}

/** `receipt.status_changed` is described by `ReceiptStatusChangedEvent`. */
const schemaNameOf = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

const reference = (type: string) => `#/components/schemas/${schemaNameOf(type)}`

function eventOperation(type: string, { summary, description }: EventDescription) {
  // The first run with a new type starts the service without an example of it.
  const signed = examples[type] === undefined ? undefined : signedExample(type)
  return {
    operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Вебхуки'],
    summary,
    description,
    security: [],
    parameters: [
      header('X-SVC-Event', 'Тип события, то же, что `type` в теле.', type),
      header(
        'X-SVC-Delivery',
        'Попытка: `id` доставки, со второй попытки — `id.n`. У каждой попытки своё значение.',
        '01a1fcfd-6c55-7e20-aa8a-92b98034b137.2',
      ),
      header('X-SVC-Timestamp', 'Время попытки: секунды с 1970 года.', signed?.timestamp),
      header(
        'X-SVC-Signature',
        'Подпись: `sha256=` и HMAC-SHA256 от времени, точки и тела, шестнадцатеричными цифрами.',
        signed?.signature,
      ),
      standardHeader('webhook-id', '`id` события.', signed?.eventId),
      standardHeader('webhook-timestamp', 'То же, что `X-SVC-Timestamp`.', signed?.timestamp),
      standardHeader(
        'webhook-signature',
        '`v1,` и HMAC-SHA256 от `id.время.тело` в base64.',
        signed?.standardSignature,
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: reference(type) },
          example: examples[type]?.request,
        },
      },
    },
    responses: {
      '2XX': { description: 'Событие принято. Тело ответа не читается.' },
      default: { description: 'Любой другой ответ — неудача: доставка повторится позже.' },
    },
  }
}

function header(name: string, description: string, example?: string) {
  const schema = { type: 'string' } as const
  const shown = example === undefined ? {} : { example }
  return { in: 'header', name, required: true, description, schema, ...shown }
}

/** Subscriptions whose secrets were made before have none of these. */
function standardHeader(name: string, description: string, example?: string) {
  const text = `${description} Standard Webhooks, сверх спецификации 1.1.`
  return { ...header(name, text, example), required: false }
}

function eventSchema(type: string, data: object): object {
  return {
    type: 'object',
    description: `Событие ${type}.`,
    required: ['id', 'type', 'occurred_at', 'data'],
    properties: {
      id: { type: 'string', description: 'Событие: одно значение на все его повторы.' },
      type: { type: 'string', enum: [type], description: 'Тип события.' },
      occurred_at: { type: 'string', format: 'date-time', description: 'Когда произошло.' },
      data,
    },
  }
}
