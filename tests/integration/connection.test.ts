import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { checkServer } from '../../src/db/check-server.ts'
import { type Database, inTransaction, openDatabase } from '../../src/db/connection.ts'
import { StartError } from '../../src/kernel/start-error.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase()

async function first(rows: Promise<{ value: unknown }[]>): Promise<unknown> {
  return (await rows)[0]?.value
}

test('timestamps come out at +03 with exactly three digits', async () => {
  const rows = await db`
    select v::timestamptz as value
    from unnest(${[
      '2026-11-20T15:25:02Z',
      '2026-11-20T15:25:02.1Z',
      '2026-11-20T15:25:02.123Z',
      '2026-11-20T15:25:02.123999Z',
      '1985-07-01T00:00:00.05Z',
    ]}::text[]) v`
  assert.deepEqual(
    rows.map(({ value }) => value),
    [
      '2026-11-20T18:25:02.000+03:00',
      '2026-11-20T18:25:02.100+03:00',
      '2026-11-20T18:25:02.123+03:00',
      '2026-11-20T18:25:02.123+03:00',
      '1985-07-01T03:00:00.050+03:00',
    ],
  )
})

test('timestamps go in as text, epoch milliseconds and dates, also in arrays', async () => {
  const text = '2026-11-20T18:25:02.120+03:00'
  const at = Date.parse(text)
  for (const value of [text, at, new Date(at)]) {
    assert.equal(await first(db`select ${value}::timestamptz as value`), text)
  }
  assert.deepEqual(await first(db`select ${[text, text]}::timestamptz[] as value`), [text, text])
})

test('a timestamp that has no such form is an error, not a wrong value', async () => {
  await assert.rejects(async () => db`select 'infinity'::timestamptz`, RangeError)
})

test('int8 is a number, and an error where a number would be wrong', async () => {
  assert.equal(await first(db`select ${9007199254740991}::int8 as value`), 9007199254740991)
  assert.equal(await first(db`select count(*) as value from pg_class where false`), 0)
  await assert.rejects(async () => db`select 9007199254740992::int8`, RangeError)
  await assert.rejects(async () => db`select ${1.5}::int8`, RangeError)
  assert.equal(await first(db`select 1 as value`), 1)
})

test('numeric and date stay text, json is parsed', async () => {
  assert.equal(await first(db`select 12.50::numeric as value`), '12.50')
  assert.equal(await first(db`select ${'2026-11-20'}::date as value`), '2026-11-20')
  assert.deepEqual(await first(db`select ${db.json({ a: [1] })} as value`), { a: [1] })
})

test('a deadlock runs again and both sides succeed', async () => {
  await db`create table accounts (id int primary key, amount int not null)`
  await db`insert into accounts values (1, 0), (2, 0)`
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const add = (ids: number[]) =>
    inTransaction(db, async (tx) => {
      for (const id of ids) {
        await tx`update accounts set amount = amount + 1 where id = ${id}`
        if (++holding === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
      }
    })

  await Promise.all([add([1, 2]), add([2, 1])])
  assert.deepEqual((await db`select amount from accounts`).flatMap(Object.values), [2, 2])
})

test('other errors roll back, and come as they are', async () => {
  await db`create table names (name text constraint names_key primary key)`
  const insert = inTransaction(db, async (tx) => {
    await tx`insert into names values ('a')`
    await tx`insert into names values ('a')`
  })
  await assert.rejects(insert, { constraint_name: 'names_key' })
  assert.equal((await db`select from names`).length, 0)
})

test('a server that will do passes the check', () => checkServer(db))

async function complaint(other: Database): Promise<string> {
  try {
    await checkServer(other)
  } catch (error) {
    assert.ok(error instanceof StartError)
    return error.message
  } finally {
    await other.end({ timeout: 0 })
  }
  return assert.fail('the check passed')
}

test('an unreachable server gives one line without the password', async () => {
  const message = await complaint(openDatabase({ url: 'postgres://me:secret@127.0.0.1:1/sklad' }))
  assert.match(message, /^DATABASE_URL: .*127\.0\.0\.1:1.*nothing listens/)
  assert.doesNotMatch(message, /secret|\n/)
})

test('a server that does not answer is given up after a while', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  silent.on('connection', (socket) => {
    t.after(() => socket.destroy())
  })
  const message = await complaint(
    openDatabase({ url: `postgres://127.0.0.1:${port}/sklad?connect_timeout=1` }),
  )
  assert.match(message, /^DATABASE_URL: .*no answer in time/)
})

test('an address that can’t be read is refused without showing it', () => {
  for (const url of ['nonsense', 'mysql://me:secret@host/db', 'postgres://me:sec%ret@host/db']) {
    assert.throws(
      () => openDatabase({ url }),
      (error) =>
        error instanceof StartError &&
        error.message.startsWith('DATABASE_URL') &&
        !/sec/.test(error.message.replace('special', '')),
    )
  }
})
