import type { ProcessRole } from '../../src/app.ts'
import { type Client, openClient } from './client.ts'
import { count, list, object, orNull, read, type Shape, text } from './shape.ts'

/**
 * The service that the acceptance tests call: the one at SKLAD_BASE_URL or, without it, one that they
 * start themselves.
 *
 * Any running service will do; under the default rate limits the tests take longer. Tests that need a
 * live client are skipped there unless SKLAD_LIVE_KEY, SKLAD_LIVE_WRITING_KEY (its client has one
 * cabinet) and SKLAD_REVOKED_KEY are given.
 */
export interface Target {
  readonly baseUrl: string
  /** The tests started the service, on this machine. */
  readonly own: boolean
  readonly live:
    | { readonly reading: string; readonly writing: string; readonly revoked: string }
    | undefined
  /** A client with a fresh test key. */
  sandbox(): Promise<Client>
  /**
   * The same for tests that need no goods: with one cabinet alone, since a copy of the scenario costs half a second of
   * processor time. A service that the tests did not start gives the scenario.
   */
  emptySandbox(): Promise<Client>
  client(key?: string): Client
}

/**
 * `settings` and `role` apply only to a service that the tests start. Without them the files of one process share the
 * service.
 */
export async function openTarget(
  settings?: Readonly<Record<string, string>>,
  role?: ProcessRole,
): Promise<Target> {
  const { SKLAD_BASE_URL: given } = process.env
  if (given !== undefined) return targetAt(given.replace(/\/+$/, ''), givenKeys())
  const { addLiveClient, emptySandbox, sharedService, startService } = await import('./service.ts')
  const alone = settings !== undefined || role !== undefined
  const service = await (alone ? startService(settings, role) : sharedService())
  return targetAt(service.baseUrl, await addLiveClient(service), () => emptySandbox(service))
}

function givenKeys(): Target['live'] {
  const {
    SKLAD_LIVE_KEY: reading,
    SKLAD_LIVE_WRITING_KEY: writing,
    SKLAD_REVOKED_KEY: revoked,
  } = process.env
  if (reading === undefined || writing === undefined || revoked === undefined) return undefined
  return { reading, writing, revoked }
}

function targetAt(
  baseUrl: string,
  live: Target['live'],
  emptySandbox?: () => Promise<Client>,
): Target {
  const client = (key?: string) => openClient(baseUrl, key)
  const sandbox = async () => {
    const { body } = await client().post('/v1/sandbox/keys')
    const { key } = read(object({ key: text, expires_after_idle: text, docs: text }), body)
    return client(key)
  }
  const own = emptySandbox !== undefined
  return { baseUrl, own, live, client, sandbox, emptySandbox: emptySandbox ?? sandbox }
}

/** The items of a list over all of its pages. */
export async function readAll<T>(
  client: Client,
  path: string,
  query: Readonly<Record<string, string>>,
  item: Shape<T>,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const parameters = new URLSearchParams({ limit: '1000', ...query, ...(cursor && { cursor }) })
    const page = readPage(item, (await client.get(`${path}?${parameters}`)).body)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly next_cursor: string | null
}

export function readPage<T>(item: Shape<T>, body: unknown): Page<T> {
  return read(object({ items: list(item), total: count, next_cursor: orNull(text) }), body)
}
