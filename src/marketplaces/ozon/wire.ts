import { createHash } from 'node:crypto'
import type { Instant } from '../../kernel/moscow-time.ts'
import { type Fields, fieldsOf, flagOf, listAnswered, textOf, textOrNone } from '../calls/answer.ts'
import { type CallsOptions, openCalls } from '../calls/calls.ts'
import type { Page } from '../calls/pages.ts'
import { readError } from './errors.ts'
import { type File, fileIn, openDownloads } from './files.ts'

/** How OZON is asked, whatever it is asked for: every call is a POST with JSON, and lists have pages. */

export interface OzonOptions
  extends Pick<CallsOptions, 'limits' | 'now' | 'time' | 'chance' | 'timeoutMs' | 'attemptsMax'> {
  readonly credentials: { readonly clientId: string; readonly apiKey: string }
  readonly baseUrl: string
}

export interface Wire {
  /** Reads, or brings about a state whatever the number of times. */
  ask(path: string, body: Fields): Promise<Told>
  /** What would be done twice if it were asked for twice. */
  once(path: string, body: Fields): Promise<Told>
  page(path: string, name: string, body: Fields): Promise<Page>
  file(path: string, body: Fields): Promise<File>
  download(address: string): Promise<File>
}

interface Told {
  readonly askedAt: Instant
  readonly fields: Fields
}

export function openWire(options: OzonOptions): Wire {
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

  async function post(path: string, body: Fields, repeatable: boolean): Promise<Told> {
    const { askedAt, fields } = await json({ method: 'POST', repeatable, path, body })
    return { askedAt, fields: unwrapped(fields) }
  }

  return {
    ask: (path, body) => post(path, body, true),
    once: (path, body) => post(path, body, false),
    async page(path, name, body) {
      const { askedAt, fields } = await post(path, body, true)
      const items = listAnswered(unlisted(fields, name), name)
      return {
        askedAt,
        items,
        // Looked for after the page was told: without it the page is good yet.
        get next() {
          return nextOf(fields, items.length, body.cursor)
        },
      }
    },
    async file(path, body) {
      return fileIn(await raw({ method: 'POST', repeatable: true, path, body }))
    },
    download: openDownloads(calls),
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
export function unlisted(fields: Fields, name: string): Fields {
  const { result } = fields
  const unnamed = Array.isArray(result) || result === null
  return name in fields || !unnamed ? fields : { [name]: result }
}
