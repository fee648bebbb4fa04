import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Marketplace } from '../../../src/clients/marketplace.ts'
import type { Instant } from '../../../src/kernel/moscow-time.ts'
import { jsonNumber } from '../../../src/marketplaces/calls/ids.ts'
import { type FakeLimit, type Meter, meterOf } from './fake-limits.ts'

/** What a manager enters for a cabinet. */
export interface Credentials {
  readonly WB: { readonly token: string }
  readonly OZON: { readonly client_id: string; readonly api_key: string }
}

/**
 * A marketplace on this machine: a small server that keeps state, answers as the real one documents,
 * and fails when it is told to. For tests and for trials by hand, so it knows no test runner.
 */
export interface Fake<Name extends Marketplace = Marketplace> extends FakeControls {
  readonly marketplace: Name
  /** What it documents; nothing is limited before `limitTo`. */
  readonly documentedLimit: FakeLimit
  /** A seller with its own orders, goods and limits. */
  account(): FakeAccount<Name>
  addCard(account: FakeAccount, card?: Partial<FakeCard>): FakeCard
  /** Answers the number of the order. */
  addOrder(account: FakeAccount, order?: FakeOrderDraft): string
  setStatus(account: FakeAccount, orderId: string, status: FakeStatus): void
  statusOf(account: FakeAccount, orderId: string): FakeStatus
  setStock(account: FakeAccount, figure: FakeFigure): void
  /** What the marketplace has; the list is a copy. */
  shipments(account: FakeAccount): readonly FakeShipment[]
  /** As if a manager had made one in the cabinet. */
  addShipment(account: FakeAccount, shipment?: Partial<FakeShipment>): string
  /** As if a manager had deleted or cancelled it in the cabinet. */
  deleteShipment(account: FakeAccount, id: string): void
  /** The marketplace scans it. */
  acceptShipment(account: FakeAccount, id: string): void
  /** Marking codes that were attached to an order. */
  marksOf(account: FakeAccount, orderId: string): readonly string[]
  /** Credentials are answered with this status from now on; undefined lets them in again. */
  refuse(account: FakeAccount, status?: 401 | 403 | undefined): void
  /** A piece of a day: an order may come, some orders move on, a shipment may be scanned. */
  step(account: FakeAccount, chance: () => number): void
}

/** What all fakes do alike. */
export interface FakeControls {
  readonly baseUrl: string
  close(): Promise<void>
  /** The next calls fail; of those whose path has `path` in it, where it is given. */
  failNext(count: number, how: FakeFailure, path?: string): void
  /** Undefined is no limit. */
  limitTo(limit: FakeLimit | undefined): void
  latency(ms: number): void
  /** The next call whose path has this in it is answered when it is let go, and carried out then. */
  holdNext(path: string): { readonly reached: Promise<FakeCall>; readonly release: () => void }
  /** No page is longer, whatever was asked for; undefined is the documented size. */
  pagesOf(size: number | undefined): void
  /** Nothing fails on purpose, waits, is limited or cut short any more. */
  heal(): void
  /** All calls so far, oldest first. */
  calls(): readonly FakeCall[]
  /** Resolves with the first call from now on whose path has this in it. */
  called(path: string): Promise<FakeCall>
}

export type FakeFailure =
  | 'malformed'
  | 'hang'
  | 'reset'
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      /** The call is carried out first: the answer alone is lost. */
      readonly done?: boolean
    }

export interface FakeCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** Undefined for credentials that nobody has. */
  readonly account: string | undefined
  readonly at: Instant
  readonly headers: IncomingHttpHeaders
}

export interface FakeAccount<Name extends Marketplace = Marketplace> {
  readonly id: string
  readonly credentials: Credentials[Name]
}

export interface FakeCard {
  readonly itemId: number
  readonly barcodes: readonly string[]
  readonly article: string
  readonly name: string
  readonly nmId: number
  readonly honestMark: boolean
  readonly updatedAt: Instant
}

export interface FakeLine {
  readonly itemId: number
  readonly article: string
  readonly barcode: string
  readonly quantity: number
}

export interface FakeOrderDraft {
  readonly externalId?: string
  readonly createdAt?: Instant
  /** Without them the order is for a unit of one of the account's cards. */
  readonly lines?: readonly FakeLine[]
  readonly isB2b?: boolean
  readonly status?: FakeStatus
  /** Put over what is answered of the order; undefined leaves a field out. */
  readonly raw?: Readonly<Record<string, unknown>>
}

/** The raw pair: WB supplierStatus and wbStatus, OZON status and substatus. */
export interface FakeStatus {
  readonly supplier: string
  readonly buyer: string
}

export interface FakeFigure {
  readonly itemId: number
  readonly warehouse: { readonly id: number; readonly name: string }
  readonly quantity: number
}

export interface FakeShipment {
  readonly id: string
  readonly name: string
  readonly createdAt: Instant
  readonly closedAt: Instant | undefined
  readonly acceptedAt: Instant | undefined
  readonly cancelled: boolean
  readonly orders: readonly string[]
}

export interface FakeOptions {
  readonly port?: number
  readonly now?: () => Instant
}

/** What each marketplace answers by itself. */
export interface FakeScript {
  /** Who calls; undefined for unknown credentials, a status for refused ones. */
  readonly accountOf: (headers: IncomingHttpHeaders) => string | 401 | 403 | undefined
  readonly answer: (call: FakeCall & { readonly account: string }) => FakeAnswer
  readonly retryAfterHeader: string
  /** The header of all answers that tells how many calls are left, where they are limited. */
  readonly remainingHeader: string
  readonly problem: (status: number) => unknown
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as they are. */
  readonly bytes?: Buffer
  readonly contentType?: string
}

export async function openFake(
  script: FakeScript,
  { port = 0, now = Date.now }: FakeOptions,
): Promise<FakeControls & { readonly pageSize: (asked: number) => number }> {
  const calls: FakeCall[] = []
  const waiting = new Set<(call: FakeCall) => void>()
  const holds: { path: string; reached: (call: FakeCall) => void; released: Promise<void> }[] = []
  let failures: { how: FakeFailure; path: string; left: number }[] = []
  let meter: Meter | undefined
  let latencyMs = 0
  let longestPage = Number.POSITIVE_INFINITY

  function failureFor(path: string): FakeFailure | undefined {
    const planned = failures.find((failure) => path.includes(failure.path))
    if (planned === undefined) return undefined
    planned.left -= 1
    failures = failures.filter(({ left }) => left > 0)
    return planned.how
  }

  /** What the call is answered, or how it ends without an answer. */
  function outcomeOf(call: FakeCall): FakeAnswer | 'hang' | 'reset' {
    const who = script.accountOf(call.headers)
    const account = typeof who === 'string' ? who : undefined
    const failure = failureFor(call.path)
    if (failure === 'hang' || failure === 'reset') return failure
    if (failure === 'malformed') return { bytes: Buffer.from('{"orders": [{"id": 1, ') }
    if (failure !== undefined) {
      if (failure.done && account !== undefined) script.answer({ ...call, account })
      return { body: script.problem(failure.status), ...failure }
    }
    if (account === undefined) {
      const status = typeof who === 'number' ? who : 401
      return { status, body: script.problem(status) }
    }
    return meter === undefined
      ? script.answer({ ...call, account })
      : answerWithin(meter, { ...call, account })
  }

  function answerWithin(limited: Meter, call: FakeCall & { readonly account: string }): FakeAnswer {
    const waitMs = limited.take(call.account)
    const answer = waitMs === 0 ? script.answer(call) : { status: 429, body: script.problem(429) }
    const { status = 200 } = answer
    if (status >= 400 && status < 500) limited.refused(call.account)
    const headers = {
      [script.remainingHeader]: String(limited.remaining(call.account)),
      ...(waitMs === 0 ? {} : { [script.retryAfterHeader]: String(Math.ceil(waitMs / 1000)) }),
    }
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }

  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url ?? '/', 'http://fake')
      const text = (await buffer(request)).toString()
      const who = script.accountOf(request.headers)
      const call: FakeCall = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        body: text === '' ? undefined : readJson(text),
        account: typeof who === 'string' ? who : undefined,
        at: now(),
        headers: request.headers,
      }
      calls.push(call)
      for (const tell of waiting) tell(call)
      if (latencyMs > 0) await delay(latencyMs)
      const held = holds.findIndex(({ path }) => call.path.includes(path))
      if (held >= 0) {
        const [hold] = holds.splice(held, 1)
        hold?.reached(call)
        await hold?.released
      }
      const outcome = outcomeOf(call)
      if (outcome === 'reset') response.socket?.resetAndDestroy()
      else if (outcome !== 'hang') send(response, outcome)
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
    failNext: (count, how, path = '') => void failures.push({ how, path, left: count }),
    limitTo(limit) {
      meter = limit && meterOf(limit, now)
    },
    latency(ms) {
      latencyMs = ms
    },
    holdNext(path) {
      const reached = Promise.withResolvers<FakeCall>()
      const released = Promise.withResolvers<void>()
      holds.push({ path, reached: reached.resolve, released: released.promise })
      return { reached: reached.promise, release: released.resolve }
    },
    pagesOf(size = Number.POSITIVE_INFINITY) {
      longestPage = size
    },
    heal() {
      failures = []
      meter = undefined
      latencyMs = 0
      longestPage = Number.POSITIVE_INFINITY
    },
    pageSize: (asked) => Math.min(asked, longestPage),
    calls: () => calls,
    called: (path) =>
      new Promise((resolve) => {
        const tell = (call: FakeCall) => {
          if (!call.path.includes(path)) return
          waiting.delete(tell)
          resolve(call)
        }
        waiting.add(tell)
      }),
  }
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  const { status = 200, body, bytes, headers, contentType = 'application/json' } = answer
  response.writeHead(status, { 'content-type': contentType, ...headers })
  response.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)))
}

/** Integers that a number can't hold become their digits. */
function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? context?.source : value,
  )
}

/** An id as marketplaces write it: a number, however many digits it has. */
export function digits(id: string): unknown {
  return jsonNumber(id)
}

/** Lets days happen by themselves at all accounts given, a step every so often; returns the stop. */
export function live(
  fake: Fake,
  accounts: () => readonly FakeAccount[],
  { everyMs, chance = Math.random }: { everyMs: number; chance?: () => number },
): () => void {
  const timer = setInterval(() => {
    for (const account of accounts()) fake.step(account, chance)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Stands in for a picture of a label. */
export const fakeSvg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="58mm" height="40mm"><text y="20">${text}</text></svg>`
