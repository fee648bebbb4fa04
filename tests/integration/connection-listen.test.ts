import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { eventually } from '../support/faults.ts'

const { db: other, target } = await testDatabase()

/** The payloads that a listener got, and a wait for the next one. */
function record<T>() {
  const seen: T[] = []
  const checks = new Set<() => void>()
  return {
    seen,
    note: (value: T) => {
      seen.push(value)
      for (const check of checks) check()
    },
    async until(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = () => {
        if (seen.length >= count) resolve()
      }
      checks.add(check)
      check()
      await promise
    },
  }
}

const listeners = () => other<{ pid: number }[]>`
  select pid from pg_stat_activity
  where application_name = 'listener' and query like 'listen %'`

/** The server needs a moment to see that a connection was closed. */
async function listenerPid(): Promise<number> {
  let rows = await listeners()
  await eventually('one connection listens', async () => {
    rows = await listeners()
    return rows.length === 1
  })
  return rows[0]?.pid ?? 0
}

test('notifications arrive with their payload, also when sent in a transaction', async (t) => {
  const db = openDatabase(target, { applicationName: 'listener' })
  t.after(() => db.end())
  const notified = record<string>()
  const listening = await db.listen('news', notified.note)
  await other`select pg_notify('news', 'first')`
  await other.begin((tx) => tx`select pg_notify('news', 'second')`)
  await notified.until(2)
  assert.deepEqual(notified.seen, ['first', 'second'])
  await listening.unlisten()
})

test('a listener whose connection was lost listens again and is received to catch up', async (t) => {
  const db = openDatabase(target, { applicationName: 'listener' })
  t.after(() => db.end())
  const notified = record<string>()
  const begun = record<void>()
  await db.listen('news', notified.note, begun.note)
  await begun.until(1)
  for (const round of [2, 3]) {
    await other`select pg_terminate_backend(${await listenerPid()}, 10000)`
    await begun.until(round)
    await other`select pg_notify('news', ${`round ${round}`})`
    await notified.until(round - 1)
  }
  assert.deepEqual(notified.seen, ['round 2', 'round 3'])
})

test('the end of a pool ends its listeners, and they stay ended', async () => {
  const db = openDatabase(target, { applicationName: 'listener' })
  const begun = record<void>()
  await db.listen('news', () => {}, begun.note)
  await listenerPid()
  await db.end()
  await eventually('no connection listens', async () => (await listeners()).length === 0)
  assert.equal(begun.seen.length, 1)
})

test('a listener that connects while its pool ends is ended too', async () => {
  const db = openDatabase(target, { applicationName: 'listener' })
  const listening = db.listen('news', () => {})
  await db.end()
  await assert.rejects(listening, { code: 'CONNECTION_ENDED' })
  await eventually('no connection listens', async () => (await listeners()).length === 0)
})

test('a listener that connects anew while it ends leaves no connection', async () => {
  const gate = await openDatabaseGate(target)
  const db = openDatabase(gate.target, { applicationName: 'listener' })
  const listening = await db.listen('news', () => {})
  const pid = await listenerPid()
  gate.freezeAt('listen "news"')
  await other`select pg_terminate_backend(${pid}, 10000)`
  await gate.frozen()
  const ended = listening.unlisten()
  gate.set('open')
  await ended
  await eventually('no connection listens', async () => (await listeners()).length === 0)
  await db.end()
})

test('a listener leaves a server that is silent to all', async (t) => {
  const gate = await openDatabaseGate(target)
  const db = openDatabase(gate.target, { applicationName: 'listener', patienceMs: 300 })
  t.after(() => db.end())
  const begun = record<void>()
  await db.listen('news', () => {}, begun.note)
  await db`select 1`
  gate.set('frozen')
  await assert.rejects(async () => await db`select 1`)
  gate.set('open')
  await begun.until(2)
})

test('a listener connects anew when another connection has become silent', async (t) => {
  const gate = await openDatabaseGate(target)
  const db = openDatabase(gate.target, { applicationName: 'listener', patienceMs: 300 })
  t.after(() => db.end())
  const begun = record<void>()
  await db.listen('news', () => {}, begun.note)
  await db`select 1`
  gate.silence()
  await assert.rejects(async () => await db`select 1`, { code: 'SERVER_SILENT' })
  await begun.until(2)
})

test('a pool ends though a new connection fell silent before its first answer', async () => {
  const gate = await openDatabaseGate(target)
  const db = openDatabase(gate.target, { applicationName: 'listener' })
  gate.freezeAt('pg_is_in_recovery', { alone: true })
  const waiting = assert.rejects(async () => await db`select 1`, { code: 'CONNECTION_ENDED' })
  const listening = assert.rejects(db.listen('news', () => {}))
  await gate.frozen()
  await db.end({ timeout: 0 })
  await Promise.all([waiting, listening])
})

test('a listener that cannot connect at first is an error', async () => {
  const db = openDatabase({ url: 'postgres://127.0.0.1:1/sklad' })
  await assert.rejects(
    db.listen('news', () => {}),
    { code: 'ECONNREFUSED' },
  )
  await db.end()
})
