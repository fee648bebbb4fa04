import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { printFigures } from '../../src/documents/printing/queries.ts'
import { noticeFigures } from '../../src/exchange/notices/figures.ts'
import { openMetricsServer } from '../../src/http/metrics/metrics-server.ts'
import { type addDrain, addHealth } from '../../src/http/server/drain.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { lastBackupAt } from '../../src/operations/backup/last-backup.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { serviceVersion } from '../../src/platform/process/version.ts'
import { waitingPhotos } from '../../src/warehouse/photos/stored-bytes.ts'
import { testDatabase } from '../support/database.ts'
import { openScene } from '../support/sync-scene.ts'
import { makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()

async function shown(t: TestContext) {
  const log = pino({ level: 'silent' })
  const server = buildServer({ log, trustProxy: false })
  const metrics = openMetricsServer({
    server,
    calls: { lost: 3 } as Parameters<typeof openMetricsServer>[0]['calls'],
    webhookFigures: () => Promise.reject(new Error('not asked for')),
    cabinetFigures: () => Promise.reject(new Error('not asked for')),
    houseFigures: async () => ({
      ...(await printFigures(db)),
      lastBackup: await lastBackupAt(db),
      notices: await noticeFigures(db),
      photos: await waitingPhotos(db),
    }),
    build: { version: '7.1.0', role: 'worker' },
  })
  t.after(() => Promise.all([metrics.close(), server.close()]))
  await metrics.listen('127.0.0.1', 0)
  const lines = async () => {
    const answer = await fetch(`http://127.0.0.1:${metrics.port}/metrics`)
    return (await answer.text()).split('\n')
  }
  return { server, metrics, lines }
}

test('counters of requests are there before the first one, and probes are no failures', async (t) => {
  const { server, lines } = await shown(t)
  const drain = { isStopping: true, noteProbe() {} } as ReturnType<typeof addDrain>
  addHealth(server, db, drain)
  server.get('/broken', () => {
    throw new Error('broken')
  })
  const counted = async () =>
    (await lines()).filter((line) => /^sklad_http_\w+_total /.test(line)).toSorted()
  assert.deepEqual(await counted(), ['sklad_http_failures_total 0', 'sklad_http_requests_total 0'])
  for (const url of ['/readyz', '/healthz', '/broken', '/nowhere']) await server.inject(url)
  const health = (await server.inject('/healthz')).json() as unknown
  assert.deepEqual(health, { status: 'ok', version: serviceVersion })
  assert.deepEqual(await counted(), ['sklad_http_failures_total 1', 'sklad_http_requests_total 2'])
})

test('a process shows what it is, its pools and its calls to marketplaces', async (t) => {
  const { metrics, lines } = await shown(t)
  metrics.observePool('main', db)
  const held = await db.reserve()
  const attempt = {
    call: { method: 'GET', path: '/', repeatable: true },
    requestedAt: noon,
  } as const
  metrics.onMarketplaceCall('WB', { ...attempt, durationMs: 40, status: 409 })
  metrics.onMarketplaceCall('OZON', { ...attempt, durationMs: 40, failure: 'ECONNRESET' })
  const now = await lines()
  held.release()
  for (const line of [
    `sklad_build_info{version="7.1.0",role="worker",node="${process.versions.node}"} 1`,
    'sklad_database_connections_max{pool="main"} 5',
    'sklad_database_waiting{pool="main"} 0',
    'sklad_marketplace_calls_total{marketplace="WB",status="409"} 1',
    'sklad_marketplace_calls_total{marketplace="WB",status="none"} 0',
    'sklad_marketplace_calls_total{marketplace="OZON",status="none"} 1',
    '# TYPE sklad_call_journal_lost_total counter',
    'sklad_call_journal_lost_total 3',
  ]) {
    assert.ok(now.includes(line), line)
  }
  const used = now.find((line) => line.startsWith('sklad_database_connections_used{pool="main"}'))
  assert.ok(Number(used?.split(' ').at(-1)) >= 1, String(used))
})

test('the print queue and the last backup are figures of the database', async (t) => {
  await makeClient(db)
  const [{ code }] = await db<[{ code: string }]>`select code from warehouses limit 1`
  for (const seconds of [50, 90]) {
    await db`
      insert into print_jobs (id, warehouse_code, format, kind, object_id, title, copies, status, created_at, created_by)
      values (${newId()}, ${code}, 'A4', 'receipt', ${newId()}, 'Приёмка', 1, 'QUEUED',
        now() - make_interval(secs => ${seconds}), 'service')`
  }
  await db`
    insert into staff_journal (at, actor, action) values ('2026-11-20T12:00:00+03:00', 'command-line', 'backup')`
  const { lines } = await shown(t)
  const now = await lines()
  assert.ok(now.includes('sklad_print_jobs_queued 2'))
  assert.ok(now.includes(`sklad_last_backup_timestamp_seconds ${noon / 1000}`))
  const oldest = now.find((line) => line.startsWith('sklad_print_oldest_queued_seconds '))
  assert.ok(Number(oldest?.split(' ')[1]) >= 90, String(oldest))
})

test('photos that wait for the bucket are figures', async (t) => {
  const { id: clientId } = await makeClient(db)
  for (const [hash, seconds] of [
    ['a', 50],
    ['b', 90],
  ] as const) {
    const bytes = Buffer.from(hash)
    await db`
      insert into photos (client_id, id, kind, object_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
      values (${clientId}, ${newId()}, 'receipt', ${newId()}, sha256(${bytes}), ${bytes}, 1,
        now(), now() - make_interval(secs => ${seconds}), 'service', now() + interval '1 day')`
  }
  await db`update photos set bytes = null where bytes = ${Buffer.from('b')}`
  const { lines } = await shown(t)
  const now = await lines()
  assert.ok(now.includes('sklad_photos_waiting 1'))
  const oldest = now.find((line) => line.startsWith('sklad_photos_oldest_waiting_seconds '))
  const age = Number(oldest?.split(' ')[1])
  assert.ok(age >= 50 && age < 90, String(oldest))
})

test('letters that wait, are late and have failed are figures by channel', async (t) => {
  const userId = newId()
  await db`insert into notice_people (user_id, side) values (${userId}, 'staff')`
  const add = (channel: string, state: string, dueSeconds: number, endedHours?: number) => db`
    insert into notice_letters (id, user_id, channel, pace, state, due_at, attempts, created_at, ended_at)
    values (${newId()}, ${userId}, ${channel}, 'now', ${state}, now() + make_interval(secs => ${dueSeconds}), 1,
      now() - interval '30 hours', now() - make_interval(hours => ${endedHours ?? null}::int))`
  await add('email', 'waiting', -500)
  await add('email', 'waiting', -100)
  await add('email', 'waiting', 600)
  await add('email', 'failed', -100, 2)
  await add('email', 'failed', -100, 26)
  await add('telegram', 'sent', -100, 1)
  await add('telegram', 'dropped', -100, 1)
  const { lines } = await shown(t)
  const now = await lines()
  for (const line of [
    'sklad_notices_enabled 1',
    'sklad_notices_waiting{channel="email",state="due"} 2',
    'sklad_notices_waiting{channel="email",state="later"} 1',
    'sklad_notices_waiting{channel="telegram",state="due"} 0',
    'sklad_notices_oldest_due_seconds{channel="telegram"} 0',
    'sklad_notices_ended{channel="email",outcome="sent"} 0',
    'sklad_notices_ended{channel="email",outcome="failed"} 1',
    'sklad_notices_ended{channel="telegram",outcome="sent"} 1',
    'sklad_notices_ended{channel="telegram",outcome="failed"} 0',
  ]) {
    assert.ok(now.includes(line), line)
  }
  const oldest = now.find((line) =>
    line.startsWith('sklad_notices_oldest_due_seconds{channel="email"}'),
  )
  assert.ok(Number(oldest?.split(' ')[1]) >= 500, String(oldest))
})

test('a failed sync run leaves a line with its cabinet, the call and what the marketplace said', async () => {
  const scene = await openScene({ db })
  const { cabinetId } = await scene.connect(scene.wb)
  scene.wb.failNext(99, { status: 503 })
  await scene.syncing().runOnce()
  const [line] = scene.warned() as { cabinet: string; kind: string; status: number }[]
  assert.deepEqual([line?.cabinet, line?.kind, line?.status], [cabinetId, 'unreachable', 503])
})
