import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { readBody } from '../../sdk/typescript/src/handler.ts'

/** A server in front of the service whose next answers fail as a test says; afterwards all requests go through. */
export interface FaultyFront {
  readonly baseUrl: string
  /** What came since the last `script`, such as `POST /v1/receipts`. */
  readonly sent: string[]
  /** The bodies of the same requests. */
  readonly bodies: string[]
  /**
   * The faults of the next requests, in their order. `refuse`: the connection is cut before the request goes on. `lose`: the
   * service does it, but its answer does not arrive. `cut`: half of the answer arrives. `hang`: no answer. `502`: a proxy's page.
   * `page`: a page instead of the answer. `429:9`: rate_limited with Retry-After 9. `unfiltered`: the filter by reference is not
   * known. `pass`: none. Any other text: the service answers
   * this code (X-Sandbox-Error).
   */
  script(faults: readonly string[], afterLoss?: (body: string) => Promise<void>): void
}

export async function openFaultyFront(target: string): Promise<FaultyFront> {
  const faults: string[] = []
  const sent: string[] = []
  const bodies: string[] = []
  let afterLoss = async (_body: string): Promise<void> => {}
  const server = createServer(async (request, response) => {
    sent.push(`${request.method} ${request.url}`)
    const fault = faults.shift() ?? 'pass'
    const body = Buffer.from((await readBody(request)) ?? [])
    bodies.push(body.toString())
    await serve({ target, fault, body, request, response, afterLoss: (lost) => afterLoss(lost) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    bodies,
    script(given, after = async () => {}) {
      faults.splice(0, faults.length, ...given)
      sent.length = 0
      bodies.length = 0
      afterLoss = after
    },
  }
}

interface Exchange {
  readonly target: string
  readonly fault: string
  readonly body: Buffer
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly afterLoss: (body: string) => Promise<void>
}

async function serve({
  target,
  fault,
  body,
  request,
  response,
  afterLoss,
}: Exchange): Promise<void> {
  const [, retryAfter] = /^429:(\d+)$/.exec(fault) ?? []
  if (fault === 'hang') return
  if (fault === 'refuse') return void request.socket.destroy()
  if (fault === '502') return void response.writeHead(502).end('<h1>Bad gateway</h1>')
  if (fault === 'page') return void response.writeHead(200).end('<h1>Welcome</h1>')
  if (retryAfter !== undefined) {
    const error = { code: 'rate_limited', message: 'Слишком часто', request_id: 'r' }
    response.writeHead(429, { 'Retry-After': retryAfter }).end(JSON.stringify({ error }))
    return
  }
  const answer = await answerOf(target, request, body, fault)
  const content = Buffer.from(await answer.arrayBuffer())
  if (fault === 'lose') {
    await afterLoss(content.toString())
    return void request.socket.destroy()
  }
  for (const name of ['content-type', 'etag', 'date', 'retry-after', 'x-request-id']) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  if (content.length > 0) response.setHeader('Content-Length', content.length)
  response.writeHead(answer.status)
  if (fault !== 'cut') return void response.end(content)
  response.write(content.subarray(0, content.length / 2), () => request.socket.destroy())
}

const withoutCode = ['pass', 'lose', 'cut', 'unfiltered']

function answerOf(
  target: string,
  request: IncomingMessage,
  body: Buffer,
  fault: string,
): Promise<Response> {
  const { method = 'GET', headers } = request
  const url = new URL(`${target}${request.url}`)
  if (fault === 'unfiltered') url.searchParams.delete('external_ref')
  const passed = ['authorization', 'content-type', 'if-none-match', 'idempotency-key'].flatMap(
    (name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, String(value)] as const]
    },
  )
  return fetch(url, {
    method,
    headers: {
      ...Object.fromEntries(passed),
      'Accept-Encoding': 'identity',
      ...(withoutCode.includes(fault) ? {} : { 'X-Sandbox-Error': fault }),
    },
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
}
