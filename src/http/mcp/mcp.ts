import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify'
import { badRequest, excerpt, ServiceError } from '../../platform/kernel/errors.ts'
import { toolAnswer, unknownTool } from './answer.ts'
import { type DescribedApi, type Tool, toolsOf } from './tools.ts'

/**
 * The MCP server at /mcp, over Streamable HTTP and without sessions: models call the API with the seller's key. Each request of a client is
 * one request of the API, with its admission, bucket, journal and words: a tool is its own call, anything else is GET /v1/me. The
 * library is loaded by the first request.
 */

export interface McpDependencies {
  readonly baseUrl: string
  readonly version: string
  /** The OpenAPI document of the API, as JSON. */
  readonly document: () => Promise<string>
}

const instructions =
  'Склад продавца на маркетплейсах: остатки, заказы, приёмки, отгрузки, возвраты, показатели и события. ' +
  'Время московское. create_receipt подаёт заявку на приёмку; передавайте external_ref, чтобы повтор не создал вторую.'

export function addMcp(app: FastifyInstance, dependencies: McpDependencies): void {
  let tools: Promise<readonly Tool[]> | undefined
  const schema = { hide: true }
  app.post('/mcp', { schema }, async (request, reply) => {
    refuseOtherPages(request, dependencies.baseUrl)
    tools ??= dependencies.document().then((text) => toolsOf(JSON.parse(text) as DescribedApi))
    return answer(app, request, reply, await tools, dependencies)
  })
  // There is no session to listen to or to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    schema,
    handler: (_request, reply) => reply.code(405).header('Allow', 'POST').send(),
  })
}

/** A page of another site must not reach a service on the reader's machine, whatever name it gives to the address. */
function refuseOtherPages({ headers: { origin } }: FastifyRequest, baseUrl: string): void {
  if (origin === undefined || origin === new URL(baseUrl).origin) return
  throw new ServiceError('forbidden', `Запрос пришёл со страницы чужого сайта: ${excerpt(origin)}`)
}

async function answer(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  tools: readonly Tool[],
  { version }: McpDependencies,
): Promise<FastifyReply> {
  const message = messageIn(request)
  const api = apiOf(app, request)
  if (!callsTool(message, tools)) {
    const me = await api.call({ method: 'GET', url: '/v1/me' })
    if (me.statusCode >= 400) return forward(reply, me)
  }
  const { createMcpHandler, Server } = await import('@modelcontextprotocol/server')
  const serve = () => {
    const server = new Server(
      { name: 'sklad', version },
      { capabilities: { tools: {} }, instructions },
    )
    server.setRequestHandler('tools/list', () => ({
      tools: tools.map(({ requestOf: _, ...tool }) => tool),
    }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined) return unknownTool(name, tools)
      return toolAnswer(await api.call(tool.requestOf(given)))
    })
    return server
  }
  const handler = createMcpHandler(serve, { maxSubscriptions: 0 })
  const response = await handler.fetch(webRequest(request), { parsedBody: message })
  const text = await response.text()
  const refused = api.refusal()
  if (refused !== undefined) return forward(reply, refused)
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(text)
}

/** The API as the caller of a request reaches it. */
function apiOf(app: FastifyInstance, { headers, ip }: FastifyRequest) {
  const { authorization, 'x-api-key': apiKey } = headers
  const credentials = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(apiKey === undefined ? {} : { 'x-api-key': String(apiKey) }),
  }
  let refused: LightMyRequestResponse | undefined
  return {
    async call(options: InjectOptions): Promise<LightMyRequestResponse> {
      const called = await app.inject({
        ...options,
        headers: { ...options.headers, ...credentials, host: headers.host ?? 'localhost' },
        remoteAddress: ip,
      })
      if (called.statusCode === 401) refused = called
      return called
    },
    /** The answer to the whole request, where the key was refused. */
    refusal: () => refused,
  }
}

type Message = Readonly<Record<string, unknown>>

function messageIn({ body }: FastifyRequest): Message {
  const parsed = parsedJson(body)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Message
  }
  throw badRequest('Нужно одно сообщение JSON-RPC 2.0: объект JSON в теле запроса')
}

function parsedJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

function callsTool({ method, params }: Message, tools: readonly Tool[]): boolean {
  const { name } = (params ?? {}) as { readonly name?: unknown }
  return method === 'tools/call' && tools.some((tool) => tool.name === name)
}

function webRequest({ raw, bodyType = 'application/json' }: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  headers.set('content-type', bodyType)
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

/** An answer of the API as it is, with what it says about the key and its bucket. */
function forward(
  reply: FastifyReply,
  { statusCode, headers, body }: LightMyRequestResponse,
): FastifyReply {
  for (const [name, value] of Object.entries(headers)) {
    if (/^(?:retry-after|x-ratelimit-|ratelimit|content-type)/.test(name)) reply.header(name, value)
  }
  if (statusCode === 401) reply.header('WWW-Authenticate', 'Bearer')
  return reply.code(statusCode).send(body)
}
