import type { RemotePage } from '../calls/partial-reader.ts'
import {
  type Fields,
  idEncoder,
  integerOf,
  malformed,
  responseListOf,
  textOf,
} from '../calls/response-fields.ts'
import {
  openWildberriesTransport,
  readWildberriesError,
  type WildberriesOptions,
  type WildberriesTransport,
} from './transport.ts'

/**
 * The WB calls that the connector needs. They return responses unparsed; `answers/` reads them.
 */

/** The most ids that one call takes. */
export const wildberriesIdsMax = {
  statuses: 1000,
  stocks: 1000,
  fill: 100,
  stickers: 100,
  boxes: 100,
} as const
/** WB's longest page of cards. */
export const cardsPageSize = 100

export interface CardsCursor {
  readonly updatedAt: string
  readonly nmID: number
}

export interface SupplyMethod {
  readonly supplyId: string
  /** YYYY-MM-DD. */
  readonly shippingDt: string
  readonly shippingPointId: number
  readonly shippingType: string
}

const idOf = idEncoder('WB')

export type WildberriesClient = ReturnType<typeof openWildberriesClient>

export function openWildberriesClient(options: WildberriesOptions) {
  const transport = openWildberriesTransport(options)
  return {
    now: options.now ?? Date.now,
    ...goodsCalls(transport),
    ...orderCalls(transport),
    ...supplyCalls(transport),
    ...handOverCalls(transport),
    ...boxCalls(transport),
  }
}

const get = { method: 'GET', repeatable: true } as const
/** A POST that only reads. */
const query = { method: 'POST', repeatable: true } as const
/** Sets a state, so that it may be repeated. */
const patch = { method: 'PATCH', repeatable: true } as const

function goodsCalls({ json, list, content }: WildberriesTransport) {
  return {
    async warehouses(): Promise<readonly Fields[]> {
      return (await list({ ...get, path: '/api/v3/warehouses' })).items
    },

    async stocks(warehouseId: number, chrtIds: readonly number[]) {
      const path = `/api/v3/stocks/${warehouseId}`
      const { requestedAt, fields } = await json({ ...query, path, body: { chrtIds } })
      return { requestedAt, items: responseListOf(fields, 'stocks') }
    },

    /** Cards after the cursor, in the order of their last change. */
    async cards(cursor: CardsCursor | undefined) {
      const settings = {
        sort: { ascending: true },
        filter: { withPhoto: -1 },
        cursor: { limit: cardsPageSize, ...cursor },
      }
      const path = '/content/v2/get/cards/list'
      const { requestedAt, fields } = await content.json({ ...query, path, body: { settings } })
      return { requestedAt, items: responseListOf(fields, 'cards'), cursor: fields.cursor }
    },
  }
}

function orderCalls({ json, page }: WildberriesTransport) {
  return {
    /** All orders in status new, in one response. */
    async newOrders() {
      const { requestedAt, fields } = await json({ ...get, path: '/api/v3/orders/new' })
      return { requestedAt, items: responseListOf(fields, 'orders') }
    },

    /**
     * Orders created from `dateFrom` to `dateTo` inclusive, in Unix seconds, at most 30 days apart.
     */
    orders(dateFrom: number, dateTo: number, next: string): Promise<RemotePage> {
      return page({ path: '/api/v3/orders', query: { dateFrom, dateTo } }, 'orders', next)
    },

    /** Sends each id once. */
    async statuses(ids: readonly string[]) {
      const body = { orders: [...new Set(ids)].map(idOf) }
      const { requestedAt, fields } = await json({ ...query, path: '/api/v3/orders/status', body })
      return { requestedAt, items: responseListOf(fields, 'orders') }
    },

    async attachMarkingCodes(orderId: string, sgtins: readonly string[]): Promise<void> {
      const path = `/api/v3/orders/${encodeURIComponent(orderId)}/meta/sgtin`
      await json({ method: 'PUT', repeatable: true, path, body: { sgtins } })
    },

    /** Attaches a mark of another kind; the paths differ by kind. */
    async attachMark(path: string, body: Readonly<Record<string, string>>): Promise<void> {
      await json({ method: 'PUT', repeatable: true, path, body })
    },

    /** Removes what WB has of one kind. */
    async removeMark(orderId: string, key: string): Promise<void> {
      const path = `/api/v3/orders/${encodeURIComponent(orderId)}/meta`
      await json({ method: 'DELETE', repeatable: true, path, query: { key } })
    },

    /** The marks that WB has of these orders. */
    async orderMeta(ids: readonly string[]): Promise<readonly Fields[]> {
      const path = '/api/marketplace/v3/orders/meta'
      const { fields } = await json({ ...query, path, body: { orders: ids.map(idOf) } })
      return responseListOf(fields, 'orders')
    },

    async stickers(ids: readonly string[]): Promise<readonly Fields[]> {
      const { fields } = await json({
        ...query,
        path: '/api/v3/orders/stickers',
        query: { type: 'svg', width: 58, height: 40 },
        body: { orders: ids.map(idOf) },
      })
      return responseListOf(fields, 'stickers')
    },
  }
}

function supplyCalls({ json, page }: WildberriesTransport) {
  return {
    supplies(next: string): Promise<RemotePage> {
      return page({ path: '/api/v3/supplies' }, 'supplies', next)
    },

    supply(id: string) {
      return json({ ...get, path: `/api/v3/supplies/${encodeURIComponent(id)}` })
    },

    /** WB deletes empty supplies only. */
    async deleteSupply(id: string): Promise<void> {
      const path = `/api/v3/supplies/${encodeURIComponent(id)}`
      await json({ method: 'DELETE', repeatable: true, path })
    },

    async orderIds(id: string): Promise<Fields> {
      const path = `/api/marketplace/v3/supplies/${encodeURIComponent(id)}/order-ids`
      return (await json({ ...get, path })).fields
    },

    /** Orders that are still at the seller though WB has scanned their supply, in one response. */
    async reshipments() {
      const path = '/api/v3/supplies/orders/reshipment'
      const { requestedAt, fields } = await json({ ...get, path })
      return { requestedAt, items: responseListOf(fields, 'orders') }
    },

    async createSupply(name: string): Promise<string> {
      const path = '/api/v3/supplies'
      const call = { method: 'POST', repeatable: false, path, body: { name } } as const
      return textOf((await json(call)).fields, 'id')
    },

    async fillSupply(id: string, orders: readonly string[]): Promise<void> {
      const path = `/api/marketplace/v3/supplies/${encodeURIComponent(id)}/orders`
      await json({ ...patch, path, body: { orders: orders.map(idOf) } })
    },
  }
}

function handOverCalls({ json, withErrorReader }: WildberriesTransport) {
  return {
    /** Throws what `explain` makes of a failure and its body: only the body of a refusal names orders and codes. */
    async handOverSupply(
      id: string,
      explain: (error: unknown, body: unknown) => unknown,
    ): Promise<void> {
      let errorBody: unknown
      const calls = withErrorReader((body) => {
        errorBody = body
        return readWildberriesError(body)
      })
      const path = `/api/v3/supplies/${encodeURIComponent(id)}/deliver`
      await calls.json({ ...patch, path }).catch((error: unknown) => {
        throw explain(error, errorBody)
      })
    },

    async shippingPoints(city: string, cargoType: number | undefined): Promise<readonly Fields[]> {
      const path = '/api/marketplace/v3/fbs/shipping-points'
      const { fields } = await json({ ...get, path, query: { city, cargoType } })
      return responseListOf(fields, 'shippingPoints')
    },

    /**
     * Sets the method of one supply. The call succeeds in any case; the results say whether WB took
     * it.
     */
    async setShippingMethod(method: SupplyMethod): Promise<readonly Fields[]> {
      const path = '/api/marketplace/v3/fbs/supplies/shipping-method'
      const { fields } = await json({ ...patch, path, body: { data: [method] } })
      return responseListOf(fields, 'results')
    },

    async supplyBarcode(id: string): Promise<Fields> {
      const path = `/api/v3/supplies/${encodeURIComponent(id)}/barcode`
      return (await json({ ...get, path, query: { type: 'svg' } })).fields
    },
  }
}

function boxCalls({ json }: WildberriesTransport) {
  const pathOf = (id: string) => `/api/v3/supplies/${encodeURIComponent(id)}/trbx`
  return {
    async boxes(supplyId: string): Promise<Fields> {
      return (await json({ ...get, path: pathOf(supplyId) })).fields
    },

    async addBoxes(supplyId: string, amount: number): Promise<void> {
      const path = pathOf(supplyId)
      await json({ method: 'POST', repeatable: false, path, body: { amount } })
    },

    async removeBoxes(supplyId: string, trbxIds: readonly string[]): Promise<void> {
      const path = pathOf(supplyId)
      await json({ method: 'DELETE', repeatable: true, path, body: { trbxIds } })
    },

    async boxStickers(supplyId: string, trbxIds: readonly string[]): Promise<readonly Fields[]> {
      const path = `${pathOf(supplyId)}/stickers`
      const { fields } = await json({ ...query, path, query: { type: 'svg' }, body: { trbxIds } })
      return responseListOf(fields, 'stickers')
    },
  }
}

/** Empty pages in a row after which a list is taken as finished. */
const emptyPagesMax = 5

/**
 * Reads page after page until WB says that a page is the last, repeats a cursor or sends only empty
 * pages.
 */
export async function* wildberriesPages(
  fetch: (next: string) => Promise<RemotePage>,
): AsyncGenerator<RemotePage> {
  const fetched = new Set<string>()
  let empty = 0
  for (let next = '0'; !fetched.has(next) && empty < emptyPagesMax; ) {
    fetched.add(next)
    const page = await fetch(next)
    empty = page.items.length === 0 ? empty + 1 : 0
    if (empty === 0) yield page
    if (page.next === undefined || page.next === '0') return
    next = page.next
  }
}

export function parseCardsCursor(value: unknown): CardsCursor {
  if (typeof value !== 'object' || value === null) throw malformed('cursor')
  const fields = { ...value }
  return { updatedAt: textOf(fields, 'updatedAt'), nmID: integerOf(fields, 'nmID') }
}
