import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey, recordKeyUses } from '../../src/identity/keys/api-keys.ts'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import {
  type JournalledCall,
  openCallJournal,
  rotateCallJournal,
} from '../../src/warehouse/journal/calls.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db, target } = await testDatabase()

const call = (more: Partial<JournalledCall> = {}): JournalledCall => ({
  at: noon,
  method: 'GET',
  path: '/v1/me',
  ip: '192.0.2.1',
  status: 200,
  requestId: newId(),
  durationMs: 1,
  ...more,
})

test('a clean stop writes every call', async () => {
  const journal = openCallJournal(db, [], assert.ifError)
  const before = await count()
  for (let n = 0; n < 12_000; n++) journal.record(call())
  await journal.close()
  assert.equal((await count()) - before, 12_000)
})

test('calls wait while the database is unreachable', async () => {
  const away = openDatabase(target, { max: 1 })
  const journal = openCallJournal(away, [], () => {})
  const before = await count()
  await away`select pg_terminate_backend(pg_backend_pid())`.catch(() => {})
  journal.record(call())
  await journal.flush().catch(() => {})
  journal.record(call())
  await journal.close()
  await away.end()
  assert.equal((await count()) - before, 2)
})

test('calls that arrive while a batch is written wait for the next one', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const batches: number[] = []
  const recordAnother = async (_tx: unknown, calls: readonly JournalledCall[]) => {
    batches.push(calls.length)
    if (batches.length === 1) for (let n = 0; n < 3; n += 1) journal.record(call())
  }
  const journal = openCallJournal(db, [recordAnother], assert.ifError)
  journal.record(call())
  await journal.flush()
  assert.deepEqual(batches, [1])
  await journal.close()
  assert.deepEqual(batches, [1, 3])
})

test('however often it falls due while nothing can be written, one try runs and one waits', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let tries = 0
  let isAway = true
  const refuse = async () => {
    tries += 1
    if (isAway) throw new Error('away')
  }
  const journal = openCallJournal(db, [refuse], () => {})
  journal.record(call())
  await Promise.allSettled(Array.from({ length: 20 }, () => journal.flush()))
  assert.ok(tries <= 2, `${tries} tries`)
  isAway = false
  await journal.close()
})

test('a few hundred calls share a transaction, and a tenth of them where very many wait', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const batches: number[] = []
  const noteSize = async (_tx: unknown, calls: readonly JournalledCall[]) => {
    batches.push(calls.length)
  }
  const journal = openCallJournal(db, [noteSize], assert.ifError)
  for (let n = 0; n < 1_200; n++) journal.record(call())
  await journal.flush()
  assert.deepEqual(batches, [500, 500, 200])
  for (let n = 0; n < 8_000; n++) journal.record(call())
  await journal.close()
  assert.deepEqual(batches.slice(3, 6), [800, 720, 648])
})

test("a key's last use is the moment of its last successful call", async () => {
  const client = await makeClient(db)
  const { id: keyId } = await at(db, noon, (work) =>
    issueApiKey(work, client.id, { name: 'Проверка', receiptsEnabled: false }),
  )
  const caller = { clientId: client.id, keyId, mode: 'live' as const }
  const journal = openCallJournal(db, [recordKeyUses], assert.ifError)
  assert.equal(journal.lastUse(keyId, null), null)
  journal.record(call({ caller, at: noon + 1 }))
  journal.record(call({ caller, at: noon + 2, status: 404 }))
  assert.equal(journal.lastUse(keyId, null), toTimestamp(noon + 1), 'before it is written')
  await journal.flush()
  const [key] = await db`select last_used_at from api_keys where id = ${keyId}`
  assert.equal(key?.last_used_at, toTimestamp(noon + 1))
  assert.equal(journal.lastUse(keyId, key?.last_used_at), toTimestamp(noon + 1))
  await journal.close()
})

test('calls older than the retention go with their partition, the others stay', async () => {
  await rotateCallJournal(db, noon - 10 * day, 2)
  await write({ at: noon - 10 * day, path: '/v1/old' }, { at: noon - 4 * day, path: '/v1/new' })
  assert.deepEqual(await pathsOf('call_journal_default'), [])
  await rotateCallJournal(db, noon - 4 * day, 6)
  assert.deepEqual(await pathsOf('call_journal'), ['/v1/new', '/v1/old'])
  await rotateCallJournal(db, noon - 4 * day, 5)
  assert.deepEqual(await pathsOf('call_journal'), ['/v1/new'])
})

test('a call without a partition is written, and moves into the partition once there is one', async () => {
  const later = noon + 400 * day
  await write({ at: later, path: '/v1/early' })
  assert.deepEqual(await pathsOf('call_journal_default'), ['/v1/early'])
  await rotateCallJournal(db, later, 30)
  assert.deepEqual(await pathsOf('call_journal_default'), [])
  assert.ok((await pathsOf('call_journal')).includes('/v1/early'))
})

test('calls that never got a partition are deleted when they are older than the retention', async () => {
  await write({ at: noon - 900 * day, path: '/v1/lost' })
  await rotateCallJournal(db, noon, 900)
  assert.deepEqual(await pathsOf('call_journal_default'), ['/v1/lost'])
  await rotateCallJournal(db, noon, 899)
  assert.deepEqual(await pathsOf('call_journal_default'), [])
})

test('a year of calls is in about a dozen partitions, opened a week ahead', async () => {
  const { db } = await testDatabase()
  for (let n = 0; n <= 365; n += 5) await rotateCallJournal(db, noon + n * day, 365)
  const [row] = await db<[{ partitions: number; ahead: boolean }]>`
    select count(*)::int as partitions,
      max(finish) > ${toTimestamp(noon + 372 * day)}::timestamptz as ahead
    from call_journal_partitions`
  assert.deepEqual({ ...row }, { partitions: 13, ahead: true })
})

test('processes that rotate the journal at once open each partition once', async () => {
  const { db } = await testDatabase()
  await Promise.all(Array.from({ length: 5 }, () => rotateCallJournal(db, noon, 1)))
  const partitions = await db`select finish from call_journal_partitions`
  assert.equal(partitions.length, 8)
})

test('a reader of the journal delays partitions, and nobody waits for it long', async () => {
  const { db } = await testDatabase()
  await db.begin(async (tx) => {
    await tx`select count(*) from call_journal`
    await rotateCallJournal(db, noon, 30)
    assert.deepEqual([...(await tx`select * from call_journal_partitions`)], [])
  })
  await rotateCallJournal(db, noon, 30)
  assert.ok((await db`select * from call_journal_partitions`).length > 0)
})

test('calls wait while their partition is opened, and are written to it', async () => {
  const { db } = await testDatabase()
  const journal = openCallJournal(db, [], assert.ifError)
  let writing: Promise<unknown> = Promise.resolve()
  await db.begin(async (tx) => {
    await tx`select open_call_journal(${toTimestamp(noon)}::timestamptz, 30)`
    journal.record(call())
    writing = journal.flush().catch((error: unknown) => error)
    await eventually('the journal waits', async () => {
      const waiting = await db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
  })
  assert.equal(await writing, undefined)
  await journal.close()
  assert.equal((await db`select from call_journal`).length, 1)
  assert.equal((await db`select from call_journal_default`).length, 0)
})

async function write(...calls: readonly Partial<JournalledCall>[]): Promise<void> {
  const journal = openCallJournal(db, [], assert.ifError)
  for (const made of calls) journal.record(call(made))
  await journal.close()
}

async function pathsOf(table: string): Promise<string[]> {
  const rows = await db<{ path: string }[]>`select path from ${db(table)} where path <> '/v1/me'`
  return rows.map(({ path }) => path).sort()
}

async function count(): Promise<number> {
  const [row] = await db<[{ n: number }]>`select count(*)::int as n from call_journal`
  return row.n
}
