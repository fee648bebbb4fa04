import {
  type Answer,
  bodyAlreadyRead,
  bodyBytesMax,
  readBody,
  receiver,
  type WebhookOptions,
} from './handler.ts'

/** Приёмники вебхуков для Node: его собственный сервер и Fastify. */

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Bytes, where `express.raw()` read them. */
  readonly body?: unknown
  readonly readableDidRead?: boolean
}

interface NodeResponse {
  writeHead(status: number, headers?: Record<string, string>): { end(text?: string): unknown }
}

/** Для `http.createServer` и Express — до `express.json()` или после `express.raw()`: нужны байты тела, какими они пришли. */
export function nodeWebhookHandler(
  options: WebhookOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = receiver(options)
  const answerTo = async (request: NodeRequest): Promise<Answer> => {
    const { method, headers, body: given, readableDidRead } = request
    if (method !== 'POST') return { status: 405 }
    if (given instanceof Uint8Array) return { status: await receive(given, headers) }
    if (readableDidRead === true) return bodyAlreadyRead(options)
    const body = await readBody(request)
    if (body === undefined) return { status: 413, headers: { Connection: 'close' } }
    return { status: await receive(body, headers) }
  }
  return async (request, response) => {
    try {
      const { status, headers, text } = await answerTo(request)
      response.writeHead(status, headers).end(text)
    } catch (error) {
      // The body was cut off: nobody waits for the answer any more.
      options.onError?.(error)
      response.writeHead(400).end()
    }
  }
}

interface FastifyReply {
  code(status: number): { send(): unknown }
}

interface FastifyRequest {
  readonly body: unknown
  readonly headers: NodeRequest['headers']
}

type BodyParser = (
  request: unknown,
  body: Uint8Array,
  done: (error: null, body: Uint8Array) => void,
) => void

/** What the plugin needs of Fastify; its own types are not needed to use this package. */
interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: BodyParser,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): unknown
}

/** Плагин для Fastify: `await app.register(fastifyWebhooks({ path: '/sklad', secret, store, handle }))`. */
export function fastifyWebhooks({
  path,
  ...options
}: WebhookOptions & { readonly path: string }): (app: FastifyLike) => Promise<void> {
  const receive = receiver(options)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
    return reply.code(await receive(body, request.headers)).send()
  }
  return async (app) => {
    // In the plugin's own context: the rest of the application parses its bodies as before.
    app.removeAllContentTypeParsers()
    const keep: BodyParser = (_, body, done) => done(null, body)
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, keep)
    app.post(path, answer)
  }
}
