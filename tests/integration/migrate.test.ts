import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { testDatabase } from '../support/database.ts'

const first = 'create table one (id int); insert into one values (1);'
const second = 'create table two (id int)'

function directory(t: TestContext, files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'sklad-migrations-'))
  t.after(() => rmSync(path, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(path, name), sql)
  return path
}

function refused(pattern: RegExp) {
  return (error: unknown) => error instanceof StartError && pattern.test(error.message)
}

test('files are applied in order, once, and recorded', async (t) => {
  const { db } = await testDatabase({ empty: true })
  const path = directory(t, { '0002_second.sql': second, '0001_first.sql': first })

  assert.deepEqual(await migrate(db, path), { applied: ['0001_first.sql', '0002_second.sql'] })
  assert.deepEqual(await migrate(db, path), { applied: [] })
  const recorded = await db`select number, name from schema_migrations order by number`
  assert.deepEqual(
    [...recorded],
    [
      { number: 1, name: '0001_first.sql' },
      { number: 2, name: '0002_second.sql' },
    ],
  )

  writeFileSync(join(path, '0003_third.sql'), 'alter table two add name text')
  assert.deepEqual(await migrate(db, path), { applied: ['0003_third.sql'] })
})

test('a file that fails changes nothing, and the files before it stay applied', async (t) => {
  const { db } = await testDatabase({ empty: true })
  const path = directory(t, {
    '0001_first.sql': first,
    '0002_broken.sql': 'create table half (id int); select nonsense',
  })

  await assert.rejects(migrate(db, path), refused(/0002_broken\.sql failed: .*nonsense/))
  const [row] = await db`
    select to_regclass('half') as half, (select count(*) from schema_migrations) as recorded`
  assert.deepEqual(row, { half: null, recorded: 1 })

  writeFileSync(join(path, '0002_broken.sql'), second)
  assert.deepEqual(await migrate(db, path), { applied: ['0002_broken.sql'] })
})

test('of nodes that start at once, one applies each file', async (t) => {
  const { db, target } = await testDatabase({ empty: true })
  const path = directory(t, { '0001_first.sql': first, '0002_second.sql': second })
  const nodes = Array.from({ length: 4 }, () => openDatabase(target, { max: 1 }))

  const results = await Promise.all(nodes.map((node) => migrate(node, path)))
  await Promise.all(nodes.map((node) => node.end()))
  assert.deepEqual(results.flatMap(({ applied }) => applied).sort(), [
    '0001_first.sql',
    '0002_second.sql',
  ])
  assert.equal((await db`select from one`).length, 1)
})

test('a file that loses a deadlock is applied again', async (t) => {
  const { db } = await testDatabase({ empty: true })
  // A sequence keeps its value when the transaction is rolled back.
  const losesOnce = `
    create table two (id int);
    do $$ begin
      if nextval('runs') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    end $$`
  const path = directory(t, {
    '0001_first.sql': `${first} create sequence runs`,
    '0002_loses.sql': losesOnce,
  })

  assert.deepEqual(await migrate(db, path), { applied: ['0001_first.sql', '0002_loses.sql'] })
  const [runs] = await db`select last_value::int as made from runs`
  assert.deepEqual(runs, { made: 2 })
})

test('a changed file is refused, converted line ends are not', async (t) => {
  const { db } = await testDatabase({ empty: true })
  const path = directory(t, { '0001_first.sql': `${first}\n` })
  await migrate(db, path)

  writeFileSync(join(path, '0001_first.sql'), `${first}\r\n`)
  assert.deepEqual(await migrate(db, path), { applied: [] })

  writeFileSync(join(path, '0001_first.sql'), `${first} -- changed\n`)
  await assert.rejects(migrate(db, path), refused(/0001_first\.sql is not the one/))
})

test('a database that is newer than the code is refused', async (t) => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db, directory(t, { '0001_first.sql': first, '0002_second.sql': second }))

  await assert.rejects(
    migrate(db, directory(t, { '0001_first.sql': first })),
    refused(/newer than this version of the service: it has migration 0002_second\.sql/),
  )
})

test('a database of before the first release, whose files have other names, is refused', async (t) => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db, directory(t, { '0001_one.sql': first, '0002_two.sql': second }))

  const now = { '0001_one.sql': `${first} -- as it is now`, '0002_second.sql': second }
  await assert.rejects(
    migrate(db, directory(t, now)),
    refused(/^the database is older than the first release .* 0002_two\.sql; start with an empty/),
  )
})

test('a new file with a number below an applied one is refused', async (t) => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db, directory(t, { '0002_second.sql': second }))

  await assert.rejects(
    migrate(db, directory(t, { '0001_first.sql': first, '0002_second.sql': second })),
    refused(/never applied/),
  )
})

test('misnamed files and shared numbers are refused', async (t) => {
  const { db } = await testDatabase({ empty: true })
  await assert.rejects(migrate(db, directory(t, { '1_first.sql': first })), /NNNN_name\.sql/)
  await assert.rejects(
    migrate(db, directory(t, { '0001_a.sql': first, '0001_b.sql': second })),
    /share a number/,
  )
})

test('the project’s own migrations apply to an empty database', async () => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db)
  assert.deepEqual(await migrate(db), { applied: [] })
})

/** A role with the rights that everybody has, while the work runs. */
async function asPlainRole(
  { db, target }: { readonly db: Database; readonly target: DatabaseTarget },
  work: (plain: Database, role: string) => Promise<void>,
): Promise<void> {
  const role = `plain_${randomUUID().replaceAll('-', '')}`
  await db.unsafe(`create role ${role} login password 'plain'`)
  const plain = openDatabase(asRole(target, role), { max: 1 })
  try {
    await work(plain, role)
  } finally {
    await plain.end()
    await db.unsafe(`drop owned by ${role}; drop role ${role}`)
  }
}

function asRole(from: DatabaseTarget, user: string): DatabaseTarget {
  if (!('url' in from)) return { ...from, user }
  return { url: Object.assign(new URL(from.url), { username: user, password: 'plain' }).href }
}

test('a role that may not create tables is named, with the SQL that helps', async (t) => {
  const empty = await testDatabase({ empty: true })
  const path = directory(t, { '0001_first.sql': first })
  await empty.db.unsafe('revoke all on schema public from public')
  await asPlainRole(empty, async (plain, role) => {
    const grant = `grant usage, create on schema public to ${role}`
    await assert.rejects(migrate(plain, path), refused(new RegExp(`^DATABASE_URL: .*${grant}$`)))
    await empty.db.unsafe(grant)
    assert.deepEqual(await migrate(plain, path), { applied: ['0001_first.sql'] })
  })
})

test('a role that may not use or change the tables of another one learns what to run as that, and not to take its rights', async (t) => {
  const migrated = await testDatabase({ empty: true })
  const path = directory(t, { '0001_first.sql': first })
  await migrate(migrated.db, path)
  await asPlainRole(migrated, async (plain, role) => {
    await assert.rejects(
      migrate(plain, path),
      refused(
        /belong to the role (\S+), and plain_\w+ has no rights in them: .*rights\.sql as \1\b/,
      ),
    )
    await migrated.db.unsafe('revoke all on schema public from public')
    await assert.rejects(
      migrate(plain, path),
      refused(/belong to the role (\S+), and plain_\w+ .*roles\.sql .*rights\.sql as \1\b/),
    )
    await migrated.db.unsafe(`grant usage on schema public to ${role}`)
    await migrated.db.unsafe(`grant select on schema_migrations to ${role}`)
    assert.deepEqual(await migrate(plain, path), { applied: [] })
    const newer = directory(t, { '0001_first.sql': first, '0002_more.sql': 'create table more ()' })
    await assert.rejects(
      migrate(plain, newer),
      refused(
        /belong to the role (\S+), and this version changes them: run "sklad migrate" as \1,/,
      ),
    )
  })
})
