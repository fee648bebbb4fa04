// What the published driver gets wrong (see src/db/driver.ts): each of these ended the process, hung, or did worse.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { openDatabase, type Queryable } from '../../src/db/connection.ts'
import { testDatabase } from '../support/database.ts'

const { db: other, target } = await testDatabase()
await other`create table marks (mark text)`

async function sessionOf(db: Queryable): Promise<number> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  assert.ok(row)
  return row.pid
}

/** Ends a session of the server, and returns when it is gone. */
async function endSession(pid: number): Promise<void> {
  await other`select pg_terminate_backend(${pid}, 10000)`
}

async function marks(): Promise<unknown[]> {
  return (await other`delete from marks returning mark`).map(({ mark }) => mark)
}

test('a transaction that loses its connection in a statement fails, and the pool goes on', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  for (let round = 0; round < 3; round++) {
    const running = db.begin(async (tx) => {
      const pid = await sessionOf(tx)
      await tx`insert into marks values ('lost')`
      await Promise.all([tx`select pg_sleep(60)`, endSession(pid)])
    })
    await assert.rejects(running)
    assert.ok(await sessionOf(db))
  }
  assert.deepEqual(await marks(), [])
})

test('a transaction that lost its connection does nothing more, in particular not in another one', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  const lost = Promise.withResolvers<void>()
  const done = Promise.withResolvers<unknown>()
  const first = db.begin(async (tx) => {
    await tx`insert into marks values ('first')`
    await endSession(await sessionOf(tx))
    await lost.promise
    await tx`insert into marks values ('stray')`.then(done.resolve, done.resolve)
  })
  await assert.rejects(first)
  await db.begin(async (tx) => {
    await tx`insert into marks values ('second')`
    lost.resolve()
    assert.ok((await done.promise) instanceof Error)
  })
  assert.deepEqual(await marks(), ['second'])
})

test('statements that a transaction had still to send are answered when the connection is lost', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  const outcomes = Promise.withResolvers<PromiseSettledResult<unknown>[]>()
  const running = db.begin(async (tx) => {
    const pid = await sessionOf(tx)
    const statements = Array.from({ length: 5 }, (_, n) => tx`select pg_sleep(60), ${n}::int`)
    const settled = Promise.allSettled(statements)
    await endSession(pid)
    outcomes.resolve(settled)
  })
  await assert.rejects(running)
  assert.ok((await outcomes.promise).every(({ status }) => status === 'rejected'))
})

test('a reservation that lost its connection does nothing more, and gives back nothing', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  const reserved = await db.reserve()
  const pid = await sessionOf(reserved)
  const results = await Promise.allSettled([reserved`select pg_sleep(60)`, endSession(pid)])
  assert.equal(results[0].status, 'rejected')
  assert.ok(await sessionOf(db))
  await assert.rejects(sessionOf(reserved))
  reserved.release()
  assert.ok(await sessionOf(db))
})

test('the first statement of a new connection is not answered with the end of the old one', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  for (let round = 0; round < 5; round++) {
    const pid = await sessionOf(db)
    const results = await Promise.allSettled([db`select pg_sleep(60)`, endSession(pid)])
    assert.equal(results[0].status, 'rejected')
    assert.notEqual(await sessionOf(db), pid)
  }
})

test('a server that hangs up on every connection is an error, not an endless wait', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const db = openDatabase({ url: `postgres://127.0.0.1:${port}/sklad` }, { max: 1 })
  await assert.rejects(sessionOf(db))
  await db.end({ timeout: 0 })
  assert.equal(connections, 1)
})
