import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { startProcess } from '../support/process.ts'
import { addLiveClient } from '../support/service.ts'

/** What SIGTERM does while the database is away: the process ends by itself, and says what it could not write. */

const { db, target } = await testDatabase()
const gate = await openDatabaseGate(target)
const { url } = gate.target as { readonly url: string }

async function started() {
  const service = await startProcess(mkdtempSync(join(tmpdir(), 'shutdown-')), {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'info',
  })
  const { writing } = await addLiveClient({ baseUrl: service.baseUrl, db })
  const call = async (path: string) => {
    const answer = await fetch(`${service.baseUrl}${path}`, { headers: { 'X-Api-Key': writing } })
    await answer.body?.cancel()
    return answer.status
  }
  assert.equal(await call('/v1/me'), 200)
  return { service, call }
}

for (const state of ['frozen', 'shut'] as const) {
  // Guarantee (stop): A service that is stopped without its database ends, and says what it could not write.
  test(`a service that is stopped while its database is ${state} ends, and says what did not close`, async () => {
    const { service, call } = await started()
    gate.set(state)
    // The journal has a call that it can write nowhere.
    assert.equal(await call('/v1/stock'), 500)
    const end = await service.end('SIGTERM')
    gate.set('open')
    assert.deepEqual([end.code, end.signal], [1, null], service.output())
    assert.match(service.output(), /not in order: journal of calls/)
  })
}

// Guarantee (db): A service stops in order even when all its connections are silent.
test('a service whose connections are all silent ends in order', async () => {
  const { service, call } = await started()
  gate.silence()
  const waiting = call('/v1/stock').catch(() => undefined)
  const end = await service.end('SIGTERM')
  await waiting
  assert.deepEqual([end.code, end.signal], [0, null], service.output())
})

// Guarantee (stop): If the database comes back during a stop, waiting calls reach the journal.
test('calls that wait for a database that comes back during the stop reach the journal', async () => {
  const { service, call } = await started()
  gate.set('shut')
  assert.equal(await call('/v1/orders'), 500)
  const ending = service.end('SIGTERM')
  await service.printed(/SIGTERM: stopping/)
  gate.set('open')
  assert.equal((await ending).code, 0)
  const calls = await db<{ status: number }[]>`
    select status from call_journal where path = '/v1/orders' and status <> 200`
  assert.deepEqual(
    calls.map(({ status }) => status),
    [500],
  )
})
