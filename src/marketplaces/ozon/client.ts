import { createHash } from 'node:crypto'
import type { Instant } from '../../kernel/moscow-time.ts'
import {
  type Fields,
  fieldsOf,
  flagOf,
  listAnswered,
  listOf,
  listOrNone,
  malformed,
  textOf,
  textOrNone,
} from '../calls/answer.ts'
import { type CallsOptions, openCalls } from '../calls/calls.ts'
import { numbersOf } from '../calls/ids.ts'
import type { LimitRule } from '../calls/limits.ts'
import type { Page } from '../calls/pages.ts'
import { readError } from './errors.ts'
import { type File, fileIn, openDownloads } from './files.ts'

/** The calls of OZON that the connector needs. Answers are as they came; mapper.ts reads them. */

/** 50 calls a second and Client-Id; in no second do more than that leave the bucket. */
export const ozonLimit: LimitRule = { burst: 10, intervalMs: 25 }

/** The longest lists of ids that a call takes, and the longest pages that it gives. */
export const idsMax = { cards: 500, stock: 500 } as const
const pageMax = { postings: 100, stock: 1000, methods: 100 } as const

/** OZON's clock may differ from ours by so much. */
export const clocksDifferMs = 5 * 60_000

export interface OzonOptions
  extends Pick<CallsOptions, 'limits' | 'now' | 'time' | 'chance' | 'timeoutMs' | 'attemptsMax'> {
  readonly credentials: { readonly clientId: string; readonly apiKey: string }
  readonly baseUrl: string
}

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
  const { credentials } = options
  const calls: CallsOptions = {
    ...options,
    headers: { 'client-id': credentials.clientId, 'api-key': credentials.apiKey },
    account: createHash('sha256').update(`OZON ${credentials.clientId}`).digest('base64url'),
    retryAfterHeader: 'Retry-After',
    readError,
    marketplaceName: 'OZON',
  }
  const { json, raw } = openCalls(calls)

  /** Reads, or brings about a state whatever the number of times. */
  async function ask(path: string, body: Fields) {
    const { askedAt, fields } = await json({ method: 'POST', repeatable: true, path, body })
    return { askedAt, fields: unwrapped(fields) }
  }

  /** What would be done twice if it were asked for twice. */
  async function once(path: string, body: Fields) {
    const { askedAt, fields } = await json({ method: 'POST', repeatable: false, path, body })
    return { askedAt, fields: unwrapped(fields) }
  }

  async function page(path: string, name: string, body: Fields): Promise<Page> {
    const { askedAt, fields } = await ask(path, body)
    const items = listAnswered(unlisted(fields, name), name)
    return {
      askedAt,
      items,
      // Looked for after the page was told: without it the page is good yet.
      get next() {
        return nextOf(fields, items.length, body.cursor)
      },
    }
  }

  return {
    async roles(): Promise<Fields> {
      return (await ask('/v1/roles', {})).fields
    },

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

    async approve(id: string): Promise<void> {
      await ask('/v1/carriage/approve', { carriage_id: numberOf(id) })
    },

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

    download: openDownloads(calls),

    barcode(id: string): Promise<File> {
      return file('/v2/posting/fbs/act/get-barcode', { id: numberOf(id) })
    },

    async barcodeText(id: string): Promise<string | undefined> {
      const path = '/v2/posting/fbs/act/get-barcode/text'
      return textOrNone((await ask(path, { id: numberOf(id) })).fields, 'result')
    },

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

  async function file(path: string, body: Fields): Promise<File> {
    return fileIn(await raw({ method: 'POST', repeatable: true, path, body }))
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

/**
 * Where the next page begins. An answer that does not say whether there is one has another while it
 * tells something and leads on; one that promises more, but tells nothing and leads nowhere, has none.
 */
function nextOf(fields: Fields, count: number, asked: unknown): string | undefined {
  if (fields.has_next === false) return undefined
  const cursor = textOrNone(fields, 'cursor')
  const leadsOn = cursor !== undefined && cursor !== asked
  if (flagOf(fields, 'has_next')) return leadsOn || count > 0 ? textOf(fields, 'cursor') : undefined
  return leadsOn && count > 0 ? cursor : undefined
}

/** Newer versions of a call answer without the wrapper that older ones have. */
function unwrapped(fields: Fields): Fields {
  const { result } = fields
  const wrapped = typeof result === 'object' && result !== null && !Array.isArray(result)
  return wrapped ? { ...fields, ...fieldsOf(result, 'result') } : fields
}

/** Some answers have their list in the wrapper, without a name. */
function unlisted(fields: Fields, name: string): Fields {
  const { result } = fields
  const unnamed = Array.isArray(result) || result === null
  return name in fields || !unnamed ? fields : { [name]: result }
}

/** Rows of an answer that has nothing else; a single row may come without a list. */
function rowsOf(fields: Fields): readonly Fields[] {
  if (fields.result !== undefined) return listOrNone(fields, 'result')
  return 'posting_number' in fields ? [fields] : []
}
