import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * How the HTTP server ends without a failed request behind a balancer.
 *
 *   serves --run--> drains: /readyz 503, all is served, 8 s where somebody asks /readyz
 *          -------> lets go: besides, each answer closes its connection, 1 s
 *          --close--> closes: no new connection; running requests are finished, 12 s at most;
 *                     a request that is not whole after 3 s is cut
 */
export interface Drain {
  /** Whether the process is about to stop. */
  readonly isStopping: boolean
  /** Somebody asked whether the process is ready. */
  noteProbe(): void
  /** Lets balancers and callers go elsewhere. */
  run(): Promise<void>
}

/** haproxy asks every two seconds by default, and believes the third bad answer. */
const watchedMs = 8_000
const probeAgeMsMax = 60_000
const letGoMs = 1_000
const halfSentMsMax = 3_000
const runningMsMax = 12_000
const sweepEveryMs = 20

export function addDrain(app: FastifyInstance): Drain {
  closeConnectionsOnClose(app)
  let probedAt = Number.NEGATIVE_INFINITY
  let isStopping = false
  let letsGo = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (letsGo) reply.header('Connection', 'close')
    done()
  })
  return {
    get isStopping() {
      return isStopping
    },
    noteProbe() {
      probedAt = performance.now()
    },
    async run() {
      isStopping = true
      if (performance.now() - probedAt < probeAgeMsMax) await sleep(watchedMs)
      letsGo = true
      await sleep(letGoMs)
    },
  }
}

/**
 * Keep-alive connections delay a close until they time out, even those that become idle after it began. So idle ones are
 * closed every 20 ms until none is left, and others when their time is over.
 */
function closeConnectionsOnClose(app: FastifyInstance): void {
  const { server } = app
  const requests = followRequests(app)
  const timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    timers.push(
      setInterval(() => server.closeIdleConnections(), sweepEveryMs),
      setTimeout(cutHalfSent, halfSentMsMax, requests),
      setTimeout(() => server.closeAllConnections(), runningMsMax),
    )
    done()
  })
  app.addHook('onClose', (_app, done) => {
    for (const timer of timers) clearTimeout(timer)
    done()
  })
}

/** Each connection with the request that it serves now. */
type Requests = Map<Socket, IncomingMessage | undefined>

function followRequests({ server }: FastifyInstance): Requests {
  const requests: Requests = new Map()
  server.on('connection', (socket) => {
    requests.set(socket, undefined)
    socket.once('close', () => requests.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    requests.set(socket, request)
    response.once('close', () => {
      if (requests.get(socket) === request) requests.set(socket, undefined)
    })
  })
  return requests
}

function cutHalfSent(requests: Requests): void {
  for (const [socket, request] of requests) if (!request?.complete) socket.destroy()
}
