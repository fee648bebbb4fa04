import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import type { LimitRule } from '../calls/limits.ts'
import type { RemotePage } from '../calls/partial-reader.ts'
import {
  type Fields,
  flagOf,
  idEncoder,
  listOf,
  listOrNone,
  malformed,
  responseListOf,
  textOf,
  textOrNone,
  textsOf,
} from '../calls/response-fields.ts'
import type { ShipmentDocument } from '../connector.ts'
import type { OzonFile } from './files.ts'
import {
  type OzonOptions,
  type OzonPage,
  type OzonTransport,
  openOzonTransport,
  totalOf,
  withNamedList,
} from './transport.ts'

/**
 * The OZON calls that the connector needs. They return responses unparsed; `answers/` reads them.
 */

/** 50 calls a second for each Client-Id: no second takes more than 50 from the bucket. */
export const ozonLimit: LimitRule = { burst: 10, intervalMs: 25 }

/** The most ids that one call takes. */
export const ozonIdsMax = { cards: 500, stock: 500 } as const
const pageSizes = {
  postings: 100,
  returns: 500,
  stock: 1000,
  methods: 100,
  warehouses: 100,
} as const

export interface PostingsFilter {
  /** Bounds of the time at which the postings came in, at most a year apart. */
  readonly since: string
  readonly to: string
  readonly last_changed_status_date?: { readonly from: string; readonly to: string }
  readonly statuses?: readonly string[]
  readonly order_numbers?: readonly string[]
}

export const ozonId = idEncoder('OZON')

export type OzonClient = ReturnType<typeof openOzonClient>

export function openOzonClient(options: OzonOptions) {
  const transport = openOzonTransport(options)
  return {
    /** Names the account of the credentials, and reveals nothing of them. */
    account: transport.account,

    async roles(): Promise<Fields> {
      return (await transport.call('/v1/roles', {})).fields
    },

    ...goodsCalls(transport),
    ...returnCalls(transport),
    ...postingCalls(transport),
    ...boxCalls(transport),
    ...carriageCalls(transport),
    ...carriagePrints(transport),
    ...labelCalls(transport),
    ...exemplarCalls(transport),
  }
}

export const productListPath = '/v3/product/list'

function goodsCalls({ call, list, page }: OzonTransport) {
  return {
    /** Ids of all goods. */
    async products(lastId: string): Promise<OzonPage> {
      const body = { filter: { visibility: 'ALL' }, last_id: lastId, limit: ozonIdsMax.cards }
      const { requestedAt, fields } = await list(productListPath, body)
      const items = responseListOf(withNamedList(fields, 'items'), 'items')
      return {
        requestedAt,
        items,
        total: totalOf(fields),
        next: items.length > 0 ? textOrNone(fields, 'last_id') : undefined,
      }
    },

    /** Ids of all goods, by a call that lists their stock. */
    stockedProducts(cursor: string): Promise<OzonPage> {
      const body = { cursor, limit: ozonIdsMax.cards, filter: { visibility: 'ALL' } }
      return page('/v4/product/info/stocks', 'items', body)
    },

    async productInfos(by: 'product_id' | 'sku', ids: readonly string[]) {
      const { requestedAt, fields } = await call('/v3/product/info/list', { [by]: ids })
      return { requestedAt, items: responseListOf(withNamedList(fields, 'items'), 'items') }
    },

    warehouses(cursor: string): Promise<RemotePage> {
      return page('/v2/warehouse/list', 'warehouses', { cursor, limit: pageSizes.warehouses })
    },

    stock(skus: readonly number[], cursor: string): Promise<RemotePage> {
      const body = { sku: skus.map(String), limit: pageSizes.stock, cursor }
      return page('/v2/product/info/stocks-by-warehouse/fbs', 'products', body)
    },
  }
}

function returnCalls({ call }: OzonTransport) {
  return {
    /** Returns whose state changed within the period, after the one with `lastId`, by number. */
    async returns(period: { readonly from: Instant; readonly to: Instant }, lastId: number) {
      const time_from = new Date(period.from).toISOString()
      const time_to = new Date(period.to).toISOString()
      const filter = { visual_status_change_moment: { time_from, time_to }, return_schema: 'FBS' }
      const body = { filter, limit: pageSizes.returns, last_id: lastId }
      const { requestedAt, fields } = await call('/v1/returns/list', body)
      const items = responseListOf(withNamedList(fields, 'returns'), 'returns')
      return { requestedAt, items, hasNext: flagOf(fields, 'has_next') }
    },

    /** The code with which staff fetch returns from a pickup point. */
    async giveoutCode(): Promise<string | undefined> {
      return textOrNone((await call('/v1/return/giveout/barcode', {})).fields, 'barcode')
    },
  }
}

interface Goods {
  readonly sku: string
  readonly quantity: number
}

function postingCalls({ call, callOnce, page }: OzonTransport) {
  return {
    postings(filter: PostingsFilter, cursor: string): Promise<RemotePage> {
      const extras = { analytics_data: true, barcodes: true }
      const body = { cursor, limit: pageSizes.postings, sort_dir: 'ASC', filter, with: extras }
      return page('/v4/posting/fbs/list', 'postings', body)
    },

    async posting(number: string): Promise<Fields> {
      return (await call('/v3/posting/fbs/get', { posting_number: number })).fields
    },

    /**
     * Packs the goods of a posting. Success only means that OZON will try: the postings show the result.
     * Several packages become postings of their own; returns the numbers of all.
     */
    async ship(number: string, packages: readonly (readonly Goods[])[]): Promise<string[]> {
      const body = {
        posting_number: number,
        packages: packages.map((goods) => ({
          products: goods.map(({ sku, quantity }) => ({ product_id: ozonId(sku), quantity })),
        })),
      }
      return textsOf((await callOnce('/v4/posting/fbs/ship', body)).fields, 'result')
    },
  }
}

function boxCalls({ call }: OzonTransport) {
  return {
    /** Whether OZON took the number. */
    async setBoxes(number: string, count: number): Promise<boolean> {
      const body = { posting_number: number, multi_box_qty: count }
      return (await call('/v3/posting/multiboxqty/set', body)).fields.result !== false
    },
  }
}

function carriageCalls({ call, callOnce, page }: OzonTransport) {
  return {
    /** Delivery methods with postings or carriages on a date (YYYY-MM-DD), and their carriages. */
    methods(departureDate: string, cursor: string): Promise<RemotePage> {
      const filter = { departure_date: departureDate }
      const body = { cursor, filter, limit: pageSizes.methods }
      return page('/v2/carriage/delivery/list', 'methods', body)
    },

    carriage(id: string) {
      return call('/v1/carriage/get', { carriage_id: ozonId(id) })
    },

    async createCarriage(methodId: string, departure: Instant): Promise<string> {
      const { fields } = await callOnce('/v1/carriage/create', {
        delivery_method_id: ozonId(methodId),
        departure_date: new Date(departure).toISOString(),
      })
      return textOrNone(fields, 'carriage_id') ?? textOf(fields, 'id')
    },

    async carriagePostings(id: string): Promise<readonly Fields[]> {
      const body = { id: ozonId(id) }
      return rowsOf((await call('/v2/posting/fbs/act/get-postings', body)).fields)
    },

    /**
     * Replaces the whole list: postings that are not named leave the carriage. Returns a row for
     * each posting, or one row for all.
     */
    async setPostings(id: string, numbers: readonly string[]): Promise<readonly Fields[]> {
      const body = { carriage_id: ozonId(id), posting_numbers: numbers }
      const { fields } = await call('/v1/carriage/set-postings', body)
      return typeof fields.result === 'boolean' ? [fields] : rowsOf(fields)
    },

    /** Returns why OZON did not cancel the carriage, where it says so. */
    async cancelCarriage(id: string): Promise<string | undefined> {
      const { fields } = await call('/v1/carriage/cancel', { carriage_id: ozonId(id) })
      return textOrNone(fields, 'error')
    },

    /** `places` is the number of cargo places; undefined for a carriage without any. */
    async approve(id: string, places: number | undefined): Promise<void> {
      const body = { carriage_id: ozonId(id), containers_count: places }
      await call('/v1/carriage/approve', body)
    },
  }
}

const documentCalls = {
  papers: { path: '/v2/posting/fbs/act/get-pdf', id: 'id' },
  containers: { path: '/v2/posting/fbs/act/get-container-labels', id: 'id' },
  discrepancy: { path: '/v1/carriage/act-discrepancy/pdf', id: 'carriage_id' },
} as const

function carriagePrints({ call, file }: OzonTransport) {
  return {
    carriageDocument(document: ShipmentDocument, id: string): Promise<OzonFile> {
      const { path, id: name } = documentCalls[document]
      return file(path, { [name]: ozonId(id) })
    },

    /** How far OZON has come with the papers of a carriage. */
    async documentsStatus(id: string): Promise<Fields> {
      return (await call('/v2/posting/fbs/act/check-status', { id: ozonId(id) })).fields
    },

    barcode(id: string): Promise<OzonFile> {
      return file('/v2/posting/fbs/act/get-barcode', { id: ozonId(id) })
    },

    async barcodeText(id: string): Promise<string | undefined> {
      const path = '/v2/posting/fbs/act/get-barcode/text'
      return textOrNone((await call(path, { id: ozonId(id) })).fields, 'result')
    },
  }
}

/** The calls that print labels. */
export const labelPaths = {
  createTasks: '/v3/posting/fbs/package-label/create',
  task: '/v2/posting/fbs/package-label/get',
} as const

function labelCalls({ call, download }: OzonTransport) {
  return {
    /** Starts tasks that print labels of all sizes. */
    async createLabelTasks(number: string): Promise<readonly Fields[]> {
      const { fields } = await call(labelPaths.createTasks, { posting_numbers: [number] })
      return listOf(fields, 'tasks')
    },

    async labelTask(id: string): Promise<Fields> {
      return (await call(labelPaths.task, { task_id: ozonId(id) })).fields
    },

    download,
  }
}

function exemplarCalls({ call }: OzonTransport) {
  return {
    async exemplars(number: string): Promise<Fields> {
      const path = '/v6/fbs/posting/product/exemplar/create-or-get'
      return (await call(path, { posting_number: number })).fields
    },

    /** The form of marks, at once. */
    async validateExemplars(number: string, products: readonly Fields[]): Promise<Fields> {
      const path = '/v5/fbs/posting/product/exemplar/validate'
      return (await call(path, { posting_number: number, products })).fields
    },

    /** `boxes`: in how many the posting is packed. */
    async setExemplars(
      number: string,
      boxes: number | undefined,
      products: readonly Fields[],
    ): Promise<void> {
      const body = { multi_box_qty: boxes, posting_number: number, products }
      await call('/v6/fbs/posting/product/exemplar/set', body)
    },

    /** Takes over the data that was set and checked last. */
    async updateExemplars(number: string): Promise<void> {
      await call('/v1/fbs/posting/product/exemplar/update', { posting_number: number })
    },

    async setCountry(number: string, product: unknown, country: string): Promise<void> {
      const body = { posting_number: number, product_id: product, country_iso_code: country }
      await call('/v2/posting/fbs/product/country/set', body)
    },

    async exemplarsStatus(number: string): Promise<Fields> {
      const path = '/v5/fbs/posting/product/exemplar/status'
      return (await call(path, { posting_number: number })).fields
    },
  }
}

/**
 * Reads page after page. Throws if a cursor is missing or repeats: part of the list would be lost.
 */
export async function* ozonPages<Page extends RemotePage>(
  fetch: (cursor: string) => Promise<Page>,
): AsyncGenerator<Page> {
  const fetched = new Set([''])
  for (let cursor = ''; ; ) {
    const page = await fetch(cursor)
    yield page
    if (page.next === undefined) return
    if (fetched.has(page.next)) throw malformed('cursor')
    fetched.add(page.next)
    cursor = page.next
  }
}

/** The rows of a response; a single row may come without a list. */
function rowsOf(fields: Fields): readonly Fields[] {
  if (fields.result !== undefined) return listOrNone(fields, 'result')
  return 'posting_number' in fields ? [fields] : []
}
