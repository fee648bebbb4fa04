import { createHash } from 'node:crypto'
import { type Call, type CallsOptions, openCalls } from '../calls/calls.ts'
import { realTime } from '../calls/limits.ts'
import type { RemotePage } from '../calls/pages.ts'
import { responseListOf, textOrNone } from '../calls/response-fields.ts'
import {
  environmentAt,
  environmentOfToken,
  type WildberriesEnvironment,
  wildberriesPaces,
} from './environment.ts'
import { readWildberriesError } from './errors.ts'
import { readsWildberries } from './reading-calls.ts'
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
  const { refusalCost, contentExtraCost } = wildberriesPaces[environment]
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
