import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import { type Instant, midnight } from '../../src/platform/kernel/moscow-time.ts'
import { addManualCharge, cancelManualCharge } from '../../src/warehouse/billing/manual.ts'
import { closeMonth, listPeriods } from '../../src/warehouse/billing/periods.ts'
import { putProvider } from '../../src/warehouse/billing/providers.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, testProvider } from '../support/warehouse.ts'

const { db } = await testDatabase()
const hour = 60 * 60_000
const december: Instant = midnight('2026-12-02') + hour
const warehouse = 'HAND'
await db`insert into warehouses (code, name, created_at) values (${warehouse}, 'W', now())`
await db`
  insert into billing_services (warehouse_code, code, name, unit, created_at)
  values (${warehouse}, 'OWN_PHOTO', 'Фото', 'шт.', now())`
await at(db, december, (work) => putProvider(work, warehouse, { ...testProvider, vat_rate: null }))

async function clientHere(): Promise<string> {
  const { id } = await makeClient(db)
  await db`update clients set warehouse_code = ${warehouse} where id = ${id}`
  return id
}

const photo = { service: 'OWN_PHOTO', quantity: '1', price: '10', comment: 'Фото' }

/** Enters one as the staff API does. */
const enter = (clientId: string, day: string, now = december) =>
  at(db, now, async (work) => {
    const { id } = await addManualCharge(work, { clientId, warehouse }, { ...photo, day })
    await computeCharges(work, clientId)
    return id
  })

const cancel = (clientId: string, id: string) =>
  at(db, december, async (work) => {
    await cancelManualCharge(work, clientId, id)
    await computeCharges(work, clientId)
  })

const close = (clientId: string) =>
  at(db, december, (work) => closeMonth(work, clientId, '2026-11-01'))

async function deadlocks(): Promise<number> {
  await db`select pg_stat_clear_snapshot()`
  const [row] = await db<{ deadlocks: number }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  return row?.deadlocks ?? 0
}

const sources = async (clientId: string) =>
  (
    await db<{ source: string }[]>`
    select source from charges where client_id = ${clientId} order by source`
  ).map(({ source }) => source.replace('manual:', ''))

test('charges by hand that come at the same moment all count, whatever open months they are for', async () => {
  const client = await clientHere()
  const before = await deadlocks()
  const days = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? '2026-11-25' : '2026-12-01'))
  const ids = await Promise.all([
    ...days.map((day) => enter(client, day)),
    at(db, december, async (work) => String(await computeCharges(work, client))),
  ])
  assert.deepEqual(await sources(client), ids.slice(0, 8).toSorted())
  const half = ids.slice(0, 4)
  await Promise.all(half.map((id) => cancel(client, id)))
  assert.deepEqual(await sources(client), ids.slice(4, 8).toSorted())
  assert.equal(await deadlocks(), before)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a charge by hand that comes while its month is closed is in the act or is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const client = await clientHere()
    const first = await enter(client, '2026-11-24')
    const [closed, ...entered] = await Promise.allSettled([
      close(client),
      enter(client, '2026-11-25'),
      cancel(client, first).then(() => ''),
      enter(client, '2026-11-26'),
    ])
    assert.equal(closed.status, 'fulfilled')
    for (const each of entered) {
      if (each.status === 'rejected')
        assert.ok(each.reason instanceof ServiceError, String(each.reason))
    }
    const [added, cancelled, other] = entered
    const expected = [
      cancelled?.status === 'rejected' && first,
      added?.status === 'fulfilled' && added.value,
      other?.status === 'fulfilled' && other.value,
    ].filter((id) => typeof id === 'string')
    assert.deepEqual(await sources(client), expected.toSorted())
    const [act] = await db<{ amount: number }[]>`
      select amount from acts where client_id = ${client}`
    assert.equal(act?.amount, expected.length * 1_000)
  }
  assert.deepEqual((await audit(db)).findings, [])
})

// They were answered as charged and never were.
test('a charge by hand counts also before the first tariff, and in the first minute of a month', async () => {
  const client = await clientHere()
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${client}, 1, '2026-12-01', '{}', now(), 'test')`
  const early = await enter(client, '2026-11-21')
  assert.deepEqual(await sources(client), [early])
  const fresh = await clientHere()
  const atOnce = await enter(fresh, '2026-12-01', midnight('2026-12-01') + 5_000)
  assert.deepEqual(await sources(fresh), [atOnce])
  await assert.rejects(enter(client, '2026-10-31'), /не работал/)
  assert.deepEqual(await sources(client), [early])
})

test('a run opens no month of a client whom nobody charges', async () => {
  const client = await clientHere()
  await at(db, december, (work) => computeCharges(work, client))
  assert.deepEqual(await listPeriods(db, client), [])
})
