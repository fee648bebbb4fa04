import { createHash } from 'node:crypto'
import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import { type Call, type CallsOptions, openCalls } from '../calls/calls.ts'
import type { RemotePage } from '../calls/partial-reader.ts'
import {
  type Fields,
  fieldsOf,
  flagOf,
  integerOrNone,
  responseListOf,
  textOf,
  textOrNone,
} from '../calls/response-fields.ts'
import { readOzonError } from './errors.ts'
import { fileAddressOf, fileIn, type OzonFile, openDownloads } from './files.ts'
import type { OzonMemory } from './memory.ts'

/** HTTP calls to OZON. Every call is a POST with a JSON body, and lists have pages. */

export interface OzonOptions
  extends Pick<
    CallsOptions,
    'limits' | 'onAttempt' | 'now' | 'time' | 'chance' | 'timeoutMs' | 'attemptsMax'
  > {
  readonly credentials: { readonly clientId: string; readonly apiKey: string }
  /** Refuses every call that could change something at OZON. */
  readonly readsOnly?: boolean
  readonly baseUrl: string
  /** Calls of one list start at least so far apart. OZON refuses lists that are asked for in a row. */
  readonly listApartMs?: number
  /** Shared by all connectors of the process. */
  readonly memory?: OzonMemory
}

export interface OzonTransport {
  /** As CallsOptions names it. */
  readonly account: string
  /** A call that reads, or that has the same effect if it is repeated. */
  call(path: string, body: Fields): Promise<OzonResponse>
  /** A call that lists, and is therefore made at most every `listApartMs`. */
  list(path: string, body: Fields): Promise<OzonResponse>
  /** A call that must not be repeated. */
  callOnce(path: string, body: Fields): Promise<OzonResponse>
  page(path: string, name: string, body: Fields): Promise<OzonPage>
  file(path: string, body: Fields): Promise<OzonFile>
  download(address: string): Promise<OzonFile>
}

/** A page of a list; `total` of all its items, where OZON says it. */
export interface OzonPage extends RemotePage {
  readonly total: number | undefined
}

interface OzonResponse {
  readonly requestedAt: Instant
  readonly fields: Fields
}

export function openOzonTransport(options: OzonOptions): OzonTransport {
  const { credentials, listApartMs = 1500 } = options
  const callsOptions: CallsOptions = {
    ...options,
    headers: { 'client-id': credentials.clientId, 'api-key': credentials.apiKey },
    account: createHash('sha256').update(`OZON ${credentials.clientId}`).digest('base64url'),
    permits: options.readsOnly ? readsOzon : undefined,
    retryAfterHeader: 'Retry-After',
    remainingHeader: 'Ratelimit-Remaining',
    limitsByPath: true,
    readError: readOzonError,
    marketplaceName: 'OZON',
  }
  const { json, raw } = openCalls(callsOptions)
  const download = openDownloads(callsOptions)

  async function post(
    path: string,
    body: Fields,
    repeatable: boolean,
    apartMs = 0,
  ): Promise<OzonResponse> {
    const { requestedAt, fields } = await json({ method: 'POST', repeatable, path, body, apartMs })
    return { requestedAt, fields: unwrapped(fields) }
  }

  return {
    account: callsOptions.account,
    call: (path, body) => post(path, body, true),
    list: (path, body) => post(path, body, true, listApartMs),
    callOnce: (path, body) => post(path, body, false),
    async page(path, name, body) {
      const { requestedAt, fields } = await post(path, body, true, listApartMs)
      const items = responseListOf(withNamedList(fields, name), name)
      return {
        requestedAt,
        items,
        total: totalOf(fields),
        // Read after the items were used: a page with a bad cursor is still a good page.
        get next() {
          return nextCursor(fields, items.length, body.cursor)
        },
      }
    },
    async file(path, body) {
      const response = await raw({ method: 'POST', repeatable: true, path, body })
      const address = fileAddressOf(response)
      return address === undefined ? fileIn(response) : download(address)
    },
    download,
  }
}

/**
 * The cursor of the next page; undefined after the last one. A response without `has_next` has a
 * next page if it holds items and a new cursor. A response that promises a next page but holds
 * neither items nor a new cursor is the last.
 */
function nextCursor(fields: Fields, count: number, current: unknown): string | undefined {
  if (fields.has_next === false) return undefined
  const cursor = textOrNone(fields, 'cursor')
  const isNew = cursor !== undefined && cursor !== current
  if (flagOf(fields, 'has_next')) return isNew || count > 0 ? textOf(fields, 'cursor') : undefined
  return isNew && count > 0 ? cursor : undefined
}

/** Since November 2026 it is `total_items`. */
export function totalOf(fields: Fields): number | undefined {
  return integerOrNone(fields, 'total_items') ?? integerOrNone(fields, 'total')
}

/** Older versions of a call wrap the response in `result`, newer ones do not. */
function unwrapped(fields: Fields): Fields {
  const { result } = fields
  const isWrapped = typeof result === 'object' && result !== null && !Array.isArray(result)
  return isWrapped ? { ...fields, ...fieldsOf(result, 'result') } : fields
}

/** Some responses have their list in `result` itself. */
export function withNamedList(fields: Fields, name: string): Fields {
  const { result } = fields
  const isUnnamed = Array.isArray(result) || result === null
  return name in fields || !isUnnamed ? fields : { [name]: result }
}

/**
 * Paths of POST calls that only read: every OZON call is a POST, and the last part of its path says what it
 * does. A call that does not fit is refused for observed cabinets, never sent.
 */
const readingPosts: readonly RegExp[] = [
  /\/(?:list|get|get-postings|get-barcode|text|status|stocks|roles|info)$/,
  /\/info\/stocks-by-warehouse\/fbs$/,
  /\/return\/giveout\/barcode$/,
]

/** Whether an OZON call changes nothing at OZON. */
export function readsOzon({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && readingPosts.some((one) => one.test(path)))
}
