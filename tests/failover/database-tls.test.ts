import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type Database,
  openDatabase,
  settingsOfDatabase,
} from '../../src/platform/db/connection.ts'
import { openSession } from '../../src/platform/db/connections/client.ts'
import { ended, sqlStateOf } from '../../src/platform/db/connections/errors.ts'
import { command } from '../../src/platform/db/connections/session.ts'
import { openCopySession } from '../../src/platform/db/copy-session.ts'
import {
  debianOwner,
  hasDebianServer,
  openFolder,
  run,
  startServer,
} from '../support/debian-server.ts'
import { freePort } from '../support/free-port.ts'

/** A server with a certificate, as `sslmode` and `sslrootcert` of DATABASE_URL are for. */

const refusedByHost = '28000'
const oneYear = '365'

/** A certificate that is its own authority; Debian's PostgreSQL brings openssl along. */
function makeCertificate(cluster: string): { certificate: string; key: string } {
  const certificate = join(cluster, 'test.crt')
  const key = join(cluster, 'test.key')
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-days', oneYear, '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', ...kind, ...name, ...made], { stdio: 'ignore' })
  for (const path of [certificate, key]) {
    if (debianOwner !== undefined) chownSync(path, debianOwner.uid, debianOwner.gid)
  }
  return { certificate, key }
}

async function withDatabase(url: string, work: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase({ url })
  await work(db).finally(() => db.end())
}

test('over TLS rows, notifications and copies come as they do without, and what the mode forbids is refused', {
  skip: !hasDebianServer && 'Debian’s PostgreSQL 15 is not installed',
}, async () => {
  const cluster = openFolder().make('cluster')
  const port = await freePort()
  await run('initdb', ['-D', cluster, '-U', 'sklad', '--auth=trust', '--encoding=UTF8'])
  const { certificate, key } = makeCertificate(cluster)
  writeFileSync(join(cluster, 'pg_hba.conf'), 'hostssl all all all trust\n')
  const files = { ssl_cert_file: certificate, ssl_key_file: key }
  await startServer(cluster, port, { ssl: 'on', ...files })
  const url = (host: string, mode: string) =>
    `postgres://sklad@${host}:${port}/postgres?sslmode=${mode}`
  const authority = `&sslrootcert=${certificate}`

  await withDatabase(`${url('localhost', 'verify-full')}${authority}`, async (db) => {
    const [session] = await db`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    assert.deepEqual(session, { ssl: true })
    const rows = await db<{ value: string }[]>`
      select repeat('я', size) as value from unnest(${[1, 70_000, 1_000_000]}::int[]) size`
    assert.deepEqual(
      rows.map(({ value }) => value.length),
      [1, 70_000, 1_000_000],
    )
    const heard = Promise.withResolvers<string>()
    const listens = Promise.withResolvers<void>()
    await db.listen('test', heard.resolve, () => listens.resolve())
    await listens.promise
    await db`select pg_notify('test', 'over TLS')`
    assert.equal(await heard.promise, 'over TLS')
    const copies = await openCopySession(db)
    const copied = copies.copyOut('copy (select generate_series(1, 3)) to stdout')
    assert.equal(await text(copied), '1\n2\n3\n')
    await copies.end()
    const silent = await openSession(settingsOfDatabase(db))
    const before = silent.bytesMoved
    const waiting = silent.execute(command('select pg_sleep(600)'))
    await setImmediate()
    assert.ok(silent.bytesMoved > before, 'what only leaves is seen to move')
    silent.destroy(ended('the wait'))
    await assert.rejects(waiting, /the wait/)
    await silent.closed
  })
  for (const mode of ['require', 'verify-ca']) {
    const ca = mode === 'require' ? '' : authority
    await withDatabase(url('127.0.0.1', mode) + ca, async (db) => void (await db`select 1`))
  }

  const refused = (address: string) =>
    withDatabase(address, async (db) => void (await db`select 1`))
  await assert.rejects(
    refused(url('127.0.0.1', 'disable')),
    (error) => sqlStateOf(error) === refusedByHost,
  )
  await assert.rejects(refused(url('localhost', 'verify-full')), /self-signed/)
  await assert.rejects(refused(`${url('127.0.0.1', 'verify-full')}${authority}`), /altnames/i)
})
