/**
 * The driver `postgres` 3.4.9, repaired while it is loaded. The only place that may import it other than for its types.
 *
 * As published it does not survive the loss of a connection that is at work, which is when a database restarts under
 * load (issue numbers of porsager/postgres):
 *
 * - it writes to a socket that is gone, out of anybody's reach: the process ends (#1133);
 * - what was left to write stays, and the connection can never write again: each attempt to reconnect times out;
 * - an error of the old connection is the answer to the first statement of the new one (#1223);
 * - statements of a transaction whose connection was lost run on the next one, inside another transaction (#1216), or
 *   are never answered (#1186);
 * - a failure while it asks for the array types ends the process (#1192);
 * - a server that closes connections at once is tried again without pause or end (#1193).
 *
 * With the repairs a lost connection means: every statement given to it is rejected, so is everything that its
 * transaction or reservation asks for from then on, and the pool opens another. Each repair replaces text that must be
 * there exactly once; a version of the driver in which it is not, fails to load. Drop what upstream has mended.
 * `tests/integration/connection-loss.test.ts` fails without them.
 */

import { registerHooks } from 'node:module'
import type driver from 'postgres'

interface Repair {
  readonly published: string
  readonly repaired: string
}

const connectionRepairs: readonly Repair[] = [
  {
    published: `
    clearImmediate(nextWriteTimer)
    if (socket) {`,
    repaired: `
    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    if (socket) {`,
  },
  {
    published: `
    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    repaired: `
    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  },
  {
    // Statements may have come in between the socket's error and its end, so they are rejected in either case.
    published: `
    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    repaired: `
    if (initial && options.host.length > 1) {
      query = errorResponse = null
      return reconnect()
    }

    if (initial || query || sent.length) {
      const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
      errored(lost)
      while (sent.length)
        queryError(sent.shift(), lost)
    }
    query = errorResponse = results = final = null
    result = new Result()
    rows = 0`,
  },
  {
    // Answering true keeps the caller from listing a connection that is gone among those that are busy.
    published: `
    if (terminated)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))
`,
    repaired: `
    if (terminated || !socket) {
      queryError(q, Errors.connection(terminated ? 'CONNECTION_DESTROYED' : 'CONNECTION_CLOSED', options))
      return true
    }
`,
  },
  {
    published: `
        return fetchArrayTypes()`,
    repaired: `
        return fetchArrayTypes().catch(noop)`,
  },
]

const poolRepairs: readonly Repair[] = [
  {
    published: `
      , connection
      , prepare = null
`,
    repaired: `
      , connection
      , prepare = null
      , lost = null
`,
  },
  {
    published: `
        new Promise((_, reject) => connection.onclose = reject)
`,
    repaired: `
        new Promise((_, reject) => connection.onclose = error => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })
`,
  },
  {
    published: `
        q.catch(e => uncaughtError || (uncaughtError = e))
`,
    repaired: `
        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
`,
  },
  {
    published: `
    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
`,
    repaired: `
    c.reserved.release = true

    let lost = null
    c.onclose = error => {
      lost = error
      while (queue.length)
        queue.shift().reject(error)
    }

    const sql = Sql(handler)
    sql.release = () => {
      if (lost)
        return
      lost = Errors.connection('CONNECTION_ENDED', options)
      c.onclose = null
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      if (lost)
        return q.reject(lost)
`,
  },
]

const repairs: ReadonlyMap<string, readonly Repair[]> = new Map([
  ['/postgres/src/connection.js', connectionRepairs],
  ['/postgres/src/index.js', poolRepairs],
])

export const postgres: typeof driver = await loadRepaired()

async function loadRepaired(): Promise<typeof driver> {
  let repairedFiles = 0
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const wanted = [...repairs].find(([ending]) => url.endsWith(ending))?.[1]
      if (wanted === undefined) return loaded
      repairedFiles++
      return { ...loaded, source: wanted.reduce(repair, sourceText(loaded.source)) }
    },
  })
  const loaded = await import('postgres')
  hooks.deregister()
  if (repairedFiles === repairs.size) return loaded.default
  throw new Error('the driver "postgres" was loaded by another module than src/db/driver.ts')
}

function sourceText(source: unknown): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
}

function repair(source: string, { published, repaired }: Repair): string {
  const parts = source.split(published)
  if (parts.length === 2) return parts.join(repaired)
  throw new Error(`the driver "postgres" is not the version that is repaired here: ${published}`)
}
