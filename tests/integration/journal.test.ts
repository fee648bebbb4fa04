import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/clients/keys.ts'
import { openDatabase } from '../../src/db/connection.ts'
import { type Call, openCallJournal } from '../../src/journal/calls.ts'
import { deleteOldCalls } from '../../src/journal/retention.ts'
import { newId } from '../../src/kernel/ids.ts'
import { toTimestamp } from '../../src/kernel/moscow-time.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db, target } = await testDatabase()

const call = (more: Partial<Call> = {}): Call => ({
  at: noon,
  method: 'GET',
  path: '/v1/me',
  ip: '192.0.2.1',
  status: 200,
  requestId: newId(),
  ...more,
})

test('a clean stop writes every call', async () => {
  const journal = openCallJournal(db, assert.ifError)
  const before = await count()
  for (let n = 0; n < 12_000; n++) journal.record(call())
  await journal.close()
  assert.equal((await count()) - before, 12_000)
})

test('calls wait while the database is away', async () => {
  const away = openDatabase(target, { max: 1 })
  const journal = openCallJournal(away, () => {})
  const before = await count()
  await away`select pg_terminate_backend(pg_backend_pid())`.catch(() => {})
  journal.record(call())
  await journal.flush().catch(() => {})
  journal.record(call())
  await journal.close()
  await away.end()
  assert.equal((await count()) - before, 2)
})

test('the last use of a key is that of its last successful call', async () => {
  const client = await makeClient(db)
  const { id: keyId } = await at(db, noon, (work) =>
    issueApiKey(work, client.id, { name: 'Проверка', receiptsEnabled: false }),
  )
  const caller = { clientId: client.id, keyId, mode: 'live' as const }
  const journal = openCallJournal(db, assert.ifError)
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

test('old calls are deleted, the others stay', async () => {
  const journal = openCallJournal(db, assert.ifError)
  journal.record(call({ at: noon - 1000, path: '/v1/old' }))
  journal.record(call({ at: noon + 1000, path: '/v1/new' }))
  await journal.close()
  while ((await deleteOldCalls(db, noon + 500)) > 0) {
    // A bounded number at a time.
  }
  const left = await db`select path from call_journal`
  assert.deepEqual(
    left.map((row) => row.path),
    ['/v1/new'],
  )
})

async function count(): Promise<number> {
  const [row] = await db<[{ n: number }]>`select count(*)::int as n from call_journal`
  return row.n
}
