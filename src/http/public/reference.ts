import type { FastifyInstance } from 'fastify'
import { publicErrors } from '../../platform/kernel/errors.ts'
import { type Addresses, addReference } from '../openapi/reference.ts'
import { errorSchema } from '../server/envelope.ts'
import { eventOperations, typeEvents } from './event-operations.ts'
import { addSellerExamples } from './examples.ts'
import { guide } from './guide/guide.ts'
import { addMachinePages } from './machine-pages.ts'
import { addPostmanCollection } from './postman.ts'
import { addPictures, addSamples } from './reference-files.ts'

/** The specification's number of the interface's version. */
export const interfaceVersion = '1.1'

const title = 'Sklad: интерфейс фулфилмента'

export const sellersTags = [
  { name: 'Ключ', description: 'Кому принадлежит ключ.' },
  { name: 'Остатки', description: 'Что лежит на складе и что показывают кабинеты.' },
  { name: 'Заказы', description: 'Заказы покупателей по схеме FBS.' },
  { name: 'Приёмки', description: 'Поставки на склад: заявка и приёмка.' },
  { name: 'Отгрузки', description: 'Передача собранных заказов маркетплейсу.' },
  { name: 'Возвраты', description: 'Что вернулось на склад после отгрузки.' },
  { name: 'Показатели', description: 'Сводные цифры за период.' },
  {
    name: 'Деньги',
    description: 'Что склад начислил и за что, и акты. Сверх спецификации 1.1.',
  },
  {
    name: 'Вебхуки',
    description:
      'События вместо опроса: подписки, журнал доставок и сами запросы с событиями. Как их ' +
      'принимать, рассказано во введении, в разделе «Приём событий».',
  },
  {
    name: 'События',
    description: 'Лента событий для тех, кто не может принимать вебхуки. Сверх спецификации 1.1.',
  },
  { name: 'Песочница', description: 'Тестовые ключи и данные.' },
] as const

/** Adds the OpenAPI document at /openapi.json, the reference at /docs, and the samples, pictures and the collection for Postman below it. Resolves with what makes the document. */
export async function addPublicReference(
  app: FastifyInstance,
  addresses: Addresses,
): Promise<() => Promise<string>> {
  await addSamples(app)
  await addPictures(app)
  const document = await addReference(app, {
    addresses,
    prefix: '',
    title,
    version: interfaceVersion,
    description: guide(addresses.baseUrl, addresses.supportContact),
    license: 'Для клиентов склада',
    servers: 'Рабочие и тестовые данные: их выбирает ключ.',
    tags: [...sellersTags],
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
    error: errorSchema(publicErrors),
    finish(document) {
      typeEvents(document)
      addSellerExamples(document)
    },
  })
  await addMachinePages(app, addresses.baseUrl, document)
  await addPostmanCollection(app, addresses.baseUrl, document)
  return document
}
