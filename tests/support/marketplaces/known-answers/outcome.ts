import { MarketplaceError } from '../../../../src/exchange/marketplaces/calls/failure.ts'
import type { Connector, RefusedOrder } from '../../../../src/exchange/marketplaces/connector.ts'
import type { KnownAnswer, KnownCase } from './format.ts'
import type { AnsweringServer, Answers } from './server.ts'

/** How a connector is asked so that it makes one known call, and what comes of the answer. */
export interface Question {
  /** The call that gets an answer which any call may get. */
  readonly call?: string
  readonly ask: (connector: Connector, one: KnownCase) => Promise<unknown>
  /** Answers to the other calls that the connector makes. */
  readonly beside?: Answers | ((one: KnownCase) => Answers)
  /** Answers to the same call after the known one. */
  readonly afterwards?: readonly KnownAnswer[]
}

export type Questions = Readonly<Record<string, Question>>

export const ok = (body: unknown): KnownAnswer => ({ status: 200, body })
export const done: KnownAnswer = { status: 204, body: null }

/** All answers that a question needs, with `answer` to its own call. */
export function answersTo(
  knownCall: string,
  { call = knownCall, beside = {}, afterwards = [] }: Question,
  one: KnownCase,
  answer: KnownAnswer = one.answer,
): Answers {
  const others = typeof beside === 'function' ? beside(one) : beside
  return { ...others, [call]: [answer, ...afterwards] }
}

/**
 * What a question brings: the result, what was sent if there is no result, or `failure` as the words
 * that staff and sellers read. Moments are ISO texts, files Latin-1 texts. Throws any error that is
 * not a MarketplaceError.
 */
export async function outcomeOf(
  server: AnsweringServer,
  asked: Promise<unknown>,
): Promise<unknown> {
  try {
    const result = await asked
    if (result !== undefined) return readable(result)
    return {
      sent: server.sent().map(({ call, body }) => (body === undefined ? { call } : { call, body })),
    }
  } catch (error) {
    return { failure: describeFailure(error) }
  }
}

/** The orders that joined no shipment; what was sent counts where all of them joined. */
export async function refusedAmong(adding: Promise<readonly RefusedOrder[]>): Promise<unknown> {
  const refused = await adding
  return refused.length === 0 ? undefined : refused
}

/** Reads all pages; items of pages before a failure count. */
export async function listed(
  pages: AsyncIterable<{
    readonly items: readonly unknown[]
    readonly statuses?: readonly unknown[]
  }>,
): Promise<unknown> {
  const items: unknown[] = []
  const statuses: unknown[] = []
  const found = () => (statuses.length === 0 ? { items } : { items, statuses })
  try {
    for await (const page of pages) {
      items.push(...page.items)
      statuses.push(...(page.statuses ?? []))
    }
    return found()
  } catch (error) {
    return { ...found(), failure: describeFailure(error) }
  }
}

function describeFailure(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) throw error
  const { kind, message, forSeller, code } = error
  return {
    kind,
    message,
    ...(forSeller === message ? {} : { forSeller }),
    ...(code === undefined ? {} : { code }),
  }
}

function readable(value: unknown, key = ''): unknown {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  if (typeof value === 'number')
    return /At$|^deadline/.test(key) ? new Date(value).toISOString() : value
  if (Array.isArray(value)) return value.map((item) => readable(item, key))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, readable(field, name)]))
}
