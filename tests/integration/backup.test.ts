import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createUser } from '../../src/identity/staff/users.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { checkBackup } from '../../src/operations/backup/check.ts'
import { makeBackup } from '../../src/operations/backup/make.ts'
import { restoreBackup } from '../../src/operations/backup/restore.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { ConnectionError } from '../../src/platform/db/connections/errors.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { isOn } from '../../src/platform/process/switches.ts'
import { rotateCallJournal } from '../../src/warehouse/journal/calls.ts'
import { buildScene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { runCommand } from '../support/process.ts'
import { scenarioDatabase } from '../support/scenario.ts'

const folder = await mkdtemp(join(tmpdir(), 'sklad-backup-'))
after(() => rm(folder, { recursive: true }))

const { db } = await scenarioDatabase()
await buildScene(db)
await rotateCallJournal(db, systemClock.now(), 90)
await perform(db, systemClock, { kind: 'service' }, (work) =>
  createUser(work, { login: 'natalya', role: 'manager', passwordHash: null }),
)

const secretFingerprints = ['0123456789abcdef']
const progress = () => {}
const given = { secretFingerprints, progress }
const restore = async (target: Database, path: string, fingerprints = secretFingerprints) =>
  restoreBackup(target, await checkBackup(path, async () => fingerprints), progress)
const whole = join(folder, 'whole')
const made = await makeBackup(db, { path: whole, ...given })
const bytes = await readFile(whole)

/** A digest of the rows of each table that is kept, and its number of rows. */
async function contentOf(at: Database): Promise<Record<string, string>> {
  const tables = await at<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p' and relname not in ('schema_migrations', 'service_switches')
    order by 1`
  const contents: [string, string][] = []
  for (const { name } of tables) {
    const [row] = await at<[{ digest: string }]>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
      from ${at(name)} t`
    contents.push([name, row.digest])
  }
  return Object.fromEntries(contents)
}

/** What the schema holds besides tables. */
async function schemaOf(at: Database): Promise<unknown> {
  return await at`
    select contype as kind, conrelid::regclass::text as place,
      conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as what
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select 'r', tgrelid::regclass::text, tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all
    select 'p', inhrelid::regclass::text, inhparent::regclass::text from pg_inherits
    union all
    select 'q', sequencename, coalesce(last_value::text, '') from pg_sequences
    order by 1, 2, 3`
}

// Guarantee (backup): A backup restores every row, constraint, trigger, partition and sequence.
test('a backup restores every row, constraint, trigger, partition and sequence, and the audit is clean', async () => {
  const { db: restored } = await testDatabase({ empty: true })
  await restore(restored, whole)
  assert.deepEqual(await contentOf(restored), await contentOf(db))
  assert.deepEqual(await schemaOf(restored), await schemaOf(db))
  const report = await audit(restored)
  assert.deepEqual(report.findings, [])
  assert.equal(await isOn(restored, 'webhooks'), false)
  assert.equal(await isOn(restored, 'marketplaces'), false)
  assert.ok(made.rows > 10_000)
  assert.equal(made.bytes, bytes.length)
  assert.equal((await stat(whole)).mode & 0o777, 0o600)
})

// Guarantee (backup): A backup is of one moment.
test('the backup is of one moment: what is committed meanwhile is in all tables or in none', async () => {
  const path = join(folder, 'meanwhile')
  let changes = 0
  const change = () =>
    perform(db, systemClock, { kind: 'service' }, async (work) => {
      changes += 1
      await work.tx`update clients set name = name || '.' where id = (select min(id::text)::uuid from clients)`
      await createUser(work, { login: `meanwhile-${changes}`, role: 'worker', passwordHash: null })
    })
  let running: Promise<void> = Promise.resolve()
  await makeBackup(db, {
    path,
    secretFingerprints,
    // Tables come by name: clients are copied before staff_users.
    progress: () => {
      running = running.then(change)
    },
  })
  await running
  assert.ok(changes > 3)
  const { db: restored } = await testDatabase({ empty: true })
  await restore(restored, path)
  const [row] = await restored<[{ dots: number; users: number }]>`
    select (select max(length(name) - length(rtrim(name, '.'))) from clients) as dots,
      (select count(*)::int from staff_users where login like 'meanwhile-%') as users`
  assert.equal(row.dots, row.users)
  assert.deepEqual((await audit(restored)).findings, [])
})

async function refusal(path: string, target: Database, fingerprints = secretFingerprints) {
  return restore(target, path, fingerprints).then(
    () => 'restored',
    (error: unknown) => {
      assert.ok(error instanceof StartError, String(error))
      return error.message
    },
  )
}

// Guarantee (backup): A broken or foreign backup is refused before anything is written.
test('a broken, cut or foreign file, and one of another secret, is refused before anything is written', async () => {
  const { db: target } = await testDatabase({ empty: true })
  const path = join(folder, 'wrong')
  const places = [20, 0.1, 0.5, 0.9].map((at) => Math.floor(at < 1 ? bytes.length * at : at))
  for (const at of [...places, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 0x40
    await writeFile(path, damaged)
    assert.match(await refusal(path, target), /is damaged/, `byte ${at}`)
  }
  for (const length of [...places, bytes.length - 1]) {
    await writeFile(path, bytes.subarray(0, length))
    assert.match(await refusal(path, target), /is damaged or cut off/, `${length} bytes`)
  }
  await writeFile(path, 'PGDMP')
  assert.match(await refusal(path, target), /is not a backup of Sklad/)
  assert.match(await refusal(join(folder, 'none'), target), /can't be read: ENOENT/)
  assert.match(await refusal(whole, target, ['fedcba9876543210']), /another SECRET_KEY/)
  assert.deepEqual(
    await target`select from pg_class where relnamespace = 'public'::regnamespace`,
    [],
  )
})

test('a backup of before the first release is refused', async () => {
  const { db: old } = await testDatabase()
  await old`update schema_migrations set name = '0002_warehouses.sql', checksum = '' where number = 2`
  const path = join(folder, 'old')
  await makeBackup(old, { path, ...given })
  const { db: target } = await testDatabase({ empty: true })
  assert.match(await refusal(path, target), /^the backup is older than .* 0002_warehouses\.sql;/)
})

test('a backup of a service with two keys needs both, because either may have sealed a value', async () => {
  const path = join(folder, 'two keys')
  const both = ['0123456789abcdef', 'fedcba9876543210']
  await makeBackup(db, { path, secretFingerprints: both, progress })
  const { db: target } = await testDatabase({ empty: true })
  for (const one of both) {
    assert.match(await refusal(path, target, [one]), /made with 2 keys in SECRET_KEY/)
  }
  assert.equal(await refusal(path, target, both.toReversed()), 'restored')
})

test('the command refuses a file before it opens a database or makes a secret', async () => {
  const dataDir = join(folder, 'empty')
  await mkdir(dataDir)
  const foreign = join(folder, 'foreign')
  await writeFile(foreign, 'PGDMP')
  const refused = async (path: string) => {
    const { code, errors } = await runCommand(dataDir, ['restore', path], { SECRET_KEY: '' })
    assert.equal(code, 1)
    assert.deepEqual(await readdir(dataDir), [])
    return errors
  }
  assert.match(await refused(foreign), /is not a backup of Sklad/)
  assert.match(await refused(whole), /SECRET_KEY is not set, and there is no .*secret\.key/)
})

test('a command that looks into a database makes none where the service has another', async () => {
  const dataDir = join(folder, 'elsewhere')
  await mkdir(dataDir)
  for (const command of [['audit'], ['backup', join(folder, 'of nothing')], ['webhooks', 'off']]) {
    const { code, errors } = await runCommand(dataDir, command)
    assert.equal(code, 1)
    assert.match(errors, /elsewhere has no database: set DATA_DIR or DATABASE_URL/)
  }
  assert.deepEqual(await readdir(dataDir), [])
})

test('a database that is in use is not restored into, and an existing file is not written over', async () => {
  const { db: used } = await scenarioDatabase()
  const before = await contentOf(used)
  assert.match(await refusal(whole, used), /the database is not empty/)
  assert.deepEqual(await contentOf(used), before)
  const copy = join(folder, 'copy')
  await copyFile(whole, copy)
  await assert.rejects(makeBackup(db, { path: copy, ...given }), /exists: name another file/)
  assert.deepEqual(await readFile(copy), bytes)
  await assert.rejects(
    makeBackup(db, { path: join(folder, 'none', 'file'), ...given }),
    /its folder does not exist/,
  )
})

test('a backup whose connection is lost fails with that and leaves no file', async () => {
  const path = join(folder, 'lost')
  let killed: Promise<unknown> | undefined
  const kill = () => {
    killed ??= db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state <> 'idle' and query ilike 'copy (select%'`.then()
  }
  await assert.rejects(
    makeBackup(db, { path, secretFingerprints, progress: kill }),
    ConnectionError,
  )
  await killed
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('lost')),
    [],
  )
})
