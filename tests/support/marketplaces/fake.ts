import type { IncomingHttpHeaders } from 'node:http'
import type { Instant } from '../../../src/platform/kernel/moscow-time.ts'
import type { Marketplace } from '../../../src/warehouse/clients/marketplace.ts'
import type { FakeLimit } from './fake-limits.ts'

/** The credentials that a manager enters for a cabinet. */
export interface Credentials {
  readonly WB: { readonly token: string }
  readonly OZON: { readonly client_id: string; readonly api_key: string }
}

/**
 * A marketplace on this machine: an HTTP server that keeps state, responds as the real marketplace
 * documents, and fails on request. Benchmarks and trials use it too, so it knows no test runner.
 */
export interface Fake<Name extends Marketplace = Marketplace> extends FakeControls {
  readonly marketplace: Name
  /** The limit that the marketplace documents; it applies only after `limitTo`. */
  readonly documentedLimit: FakeLimit
  /** The number of the warehouse that ships every order, unless `raw` names another one. */
  readonly ownWarehouse: string
  /** Adds a seller with orders, goods and limits of its own. */
  account(): FakeAccount<Name>
  addCard(account: FakeAccount, card?: Partial<FakeCard>): FakeCard
  /** Returns the number of the order. */
  addOrder(account: FakeAccount, order?: FakeOrderDraft): string
  setStatus(account: FakeAccount, orderId: string, status: FakeStatus): void
  statusOf(account: FakeAccount, orderId: string): FakeStatus
  setStock(account: FakeAccount, figure: FakeFigure): void
  /** A copy of the marketplace's shipments. */
  shipments(account: FakeAccount): readonly FakeShipment[]
  /** As if a manager created it in the cabinet. Returns its number. */
  addShipment(account: FakeAccount, shipment?: Partial<FakeShipment>): string
  /** As if a manager deleted or cancelled it in the cabinet. */
  deleteShipment(account: FakeAccount, id: string): void
  /** As if the marketplace scanned it. */
  acceptShipment(account: FakeAccount, id: string): void
  /** The marking codes attached to an order. */
  markingCodesOf(account: FakeAccount, orderId: string): readonly string[]
  /** Refuses the account's credentials with this status; undefined accepts them again. */
  refuse(account: FakeAccount, status?: 401 | 403 | undefined): void
  /** Simulates a part of a day: an order may arrive, orders proceed, a shipment may be scanned. */
  step(account: FakeAccount, chance: () => number): void
}

/** The part of a fake that does not depend on the marketplace. */
export interface FakeControls {
  readonly baseUrl: string
  close(): Promise<void>
  /** Makes the next calls fail whose path contains `path`, all calls by default; `after` others pass first. */
  failNext(count: number, how: FakeFailure, path?: string, after?: number): void
  /** Undefined removes the limit. */
  limitTo(limit: FakeLimit | undefined): void
  latency(ms: number): void
  /** Holds the next call whose path contains `path`; `release` carries it out and responds. */
  holdNext(path: string): { readonly reached: Promise<FakeCall>; readonly release: () => void }
  /** Calls of the account wait for the promise; undefined: not any more. */
  holdCallsOf(account: FakeAccount, until: Promise<unknown> | undefined): void
  /** How long calls of the account take in addition. */
  slowDown(account: FakeAccount, ms: number): void
  /** Refuses all calls of the account: too many, to come back after so many seconds. */
  limitAlways(account: FakeAccount, retryAfterSeconds: number): void
  /** The longest page, whatever a call requests; undefined restores the documented size. */
  pagesOf(size: number | undefined): void
  /** Removes failures, latency, limits and page sizes. */
  heal(): void
  /** All calls so far, the oldest first. */
  calls(): readonly FakeCall[]
  /** Resolves with the next call whose path contains `path`. */
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
      /** Carries out the call first, so that only the response is lost. */
      readonly done?: boolean
    }

export interface FakeCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** Undefined for unknown credentials. */
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
  /** The second GTIN of its goods. */
  readonly gtin?: string
  /** The address of its picture; the fake serves one at each path below /pictures/. */
  readonly picture?: string
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
  /** By default one unit of one of the account's cards. */
  readonly lines?: readonly FakeLine[]
  readonly isB2b?: boolean
  readonly status?: FakeStatus
  /** Overrides fields of the order's response; undefined leaves a field out. */
  readonly raw?: Readonly<Record<string, unknown>>
}

/** The raw status pair: WB supplierStatus and wbStatus, OZON status and substatus. */
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

/** The part of a fake that depends on the marketplace. */
export interface FakeScript {
  /** The caller's account; undefined for unknown credentials, a status for refused ones. */
  readonly accountOf: (headers: IncomingHttpHeaders) => string | 401 | 403 | undefined
  readonly respond: (call: FakeCall & { readonly account: string }) => FakeResponse
  readonly retryAfterHeader: string
  /** The header with the number of calls left; every response has it while calls are limited. */
  readonly remainingHeader: string
  /** Headers of a refusal because of too many calls, instead of that one. */
  readonly limitedHeaders?: { readonly limit: string; readonly reset: string }
  readonly problem: (status: number) => unknown
  /** The content-type of a problem, where it is not JSON. */
  readonly problemTypeOf?: (status: number) => string
}

export interface FakeResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as they are. */
  readonly bytes?: Buffer
  readonly contentType?: string
}

/**
 * Simulates days of all given accounts, a step every `everyMs`. Returns the function that stops it.
 */
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

/** A picture that stands for a label. */
export const fakeSvg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="58mm" height="40mm"><text y="20">${text}</text></svg>`
