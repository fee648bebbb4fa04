import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { loadSecrets, recordFingerprints } from '../../src/platform/process/secrets.ts'
import { buildScene } from '../support/audited-scene.ts'
import { hasDebianServer, openFolder, run, startServer } from '../support/debian-server.ts'
import { eventually } from '../support/faults.ts'
import { freePort } from '../support/free-port.ts'

const skip = !hasDebianServer && 'Debian’s PostgreSQL 15 is not installed'
const program = resolve(import.meta.dirname, '../../bin/sklad.js')
const secret = randomBytes(32)

/** A killed process leaves what it wrote to the system: only a power cut would need more, and it would cost a minute here. */
const settings = { fsync: 'off' }

/** A cell's database, on a server of its own that dies and comes back. */
async function startCell(folder: ReturnType<typeof openFolder>, name: string) {
  const cluster = folder.make(name)
  const port = await freePort()
  await run('initdb', ['-D', cluster, '-U', 'sklad', '--auth=trust', '--encoding=UTF8'])
  await startServer(cluster, port, settings)
  await run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'sklad', 'sklad'])
  const url = `postgres://sklad@127.0.0.1:${port}/sklad`
  const db = openDatabase({ url }, { max: 2 })
  after(() => db.end({ timeout: 1 }))
  await migrate(db)
  await recordFingerprints(db, await loadSecrets({ secretKeys: [secret], dataDir: '' }))
  const kill = () => {
    const [pid] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }
  /** Its last backends may hold its memory for a moment. */
  const start = () =>
    eventually('the server starts', () =>
      startServer(cluster, port, settings).then(
        () => true,
        () => false,
      ),
    )
  return { url, db, kill, start }
}

// Guarantee (moving): Whenever a database server is killed, one cell has the whole warehouse and the move can go on.
test('a warehouse moves, though the servers of both cells are killed on the way', {
  skip,
}, async () => {
  const folder = openFolder()
  const [a, b] = [await startCell(folder, 'a'), await startCell(folder, 'b')]
  const { client } = await buildScene(a.db)
  const [{ code }] = await a.db<[{ code: string }]>`
    select warehouse_code as code from clients where id = ${client}`
  const map = join(mkdtempSync(join(tmpdir(), 'moving-servers-')), 'keys.map')
  const args = ['warehouse', 'move', code, '--to', b.url, '--as', 'NEW1']
  const env = { ...process.env, DATABASE_URL: a.url, SECRET_KEY: secret.toString('base64') }
  /** Runs the command, which kills servers when it says a line. */
  const move = async (line?: RegExp, ...killed: readonly (typeof a)[]) => {
    const command = [program, ...args, '--backend', 'cell-b', '--map', map]
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const said: string[] = []
    const lines = createInterface({ input: child.stderr })
    let died = false
    lines.on('line', (text) => {
      said.push(text)
      if (died || !line?.test(text)) return
      died = true
      for (const cell of killed) cell.kill()
    })
    const [status] = (await once(child, 'close')) as [number | null]
    // A repeated move may pass over the line: then the servers live.
    if (died) for (const cell of killed) await cell.start()
    return { status, said: said.join('\n') }
  }
  const steps: readonly (readonly [line: RegExp, ...killed: (typeof a)[]])[] = [
    [/^announced: /, a],
    [/^held receipts$/, a],
    [/^held: /, b],
    [/^copied orders$/, a],
    [/^copied orders$/, b],
    [/^copied boxes$/, a, b],
    [/^copied: /, b],
    [/^compared: /, a],
    [/^closed: /, b],
    [/^closed: /, a],
    [/^arrived: /, a, b],
  ]
  for (const [line, ...killed] of steps) {
    const { status, said } = await move(line, ...killed)
    if (status === 0 || /^switched: /m.test(said)) break
    assert.equal(status, 1, said)
    assert.doesNotMatch(said, /\n\s+at /, 'a sentence, no trace')
  }
  const { status, said } = await move()
  assert.equal(status, 0, said)
  for (const [cell, mode] of [
    [a, 'moved'],
    [b, 'live'],
  ] as const) {
    const [row] = await cell.db`select mode from clients where id = ${client}`
    assert.deepEqual(row, { mode })
    assert.deepEqual((await audit(cell.db)).findings, [])
  }
})
