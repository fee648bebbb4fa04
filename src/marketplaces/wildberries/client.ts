import { createHash } from 'node:crypto'
import {
  type Fields,
  integerOf,
  listAnswered,
  malformed,
  textOf,
  textOrNone,
} from '../calls/answer.ts'
import { type Call, type CallsOptions, openCalls } from '../calls/calls.ts'
import { numbersOf } from '../calls/ids.ts'
import { type LimitRule, realTime } from '../calls/limits.ts'
import type { Page } from '../calls/pages.ts'
import { readError } from './errors.ts'
import { codesRefused } from './mark-checks.ts'
import { retelling } from './refusals.ts'
import { readToken } from './token.ts'

/** The calls of WB that the connector needs. Answers are as they came; mapper.ts reads them. */

/** 300 calls a minute and seller. */
export const wildberriesLimit: LimitRule = { burst: 20, intervalMs: 200 }
const refusalCost = 9
/**
 * Calls about cards are dearer: 100 a minute, of which five at once. The pauses that their host tells
 * are theirs alone.
 */
const contentExtraCost = 3

/** The longest lists of ids that a call takes. */
export const idsMax = { statuses: 1000, stocks: 1000, fill: 100, stickers: 100 } as const
const pageSize = 1000
const cardsPageSize = 100

export interface WildberriesOptions
  extends Pick<CallsOptions, 'limits' | 'now' | 'time' | 'chance' | 'timeoutMs' | 'attemptsMax'> {
  readonly credentials: { readonly token: string }
  readonly baseUrl: string
  readonly contentBaseUrl: string
}

export interface CardsCursor {
  readonly updatedAt: string
  readonly nmID: number
}

export interface ShippingMethod {
  readonly supplyId: string
  /** YYYY-MM-DD. */
  readonly shippingDt: string
  readonly shippingPointId: number
  readonly shippingType: string
}

const numberOf = numbersOf('WB')

export type WildberriesClient = ReturnType<typeof openClient>

export function openClient(options: WildberriesOptions) {
  const wire = openWire(options)
  return {
    now: options.now ?? Date.now,
    ...goodsCalls(wire),
    ...orderCalls(wire),
    ...supplyCalls(wire),
  }
}

/** How WB is asked; cards have a host of their own. */
type Wire = ReturnType<typeof openWire>

function openWire(options: WildberriesOptions) {
  const account = accountOf(options.credentials.token)
  const common = {
    ...options,
    account,
    headers: { authorization: options.credentials.token },
    refusalCost,
    retryAfterHeader: 'X-Ratelimit-Retry',
    readError,
    marketplaceName: 'WB',
  }
  const open = (given: Partial<CallsOptions> = {}) =>
    retelling(openCalls({ ...common, ...given }), options.time ?? realTime)
  const { json, list } = open()

  async function page(call: Pick<Call, 'path' | 'query'>, name: string, next: string) {
    const query = { ...call.query, limit: pageSize, next }
    const { askedAt, fields } = await json({ ...call, ...reading, query })
    return { askedAt, items: listAnswered(fields, name), next: textOrNone(fields, 'next') }
  }

  return {
    json,
    list,
    page,
    content: open({
      baseUrl: options.contentBaseUrl,
      extraCost: contentExtraCost,
      part: `${account} content`,
    }),
    /** The same calls, with another reading of what is refused. */
    readingErrors: (readRefusal: CallsOptions['readError']) => open({ readError: readRefusal }),
  }
}

function goodsCalls({ json, list, content }: Wire) {
  return {
    async warehouses(): Promise<readonly Fields[]> {
      return (await list({ ...reading, path: '/api/v3/warehouses' })).items
    },

    async stocks(warehouseId: number, chrtIds: readonly number[]) {
      const path = `/api/v3/stocks/${warehouseId}`
      const { askedAt, fields } = await json({ ...asking, path, body: { chrtIds } })
      return { askedAt, items: listAnswered(fields, 'stocks') }
    },

    /** Cards in the order in which they were changed, those after the cursor. */
    async cards(cursor: CardsCursor | undefined) {
      const settings = {
        sort: { ascending: true },
        filter: { withPhoto: -1 },
        cursor: { limit: cardsPageSize, ...cursor },
      }
      const path = '/content/v2/get/cards/list'
      const { askedAt, fields } = await content.json({ ...asking, path, body: { settings } })
      return { askedAt, items: listAnswered(fields, 'cards'), cursor: fields.cursor }
    },
  }
}

function orderCalls({ json, page }: Wire) {
  return {
    /** All orders that nobody has taken up, in one answer. */
    async newOrders() {
      const { askedAt, fields } = await json({ ...reading, path: '/api/v3/orders/new' })
      return { askedAt, items: listAnswered(fields, 'orders') }
    },

    /** Orders created in at most 30 days, both ends included; in Unix seconds. */
    orders(dateFrom: number, dateTo: number, next: string): Promise<Page> {
      return page({ path: '/api/v3/orders', query: { dateFrom, dateTo } }, 'orders', next)
    },

    /** A number that is named twice is asked for once. */
    async statuses(ids: readonly string[]) {
      const body = { orders: [...new Set(ids)].map(numberOf) }
      const { askedAt, fields } = await json({ ...asking, path: '/api/v3/orders/status', body })
      return { askedAt, items: listAnswered(fields, 'orders') }
    },

    async attachMarks(orderId: string, sgtins: readonly string[]): Promise<void> {
      const path = `/api/v3/orders/${encodeURIComponent(orderId)}/meta/sgtin`
      await json({ method: 'PUT', repeatable: true, path, body: { sgtins } })
    },

    async stickers(ids: readonly string[]): Promise<readonly Fields[]> {
      const { fields } = await json({
        ...asking,
        path: '/api/v3/orders/stickers',
        query: { type: 'svg', width: 58, height: 40 },
        body: { orders: ids.map(numberOf) },
      })
      return listAnswered(fields, 'stickers')
    },
  }
}

function supplyCalls({ json, page, readingErrors }: Wire) {
  return {
    supplies(next: string): Promise<Page> {
      return page({ path: '/api/v3/supplies' }, 'supplies', next)
    },

    supply(id: string) {
      return json({ ...reading, path: `/api/v3/supplies/${encodeURIComponent(id)}` })
    },

    /** Of an empty one. */
    async deleteSupply(id: string): Promise<void> {
      const path = `/api/v3/supplies/${encodeURIComponent(id)}`
      await json({ method: 'DELETE', repeatable: true, path })
    },

    async orderIds(id: string): Promise<Fields> {
      const path = `/api/marketplace/v3/supplies/${encodeURIComponent(id)}/order-ids`
      return (await json({ ...reading, path })).fields
    },

    async createSupply(name: string): Promise<string> {
      const path = '/api/v3/supplies'
      const call = { method: 'POST', repeatable: false, path, body: { name } } as const
      return textOf((await json(call)).fields, 'id')
    },

    async fillSupply(id: string, orders: readonly string[]): Promise<void> {
      const path = `/api/marketplace/v3/supplies/${encodeURIComponent(id)}/orders`
      await json({ ...changing, path, body: { orders: orders.map(numberOf) } })
    },

    /** What is wrong with codes of its orders stands beside the words of a refusal. */
    async deliverSupply(id: string): Promise<void> {
      let refusal: unknown
      const telling = readingErrors((body) => {
        refusal = body
        return readError(body)
      })
      const path = `/api/v3/supplies/${encodeURIComponent(id)}/deliver`
      await telling.json({ ...changing, path }).catch((error: unknown) => {
        throw codesRefused(error, refusal)
      })
    },

    /** Of one supply; whether it took it, the results tell. */
    async setShippingMethod(method: ShippingMethod): Promise<readonly Fields[]> {
      const path = '/api/marketplace/v3/fbs/supplies/shipping-method'
      const { fields } = await json({ ...changing, path, body: { data: [method] } })
      return listAnswered(fields, 'results')
    },

    async barcodeOf(id: string): Promise<Fields> {
      const path = `/api/v3/supplies/${encodeURIComponent(id)}/barcode`
      return (await json({ ...reading, path, query: { type: 'svg' } })).fields
    },
  }
}

const reading = { method: 'GET', repeatable: true } as const
/** Reads, though it is a POST. */
const asking = { method: 'POST', repeatable: true } as const
/** Brings about a state, whatever the number of times. */
const changing = { method: 'PATCH', repeatable: true } as const

/** So many pages in a row may be empty before the end. */
const emptyMax = 5

/** Page after page, to one that says that it is the last, or where nothing comes any more. */
export async function* allPages(ask: (next: string) => Promise<Page>): AsyncGenerator<Page> {
  const asked = new Set<string>()
  let empty = 0
  for (let next = '0'; !asked.has(next) && empty < emptyMax; ) {
    asked.add(next)
    const page = await ask(next)
    empty = page.items.length === 0 ? empty + 1 : 0
    if (empty === 0) yield page
    if (page.next === undefined || page.next === '0') return
    next = page.next
  }
}

/** What was entered by hand may be no number of WB's at all. */
export function isSupplyNumber(id: string): boolean {
  return /^WB-GI-\d+$/.test(id)
}

export function readCursor(value: unknown): CardsCursor {
  if (typeof value !== 'object' || value === null) throw malformed('cursor')
  const fields = { ...value }
  return { updatedAt: textOf(fields, 'updatedAt'), nmID: integerOf(fields, 'nmID') }
}

/** Tells sellers apart, and nothing of the token. */
function accountOf(token: string): string {
  const { seller = token } = readToken(token)
  return createHash('sha256').update(`WB ${seller}`).digest('base64url')
}
