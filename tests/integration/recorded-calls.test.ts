import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallAttempt } from '../../src/exchange/marketplaces/calls/calls.ts'
import { openCallRecorder } from '../../src/exchange/marketplaces/recording/recorder.ts'
import {
  deleteOldRecordedCalls,
  insertCalls,
  type RecordedRow,
  recordedMax,
} from '../../src/exchange/marketplaces/recording/store.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { day, hour, type Timestamp, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { recordCallsUntil } from '../../src/warehouse/clients/cabinets.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient } from '../support/warehouse.ts'

const { db } = await testDatabase()

async function recording() {
  const { id: clientId, cabinets } = await makeClient(db)
  const [cabinetId = ''] = cabinets
  const until = toTimestamp(Date.now() + hour)
  const switchTo = (end: Timestamp | null) =>
    at(db, Date.now(), (work) => recordCallsUntil(work, clientId, cabinetId, end))
  await switchTo(until)
  const stored = async () =>
    db<{ id: number; failure: string | null; status: number | null; path: string }[]>`
      select id, failure, status, path from recorded_calls where cabinet_id = ${cabinetId} order by id`
  const warnings: unknown[] = []
  const recorder = (pool = db) => {
    const log = { warn: (details: unknown, text: string) => void warnings.push([details, text]) }
    return openCallRecorder(pool, systemClock, log)
  }
  const cabinet = { clientId, cabinetId, until, secrets: ['the-secret'] }
  return { clientId, cabinetId, cabinet, switchTo, stored, recorder, warnings }
}

const attempt = (path: string, rest: Partial<CallAttempt> = {}): CallAttempt => ({
  call: { method: 'GET', path, repeatable: true },
  requestedAt: Date.now(),
  durationMs: 5.4,
  status: 200,
  headers: { 'content-type': 'application/json', 'set-cookie': 'the-secret' },
  bytes: Buffer.from('{"next":1}'),
  ...rest,
})

function row(clientId: string, cabinetId: string, rest: Partial<RecordedRow> = {}): RecordedRow {
  return {
    client_id: clientId,
    cabinet_id: cabinetId,
    at: toTimestamp(Date.now()),
    call: 'GET /api/v3/orders',
    method: 'GET',
    path: '/api/v3/orders',
    query: {},
    request_body: null,
    request_note: null,
    status: 200,
    headers: {},
    answer_body: '{}',
    answer_note: null,
    answer_bytes: 2,
    duration_ms: 1,
    failure: null,
    ...rest,
  }
}

test('a failure without an answer is kept with its code, and no credential anywhere', async () => {
  const { cabinet, cabinetId, recorder, stored } = await recording()
  const own = recorder()
  const observe = own.observer(cabinet)
  assert.ok(observe)
  observe(attempt('/api/v3/orders'))
  const call = {
    method: 'POST',
    path: '/api/v3/supplies/the-secret',
    query: { limit: 1, token: 'the-secret' },
    body: { name: 'the-secret', code: 'the-secret' },
    repeatable: false,
  } as const
  const { requestedAt, durationMs } = attempt('')
  observe({ call, requestedAt, durationMs, failure: 'ECONNRESET' })
  await own.close()
  assert.deepEqual(
    (await stored()).map(({ status, failure, path }) => [status, failure, path]),
    [
      [200, null, '/api/v3/orders'],
      [null, 'ECONNRESET', '/api/v3/supplies/removed'],
    ],
  )
  const [found] = await db<{ whole: string }[]>`
    select string_agg(r::text, '') as whole from recorded_calls r where cabinet_id = ${cabinetId}`
  assert.doesNotMatch(found?.whole ?? 'the-secret', /the-secret/)
})

test('off, there is no observer; switched off meanwhile, what waits is not kept', async () => {
  const { cabinet, recorder, stored, switchTo } = await recording()
  const own = recorder()
  assert.equal(own.observer({ ...cabinet, until: null }), undefined)
  assert.equal(own.observer({ ...cabinet, until: toTimestamp(Date.now() - 1) }), undefined)
  own.observer(cabinet)?.(attempt('/api/v3/orders'))
  await switchTo(null)
  await own.flush()
  assert.deepEqual(await stored(), [])
  own.observer(cabinet)?.(attempt('/api/v3/orders', { requestedAt: Date.now() + 2 * hour }))
  await switchTo(cabinet.until)
  await own.close()
  assert.deepEqual(await stored(), [])
})

// Guarantee (raw-calls): Keeping raw calls fails no call.
test('a database that refuses loses raw calls and nothing else', async () => {
  const { cabinet, cabinetId, recorder, warnings } = await recording()
  const broken = recorder()
  const observe = broken.observer({ ...cabinet, cabinetId: 'no id', clientId: 'no id' })
  observe?.(attempt('/api/v3/orders'))
  await broken.flush()
  assert.equal(warnings.length, 1)
  const own = broken.observer(cabinet)
  own?.(attempt('/api/v3/orders'))
  await broken.close()
  const [found] = await db<{ rows: number }[]>`
    select count(*) as rows from recorded_calls where cabinet_id = ${cabinetId}`
  assert.equal(found?.rows, 1)
})

test('attempts beyond the bound of the queue are dropped at once', async () => {
  const { cabinet, recorder, stored, warnings } = await recording()
  const own = recorder()
  const observe = own.observer(cabinet)
  for (let n = 0; n < 1_003; n++) observe?.(attempt('/api/v3/orders'))
  assert.equal(warnings.length, 3)
  await own.close()
  assert.equal((await stored()).length, 1_000)
})

test('of one cabinet the oldest calls go first, by number and by size', async () => {
  const { clientId, cabinetId, stored } = await recording()
  const other = await recording()
  await insertCalls(db, [row(other.clientId, other.cabinetId)])
  await insertCalls(db, [row(clientId, cabinetId, { path: '/first' })])
  await db`
    insert into recorded_calls
      (client_id, cabinet_id, at, call, method, path, query, headers, answer_bytes, duration_ms)
    select ${clientId}, ${cabinetId}, now(), 'GET /x', 'GET', '/middle', '{}', '{}', 0, 0
    from generate_series(1, ${recordedMax.calls - 1})`.affected()
  await insertCalls(db, [row(clientId, cabinetId, { path: '/last' })])
  const paths = (await stored()).map(({ path }) => path)
  assert.equal(paths.length, recordedMax.calls)
  assert.deepEqual([paths[0], paths.at(-1)], ['/middle', '/last'])
  assert.equal((await other.stored()).length, 1)
  await db`
    update recorded_calls set answer_body = repeat('x', ${recordedMax.bytes}::integer / 5)
    where cabinet_id = ${cabinetId} and id > (
      select id from recorded_calls where cabinet_id = ${cabinetId} order by id desc offset 7 limit 1)`.affected()
  await insertCalls(db, [row(clientId, cabinetId, { path: '/newest' })])
  assert.deepEqual(
    (await stored()).map(({ path }) => path),
    ['/middle', '/middle', '/middle', '/last', '/newest'],
  )
})

test('old calls are deleted with their age', async () => {
  const { clientId, cabinetId, stored } = await recording()
  const before = (days: number) => toTimestamp(Date.now() - days * day)
  const calls = [recordedMax.days + 1, recordedMax.days - 1].map((days) =>
    row(clientId, cabinetId, { at: before(days), path: `/${days}` }),
  )
  await insertCalls(db, calls)
  await deleteOldRecordedCalls(db, Date.now())
  assert.deepEqual(
    (await stored()).map(({ path }) => path),
    [`/${recordedMax.days - 1}`],
  )
})
