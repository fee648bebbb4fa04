import Fastify from 'fastify'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'

/**
 * The baseline: node bare.ts <data directory>. The same HTTP server and driver with as many connections. Each
 * request runs one transaction: one statement inserts rows, one updates as many. There is no token, no
 * schema, no journal, no ledger and no check.
 */

const [dataDir = ''] = process.argv.slice(2)
const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
const db = openDatabase(target, { max: 10, applicationName: 'bench bare' })
await db`drop schema if exists bench cascade`
await db`create schema bench`
await db`
  create table bench.entries (
    id bigint generated always as identity primary key,
    row integer not null,
    body text not null,
    at timestamptz(3) not null default now()
  )`
await db`
  create table bench.counts (row integer primary key, entries bigint not null) with (fillfactor = 80)`
await db`insert into bench.counts select row, 0 from generate_series(0, 9999) row`

export interface BareBody {
  /** The first row to change, and the number of rows. */
  readonly first: number
  readonly rows: number
}

const app = Fastify({ bodyLimit: 4 * 1024 * 1024 })

app.post<{ Body: BareBody }>('/entries', async (request) => {
  const { first, rows } = request.body
  const until = first + rows - 1
  const body = 'x'.repeat(300)
  await db.begin(async (tx) => {
    await tx`
      insert into bench.entries (row, body)
      select row, ${body} from generate_series(${first}::integer, ${until}::integer) row`
    await tx`
      update bench.counts set entries = entries + 1 where row between ${first} and ${until}`
  })
  return { entered: rows }
})

process.on('SIGTERM', async () => {
  await app.close()
  await db.end({ timeout: 5 })
  await stop()
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`ready at ${app.listeningOrigin}`)
