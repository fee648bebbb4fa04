import type { FastifyInstance } from 'fastify'
import { Cabinet, Me } from '../../clients/me.ts'
import { publicErrors } from '../../kernel/errors.ts'
import { Metrics, ReasonCount } from '../../metrics/view.ts'
import { Order } from '../../orders/view.ts'
import { ReceiptDraft } from '../../receipts/draft.ts'
import { Receipt, ReceiptItem } from '../../receipts/view.ts'
import { Shipment } from '../../shipments/view.ts'
import { MarketplaceStock, StockItem } from '../../stock/view.ts'
import { WebhookDraft } from '../../webhooks/subscriptions.ts'
import { Delivery, Event, Webhook } from '../../webhooks/view.ts'
import { errorSchema } from '../envelope.ts'
import { addReference } from '../reference.ts'
import { eventOperations } from './event-operations.ts'
import { addRequestExamples } from './examples.ts'
import { guide } from './guide.ts'
import { OrderPage } from './v1/orders.ts'
import { ReceiptPage } from './v1/receipts.ts'
import { SandboxKey, SandboxMessage } from './v1/sandbox.ts'
import { ShipmentPage } from './v1/shipments.ts'
import { StockItemPage } from './v1/stock.ts'
import { CreatedWebhook, DeliveryPage, QueuedPing, WebhookList } from './v1/webhooks.ts'

/** Version of the interface, as the specification numbers it. */
export const interfaceVersion = '1.1'

const title = 'Sklad: интерфейс фулфилмента'

const schemas = [
  errorSchema(publicErrors),
  Cabinet,
  Me,
  MarketplaceStock,
  StockItem,
  StockItemPage,
  Order,
  OrderPage,
  ReceiptItem,
  Receipt,
  ReceiptPage,
  ReceiptDraft,
  Shipment,
  ShipmentPage,
  ReasonCount,
  Metrics,
  Event,
  Webhook,
  WebhookList,
  WebhookDraft,
  CreatedWebhook,
  QueuedPing,
  Delivery,
  DeliveryPage,
  SandboxKey,
  SandboxMessage,
]

/** The OpenAPI document at /openapi.json, made from the routes, and the reference at /docs. */
export function addPublicReference(app: FastifyInstance, baseUrl: string): Promise<void> {
  return addReference(app, {
    baseUrl,
    prefix: '',
    title,
    version: interfaceVersion,
    description: guide(baseUrl),
    license: 'Для клиентов склада',
    servers: 'Рабочие и тестовые данные: их выбирает ключ.',
    tags: [
      { name: 'Ключ', description: 'Кому принадлежит ключ.' },
      { name: 'Остатки', description: 'Что лежит на складе и что показывают кабинеты.' },
      { name: 'Заказы', description: 'Заказы покупателей по схеме FBS.' },
      { name: 'Приёмки', description: 'Поставки на склад: заявка и приёмка.' },
      { name: 'Отгрузки', description: 'Передача собранных заказов маркетплейсу.' },
      { name: 'Показатели', description: 'Сводные цифры за период.' },
      {
        name: 'Вебхуки',
        description:
          'События вместо опроса: подписки, журнал доставок и сами запросы с событиями. Как их ' +
          'принимать, рассказано во введении, в разделе «Приём событий».',
      },
      { name: 'Песочница', description: 'Тестовые ключи и данные.' },
    ],
    webhooks: eventOperations(),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <ключ>' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
        description: 'X-Api-Key: <ключ>',
      },
    },
    preferredSecurity: 'bearer',
    schemas,
    finish: addRequestExamples,
  })
}
