import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { requestSyncRun } from '../../src/exchange/marketplaces/connecting/sync-requests.ts'
import {
  claimSyncRuns,
  endSyncRun,
  enrolCabinets,
  holdLease,
  LeaseLost,
  leaseSeconds,
  releaseSyncRun,
  renewLease,
  type SyncRun,
} from '../../src/exchange/marketplaces/sync/sync-runs.ts'
import { inTransaction } from '../../src/platform/db/connection.ts'
import { eventually } from '../support/faults.ts'
import { cabinetState, intervalMs, makeDue, openScene, ordersOf } from '../support/sync-scene.ts'

const scene = await openScene()
const { db, wb, ozon } = scene
const limits = { max: 10, clientMax: 10, longAfterMs: 60_000 }

const synced = (cabinetId: string) =>
  eventually(
    'the cabinet is synced',
    async () => (await cabinetState(db, cabinetId)).synced_at !== null,
  )

// Guarantee (marketplaces): One process at a time syncs a cabinet.
test('two processes that claim at the same time sync each cabinet once', async () => {
  const cabinets = [await scene.connect(wb), await scene.connect(ozon), await scene.connect(wb)]
  for (const { account } of cabinets)
    (cabinets[1]?.account === account ? ozon : wb).addOrder(account)
  await Promise.all([scene.syncing().runOnce(), scene.syncing().runOnce()])
  for (const { cabinetId, account } of cabinets) {
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
    assert.equal((await ordersOf(db, cabinetId)).length, 1)
    const access = [...wb.calls(), ...ozon.calls()].filter(
      ({ account: id, path }) =>
        id === account.id && /^\/api\/v3\/orders\/new$|\/v1\/roles/.test(path),
    )
    assert.equal(access.length, 1)
  }
  // No cabinet is due again before the interval has passed.
  const [next] = await db`
    select min(next_at) > now() + ${`${intervalMs / 2} milliseconds`}::interval as later,
      count(lease)::int as leased from cabinet_syncs`
  assert.deepEqual({ ...next }, { later: true, leased: 0 })
})

// Guarantee (marketplaces): A process that lost its lease on a cabinet writes nothing.
test('a process that lost its lease during a sync run writes nothing more', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  wb.addOrder(account)
  wb.latency(300)
  const slow = scene.syncing()
  const asked = wb.called('/api/v3/orders/new')
  const run = slow.runOnce()
  await asked
  await db`
    update cabinet_syncs set lease = gen_random_uuid(), leased_until = now() + interval '1 hour'
    where cabinet_id = ${cabinetId}`
  await run
  wb.heal()
  assert.deepEqual(await ordersOf(db, cabinetId), [])
  const state = await cabinetState(db, cabinetId)
  assert.deepEqual({ ...state }, { synced_at: null, sync_error: null })
  assert.deepEqual(scene.logged(), [])
  // The present holder keeps its lease, and the lease of a dead process runs out.
  await makeDue(db)
  await scene.syncing().runOnce()
  assert.deepEqual(await ordersOf(db, cabinetId), [])
  await db`update cabinet_syncs set leased_until = now() where cabinet_id = ${cabinetId}`
  await scene.syncing().runOnce()
  assert.equal((await ordersOf(db, cabinetId)).length, 1)
})

test('a lease is short, only its holder renews it, and every write checks it under a lock', async () => {
  const { cabinetId } = await scene.connect(wb)
  await enrolCabinets(db)
  await db`update cabinet_syncs set next_at = now() + interval '1 day' where cabinet_id <> ${cabinetId}`
  const [run, ...others] = await claimSyncRuns(db, 'WB', limits)
  assert.ok(run?.cabinetId === cabinetId && others.length === 0)
  assert.equal((await claimSyncRuns(db, 'WB', limits)).length, 0)
  assert.equal((await claimSyncRuns(db, 'OZON', limits)).length, 0)
  await renewLease(db, run)
  const [left] = await db<{ seconds: number }[]>`
    select extract(epoch from leased_until - now())::float8 as seconds from cabinet_syncs
    where cabinet_id = ${cabinetId}`
  assert.ok((left?.seconds ?? 0) > leaseSeconds - 5 && leaseSeconds <= 30)
  await db`update cabinet_syncs set lease = gen_random_uuid() where cabinet_id = ${cabinetId}`
  await assert.rejects(renewLease(db, run), LeaseLost)
  await assert.rejects(
    inTransaction(db, (tx) => holdLease(tx, run)),
    LeaseLost,
  )
})

// Guarantee (marketplaces): A database clock that was set back delays no sync run.
test('a clock of the database that was set back delays no sync run, nor does the lease of a killed process', async () => {
  const { cabinetId } = await scene.connect(wb)
  await scene.sync()
  const plannedAhead = (lease: string | null) => db`
    update cabinet_syncs set started_at = now() + interval '2 hours', next_at = now() + interval '123 minutes',
      lease = ${lease}, leased_until = case when ${lease}::uuid is null then null else now() + interval '2 hours' end
    where cabinet_id = ${cabinetId}`
  for (const lease of [null, randomUUID()]) {
    await plannedAhead(lease)
    const claimed = await claimSyncRuns(db, 'WB', limits)
    assert.deepEqual(
      claimed.map((run) => run.cabinetId),
      [cabinetId],
    )
    assert.deepEqual(await claimSyncRuns(db, 'WB', limits), [])
  }
})

test('a run that ended while the clock of the database was ahead for a moment delays no other', async () => {
  const { cabinetId } = await scene.connect(wb)
  await scene.sync()
  const endedAhead = (plannedAhead: string) => db`
    update cabinet_syncs set started_at = now(), next_at = now() + interval '50 minutes',
      planned_at = now() + ${plannedAhead}::interval, lease = null, leased_until = null
    where cabinet_id = ${cabinetId}`
  await endedAhead('0 seconds')
  assert.deepEqual(await claimSyncRuns(db, 'WB', limits), [])
  await endedAhead('50 minutes')
  const claimed = await claimSyncRuns(db, 'WB', limits)
  assert.deepEqual(
    claimed.map((run) => run.cabinetId),
    [cabinetId],
  )
  await releaseSyncRun(db, claimed[0] as SyncRun, 60_000)
  assert.deepEqual(await claimSyncRuns(db, 'WB', limits), [])
})

test('a run that was requested while the clock of the database was ahead is due, though the run before ends later', async () => {
  const { cabinetId } = await scene.connect(wb)
  await enrolCabinets(db)
  const [run] = await claimSyncRuns(db, 'WB', limits)
  assert.equal(run?.cabinetId, cabinetId)
  await db`
    update cabinet_syncs set next_at = now() + interval '50 minutes', planned_at = now() + interval '50 minutes'
    where cabinet_id = ${cabinetId}`
  const end = { failed: false, credentialsRefused: false, lacks: [] }
  await inTransaction(db, (tx) => endSyncRun(tx, run as SyncRun, intervalMs, end))
  const claimed = await claimSyncRuns(db, 'WB', limits)
  assert.deepEqual(
    claimed.map((next) => next.cabinetId),
    [cabinetId],
  )
  await releaseSyncRun(db, claimed[0] as SyncRun, 60_000)
})

test('each plan says when it was made', async () => {
  const { clientId, cabinetId } = await scene.connect(wb)
  const forgotten = () =>
    db`update cabinet_syncs set planned_at = null where cabinet_id = ${cabinetId}`
  const plan = async (make: () => Promise<unknown>) => {
    await forgotten()
    await make()
    const [row] = await db<{ isNow: boolean }[]>`
      select abs(extract(epoch from now() - planned_at)) < 60 as "isNow" from cabinet_syncs where cabinet_id = ${cabinetId}`
    assert.ok(row?.isNow)
  }
  await plan(() => scene.sync())
  await plan(() => inTransaction(db, (tx) => requestSyncRun(tx, clientId, cabinetId)))
})

test('repeated failures wait longer, and a successful run restores the interval', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  wb.refuse(account, 403)
  const pauses: number[] = []
  const runner = scene.syncing()
  for (let failed = 0; failed < 5; failed += 1) {
    await db`update cabinet_syncs set next_at = now() where cabinet_id = ${cabinetId}`
    await runner.runOnce()
    const [row] = await db<{ ms: number }[]>`
      select extract(epoch from next_at - started_at)::float8 * 1000 as ms from cabinet_syncs
      where cabinet_id = ${cabinetId}`
    pauses.push(Math.round((row?.ms ?? 0) / intervalMs))
  }
  assert.deepEqual(pauses, [1, 2, 4, 4, 4])
  wb.refuse(account, undefined)
})

// Guarantee (marketplaces): An account that is slow, limited or far behind delays no other.
test('accounts that are slow, limited or behind delay no other, however many there are', async () => {
  await db`update cabinets set active = false`
  const slow = await Promise.all(Array.from({ length: 24 }, () => scene.connect(ozon)))
  const answers = Promise.withResolvers<void>()
  for (const { account } of slow) ozon.holdCallsOf(account, answers.promise)
  // Every run counts as long at once, so no clock decides.
  const runner = scene.syncing({ usualRunMs: 0 })
  const waiting = new Set<string>()
  runner.start()
  while (waiting.size < slow.length) {
    const { account = '' } = await ozon.called('/')
    if (slow.some((one) => one.account.id === account)) waiting.add(account)
  }
  const others = await Promise.all(Array.from({ length: 4 }, () => scene.connect(ozon)))
  const numbers = others.map(({ account }) => ozon.addOrder(account))
  for (const { cabinetId } of others) {
    await eventually('the other cabinet is synced', async () => {
      return (await cabinetState(db, cabinetId)).synced_at !== null
    })
  }
  const read = await Promise.all(others.map(({ cabinetId }) => ordersOf(db, cabinetId)))
  assert.deepEqual(
    read.flatMap((orders) => orders.map((order) => order.external_id)),
    numbers,
  )
  for (const { cabinetId } of slow) {
    assert.equal((await cabinetState(db, cabinetId)).synced_at, null)
  }
  answers.resolve()
  await runner.stop()
})

test('a marketplace that hangs delays neither the other one nor a stop', async () => {
  await db`update cabinets set active = false`
  const hanging = await Promise.all(Array.from({ length: 17 }, () => scene.connect(wb)))
  const { cabinetId } = await scene.connect(ozon)
  wb.failNext(1000, 'hang')
  const runner = scene.syncing()
  const asked = wb.called('/')
  runner.start()
  await asked
  await synced(cabinetId)
  const started = performance.now()
  await runner.stop()
  assert.ok(performance.now() - started < 10_000)
  wb.heal()
  const [leased] = await db`
    select count(s.lease)::int as n from cabinet_syncs s
    join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id where k.active`
  assert.equal(leased?.n, 0)
  assert.equal(hanging.length, 17)
})

test('a client whose cabinets hang takes half of the places, and other clients take the others', async () => {
  await db`update cabinets set active = false`
  const { clientId } = await scene.connect(wb)
  for (let n = 0; n < 19; n += 1) await scene.connect(wb, { clientId })
  const held = async () => {
    const [row] = await db<{ n: number }[]>`
      select count(*)::int as n from cabinet_syncs
      where client_id = ${clientId} and leased_until >= now()`
    return row?.n ?? 0
  }
  wb.failNext(1000, 'hang')
  const before = wb.calls().length
  // A run may hang in several calls at once.
  const hanging = () =>
    new Set(
      wb
        .calls()
        .slice(before)
        .map((call) => call.account),
    ).size
  const runner = scene.syncing()
  const asked = wb.called('/')
  runner.start()
  await asked
  assert.equal(await held(), 8)
  while (hanging() < 8) await wb.called('/')
  // The marketplace answers all later calls.
  wb.heal()
  const other = await scene.connect(wb)
  const number = wb.addOrder(other.account)
  await synced(other.cabinetId)
  const numbers = (await ordersOf(db, other.cabinetId)).map((order) => order.external_id)
  assert.deepEqual([numbers, await held()], [[number], 8])
  await runner.stop()
})

test('places of a client are counted by marketplace, and a dead process frees its places', async () => {
  await db`update cabinets set active = false`
  const { clientId } = await scene.connect(wb)
  for (let n = 0; n < 4; n += 1) await scene.connect(wb, { clientId })
  await scene.connect(ozon, { clientId })
  await enrolCabinets(db)
  const claim = async (marketplace: 'WB' | 'OZON') =>
    (await claimSyncRuns(db, marketplace, { ...limits, clientMax: 2 })).length
  assert.deepEqual([await claim('WB'), await claim('WB'), await claim('OZON')], [2, 0, 1])
  await scene.connect(wb)
  await enrolCabinets(db)
  assert.deepEqual([await claim('WB'), await claim('WB')], [1, 0])
  await db`
    update cabinet_syncs set leased_until = now() - interval '1 second', next_at = now() + interval '1 hour'
    where client_id = ${clientId} and lease is not null`
  assert.deepEqual([await claim('WB'), await claim('WB')], [2, 0])
})
