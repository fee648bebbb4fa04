/** The events as an AsyncAPI 3 document, made from the OpenAPI document: webhooks and the feed. */

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string }
  readonly webhooks: Readonly<Record<string, { readonly post: EventOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

interface EventOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly description: string
    readonly schema: object
    readonly example?: string
  }[]
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: object; readonly example?: object }
    }
  }
}

export function asyncApiOf(document: OpenApi, baseUrl: string): object {
  const { info, webhooks, components } = document
  const events = Object.entries(webhooks)
  const messages = Object.fromEntries(events.map(([type, { post }]) => messageOf(type, post)))
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]))
  const all = events.map(([, { post }]) => post.operationId)
  const kept = events.flatMap(([type, { post }]) =>
    type === 'webhook.ping' ? [] : post.operationId,
  )
  const sends = (channel: string, names: readonly string[]) => ({
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  })
  const { host, protocol, pathname } = new URL(baseUrl)
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${info.title}: события`,
      version: info.version,
      description: `События вебхуков и ленты. Сверх спецификации 1.1. Подробно: ${baseUrl}/docs/`,
    },
    defaultContentType: 'application/json',
    servers: { sklad: { host, protocol: protocol.slice(0, -1), pathname } },
    channels: {
      webhook: {
        address: null,
        title: 'Вебхук',
        description: 'Адрес вашей подписки: POST /v1/webhooks.',
        messages: named(all),
        bindings: { http: {} },
      },
      feed: {
        address: '/v1/events',
        title: 'Лента событий',
        description: 'Те же события в поле items ответа GET /v1/events, старые первыми.',
        messages: named(kept),
        servers: [{ $ref: '#/servers/sklad' }],
      },
    },
    operations: {
      deliverEvents: {
        ...sends('webhook', all),
        summary: 'Сервис отправляет каждое событие отдельным запросом.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      showEvents: {
        ...sends('feed', kept),
        summary: 'Сервис отвечает событиями на запрос ленты.',
        security: [{ $ref: '#/components/securitySchemes/bearer' }],
        bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages,
      schemas: schemasOf(messages, components.schemas),
      securitySchemes: { bearer: components.securitySchemes.bearer },
    },
  }
}

function messageOf(type: string, { operationId, ...post }: EventOperation): [string, object] {
  const { schema, example } = post.requestBody.content['application/json']
  const headers = {
    type: 'object',
    required: post.parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      post.parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
  }
  const shown = Object.fromEntries(
    post.parameters.flatMap(({ name, example }) =>
      example === undefined ? [] : [[name, example]],
    ),
  )
  const examples = example === undefined ? [] : [{ headers: shown, payload: example }]
  return [
    operationId,
    {
      name: type,
      title: post.summary,
      summary: post.description,
      headers,
      payload: schema,
      examples,
    },
  ]
}

/** The schemas that a value names, and all that these name. */
function schemasOf(value: object, all: OpenApi['components']['schemas']): Record<string, object> {
  const found: Record<string, object> = {}
  const open = (part: object) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name]
      if (schema === undefined || Object.hasOwn(found, name)) continue
      found[name] = schema
      open(schema)
    }
  }
  open(value)
  return found
}
