import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { openReports } from '../../src/platform/db/reports.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import {
  hasDebianServer,
  openFolder,
  run,
  startServer,
  stopServer,
} from '../support/debian-server.ts'
import { freePort } from '../support/free-port.ts'
import { runCommand, startProcess } from '../support/process.ts'
import { staffCalls } from '../support/staff.ts'

const skip = !hasDebianServer && 'Debian’s PostgreSQL 15 is not installed'
const urlOf = (port: number) => `postgres://sklad@127.0.0.1:${port}/sklad`

/** A primary and a standby that follows it. */
async function startPair(settings: Readonly<Record<string, string>> = {}) {
  const folder = openFolder()
  const [primary, standby] = [folder.make('primary'), folder.make('standby')]
  const [port, other] = [await freePort(), await freePort()]
  await run('initdb', ['-D', primary, '-U', 'sklad', '--auth=trust', '--encoding=UTF8'])
  await startServer(primary, port, {})
  const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'sklad']
  await run('createdb', [...at, 'sklad'])
  await run('pg_basebackup', [...at, '-D', standby, '-c', 'fast', '-R'])
  const follow = () => startServer(standby, other, { hot_standby_feedback: 'on', ...settings })
  await follow()
  return { url: urlOf(port), standbyUrl: urlOf(other), standby, follow }
}

// Guarantee (db): Reports from a standby have everything written before; the primary answers for one that is late.
test('reports read on the standby what was just written, and on the primary while it is behind or away', {
  skip,
}, async () => {
  const { url, standbyUrl, standby } = await startPair()
  const primary = openDatabase({ url }, { max: 2 })
  const paused = openDatabase({ url: standbyUrl }, { max: 1 })
  const settings = { databaseReportsUrl: standbyUrl, poolSize: 2, preparedStatements: true }
  const open = () => openReports(primary, settings)
  const isStandby = async (reports: ReturnType<typeof open>) => {
    const db = await reports.database()
    const [{ count, standby }] = await db<[{ count: number; standby: boolean }]>`
      select count(*), pg_is_in_recovery() as standby from marks`
    return { count, standby }
  }
  await primary`create table marks (id integer)`
  const reports = open()
  for (let count = 1; count <= 50; count += 1) {
    await primary`insert into marks values (${count})`
    assert.deepEqual(await isStandby(reports), { count, standby: true })
  }
  await paused`select pg_wal_replay_pause()`
  await primary`insert into marks values (51)`
  assert.deepEqual(await isStandby(reports), { count: 51, standby: false }, 'behind')
  await paused`select pg_wal_replay_resume()`
  await paused.end()
  const others = open()
  assert.deepEqual(await isStandby(others), { count: 51, standby: true })
  await stopServer(standby)
  assert.deepEqual(await isStandby(others), { count: 51, standby: false }, 'away')
  for (const each of [reports, others]) await each.end()
  await primary.end()
})

test('a standby that is an hour behind is passed over, by whoever has just written, too', {
  skip,
}, async () => {
  const { url, standbyUrl } = await startPair({ recovery_min_apply_delay: '1h' })
  const dataDir = mkdtempSync(join(tmpdir(), 'reports-'))
  const secret = { SECRET_KEY: randomBytes(32).toString('base64') }
  const settings = { ...secret, DATABASE_URL: url, DATABASE_REPORTS_URL: standbyUrl }
  const service = await startProcess(dataDir, settings)
  const added = ['user', 'add', '--login', 'boss', '--role', 'administrator']
  const { answer } = await runCommand(dataDir, added, settings)
  const staff = staffCalls(service.baseUrl, String(answer.token))
  for (const name of ['Первый', 'Второй', 'Третий']) {
    const made = await staff.post('/clients', { name })
    assert.equal(made.status, 201)
    const { id } = made.body as { id: string }
    // A client that the answering server does not know is 404.
    const { status } = await fetch(
      `${service.baseUrl}/staff/v1/exports/stock?format=csv&client_id=${id}`,
      { headers: { Authorization: `Bearer ${String(answer.token)}` } },
    )
    assert.equal(status, 200, name)
  }
  assert.equal((await runCommand(dataDir, ['audit'], settings)).answer.result, 'no differences')
  await service.end('SIGTERM')
})

test('a standby that falls silent keeps one report waiting for seconds, and none after it', {
  skip,
}, async () => {
  const { url, standbyUrl } = await startPair()
  const gate = await openDatabaseGate({ url: standbyUrl })
  const { url: databaseReportsUrl } = gate.target as { readonly url: string }
  const primary = openDatabase({ url }, { max: 2 })
  const reports = openReports(primary, {
    ...{ databaseReportsUrl, poolSize: 2, preparedStatements: true },
  })
  assert.notEqual(await reports.database(), primary)
  gate.set('frozen')
  const since = performance.now()
  assert.equal(await reports.database(), primary)
  const found = performance.now()
  assert.ok(found - since < 8_000, `${Math.round(found - since)} ms`)
  for (let count = 0; count < 50; count += 1) assert.equal(await reports.database(), primary)
  assert.ok(performance.now() - found < 500)
  gate.set('open')
  await reports.end()
  await primary.end()
})

test('exports, the audit and a backup are read on the standby', { skip }, async () => {
  const { url, standbyUrl, follow, standby } = await startPair()
  const dataDir = mkdtempSync(join(tmpdir(), 'reports-'))
  const settings = {
    DATABASE_URL: url,
    DATABASE_REPORTS_URL: standbyUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const service = await startProcess(dataDir, settings)
  const added = ['user', 'add', '--login', 'boss', '--role', 'administrator']
  const { answer } = await runCommand(dataDir, added, settings)
  const staff = staffCalls(service.baseUrl, String(answer.token))
  assert.equal((await staff.post('/clients', { name: 'ООО «Только что»' })).status, 201)
  const exported = async () => {
    const response = await fetch(`${service.baseUrl}/staff/v1/exports/stock?format=csv`, {
      headers: { Authorization: `Bearer ${String(answer.token)}` },
    })
    assert.equal(response.status, 200)
    return response.text()
  }
  assert.match(await exported(), /Штрихкод/)
  const readers = openDatabase({ url: standbyUrl }, { max: 1 })
  const [{ count }] = await readers<[{ count: number }]>`
    select count(*) from pg_stat_activity where application_name = 'sklad reports'`
  assert.ok(count > 0, 'the export asked the standby')
  await readers.end()
  assert.equal((await runCommand(dataDir, ['audit'], settings)).answer.result, 'no differences')
  const file = join(dataDir, 'backup.sklad')
  const { answer: backup } = await runCommand(dataDir, ['backup', file], settings)
  assert.ok(Number(backup.rows) > 0)
  await stopServer(standby)
  assert.match(await exported(), /Штрихкод/, 'the primary answers meanwhile')
  await follow()
  await service.end('SIGTERM')
})
