import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { hour, midnight, minute } from '../../src/platform/kernel/moscow-time.ts'
import { listCharges } from '../../src/warehouse/billing/charges.ts'
import { computeDueCharges } from '../../src/warehouse/billing/daily.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, stockUp } from '../support/warehouse.ts'

/** Boxes and pallets have no ledger: they are counted when a day has ended. */

const { db } = await testDatabase()

/** A client charged for its boxes, of which one lies there. */
async function boxedClient(): Promise<string> {
  const { id } = await makeClient(db)
  const prices = { STORAGE_BOX_DAY: [{ up_to: null, price: 300 }] }
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${id}, 1, '2026-11-01', ${db.json(prices)}, now(), 'test')`
  await db`insert into storage_terms values (${id}, '2026-11-01', 'box', null, now(), 'test')`
  await addBox(id, 'A')
  return id
}

async function addBox(id: string, barcode: string): Promise<void> {
  await stockUp(db, id, { [barcode]: 1 })
  const box = newId()
  await db`insert into boxes (client_id, id, created_at) values (${id}, ${box}, now())`
  await db`insert into box_contents values (${id}, ${box}, ${barcode}, 1)`
}

const boxesOf = async (id: string) => {
  const { items } = await listCharges(
    db,
    id,
    { service: 'STORAGE_BOX_DAY' },
    { limit: 50, after: undefined },
  )
  return items.map(({ day, quantity, source }) => [day, quantity, source.comment])
}

test('the daily run computes a client once a day, and counts boxes and pallets of the day before', async () => {
  const id = await boxedClient()
  assert.ok((await computeDueCharges(db, midnight('2026-11-29') + minute)) > 0)
  assert.equal(await computeDueCharges(db, midnight('2026-11-29') + 2 * hour), 0)
  assert.deepEqual(await boxesOf(id), [['2026-11-28', '1', null]])
})

// Those days were free of charge, and a late count did not say so.
test('boxes of days on which the service was away are counted when it is back, and say so', async () => {
  const id = await boxedClient()
  await computeDueCharges(db, midnight('2026-11-26') + 5)
  await computeDueCharges(db, midnight('2026-11-29') + 9 * hour)
  const late = 'Посчитано 29.11.2026 в 09:00, не сразу после этого дня'
  assert.deepEqual(await boxesOf(id), [
    ['2026-11-28', '1', late],
    ['2026-11-27', '1', late],
    ['2026-11-26', '1', late],
    ['2026-11-25', '1', null],
  ])
})

// What it counted in advance stood for the days that came, and nobody computed charges until they had come.
test('a clock that ran ahead counts no boxes for later days, and holds up no daily run', async () => {
  const id = await boxedClient()
  await computeDueCharges(db, midnight('2026-12-10') + 5)
  await addBox(id, 'B')
  for (const date of ['2026-11-28', '2026-11-29', '2026-12-10', '2026-12-11']) {
    assert.ok((await computeDueCharges(db, midnight(date) + 2 * minute)) > 0, date)
  }
  const counted = (await boxesOf(id)).map(([day, boxes, late]) => [day, boxes, late === null])
  assert.deepEqual(counted.slice(0, 2), [
    ['2026-12-10', '2', true],
    ['2026-12-09', '2', true],
  ])
  assert.deepEqual(counted.slice(-2), [
    ['2026-11-28', '2', true],
    ['2026-11-27', '2', true],
  ])
  assert.deepEqual((await audit(db)).findings, [])
})
