import { createHash } from 'node:crypto'
import type { ReportedError } from '../calls/attempt-failure.ts'
import { type Call, type CallsOptions, openCalls } from '../calls/calls.ts'
import type { Meaning } from '../calls/failure.ts'
import { realTime } from '../calls/limits.ts'
import type { RemotePage } from '../calls/partial-reader.ts'
import { type Fields, responseListOf, textOrNone } from '../calls/response-fields.ts'
import {
  environmentAt,
  environmentOfToken,
  paceNameOf,
  type WildberriesEnvironment,
  wildberriesPaces,
} from './environment.ts'
import { withStaffMessages } from './refusals.ts'
import { readToken } from './token.ts'

/**
 * HTTP calls to WB: which account pays for them, what they cost, and how their errors read. Cards
 * have a host of their own with a limit of its own: a pause that it asks for holds calls about cards
 * alone.
 */

const pageSize = 1000

export interface WildberriesOptions
  extends Pick<
    CallsOptions,
    'limits' | 'onAttempt' | 'now' | 'time' | 'chance' | 'timeoutMs' | 'attemptsMax'
  > {
  readonly credentials: { readonly token: string }
  /** Refuses every call that could change something at WB. */
  readonly readsOnly?: boolean
  readonly baseUrl: string
  readonly contentBaseUrl: string
}

export type WildberriesTransport = ReturnType<typeof openWildberriesTransport>

export function openWildberriesTransport(options: WildberriesOptions) {
  const { token } = options.credentials
  const environment = environmentAt(environmentOfToken(token), options)
  const { refusalCost, contentExtraCost } = wildberriesPaces[paceNameOf(token, options)]
  const account = accountOf(token, environment)
  const common = {
    ...options,
    account,
    permits: options.readsOnly ? readsWildberries : undefined,
    headers: { authorization: token },
    refusalCost,
    retryAfterHeader: 'X-Ratelimit-Retry',
    remainingHeader: 'X-Ratelimit-Remaining',
    readError: readWildberriesError,
    marketplaceName: 'WB',
  }
  const open = (given: Partial<CallsOptions> = {}) =>
    withStaffMessages(openCalls({ ...common, ...given }), options.time ?? realTime)
  const { json, list } = open()

  async function page(
    call: Pick<Call, 'path' | 'query'>,
    name: string,
    next: string,
  ): Promise<RemotePage> {
    const query = { ...call.query, limit: pageSize, next }
    const { requestedAt, fields } = await json({ ...call, method: 'GET', repeatable: true, query })
    return { requestedAt, items: responseListOf(fields, name), next: textOrNone(fields, 'next') }
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
    /** The same calls with another reader of error responses. */
    withErrorReader: (readError: CallsOptions['readError']) => open({ readError }),
  }
}

/** The bucket of a seller's account; reveals nothing of the token. */
function accountOf(token: string, environment: WildberriesEnvironment): string {
  const { seller = token } = readToken(token)
  const place = environment === 'sandbox' ? 'WB sandbox' : 'WB'
  return createHash('sha256').update(`${place} ${seller}`).digest('base64url')
}

/** POST calls that only read. A call that is missing here is refused for observed cabinets, never sent. */
const readingPosts: readonly RegExp[] = [
  /^\/api\/v3\/orders\/(?:status|stickers|client)$/,
  /^\/api\/marketplace\/v3\/orders\/(?:meta|status)$/,
  /^\/api\/v3\/supplies\/[^/]+\/trbx\/stickers$/,
  /^\/api\/v3\/stocks\/\d+$/,
  /^\/content\/v2\/get\/cards\/list$/,
]

/** Whether a WB call changes nothing at WB. */
export function readsWildberries({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && readingPosts.some((one) => one.test(path)))
}

/** What texts say beside the status; the first that fits counts. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  // The token is valid, but its type or category does not allow the call.
  [/(base|personal|service|test) token (is )?not allowed/i, 'keyType'],
  [/scope (is )?not allowed|token does not satisfy/i, 'rights'],
  [/offer (is )?not (signed|accepted)/i, 'offer'],
  [/(client|seller|supplier) (is )?blocked/i, 'blocked'],
]

/**
 * Reads the body of an error response. `title` holds the name of the error or a sentence; `code`
 * holds that name or the id of a trace.
 */
export function readWildberriesError(body: unknown): ReportedError {
  if (typeof body !== 'object' || body === null) return {}
  const fields: Fields = { ...body }
  const textsIn = (names: readonly string[]) =>
    names.flatMap((name) => textOrNone(fields, name) ?? [])
  const texts = textsIn(['message', 'detail', 'errorText', 'title'])
  return {
    code: textsIn(['code', 'title']).find((text) => /^[A-Za-z]\w*$/.test(text)),
    text: texts[0],
    meaning: meanings.find(([words]) => texts.some((text) => words.test(text)))?.[1],
  }
}
