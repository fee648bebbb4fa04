import { bodyBytesMax, readBody, receiver, type WebhookOptions } from './handler.ts'

/** Приёмники вебхуков для Node: его собственный сервер и Fastify. */

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface NodeResponse {
  writeHead(status: number, headers?: Record<string, string>): { end(): unknown }
}

/** Для `http.createServer` и Express — до разбора тела: нужны его байты, какими они пришли. */
export function nodeWebhookHandler(
  options: WebhookOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = receiver(options)
  return async (request, response) => {
    try {
      if (request.method !== 'POST') {
        response.writeHead(405).end()
        return
      }
      const body = await readBody(request)
      if (body === undefined) response.writeHead(413, { Connection: 'close' }).end()
      else response.writeHead(await receive(body, request.headers)).end()
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
