import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/platform/postgres/supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'hosts-'))
const running = new Set<EmbeddedServer>()
after(async () => {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<EmbeddedServer> {
  // The embedded server writes too little to its log for a standby by default.
  const settings = { wal_level: 'replica' }
  const server = await startEmbedded({ dataDir: join(folder, name), as: 'service', settings })
  running.add(server)
  return server
}

async function stop(server: EmbeddedServer): Promise<void> {
  running.delete(server)
  await server.stop()
}

/** A second server with the same data that waits to become the primary. */
function copyAsStandby(from: string, to: string): void {
  // With the owners of the files.
  execFileSync('cp', ['-a', join(folder, from), join(folder, to)])
  const cluster = join(folder, to, 'postgres')
  execFileSync('cp', ['-p', join(cluster, 'PG_VERSION'), join(cluster, 'standby.signal')])
}

const host = (name: string) => encodeURIComponent(join(folder, name, 'postgres'))

// Guarantee (db): Of several database servers only the primary is used.
test('of several servers the primary is used, and after a failover the new one', async () => {
  const first = await start('a')
  const seed = openDatabase(first.target)
  await seed`create table marks (name text)`
  await seed.end()
  await stop(first)
  copyAsStandby('a', 'b')
  const [primary, standby] = [await start('a'), await start('b')]

  // The standby is named first, and yet nothing is written or read there.
  const db = openDatabase({ url: `postgres://sklad@${host('b')},${host('a')}/sklad` }, { max: 3 })
  const heard: string[] = []
  const listening = Promise.withResolvers<void>()
  let begun = 0
  await db.listen(
    'marks',
    (payload) => heard.push(payload),
    () => {
      begun += 1
      if (begun === 2) listening.resolve()
    },
  )
  await Promise.all(['1', '2', '3'].map((name) => db`insert into marks values (${name})`))

  await stop(primary)
  const away = await db`select 1`.then(
    () => 'answered',
    (error: unknown) => (error as { code?: string }).code,
  )
  assert.notEqual(away, 'answered')
  const other = openDatabase(standby.target, { max: 1 })
  await other`select pg_promote()`
  await other.end()
  await db`insert into marks values ('4')`
  const rows = await db<{ name: string }[]>`select name from marks`
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['4'],
  )
  await listening.promise
  await db`select pg_notify('marks', 'after')`
  while (heard.length === 0) await db`select pg_sleep(0.02)`
  assert.deepEqual(heard, ['after'])
  await db.end()
})
