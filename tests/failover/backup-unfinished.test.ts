import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { startProcess } from '../support/process.ts'

const program = resolve(import.meta.dirname, '../../bin/sklad.js')

/** Runs a backup that may write no file larger than a megabyte or two, by the size of the shell's blocks. */
function backUpWithin(dataDir: string, path: string): Promise<{ code: unknown; errors: string }> {
  const limited = [
    '-c',
    'ulimit -f 2000; exec "$0" "$@"',
    process.execPath,
    program,
    'backup',
    path,
  ]
  const env = { ...process.env, DATA_DIR: dataDir }
  return new Promise((done) => {
    execFile('sh', limited, { env }, (error, _, errors) => done({ code: error?.code ?? 0, errors }))
  })
}

/** Events that no compression makes small: the limit is reached in the middle of their table. */
async function fillLog(dataDir: string): Promise<void> {
  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(target, { max: 1 })
  const filled = db`
    insert into events (client_id, id, type, occurred_at, body)
    select c.id, uuidv7(), 'order.created', now(),
      (select string_agg(md5(random()::text || n || m), '') from generate_series(1, 20) m)
    from (select id from clients limit 1) c, generate_series(1, 10000) n`
  assert.equal(await filled.affected(), 10_000)
  await db.end()
  await stop()
}

test('a backup that finds no room says so in one line, leaves no file, and the service goes on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backup-disk-'))
  const folder = mkdtempSync(join(tmpdir(), 'backup-disk-'))
  const service = await startProcess(dataDir)
  await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  await fillLog(dataDir)
  const { code, errors } = await backUpWithin(dataDir, join(folder, 'file'))
  assert.equal(code, 1)
  const lines = errors.trimEnd().split('\n')
  assert.match(lines.at(-1) ?? '', /^sklad: .*file: the file may not be so large there$/, errors)
  assert.doesNotMatch(errors, /\n +at /)
  assert.deepEqual(readdirSync(folder), [])
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test('a backup that is stopped leaves no file', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backup-stopped-'))
  const folder = mkdtempSync(join(tmpdir(), 'backup-stopped-'))
  const service = await startProcess(dataDir)
  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(target, { max: 2 })
  // The backup waits for this table, in the middle of its file.
  await db.begin(async (tx) => {
    await tx`lock table print_jobs in access exclusive mode`
    const path = join(folder, 'file')
    const env = { ...process.env, DATA_DIR: dataDir }
    const backup = spawn(process.execPath, [program, 'backup', path], { env })
    let errors = ''
    backup.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const ended = once(backup, 'close')
    while (!existsSync(`${path}.unfinished`)) await sleep(10)
    backup.kill('SIGTERM')
    assert.deepEqual(await ended, [1, null])
    assert.match(errors, /^sklad: .*file: the backup was stopped$/m)
    assert.deepEqual(readdirSync(folder), [])
  })
  await db.end()
  await stop()
  assert.equal((await service.end('SIGTERM')).code, 0)
})
