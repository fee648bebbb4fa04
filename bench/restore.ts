import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSecrets, recordFingerprints } from '../src/platform/process/secrets.ts'
import { readArguments } from './arguments.ts'
import { fill } from './fill.ts'
import { openPlace } from './place.ts'
import { publish, runLine, show, table } from './report.ts'

/** How long a backup and a restore with its audit take, by the commands that an operator types. */

const usage = `node bench/restore.ts [options]

  --orders N    orders of the warehouse (240000, which are a database of about 1 GB)
  --out DIR     directory of the results (bench/results)
  --no-out      print the results only
  --smoke       5,000 orders; print only
`

const given = readArguments(process.argv.slice(2), usage, ['orders'] as const)
const orders = given.number('orders', { usual: 240_000, smoke: 5_000, least: 5_000, whole: true })
const program = fileURLToPath(new URL('../bin/sklad.js', import.meta.url))
const secretKey = randomBytes(32).toString('base64')
const megabyte = 1e6

const folder = mkdtempSync(join(tmpdir(), 'sklad-restore-'))
try {
  const [from, to, file] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'backup')]
  mkdirSync(to)
  const databaseMb = await fillDirectory(from)
  const backup = await timeCommand(from, ['backup', file])
  const backupMb = statSync(file).size / megabyte
  const restore = await timeCommand(to, ['restore', file])
  const row = (what: string, seconds: number, mb: number) => [
    what,
    show(seconds),
    show(mb),
    show((seconds / databaseMb) * 1_000),
  ]
  const text = `# Backup and restore of ${show(databaseMb)} MB

${runLine()}, embedded PostgreSQL, durable settings. ${orders.toLocaleString('en')} orders of bench/fill.ts.

${table(
  ['', 'seconds', 'MB of the result', 'seconds a GB of the database'],
  [
    row('`sklad backup`', backup, backupMb),
    row('`sklad restore`, with its audit', restore, databaseMb),
  ],
)}

The rows of the fill repeat themselves, so the file is smaller than one of real goods and marking codes.
`
  publish(given.resultsDir, 'restore', text)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** @returns the size of the database */
async function fillDirectory(dataDir: string): Promise<number> {
  await using place = await openPlace(dataDir)
  const { db } = place
  const secretKeys = [Buffer.from(secretKey, 'base64')]
  await recordFingerprints(db, await loadSecrets({ secretKeys, dataDir }))
  await fill(db, orders)
  const [row] = await db<[{ bytes: number }]>`
    select pg_database_size(current_database())::float8 as bytes`
  return row.bytes / megabyte
}

/** @returns seconds */
async function timeCommand(dataDir: string, command: readonly string[]): Promise<number> {
  const since = performance.now()
  const child = spawn(process.execPath, [program, ...command], {
    env: { ...process.env, DATA_DIR: dataDir, SECRET_KEY: secretKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`sklad ${command[0]} ended with ${status}`)
  return (performance.now() - since) / 1_000
}
