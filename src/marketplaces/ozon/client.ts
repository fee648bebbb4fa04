import type { Instant } from '../../kernel/moscow-time.ts'
import {
  type Fields,
  listAnswered,
  listOf,
  listOrNone,
  malformed,
  textOf,
  textOrNone,
} from '../calls/answer.ts'
import { numbersOf } from '../calls/ids.ts'
import type { LimitRule } from '../calls/limits.ts'
import type { Page } from '../calls/pages.ts'
import type { File } from './files.ts'
import { type OzonOptions, openWire, unlisted, type Wire } from './wire.ts'

/** The calls of OZON that the connector needs. Answers are as they came; mapper.ts reads them. */

/** 50 calls a second and Client-Id; in no second do more than that leave the bucket. */
export const ozonLimit: LimitRule = { burst: 10, intervalMs: 25 }

/** The longest lists of ids that a call takes, and the longest pages that it gives. */
export const idsMax = { cards: 500, stock: 500 } as const
const pageMax = { postings: 100, stock: 1000, methods: 100 } as const

/** OZON's clock may differ from ours by so much. */
export const clocksDifferMs = 5 * 60_000

export interface PostingsFilter {
  /** Both ends of the time in which they came in: at most a year apart. */
  readonly since: string
  readonly to: string
  readonly last_changed_status_date?: { readonly from: string; readonly to: string }
  readonly statuses?: readonly string[]
}

export const numberOf = numbersOf('OZON')

export type OzonClient = ReturnType<typeof openClient>

export function openClient(options: OzonOptions) {
  const wire = openWire(options)
  return {
    async roles(): Promise<Fields> {
      return (await wire.ask('/v1/roles', {})).fields
    },

    ...goodsCalls(wire),
    ...postingCalls(wire),
    ...carriageCalls(wire),
    ...labelCalls(wire),
    ...markCalls(wire),
  }
}

function goodsCalls({ ask, page }: Wire) {
  return {
    /** Ids of all goods, page after page; the last page has none. */
    async products(lastId: string): Promise<Page> {
      const body = { filter: { visibility: 'ALL' }, last_id: lastId, limit: idsMax.cards }
      const { askedAt, fields } = await ask('/v3/product/list', body)
      const items = listAnswered(unlisted(fields, 'items'), 'items')
      return { askedAt, items, next: items.length > 0 ? textOrNone(fields, 'last_id') : undefined }
    },

    /** The same by another call. */
    stockedProducts(cursor: string): Promise<Page> {
      const body = { cursor, limit: idsMax.cards, filter: { visibility: 'ALL' } }
      return page('/v4/product/info/stocks', 'items', body)
    },

    async productInfos(by: 'product_id' | 'sku', ids: readonly string[]) {
      const { askedAt, fields } = await ask('/v3/product/info/list', { [by]: ids })
      return { askedAt, items: listAnswered(unlisted(fields, 'items'), 'items') }
    },

    stock(skus: readonly number[], cursor: string): Promise<Page> {
      const body = { sku: skus.map(String), limit: pageMax.stock, cursor }
      return page('/v2/product/info/stocks-by-warehouse/fbs', 'products', body)
    },
  }
}

function postingCalls({ ask, once, page }: Wire) {
  return {
    postings(filter: PostingsFilter, cursor: string): Promise<Page> {
      const withs = { analytics_data: true }
      const body = { cursor, limit: pageMax.postings, sort_dir: 'ASC', filter, with: withs }
      return page('/v4/posting/fbs/list', 'postings', body)
    },

    async posting(number: string): Promise<Fields> {
      return (await ask('/v3/posting/fbs/get', { posting_number: number })).fields
    },

    /** Success means no more than that OZON will try: the posting itself tells how it went. */
    async ship(number: string, goods: readonly { sku: string; quantity: number }[]) {
      const products = goods.map(({ sku, quantity }) => ({ product_id: numberOf(sku), quantity }))
      await once('/v4/posting/fbs/ship', { posting_number: number, packages: [{ products }] })
    },
  }
}

function carriageCalls({ ask, once, page, file }: Wire) {
  return {
    /** Delivery methods that have something on a date, YYYY-MM-DD, with its carriages. */
    methods(departureDate: string, cursor: string): Promise<Page> {
      const filter = { departure_date: departureDate }
      const body = { cursor, filter, limit: pageMax.methods }
      return page('/v2/carriage/delivery/list', 'methods', body)
    },

    carriage(id: string) {
      return ask('/v1/carriage/get', { carriage_id: numberOf(id) })
    },

    async createCarriage(methodId: string, departure: Instant): Promise<string> {
      const { fields } = await once('/v1/carriage/create', {
        delivery_method_id: numberOf(methodId),
        departure_date: new Date(departure).toISOString(),
      })
      return textOrNone(fields, 'carriage_id') ?? textOf(fields, 'id')
    },

    async members(id: string): Promise<readonly Fields[]> {
      const body = { id: numberOf(id) }
      return rowsOf((await ask('/v2/posting/fbs/act/get-postings', body)).fields)
    },

    /** What was in it before and is not named leaves it. Answers a row a posting, or one for all. */
    async setPostings(id: string, numbers: readonly string[]): Promise<readonly Fields[]> {
      const body = { carriage_id: numberOf(id), posting_numbers: numbers }
      const { fields } = await ask('/v1/carriage/set-postings', body)
      return typeof fields.result === 'boolean' ? [fields] : rowsOf(fields)
    },

    /** Of those that go in cargo places OZON wants their number; of others none. */
    async approve(id: string, places: number | undefined): Promise<void> {
      const body = { carriage_id: numberOf(id), containers_count: places }
      await ask('/v1/carriage/approve', body)
    },

    barcode(id: string): Promise<File> {
      return file('/v2/posting/fbs/act/get-barcode', { id: numberOf(id) })
    },

    async barcodeText(id: string): Promise<string | undefined> {
      const path = '/v2/posting/fbs/act/get-barcode/text'
      return textOrNone((await ask(path, { id: numberOf(id) })).fields, 'result')
    },
  }
}

function labelCalls({ ask, file, download }: Wire) {
  return {
    label(number: string): Promise<File> {
      return file('/v2/posting/fbs/package-label', { posting_number: [number] })
    },

    /** Tasks for labels of all sizes. */
    async createLabelTasks(number: string): Promise<readonly Fields[]> {
      const path = '/v3/posting/fbs/package-label/create'
      return listOf((await ask(path, { posting_numbers: [number] })).fields, 'tasks')
    },

    async labelTask(id: string): Promise<Fields> {
      return (await ask('/v2/posting/fbs/package-label/get', { task_id: numberOf(id) })).fields
    },

    download,
  }
}

function markCalls({ ask }: Wire) {
  return {
    async exemplars(number: string): Promise<Fields> {
      const path = '/v6/fbs/posting/product/exemplar/create-or-get'
      return (await ask(path, { posting_number: number })).fields
    },

    async setExemplars(number: string, rest: Fields): Promise<void> {
      await ask('/v6/fbs/posting/product/exemplar/set', { posting_number: number, ...rest })
    },

    async exemplarsStatus(number: string): Promise<Fields> {
      const path = '/v5/fbs/posting/product/exemplar/status'
      return (await ask(path, { posting_number: number })).fields
    },
  }
}

/** Page after page. Throws where the way on is missing or leads in a circle: a part would be lost. */
export async function* allPages(ask: (cursor: string) => Promise<Page>): AsyncGenerator<Page> {
  const asked = new Set([''])
  for (let cursor = ''; ; ) {
    const page = await ask(cursor)
    yield page
    if (page.next === undefined) return
    if (asked.has(page.next)) throw malformed('cursor')
    asked.add(page.next)
    cursor = page.next
  }
}

/** Rows of an answer that has nothing else; a single row may come without a list. */
function rowsOf(fields: Fields): readonly Fields[] {
  if (fields.result !== undefined) return listOrNone(fields, 'result')
  return 'posting_number' in fields ? [fields] : []
}
