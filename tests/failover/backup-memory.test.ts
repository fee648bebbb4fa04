import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { runCommand } from '../support/process.ts'

const program = resolve(import.meta.dirname, '../../bin/sklad.js')
const secretKey = randomBytes(32).toString('base64')
const kilobyte = 1024
const megabyte = kilobyte * kilobyte

/** Says at its end how much memory the process had at most. */
const watched = `data:text/javascript,process.on('exit',()=>console.error('most memory: '+process.resourceUsage().maxRSS))`

/** Runs a command to its end. Resolves with the most memory that it had, in bytes. */
async function memoryOf(dataDir: string, ...command: string[]): Promise<number> {
  const env = { ...process.env, DATA_DIR: dataDir, SECRET_KEY: secretKey }
  const args = ['--import', watched, program, ...command]
  const { stderr } = await promisify(execFile)(process.execPath, args, { env })
  const [, most] = /most memory: (\d+)/.exec(stderr) ?? []
  assert.ok(most, stderr)
  return Number(most) * kilobyte
}

const events = 1_000
const bodyBytes = 200_000

/** A log of events that is twice as large as the memory that a command takes, and small on the disk. */
async function fillLog(dataDir: string): Promise<void> {
  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(target, { max: 1 })
  const client = await perform(db, systemClock, { kind: 'service' }, (work) =>
    createClient(work, { mode: 'live', name: 'Продавец' }),
  )
  const filled = db`
    insert into events (client_id, id, type, occurred_at, body)
    select ${client}, e.id, 'order.created', now(),
      format('{"id":"%s","type":"order.created","data":"%s"}', e.id, repeat('x', ${bodyBytes}))
    from (select uuidv7() as id from generate_series(1, ${events}) n) e`
  assert.equal(await filled.affected(), events)
  await db.end()
  await stop()
}

test('a backup and its restoring take no more memory for a large database than for a small one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-memory-'))
  const at = (name: string) => join(folder, name)
  await runCommand(at('data'), ['migrate'], { SECRET_KEY: secretKey })
  const small = await memoryOf(at('data'), 'backup', at('small'))
  const smallRestored = await memoryOf(at('small-data'), 'restore', at('small'))
  await fillLog(at('data'))
  const more = events * bodyBytes
  const bound = more / 2
  const large = await memoryOf(at('data'), 'backup', at('large'))
  assert.ok(large - small < bound, `${(large - small) / megabyte} MB more`)
  const restored = await memoryOf(at('large-data'), 'restore', at('large'))
  assert.ok(restored - smallRestored < bound, `${(restored - smallRestored) / megabyte} MB more`)
})
