// The effects of a lost connection on its users. Each case once ended a process, hung, or did worse.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { openBeside, openDatabase } from '../../src/platform/db/connection.ts'
import { isUnavailable } from '../../src/platform/db/connections/errors.ts'
import type { Tag } from '../../src/platform/db/statements/tag.ts'
import { testDatabase } from '../support/database.ts'

const { db: other, target } = await testDatabase()
await other`create table marks (mark text)`

async function sessionOf(db: Tag): Promise<number> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  assert.ok(row)
  return row.pid
}

/** Ends a session of the server, and returns when it is gone. */
async function endSession(pid: number): Promise<void> {
  await other`select pg_terminate_backend(${pid}, 10000)`
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, 'waited in vain')
    // What is waited for may come by a socket.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function insertSlowly(tx: Tag, mark: string): Promise<void> {
  await tx`insert into marks values (${mark})`
  await tx`select pg_sleep(0.1)`
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

// Guarantee (db): A lost connection ends its transaction and nothing else.
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

test('a transaction that the server ends while it is idle is rejected at once, though its work goes on', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  const late = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<unknown>()
  const running = db.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 50`
    await tx`insert into marks values ('idle')`
    await late.promise
    await tx`insert into marks values ('stray')`.then(answered.resolve, answered.resolve)
  })
  await assert.rejects(running, isUnavailable)
  late.resolve()
  assert.ok(isUnavailable(await answered.promise))
  assert.ok(await sessionOf(db))
  assert.deepEqual(await marks(), [])
})

test('a cancelled statement fails alone, and its connection stays', async (t) => {
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end())
  const pid = await sessionOf(db)
  const sleeping = assert.rejects(async () => db`select pg_sleep(60)`, isUnavailable)
  await until(async () => {
    const [row] = await other<{ cancelled: boolean }[]>`
      select pg_cancel_backend(pid) as cancelled from pg_stat_activity
      where pid = ${pid} and state = 'active'`
    return row?.cancelled ?? false
  })
  await sleeping
  const outlasted = db.begin(async (tx) => {
    await tx`set local statement_timeout = 10`
    await tx`select pg_sleep(60)`
  })
  await assert.rejects(outlasted, { code: '57014' })
  assert.equal(await sessionOf(db), pid)
})

test('idle connections that break are replaced before anybody notices', async (t) => {
  let closed = 0
  const db = openDatabase(target, { max: 3, onclose: () => closed++ })
  t.after(() => db.end())
  const pids = await Promise.all([1, 2, 3].map(() => sessionOf(db)))
  for (const pid of new Set(pids)) await endSession(pid)
  await until(async () => closed === new Set(pids).size)
  await Promise.all([1, 2, 3, 4, 5].map(() => sessionOf(db)))
})

test('the end of a pool waits for running and waiting statements', async () => {
  const db = openDatabase(target, { max: 1 })
  const slow = ['slow', 'waiting'].map((mark) => db.begin((tx) => insertSlowly(tx, mark)))
  await Promise.all([db.end(), ...slow])
  assert.deepEqual(await marks(), ['slow', 'waiting'])
  await assert.rejects(sessionOf(db), { code: 'CONNECTION_ENDED' })
})

test('the end of a pool breaks off statements that outlast its timeout', async () => {
  const db = openDatabase(target, { max: 1 })
  const pid = await sessionOf(db)
  const beside = openBeside(db)
  const running = db.begin(async (tx) => {
    await tx`insert into marks values ('broken off')`
    await tx`select pg_sleep(60)`
  })
  const outcomes = Promise.allSettled([running, sessionOf(db)])
  await until(async () => {
    const [row] = await beside`select from pg_stat_activity where pid = ${pid} and state = 'active'`
    return row !== undefined
  })
  await db.end({ timeout: 0.1 })
  for (const outcome of await outcomes) {
    assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
  }
  assert.ok(await sessionOf(beside))
  await beside.end()
  assert.deepEqual(await marks(), [])
})

test('a pool that is ended while it connects does not wait for the server', async (t) => {
  const silent = createServer((socket) => t.after(() => socket.destroy()))
  t.after(() => silent.close())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const db = openDatabase({ url: `postgres://127.0.0.1:${port}/sklad` })
  const waiting = assert.rejects(sessionOf(db), isUnavailable)
  const began = performance.now()
  await db.end({ timeout: 0 })
  assert.ok(performance.now() - began < 3_000)
  await waiting
})

test('a server that is away, full or shutting down is unavailable; a refused statement is not', async () => {
  for (const url of ['postgres://127.0.0.1:1/sklad', 'postgresql:///sklad?host=/none']) {
    const away = openDatabase({ url })
    await assert.rejects(sessionOf(away), isUnavailable)
    await away.end()
  }
  for (const code of ['53300', '57P01', '57P03', '08006', '55P03']) {
    const raised = other.unsafe(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`)
    await assert.rejects(raised, isUnavailable, code)
  }
  await assert.rejects(other.unsafe('select from nowhere'), (error) => !isUnavailable(error))
})
