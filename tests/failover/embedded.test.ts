import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inTransaction, openDatabase, type Transaction } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { commandLine } from '../../src/platform/postgres/processes.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'

const scratch = mkdtempSync(join(tmpdir(), 'sklad-embedded-'))
const seed = join(scratch, 'seed')
const children: ChildProcess[] = []
const dataDirs: string[] = []

after(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const dataDir of dataDirs) killServer(dataDir)
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })
})

/** A data directory with a stopped server. It is a copy of the first test's directory: creating one takes a second. */
function seededDataDir(name: string): string {
  const dataDir = newDataDir(name)
  execFileSync('cp', ['-a', seed, dataDir])
  return dataDir
}

function newDataDir(name: string): string {
  const dataDir = join(scratch, name)
  dataDirs.push(dataDir)
  return dataDir
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'postgres/postmaster.pid')
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(lockFile(dataDir), 'utf8'), 10)
}

function isRunning(pid: number): boolean {
  return commandLine(pid) !== ''
}

function killServer(dataDir: string): void {
  if (existsSync(lockFile(dataDir)) && isRunning(postmasterOf(dataDir))) {
    process.kill(postmasterOf(dataDir), 'SIGKILL')
  }
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `waited in vain until ${what}`)
    await sleep(5)
  }
}

async function run(target: DatabaseTarget, statement: string): Promise<unknown> {
  const db = openDatabase(target, { max: 1 })
  try {
    return Object.values((await db.unsafe(statement))[0] ?? {})[0]
  } finally {
    await db.end({ timeout: 0 })
  }
}

/** Starts another process and returns when it uses the data directory. */
async function otherProcess(
  dataDir: string,
  kind: string,
  ...rest: string[]
): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../support/embedded-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, dataDir, kind, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  children.push(child)
  await said(child, 'ready')
  return child
}

async function said(child: ChildProcess, words: string): Promise<void> {
  assert.ok(child.stdout)
  for await (const line of createInterface({ input: child.stdout })) if (line === words) return
  assert.fail(`the process ended without saying "${words}"`)
}

function isBack(line: string): boolean {
  return line.includes('there again')
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

function refused(...parts: string[]) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error))
    for (const part of parts) assert.ok(error.message.includes(part), error.message)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}

test('the first start makes a durable database with rules of its own for text, open to its owner only', async () => {
  dataDirs.push(seed)
  const { target, stop } = await startEmbedded({ dataDir: seed, as: 'service' })
  const db = openDatabase(target, { max: 1 })
  const [row] = await db`
    select current_database() as database, current_user as role, lower('ЁЛКА') as lower,
      current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('listen_addresses') as listen_addresses, current_setting('jit') as jit,
      (select rolsuper from pg_roles where rolname = current_user) as super`
  assert.deepEqual(row, {
    database: 'sklad',
    role: 'sklad',
    lower: 'ёлка',
    encoding: 'UTF8',
    fsync: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    jit: 'off',
    super: true,
  })
  await db`create table kept (value text)`
  await db`insert into kept values ('kept')`
  await db.end()

  assert.equal(statSync(seed).mode & 0o777, 0o700)
  assert.equal(statSync(join(seed, 'postgres')).mode & 0o777, 0o700)
  assert.equal(statSync(join(seed, 'postgres.log')).mode & 0o777, 0o600)

  const postmaster = postmasterOf(seed)
  const [first, second] = [stop(), stop()]
  assert.equal(first, second)
  await first
  await stop()
  assert.ok(!isRunning(postmaster))
  assert.deepEqual(readdirSync(seed).sort(), ['postgres', 'postgres.log'])
})

test('a restart keeps the data', async () => {
  const dataDir = seededDataDir('restart')
  for (let start = 0; start < 2; start++) {
    const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
    assert.equal(await run(target, 'select value from kept'), 'kept')
    await stop()
  }
})

test('a second service is refused, and the first keeps its server', async () => {
  const dataDir = seededDataDir('second-service')
  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  await assert.rejects(
    startEmbedded({ dataDir, as: 'service' }),
    refused('DATA_DIR', dataDir, 'in use by another service'),
  )
  assert.equal(await run(target, 'select value from kept'), 'kept')
  await stop()
  assert.ok(!existsSync(lockFile(dataDir)))
})

test('the server stays for as long as anybody uses it', async () => {
  const dataDir = seededDataDir('commands')
  const command = await startEmbedded({ dataDir, as: 'command' })
  const postmaster = postmasterOf(dataDir)
  const service = await startEmbedded({ dataDir, as: 'service' })
  await command.stop()
  const later = await startEmbedded({ dataDir, as: 'command' })
  await service.stop()
  assert.equal(await run(later.target, 'select value from kept'), 'kept')
  assert.equal(postmasterOf(dataDir), postmaster)
  await later.stop()
  assert.ok(!isRunning(postmaster))
})

test('commands that come and go all at once each find a server, and the last one stops it', async () => {
  const dataDir = seededDataDir('crowd')
  const comeAndGo = async () => {
    for (let round = 0; round < 5; round++) {
      const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
      assert.equal(await run(target, 'select value from kept'), 'kept')
      await stop()
    }
  }
  await Promise.all(Array.from({ length: 6 }, comeAndGo))
  assert.ok(!existsSync(lockFile(dataDir)))
})

test('two processes that create the database at the same time create one', async () => {
  const dataDir = newDataDir('two-services')
  const both = await Promise.all([
    startEmbedded({ dataDir, as: 'service' }),
    startEmbedded({ dataDir, as: 'command' }),
  ])
  const systems = both.map(({ target }) =>
    run(target, 'select system_identifier::text from pg_control_system()'),
  )
  assert.equal(await systems[0], await systems[1])
  await Promise.all(both.map(({ stop }) => stop()))
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.log'])
})

test('the server of a killed service is taken over as it is', async () => {
  const dataDir = seededDataDir('take-over')
  const killed = await otherProcess(dataDir, 'service')
  const postmaster = postmasterOf(dataDir)
  await kill(killed)
  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(postmasterOf(dataDir), postmaster)
  assert.equal(await run(target, 'select value from kept'), 'kept')
  await stop()
  assert.ok(!isRunning(postmaster))
})

test('after everything was killed the next start works and has everything that was committed', async () => {
  const dataDir = seededDataDir('kill-all')
  const killed = await otherProcess(dataDir, 'service')
  const command = await startEmbedded({ dataDir, as: 'command' })
  await run(command.target, "insert into kept values ('committed')")
  const stopping = command.stop()
  await stopping
  killServer(dataDir)
  await kill(killed)

  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(await run(target, 'select count(*) from kept'), 2)
  await stop()
})

test('a start works with a stale lock file that names another living process', async () => {
  const dataDir = seededDataDir('stale-pid')
  const killed = await otherProcess(dataDir, 'service')
  const lock = readFileSync(lockFile(dataDir), 'utf8')
  killServer(dataDir)
  await kill(killed)
  // PostgreSQL checks the lock file's process only if it runs as the same user.
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid } : {})
  children.push(stranger)
  await once(stranger, 'spawn')
  const [, ...rest] = lock.split('\n')
  writeFileSync(lockFile(dataDir), [stranger.pid, ...rest].join('\n'))
  writeFileSync(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), [stranger.pid, ...rest].join('\n'))

  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(await run(target, 'select value from kept'), 'kept')
  await stop()
  assert.equal(stranger.exitCode, null)
  assert.equal(stranger.signalCode, null)
})

test('a long statement of a killed server does not keep the next one from starting', async () => {
  const dataDir = seededDataDir('orphan')
  const endless = 'select count(*) from generate_series(1, 1e12) a where random() < 0'
  const killed = await otherProcess(dataDir, 'service', endless)
  const command = await startEmbedded({ dataDir, as: 'command' })
  const running = `
    select count(*) = 1 from pg_stat_activity where state = 'active' and query like '%1e12) a where random%'
      and pid <> pg_backend_pid()`
  await until('the statement runs', async () => (await run(command.target, running)) === true)
  await command.stop()
  killServer(dataDir)
  await kill(killed)

  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(await run(target, 'select value from kept'), 'kept')
  await stop()
})

test('a server that dies under a service at work is started again, and no transaction is halved', async () => {
  const dataDir = seededDataDir('restart-dead')
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const { target, stop } = await startEmbedded({ dataDir, as: 'service', log })
  const db = openDatabase(target, { max: 5 })
  await db`create table pairs (half text)`
  let working = true
  let failures = 0
  const writePair = (tx: Transaction) =>
    tx`insert into pairs values ('a')`.then(() => tx`insert into pairs values ('b')`)
  const work = async () => {
    while (working) {
      await inTransaction(db, writePair).catch(() => failures++)
      await sleep(1)
    }
  }
  const workers = Array.from({ length: 10 }, work)

  for (const round of [1, 2]) {
    const postmaster = postmasterOf(dataDir)
    killServer(dataDir)
    await until(
      `the service has joined again (${round})`,
      () => lines.filter(isBack).length === round,
    )
    assert.notEqual(postmasterOf(dataDir), postmaster)
    await db`select from pairs`.catch(() => db`select from pairs`)
  }
  await assert.rejects(startEmbedded({ dataDir, as: 'service' }), refused('another service'))
  working = false
  await Promise.all(workers)

  assert.ok(failures > 0)
  const [row] = await db<{ halves: number }[]>`
    select count(*) filter (where half = 'a') - count(*) filter (where half = 'b') as halves from pairs`
  assert.deepEqual(row, { halves: 0 })
  await db.end()
  await stop()
  assert.ok(!existsSync(lockFile(dataDir)))
})

test('a signal to the process group of the service does not reach the server', async () => {
  const dataDir = seededDataDir('signal')
  const service = await otherProcess(dataDir, 'service')
  const postmaster = postmasterOf(dataDir)
  assert.ok(service.pid)
  const heard = said(service, 'interrupted')
  process.kill(-service.pid, 'SIGINT')
  await heard
  const command = await startEmbedded({ dataDir, as: 'command' })
  assert.equal(postmasterOf(dataDir), postmaster)
  await kill(service)
  const connected =
    "select count(*)::int from pg_stat_activity where application_name = 'sklad service'"
  await until(
    'the server has noticed the kill',
    async () => (await run(command.target, connected)) === 0,
  )
  await command.stop()
  assert.ok(!isRunning(postmaster))
})

test('a start works after a first start that was killed half-way', async () => {
  const dataDir = newDataDir('half-way')
  const program = fileURLToPath(new URL('../support/embedded-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, dataDir, 'service'], { stdio: 'ignore' })
  children.push(child)
  await until(
    'the database is half made',
    () =>
      existsSync(dataDir) &&
      readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'PG_VERSION'))),
  )
  await kill(child)
  assert.ok(!existsSync(join(dataDir, 'postgres')))

  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(await run(target, 'select 1'), 1)
  await stop()
})

test('a start deletes the leftovers of killed starts', async () => {
  const dataDir = seededDataDir('litter')
  const gone = spawn('true')
  await once(gone, 'exit')
  mkdirSync(join(dataDir, `postgres.new-${gone.pid}-x`))
  mkdirSync(join(dataDir, `postgres.new-${process.pid}-x`))
  const { stop } = await startEmbedded({ dataDir, as: 'service' })
  await stop()
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.log'])
})

test('a deep data directory below closed ones works', async () => {
  const closed = join(scratch, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  chmodSync(closed, 0o700)
  const dataDir = newDataDir(`closed/${'d'.repeat(120)}/data`)
  const { target, stop } = await startEmbedded({ dataDir, as: 'service' })
  assert.equal(await run(target, 'select 1'), 1)
  await stop()
})

test('a log that has grown too long is set aside', async () => {
  const dataDir = seededDataDir('log')
  const log = join(dataDir, 'postgres.log')
  writeFileSync(log, 'x'.repeat(11 * 1024 * 1024))
  const { stop } = await startEmbedded({ dataDir, as: 'service' })
  await stop()
  assert.ok(statSync(log).size < 100_000)
  assert.ok(statSync(`${log}.1`).size > 10_000_000)
})

test('a data directory that can’t be one is refused by name', async () => {
  const file = newDataDir('file')
  writeFileSync(file, '')
  await assert.rejects(startEmbedded({ dataDir: file, as: 'service' }), refused('DATA_DIR', file))
  const below = join(file, 'below')
  await assert.rejects(startEmbedded({ dataDir: below, as: 'service' }), refused('DATA_DIR', below))
})

test('a server that can’t start is reported in its own words', async () => {
  const dataDir = seededDataDir('broken')
  writeFileSync(join(dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n')
  await assert.rejects(
    startEmbedded({ dataDir, as: 'service' }),
    refused('DATA_DIR', dataDir, 'postgres.log', 'FATAL'),
  )
})
