import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAdvisoryLocks } from '../../src/exchange/marketplaces/coordination/advisory-locks.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase()
/** Two sets of locks, as two processes have them. */
const [one, two] = [openAdvisoryLocks(db), openAdvisoryLocks(db)]
after(() => Promise.all([one.end(), two.end()]))

const holders = async () => {
  const rows = await db<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`
  return rows.map(({ pid }) => pid)
}

/** Holds the lock until the returned function is called. */
async function hold(locks: typeof one, key: string) {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const whole = locks.withLock(key, () => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  return async () => {
    ended.resolve()
    await whole
  }
}

test('one caller at a time holds a key, across all processes', async () => {
  const [key, order] = [newId(), [] as string[]]
  const release = await hold(one, key)
  for (const locks of [one, two]) {
    assert.equal(await locks.ifUnlocked(key, () => Promise.resolve(1)), undefined)
  }
  const others = [one, two].map((locks, n) =>
    locks.withLock(key, () => Promise.resolve(order.push(`process ${n}`))),
  )
  assert.equal(await two.ifUnlocked(newId(), () => Promise.resolve(1)), 1)
  assert.deepEqual(order, [])
  await release()
  await Promise.all(others)
  assert.deepEqual(order.toSorted(), ['process 0', 'process 1'])
  assert.deepEqual(await holders(), [])
})

test('an action that fails releases its key to the callers that wait', async () => {
  const key = newId()
  const failed = one.withLock(key, () => Promise.reject(new Error('no')))
  const next = one.withLock(key, () => Promise.resolve(2))
  await assert.rejects(failed, /no/)
  assert.equal(await next, 2)
  assert.equal(await two.ifUnlocked(key, () => Promise.resolve(3)), 3)
})

test('all locks of a process share one connection', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => hold(one, newId())))
  const pids = await holders()
  assert.equal(pids.length, 50)
  assert.equal(new Set(pids).size, 1)
  await Promise.all(all.map((release) => release()))
  assert.deepEqual(await holders(), [])
})

test('a lost connection releases its locks, and later locks use a new one', async () => {
  const key = newId()
  const release = await hold(one, key)
  const [pid] = await holders()
  await db`select pg_terminate_backend(${pid ?? 0}, 5000)`
  assert.equal(await two.withLock(key, () => Promise.resolve(1)), 1)
  const other = await hold(one, newId())
  await release()
  assert.equal((await holders()).length, 1)
  await other()
  assert.deepEqual(await holders(), [])
})
