import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/db/connection.ts'
import { serviceVersion } from '../../platform/process/version.ts'

/**
 * How the HTTP server ends without a failed request behind a balancer.
 *
 *   serves --run--> drains: /readyz 503, all is served, 8 s where somebody asks /readyz
 *          -------> lets go: besides, each answer closes its connection, 1 s
 *          --close--> closes: no new connection; running requests are finished, 12 s at most;
 *                     a request that is not whole after 3 s is cut
 *
 * The server stops listening when no connection waits to be accepted or read. The system resets those that wait, and
 * a proxy must not send their request again.
 */
export interface Drain {
  /** Whether the process is about to stop. */
  readonly isStopping: boolean
  /** Somebody asked whether the process is ready. */
  noteProbe(): void
  /** Lets balancers and callers go elsewhere. */
  run(): Promise<void>
  /** To be called after everything else that a close waits for was added. */
  closeConnectionsLast(): void
}

/** haproxy asks every two seconds by default, and believes the third bad answer. Where nobody asks, nobody waits for that. */
const watchedMs = 8_000
const probeAgeMsMax = 60_000
const letGoMs = 1_000
const halfSentMsMax = 3_000
const runningMsMax = 12_000
const quietMsMax = 2_000
/** It waits for a very short turn first. On a busy machine a longer one will do. */
const quietTurnsMs = [
  { from: 0, turnMsMax: 0.05 },
  { from: 200, turnMsMax: 0.3 },
  { from: 700, turnMsMax: 5 },
]
const sweepEveryMs = 20

export function addDrain(app: FastifyInstance): Drain {
  const connections = followConnections(app)
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
    closeConnectionsLast: () => closeConnectionsOnClose(app, connections),
  }
}

/**
 * Keep-alive connections delay a close until they time out, even those that become idle after it began. So idle ones are
 * closed every 20 ms until none is left, and others when their time is over.
 */
function closeConnectionsOnClose(app: FastifyInstance, connections: Connections): void {
  const { server } = app
  const timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    atQuietMoment(app, connections, () => {
      timers.push(
        setInterval(() => server.closeIdleConnections(), sweepEveryMs),
        setTimeout(() => cutHalfSent(app, connections), halfSentMsMax),
        setTimeout(() => cutRunning(app, connections), runningMsMax),
      )
      server.close(() => done())
    })
  })
  app.addHook('onClose', (_app, done) => {
    for (const timer of timers) clearTimeout(timer)
    done()
  })
}

interface Connections {
  /** The latest request of each; a new one has sent none. One that is answered early may still not be whole. */
  readonly latest: Map<Socket, 'none' | IncomingMessage>
  /** Whether one was opened since this was set to false. */
  opened: boolean
}

function followConnections({ server }: FastifyInstance): Connections {
  const connections: Connections = { latest: new Map(), opened: false }
  const { latest } = connections
  server.on('connection', (socket) => {
    connections.opened = true
    latest.set(socket, 'none')
    socket.once('close', () => latest.delete(socket))
  })
  server.on('request', (request: IncomingMessage) => latest.set(request.socket, request))
  return connections
}

/**
 * Calls back when every connection has sent a request and a short turn of the event loop has opened no other. The turn before
 * closes the idle ones, so that a close of the server has nothing else to do.
 */
function atQuietMoment(
  { server }: FastifyInstance,
  connections: Connections,
  callback: () => void,
): void {
  const begin = performance.now()
  let isSwept = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const look = () => {
    const now = performance.now()
    const waited = now - begin
    const turnMsMax = quietTurnsMs.findLast(({ from }) => from <= waited)?.turnMsMax ?? 0
    const isQuiet = !connections.opened && now - lookedAt < turnMsMax
    const allAsked = !connections.latest.values().some((request) => request === 'none')
    if (waited > quietMsMax || (isSwept && isQuiet && allAsked)) return callback()
    if (isQuiet && allAsked) server.closeIdleConnections()
    isSwept ||= isQuiet && allAsked
    connections.opened = false
    lookedAt = now
    setImmediate(look)
  }
  look()
}

function cutHalfSent({ log }: FastifyInstance, { latest }: Connections): void {
  const halfSent = [...latest].filter(([, request]) => request === 'none' || !request.complete)
  for (const [socket] of halfSent) socket.destroy()
  if (halfSent.length > 0) log.info(`requests cut that did not become whole: ${halfSent.length}`)
}

/** Idle connections are gone by now. */
function cutRunning({ log, server }: FastifyInstance, { latest }: Connections): void {
  if (latest.size > 0) log.warn(`answers cut that did not end: ${latest.size}`)
  server.closeAllConnections()
}

/** Whether a request asks after the process, not for anything of the service. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/healthz' || routeOptions.url === '/readyz'
}

/** /healthz: the process runs. /readyz: it can serve, because the database answers and no stop has begun. */
export function addHealth(app: FastifyInstance, db: Database, drain: Drain): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({
    status: 'ok',
    version: serviceVersion,
  }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    drain.noteProbe()
    if (drain.isStopping) return reply.code(503).send({ status: 'stopping' })
    const ready = await Promise.race([
      db`select 1`.then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false).unref()),
    ])
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', database: ready ? 'ok' : 'unavailable' })
  })
}
