import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type {
  FakeAccount,
  FakeCall,
  FakeControls,
  FakeFailure,
  FakeOptions,
  FakeResponse,
  FakeScript,
} from './fake.ts'
import { type Meter, meterOf } from './fake-limits.ts'
import { fakePicture } from './fake-picture.ts'

/** The server of a fake marketplace, with its log of calls and its faults. */

interface Hold {
  readonly path: string
  readonly reached: (call: FakeCall) => void
  readonly released: Promise<void>
}

/** Faults that tests plan; `clear` removes all but the holds. */
interface Faults {
  failures: { readonly how: FakeFailure; readonly path: string; left: number; after: number }[]
  holds: Hold[]
  meter: Meter | undefined
  latencyMs: number
  longestPage: number
  /** By account. */
  waits: Map<string, () => Promise<unknown>>
  limited: Map<string, number>
}

const none = () => ({
  failures: [],
  waits: new Map(),
  limited: new Map(),
  meter: undefined,
  latencyMs: 0,
  longestPage: Number.POSITIVE_INFINITY,
})

export async function openFake(
  script: FakeScript,
  { port = 0, now = Date.now }: FakeOptions,
): Promise<FakeControls & { readonly pageSize: (requested: number) => number }> {
  const log = openLog()
  const faults: Faults = { ...none(), holds: [] }
  const server = createServer(async (request, response) => {
    try {
      const call = await readCall(request, script, now)
      log.add(call)
      if (faults.latencyMs > 0) await delay(faults.latencyMs)
      const waits = faults.waits.get(call.account ?? '')
      if (waits !== undefined) await waits()
      const released = reachHold(faults, call)
      // Without a pause, whoever waited for the call finds its outcome settled.
      if (released) await released
      const outcome = outcomeOf(call, script, faults)
      if (outcome === 'reset') response.socket?.resetAndDestroy()
      else if (outcome !== 'hang') {
        response.setHeader('date', new Date(now()).toUTCString())
        send(response, outcome)
      }
    } catch (error) {
      send(response, { status: 500, body: { message: String(error) } })
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
    ...controlsOf(faults, now),
    pageSize: (requested) => Math.min(requested, faults.longestPage),
    calls: () => log.calls,
    called: log.called,
  }
}

function controlsOf(faults: Faults, now: () => number) {
  return {
    failNext: (count: number, how: FakeFailure, path = '', after = 0) =>
      void faults.failures.push({ how, path, left: count, after }),
    limitTo(limit: Parameters<FakeControls['limitTo']>[0]) {
      faults.meter = limit && meterOf(limit, now)
    },
    latency(ms: number) {
      faults.latencyMs = ms
    },
    holdNext(path: string) {
      const reached = Promise.withResolvers<FakeCall>()
      const released = Promise.withResolvers<void>()
      faults.holds.push({ path, reached: reached.resolve, released: released.promise })
      return { reached: reached.promise, release: released.resolve }
    },
    holdCallsOf(account: FakeAccount, until: Promise<unknown> | undefined) {
      if (until === undefined) faults.waits.delete(account.id)
      else faults.waits.set(account.id, () => until)
    },
    slowDown: (account: FakeAccount, ms: number) =>
      void faults.waits.set(account.id, () => delay(ms)),
    limitAlways: (account: FakeAccount, retryAfterSeconds: number) =>
      void faults.limited.set(account.id, retryAfterSeconds),
    pagesOf(size = Number.POSITIVE_INFINITY) {
      faults.longestPage = size
    },
    heal: () => void Object.assign(faults, none()),
  }
}

function openLog() {
  const calls: FakeCall[] = []
  const listeners = new Set<(call: FakeCall) => void>()
  return {
    calls,
    add(call: FakeCall) {
      calls.push(call)
      for (const listen of listeners) listen(call)
    },
    called: (path: string) =>
      new Promise<FakeCall>((resolve) => {
        const listen = (call: FakeCall) => {
          if (!call.path.includes(path)) return
          listeners.delete(listen)
          resolve(call)
        }
        listeners.add(listen)
      }),
  }
}

async function readCall(
  request: IncomingMessage,
  script: FakeScript,
  now: () => number,
): Promise<FakeCall> {
  const url = new URL(request.url ?? '/', 'http://fake')
  const text = (await buffer(request)).toString()
  const account = script.accountOf(request.headers)
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? undefined : readJson(text),
    account: typeof account === 'string' ? account : undefined,
    at: now(),
    headers: request.headers,
  }
}

function reachHold(faults: Faults, call: FakeCall): Promise<void> | undefined {
  const index = faults.holds.findIndex(({ path }) => call.path.includes(path))
  if (index < 0) return undefined
  const [hold] = faults.holds.splice(index, 1)
  hold?.reached(call)
  return hold?.released
}

function nextFailure(faults: Faults, path: string): FakeFailure | undefined {
  const planned = faults.failures.find((failure) => path.includes(failure.path))
  if (planned === undefined) return undefined
  if (planned.after > 0) {
    planned.after -= 1
    return undefined
  }
  planned.left -= 1
  faults.failures = faults.failures.filter(({ left }) => left > 0)
  return planned.how
}

/** The response to a call, or how it ends without one. */
function outcomeOf(
  call: FakeCall,
  script: FakeScript,
  faults: Faults,
): FakeResponse | 'hang' | 'reset' {
  const caller = script.accountOf(call.headers)
  const account = typeof caller === 'string' ? caller : undefined
  const failure = nextFailure(faults, call.path)
  if (failure === 'hang' || failure === 'reset') return failure
  if (failure === 'malformed') return { bytes: Buffer.from('{"orders": [{"id": 1, ') }
  if (failure !== undefined) {
    if (failure.done && account !== undefined) script.respond({ ...call, account })
    return { ...problemOf(script, failure.status), ...failure }
  }
  if (call.path.startsWith('/pictures/')) {
    return { bytes: fakePicture(call.path), contentType: 'image/png' }
  }
  if (account === undefined) {
    const status = typeof caller === 'number' ? caller : 401
    return problemOf(script, status)
  }
  const retryAfter = faults.limited.get(account)
  if (retryAfter !== undefined) {
    const headers = { [script.retryAfterHeader]: String(retryAfter) }
    return { ...problemOf(script, 429), headers }
  }
  return faults.meter === undefined
    ? script.respond({ ...call, account })
    : respondWithin(faults.meter, script, { ...call, account })
}

function problemOf({ problem, problemTypeOf }: FakeScript, status: number): FakeResponse {
  const contentType = problemTypeOf?.(status)
  return { status, body: problem(status), ...(contentType === undefined ? {} : { contentType }) }
}

function respondWithin(
  meter: Meter,
  script: FakeScript,
  call: FakeCall & { readonly account: string },
): FakeResponse {
  const waitMs = meter.take(call.account)
  const response = waitMs === 0 ? script.respond(call) : problemOf(script, 429)
  const { status = 200 } = response
  if (status >= 400 && status < 500) meter.refused(call.account)
  const { limitedHeaders: names } = script
  const remaining = { [script.remainingHeader]: String(meter.remaining(call.account)) }
  const limited = names && {
    [names.limit]: String(meter.most),
    [names.reset]: String(Math.ceil(meter.fullInMs(call.account) / 1000)),
  }
  const headers =
    waitMs === 0
      ? remaining
      : {
          ...(limited ?? remaining),
          [script.retryAfterHeader]: String(Math.ceil(waitMs / 1000)),
        }
  return { ...response, headers: { ...response.headers, ...headers } }
}

function send(response: ServerResponse, sent: FakeResponse): void {
  const { status = 200, body, bytes, headers, contentType = 'application/json' } = sent
  response.writeHead(status, { 'content-type': contentType, ...headers })
  response.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)))
}

/** Parses JSON; integers that a number cannot hold become texts of digits. */
function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value,
  )
}
