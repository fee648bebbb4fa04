import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { openGuards } from '../../src/marketplaces/desk/task-guard.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase()
/** Two processes. */
const [one, two] = [openGuards(db), openGuards(db)]
after(() => Promise.all([one.end(), two.end()]))

const holders = async () => {
  const rows = await db<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`
  return rows.map(({ pid }) => pid)
}

/** Holds it until it is let go. */
async function hold(guards: typeof one, id: string) {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const whole = guards.holding({ id }, () => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  return async () => {
    ended.resolve()
    await whole
  }
}

test('who is at a thing is the only one, in all processes', async () => {
  const [id, order] = [newId(), [] as string[]]
  const letGo = await hold(one, id)
  for (const guards of [one, two]) {
    assert.equal(await guards.ifNobodyHolds({ id }, () => Promise.resolve(1)), undefined)
  }
  const others = [one, two].map((guards, n) =>
    guards.holding({ id }, () => Promise.resolve(order.push(`process ${n}`))),
  )
  assert.equal(await two.ifNobodyHolds({ id: newId() }, () => Promise.resolve(1)), 1)
  assert.deepEqual(order, [])
  await letGo()
  await Promise.all(others)
  assert.deepEqual(order.toSorted(), ['process 0', 'process 1'])
  assert.deepEqual(await holders(), [])
})

test('who fails lets go, and those who wait in a process go on', async () => {
  const id = newId()
  const failed = one.holding({ id }, () => Promise.reject(new Error('no')))
  const next = one.holding({ id }, () => Promise.resolve(2))
  await assert.rejects(failed, /no/)
  assert.equal(await next, 2)
  assert.equal(await two.ifNobodyHolds({ id }, () => Promise.resolve(3)), 3)
})

test('whatever is held, it takes one connection', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => hold(one, newId())))
  const pids = await holders()
  assert.equal(pids.length, 50)
  assert.equal(new Set(pids).size, 1)
  await Promise.all(all.map((letGo) => letGo()))
  assert.deepEqual(await holders(), [])
})

test('a connection that is lost lets go, and the process goes on with another', async () => {
  const id = newId()
  const letGo = await hold(one, id)
  const [pid] = await holders()
  await db`select pg_terminate_backend(${pid ?? 0}, 5000)`
  assert.equal(await two.holding({ id }, () => Promise.resolve(1)), 1)
  const other = await hold(one, newId())
  await letGo()
  assert.equal((await holders()).length, 1)
  await other()
  assert.deepEqual(await holders(), [])
})
