import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { countCover, listCover } from '../../src/warehouse/metrics/cover.ts'
import { recordMovements } from '../../src/warehouse/stock/ledger.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()
const page = { limit: 100, after: undefined }
const ago = (days: number) => noon - days * day

/** An order of one product, some days ago. */
async function order(
  client: { readonly id: string; readonly cabinets: readonly string[] },
  barcode: string,
  { units, days, status = 'NEW' }: { units: number; days: number; status?: string },
) {
  const id = newId()
  const created = new Date(ago(days)).toISOString()
  await db`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status, created_at)
    values (${client.id}, ${id}, ${client.cabinets[0] ?? ''}, 'WB', ${id}, ${status}, 'new', ${created})`
  await db`
    insert into order_lines (client_id, order_id, line, barcode, quantity) values (${client.id}, ${id}, 1, ${barcode}, ${units})`
}

/** Units that are found or, negative, lost, some days ago. */
const correct = (client: string, barcode: string, days: number, delta: number) =>
  at(db, ago(days), (work) =>
    recordMovements(work, client, [{ barcode, kind: 'correction', delta, reason: 'COUNT' }]),
  )

test('days of cover come from what was ordered on days with stock', async () => {
  const client = await makeClient(db)
  await stockUp(db, client.id, { steady: 30, new: 40, gone: 6, idle: 5 }, ago(60))
  // Two a day for the last 14 days and more: 30 units last 15 days. The cancelled ones do not count.
  for (let days = 0; days < 20; days++) await order(client, 'steady', { units: 2, days })
  await order(client, 'steady', { units: 500, days: 3, status: 'CANCELLED' })
  // It was away until five days ago: 50 units in 5 days are ten a day, so 40 units last 4 days.
  await correct(client.id, 'new', 59, -40)
  await correct(client.id, 'new', 4, 40)
  for (let days = 0; days < 5; days++) await order(client, 'new', { units: 10, days })
  // Six on the last of the days with stock, of which 14 count.
  await order(client, 'gone', { units: 6, days: 2 })
  await correct(client.id, 'gone', 2, -6)
  const { items, total } = await listCover(
    db,
    client.id,
    noon,
    { state: undefined, lowDays: 14 },
    page,
  )
  assert.equal(total, 4)
  assert.deepEqual(
    items.map(({ barcode, available, a_day, days, state }) => [
      barcode,
      available,
      a_day,
      days,
      state,
    ]),
    [
      ['gone', 0, 0.43, 0, 'out'],
      ['new', 40, 10, 4, 'low'],
      ['steady', 30, 2, 15, 'enough'],
      ['idle', 5, 0, null, 'idle'],
    ],
  )
  assert.deepEqual(await countCover(db, client.id, noon, 20), {
    out: 1,
    low: 2,
    enough: 0,
    idle: 1,
  })
  const low = await listCover(db, client.id, noon, { state: 'low', lowDays: 14 }, page)
  assert.deepEqual(
    low.items.map(({ barcode }) => barcode),
    ['new'],
  )
  const paged: string[] = []
  for (let after: readonly (string | number)[] | undefined; ; ) {
    const next = await listCover(
      db,
      client.id,
      noon,
      { state: undefined, lowDays: 14 },
      { limit: 1, after },
    )
    paged.push(...next.items.map(({ barcode }) => barcode))
    if (next.next === null) break
    after = next.next
  }
  assert.deepEqual(paged, ['gone', 'new', 'steady', 'idle'])
})
