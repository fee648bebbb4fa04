import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { countCover, listCover } from '../../src/warehouse/metrics/cover.ts'
import { findProductCover } from '../../src/warehouse/metrics/goods-to-bring.ts'
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

/** As the words of the list say it, a day after another. */
function coverByHand(
  quantity: number,
  changes: readonly { readonly days: number; readonly delta: number }[],
  orders: readonly { readonly days: number; readonly units: number }[],
) {
  const counted: number[] = []
  for (let days = 0; days < 28 && counted.length < 14; days++) {
    const of = orders.filter((each) => each.days === days)
    const ordered = of.reduce((sum, { units }) => sum + units, 0)
    const later = changes.filter((each) => each.days < days)
    const left = quantity - later.reduce((sum, { delta }) => sum + delta, 0)
    if (left > 0 || ordered > 0) counted.push(ordered)
  }
  const units = counted.reduce((sum, each) => sum + each, 0)
  return units === 0 ? null : Math.floor((quantity * counted.length) / units)
}

test('days of cover of any course of stock and orders are those of a day after another', async () => {
  const days = fc.integer({ min: 0, max: 32 })
  const courses = fc.uniqueArray(
    fc.record({
      days,
      // Found and lost again on other days, so that stock runs out and comes back.
      delta: fc.integer({ min: -4, max: 4 }),
      units: fc.integer({ min: 0, max: 3 }),
    }),
    { selector: (each) => each.days, minLength: 1, maxLength: 20 },
  )
  const goods = fc.array(courses, { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(goods, async (some) => {
      const client = await makeClient(db)
      const wanted = new Map<string, number | null>()
      for (const [index, course] of some.entries()) {
        const barcode = `goods-${index}`
        await stockUp(db, client.id, { [barcode]: 1 }, ago(60))
        let quantity = 1
        const changes: { days: number; delta: number }[] = []
        for (const each of course.toSorted((one, other) => other.days - one.days)) {
          const delta = Math.max(each.delta, -quantity)
          if (delta !== 0) {
            await correct(client.id, barcode, each.days, delta)
            changes.push({ days: each.days, delta })
            quantity += delta
          }
          if (each.units > 0) await order(client, barcode, each)
        }
        const last = coverByHand(quantity, changes, course)
        if (quantity > 0 || last !== null) wanted.set(barcode, last)
      }
      const filter = { state: undefined, lowDays: 14 }
      const { items } = await listCover(db, client.id, noon, filter, page)
      assert.deepEqual(new Map(items.map((each) => [each.barcode, each.days])), new Map(wanted))
      for (const [barcode, last] of wanted) {
        assert.equal((await findProductCover(db, client.id, noon, barcode))?.days, last)
      }
    }),
    { numRuns: 8 },
  )
})
