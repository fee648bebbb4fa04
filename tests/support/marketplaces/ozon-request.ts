import type { FakeResponse } from './fake.ts'
import type { Order, Seller } from './ozon-state.ts'

/** A call to the fake OZON, and the functions with which handlers read and refuse it. */

export interface OzonContext {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (requested: number) => number
  readonly wrapped: boolean | undefined
  /** Paths of withdrawn calls. */
  readonly retired: ReadonlySet<string>
  /** The address under which files are served. */
  readonly filesUrl: string
}

export interface OzonRequest extends OzonContext {
  readonly seller: Seller
  readonly body: Readonly<Record<string, unknown>>
}

export type OzonHandler = (request: OzonRequest) => FakeResponse

export function problem(status: number): unknown {
  switch (status) {
    case 401:
      return {
        code: 16,
        message: 'Invalid Api-Key, please check the key and try again',
        details: [],
      }
    case 403:
      return { code: 7, message: 'Api-Key is missing a required role for a method', details: [] }
    case 429:
      return { code: 8, message: 'You have reached request rate limit per second' }
    default:
      return { code: 13, message: `Fake${status}`, details: [] }
  }
}

/** The code that OZON sends beside a text: the call is wrong, or there is no such object. */
const codeOf = (status: number) => (status === 404 ? 5 : 3)

export class OzonRefusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, message: string, code: number) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function check(
  holds: boolean,
  status: number,
  message: string,
  code: number = codeOf(status),
): asserts holds {
  if (!holds) throw new OzonRefusal(status, message, code)
}

export const isoTime = (instant: number) => new Date(instant).toISOString()

/** A response of an older version of a call. */
export function wrapped(result: unknown): FakeResponse {
  return { body: { result } }
}

/** A page of a list, by an opaque cursor. */
export function pageOf<T>(request: OzonRequest, items: readonly T[], longest: number) {
  const { limit, cursor } = request.body
  const requested = Number(limit)
  check(Number.isInteger(requested) && requested >= 1 && requested <= longest, 400, 'INVALID_LIMIT')
  const from = cursor ? Number(Buffer.from(String(cursor), 'base64url').toString()) : 0
  check(Number.isInteger(from), 400, 'INVALID_CURSOR')
  const end = from + request.pageSize(requested)
  const next = Buffer.from(String(end)).toString('base64url')
  const more = end < items.length
  return { page: items.slice(from, end), has_next: more, cursor: more ? next : '' }
}

export function listIn({ body }: OzonRequest, name: string, longest: number): string[] {
  const list = body[name]
  const fits = Array.isArray(list) && list.length > 0 && list.length <= longest
  check(fits, 400, `INVALID_${name.toUpperCase()}`)
  return list.map(String)
}

export function orderIn({ seller, body }: OzonRequest): Order {
  const order = seller.orders.get(String(body.posting_number))
  check(order !== undefined, 404, 'POSTING_NOT_FOUND')
  return order
}
