import type { FastifyInstance } from 'fastify'
import { type DescribedPaths, operationsIn } from '../openapi/described.ts'
import { serveFixedAnswers } from '../server/fixed-answers.ts'

/**
 * The collection of all calls for Postman, made from the OpenAPI document. Run from top to bottom it passes on a sandbox that its first call
 * makes: scripts keep what later calls name in their paths and bodies.
 */

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> }
}

interface Media {
  readonly example?: object
  readonly examples?: Readonly<Record<string, { readonly value: object }>>
}

interface DescribedApi {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: DescribedPaths<Operation>
}

/** What an answer fills for later calls: the variable, and where it stands in the answer. */
const filled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createSandboxKey: { key: 'key' },
  getMe: { cabinet_id: 'cabinets[0].id' },
  listStock: { barcode: 'items[0].barcode' },
  listOrders: { order_id: 'items[0].id' },
  listReceipts: { receipt_id: 'items[0].id' },
  listShipments: { shipment_id: 'items[0].id' },
  listReturns: { return_id: 'items[0].id' },
  listActs: { act_id: 'items[0].id' },
  createSandboxReceiver: { receiver_id: 'id', receiver_url: 'url' },
  createWebhook: { webhook_id: 'webhook.id' },
  listDeliveries: { delivery_id: 'items[0].id' },
}

/** What a request must name instead of what its example names. */
const replaced: Readonly<Record<string, object>> = {
  createReceipt: { cabinet_id: '{{cabinet_id}}' },
  // A day of the warehouse takes seconds.
  advanceSandbox: { hours: 1 },
  createWebhook: { url: '{{receiver_url}}' },
}

/** The call that needs no key, and those that end what others use. */
const firstCall = 'createSandboxKey'
const lastCalls = ['deleteWebhook']
/** Its calls use what those of the others make. */
const lastFolder = 'Вебхуки'

/** Serves the collection at /docs/postman.json; made at the first request. */
export async function addPostmanCollection(
  app: FastifyInstance,
  baseUrl: string,
  document: () => Promise<string>,
): Promise<void> {
  await app.register(async (part) => {
    serveFixedAnswers(part)
    let made: string | undefined
    part.get('/docs/postman.json', { schema: { hide: true } }, async (_request, reply) => {
      made ??= JSON.stringify(collectionOf(JSON.parse(await document()), baseUrl))
      return reply.type('application/json; charset=utf-8').send(made)
    })
  })
}

function collectionOf({ info, tags, paths }: DescribedApi, baseUrl: string): object {
  const calls = operationsIn(paths)
  const isFirst = ({ operation }: (typeof calls)[number]) => operation.operationId === firstCall
  const first = calls.filter(isFirst).map((call) => ({ ...itemOf(call), auth: { type: 'noauth' } }))
  const isLate = ({ operation }: (typeof calls)[number]) =>
    Number(lastCalls.includes(operation.operationId))
  const folders = tags
    .toSorted((a, b) => Number(a.name === lastFolder) - Number(b.name === lastFolder))
    .map(({ name, description }) => ({
      name,
      description,
      item: calls
        .filter((call) => call.operation.tags[0] === name && !isFirst(call))
        .toSorted((a, b) => isLate(a) - isLate(b))
        .map(itemOf),
    }))
  const names = Object.values(filled).flatMap((variables) => Object.keys(variables))
  return {
    info: {
      name: info.title,
      version: info.version,
      description: howToUse(baseUrl),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [{ key: 'baseUrl', value: baseUrl }, ...names.map((key) => ({ key, value: '' }))],
    event: [script('prerequest', pauseAtLimit), script('test', expectSuccess)],
    item: [...first, ...folders],
  }
}

function howToUse(baseUrl: string): string {
  return [
    'Первый вызов получает тестовый ключ и запоминает его в переменной `key`. Дальше вызывайте что угодно:',
    'номера для путей берутся из ответов списков. Чтобы выполнить всё подряд, запустите коллекцию целиком.',
    'Со своим ключом запишите его в `key` сами и первый вызов не делайте.',
    `Описание вызовов: ${baseUrl}/docs`,
  ].join(' ')
}

interface Call {
  readonly operation: Operation
  readonly method: string
  readonly path: string
}

function itemOf({ operation, method, path }: Call) {
  const { operationId, summary, description = '', parameters = [] } = operation
  const body = bodyOf(operation)
  const variables = filled[operationId]
  return {
    name: summary,
    ...(variables === undefined ? {} : { event: [script('test', keepFrom(variables))] }),
    request: {
      method: method.toUpperCase(),
      description,
      url: urlOf(path, parameters),
      ...(body === undefined ? {} : body),
    },
  }
}

function urlOf(path: string, parameters: readonly Parameter[]) {
  const parts = path.slice(1).split('/')
  const segments = parts.map((part) => part.replace(/^\{(.+)\}$/, ':$1'))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const described = ({ name, description = '', example = '' }: Parameter) => ({
    key: name,
    value: String(example),
    description,
  })
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query: query.map((parameter) =>
      // The only one that a call demands is a moment: Postman fills in the present one.
      parameter.required
        ? { ...described(parameter), value: '{{$isoTimestamp}}' }
        : { ...described(parameter), disabled: true },
    ),
    variable: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => ({ ...described(parameter), value: pathValue(parameter, parts) })),
  }
}

/** The variable that an earlier answer filled: an id belongs to the objects before it, `/orders/{id}`. */
function pathValue({ name, example = '' }: Parameter, parts: readonly string[]): string {
  const objects = parts[parts.indexOf(`{${name}}`) - 1] ?? ''
  const variable = name === 'id' ? `${objects.replace(/s$/, '')}_id` : name
  const isFilled = Object.values(filled).some((variables) => variable in variables)
  return isFilled ? `{{${variable}}}` : String(example)
}

function bodyOf({ operationId, requestBody }: Operation) {
  const media = requestBody?.content?.['application/json']
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
  if (example === undefined) return undefined
  const raw = JSON.stringify({ ...example, ...replaced[operationId] }, null, 2)
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }
}

function script(listen: 'prerequest' | 'test', lines: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec: lines } }
}

/** Before the last request of the burst is spent: a second brings the next one. */
const pauseAtLimit = [
  "if (pm.collectionVariables.get('remaining') === '0') setTimeout(function () {}, 1100)",
]

const expectSuccess = [
  "pm.collectionVariables.set('remaining', pm.response.headers.get('X-RateLimit-Remaining'))",
  "pm.test('Ответ 2xx', function () { pm.expect(pm.response.code).to.be.within(200, 299) })",
]

function keepFrom(variables: Readonly<Record<string, string>>): string[] {
  return [
    'if (pm.response.code < 300) {',
    '  const answer = pm.response.json()',
    ...Object.entries(variables).map(
      ([name, place]) => `  pm.collectionVariables.set('${name}', answer.${place})`,
    ),
    '}',
  ]
}
