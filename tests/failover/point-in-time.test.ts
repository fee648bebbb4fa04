import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
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

/** The steps of docs/operations.md, "Go back to a moment". */
// Guarantee (db): A database of one's own goes back to the moment before a mistake.
test('after a mistake the database goes back to the moment before it, and the audit is clean', {
  skip: !hasDebianServer && 'Debian’s PostgreSQL 15 is not installed',
}, async () => {
  const folder = openFolder()
  const [primary, archive] = [folder.make('primary'), folder.make('archive')]
  const port = await freePort()
  const url = `postgres://sklad@127.0.0.1:${port}/sklad`
  await run('initdb', ['-D', primary, '-U', 'sklad', '--auth=trust', '--encoding=UTF8'])
  await startServer(primary, port, {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  await run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'sklad', 'sklad'])
  const dataDir = mkdtempSync(join(tmpdir(), 'moment-'))
  const settings = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') }
  const service = await startProcess(dataDir, settings)
  const added = ['user', 'add', '--login', 'boss', '--role', 'manager']
  const { answer } = await runCommand(dataDir, added, settings)
  const token = String(answer.token)
  const receipt = await receiptInCounting(service.baseUrl, token)

  // A backup of the files while scans go on: what follows it comes from the archive.
  await count(service.baseUrl, token, receipt, 'before the backup')
  const base = folder.make('base')
  await run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'sklad',
    '-D',
    base,
    '-c',
    'fast',
  ])
  await count(service.baseUrl, token, receipt, 'after the backup')
  const db = openDatabase({ url }, { max: 1 })
  const [moment] = await db<[{ now: string }]>`select clock_timestamp()::text as now`
  await count(service.baseUrl, token, receipt, 'after the moment')
  await db`drop table receipt_scans cascade`
  const [last] = await db<[{ wal: string }]>`select pg_walfile_name(pg_switch_wal()) as wal`
  const archived = async () => {
    const [row] = await db<[{ done: boolean | null }]>`
      select last_archived_wal >= ${last.wal} as done from pg_stat_archiver`
    return row.done === true
  }
  while (!(await archived())) await db`select pg_sleep(0.05)`
  await db.end()
  await service.end('SIGTERM')
  await stopServer(primary)

  writeFileSync(join(base, 'recovery.signal'), '')
  await startServer(base, port, {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment.now,
    recovery_target_action: 'promote',
  })
  await promoted(url)
  for (const held of ['webhooks', 'marketplaces', 'notices']) {
    const { code } = await runCommand(dataDir, [held, 'off'], settings)
    assert.equal(code, 0)
  }
  const report = await runCommand(dataDir, ['audit'], settings)
  assert.deepEqual([report.code, report.answer.findings], [0, []])
  const again = await startProcess(dataDir, settings)
  const found = await staffCalls(again.baseUrl, token).get(`/receipts/${receipt}`)
  const [line] = (found.body as { items: { accepted_qty: number }[] }).items
  assert.equal(line?.accepted_qty, 2)
  await count(again.baseUrl, token, receipt, 'work goes on')
  assert.equal((await again.end('SIGTERM')).code, 0)
})

async function receiptInCounting(baseUrl: string, token: string): Promise<string> {
  const staff = staffCalls(baseUrl, token)
  const idOf = async (path: string, body?: unknown) => {
    const made = await staff.post(path, body)
    assert.ok(made.status < 300, made.text)
    return (made.body as { id: string }).id
  }
  const client = await idOf('/clients', { name: 'ООО «Момент»' })
  const cabinet_id = await idOf(`/clients/${client}/cabinets`, { marketplace: 'WB', name: 'WB' })
  const items = [{ barcode: 'A', name: 'A', qty: 10 }]
  const receipt = await idOf(`/clients/${client}/receipts`, { cabinet_id, items })
  await idOf(`/receipts/${receipt}/start`)
  return receipt
}

async function count(baseUrl: string, token: string, receipt: string, scan_id: string) {
  const scan = { scan_id, barcode: 'A' }
  const done = await staffCalls(baseUrl, token).post(`/receipts/${receipt}/scans`, scan)
  assert.equal(done.status, 200, done.text)
}

/** The server accepts reads as soon as it is consistent, before it has arrived at the moment. */
async function promoted(url: string): Promise<void> {
  const db = openDatabase({ url }, { max: 1 })
  const isReading = async () => {
    const [row] = await db<[{ reading: boolean }]>`select pg_is_in_recovery() as reading`
    return row.reading
  }
  while (await isReading()) await db`select pg_sleep(0.05)`
  await db.end()
}
