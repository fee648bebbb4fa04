import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'

/** A receiver of events on this machine. It keeps the bytes of every request; the test sets its answers. */

/** A status; a redirect; no answer; a reset connection; or a body that never ends. */
export type Reply = number | { readonly location: string } | 'hang' | 'reset' | 'endless'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly event: {
    readonly id: string
    readonly type: string
    readonly occurred_at: string
    readonly data: unknown
  }
}

export interface Receiver {
  readonly url: string
  /** All requests so far, unanswered ones included. */
  readonly requests: Received[]
  /** Answers the next requests. */
  reply: (request: Received) => Reply | Promise<Reply>
  /** Resolves when `enough` is true for the requests so far. Rejects after a minute. */
  until(enough: (requests: readonly Received[]) => boolean): Promise<void>
  /** Closes all connections and refuses new ones. */
  close(): Promise<void>
}

const patienceMs = 60_000

export async function openReceiver(reply: Receiver['reply'] = () => 200): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    try {
      const bytes = await buffer(request)
      const event = JSON.parse(bytes.toString()) as Received['event']
      const received = { path: request.url ?? '', headers: request.headers, bytes, event }
      receiver.requests.push(received)
      for (const check of waiting) check()
      answer(response, await receiver.reply(received))
    } catch {
      // The sender has gone away.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    requests: [],
    reply,
    async until(enough) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const check = () => {
        if (enough(receiver.requests)) resolve()
      }
      const late = setTimeout(
        () => reject(new Error(`waited in vain; ${receiver.requests.length} requests came`)),
        patienceMs,
      )
      waiting.add(check)
      check()
      await promise.finally(() => {
        clearTimeout(late)
        waiting.delete(check)
      })
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  after(receiver.close)
  return receiver
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
  } else if (reply === 'endless') {
    const chunk = Buffer.alloc(4096, 'x')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  } else if (typeof reply === 'number') {
    response.writeHead(reply).end(reply === 204 ? undefined : 'SECRET OF THE TARGET')
  } else {
    response.writeHead(302, { Location: reply.location }).end()
  }
}
