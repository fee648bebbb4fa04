import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { Cabinet, Me } from '../../clients/me.ts'
import { Metrics, ReasonCount } from '../../metrics/view.ts'
import { Order } from '../../orders/view.ts'
import { ReceiptDraft } from '../../receipts/draft.ts'
import { Receipt, ReceiptItem } from '../../receipts/view.ts'
import { Shipment } from '../../shipments/view.ts'
import { MarketplaceStock, StockItem } from '../../stock/view.ts'
import { WebhookDraft } from '../../webhooks/subscriptions.ts'
import { Delivery, Event, Webhook } from '../../webhooks/view.ts'
import { ErrorEnvelope } from '../envelope.ts'
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
  ErrorEnvelope,
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
export async function addReference(app: FastifyInstance, baseUrl: string): Promise<void> {
  for (const schema of schemas) app.addSchema(schema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: interfaceVersion,
        description: guide(baseUrl),
        contact: { name: 'Поддержка Sklad', url: `${baseUrl}/docs` },
        license: { name: 'Для клиентов склада', url: `${baseUrl}/docs` },
      },
      servers: [{ url: baseUrl, description: 'Рабочие и тестовые данные: их выбирает ключ.' }],
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
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <ключ>' },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'X-Api-Key: <ключ>',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transformObject(made) {
      const document = 'openapiObject' in made ? made.openapiObject : {}
      addRequestExamples(document)
      return document
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  await app.register(scalar, {
    routePrefix: '/docs',
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('Content-Security-Policy', contentPolicy(baseUrl))
        done()
      },
    },
    configuration: {
      pageTitle: title,
      url: '/openapi.json',
      localization: { locale: 'ru' },
      modelsSectionLabel: 'Структуры данных',
      authentication: { preferredSecurityScheme: 'bearer' },
      documentDownloadType: 'json',
      orderSchemaPropertiesBy: 'preserve',
      orderRequiredPropertiesFirst: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      withDefaultFonts: false,
      customCss: pageStyle,
    },
  })
}

/** The page asks nobody but this service, whatever its script would like: the browser sees to it. */
function contentPolicy(baseUrl: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Without the link to the maker of the page. */
const pageStyle =
  'a[href^="https://www.scalar.com"], a[href^="https://scalar.com"] { display: none }'
