import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import {
  inTransaction,
  openBeside,
  type Queryable,
  type Reservation,
  type Transaction,
} from '../../src/platform/db/connection.ts'
import type { Tag } from '../../src/platform/db/statements/tag.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import type { StoredNow } from '../../src/warehouse/metrics/stored-now.ts'
import { writeOff } from '../../src/warehouse/stock/adjustments.ts'
import { moveBetweenBoxes } from '../../src/warehouse/stock/boxed-units.ts'
import { listStock } from '../../src/warehouse/stock/queries.ts'
import { addBox, placeBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

/** What metrics show of storage comes from sums that triggers keep: they follow every change, also changes made at once. */

const { db } = await testDatabase({ plansForValues: true })
const many = openBeside(db, 17)
after(() => many.end())
const none: StoredNow = { units: 0, in_question: 0, sku_count: 0, boxes: 0, pallets: 0 }
const period = { from: noon - 1_000, to: noon + 1_000 }

async function storage(units: Readonly<Record<string, number>> = {}) {
  const { id } = await makeClient(db)
  await stockUp(db, id, units)
  const box = (pallet?: string) => at(db, noon, (work) => addBox(work, id, pallet))
  const pallet = async () => {
    const palletId = newId()
    await db`insert into pallets (client_id, id, created_at) values (${id}, ${palletId}, now())`
    return palletId
  }
  const put = (tx: Tag, boxId: string, barcode: string) =>
    tx`insert into box_contents values (${id}, ${boxId}, ${barcode}, 1)`
  const take = (tx: Tag, boxId: string, barcode: string) => tx`
    delete from box_contents where client_id = ${id} and box_id = ${boxId} and barcode = ${barcode}`
  const move = (tx: Transaction, boxId: string, palletId: string | null) =>
    placeBox(workAt(tx, noon, { kind: 'service' }), id, boxId, palletId)
  const shows = async (what: string, figures: Partial<StoredNow>) => {
    const { received, shipped, ...now } = (await readMetrics(db, id, period)).storage
    assert.deepEqual(now, { ...none, ...figures }, what)
  }
  return { id, box, pallet, put, take, move, shows }
}

async function waitingFor(what: string) {
  await eventually(`${what} waits`, async () => {
    const waiting = await db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length > 0
  })
}

async function assertClean() {
  assert.deepEqual((await audit(db, new ManualClock(noon))).findings, [])
}

// Guarantee (metrics): The stock list's `quantity`, `in_storage` and `storage.units` always add up to the same number.
test('metrics follow every change of units, boxes and pallets', async () => {
  const { id, box, pallet, put, take, move, shows } = await storage()
  await shows('a client without goods', {})
  await stockUp(db, id, { A: 2, B: 1 })
  await shows('goods', { units: 3, sku_count: 2 })
  await db`update stock_balances set in_question = 1 where client_id = ${id} and barcode = 'A'`
  const goods = { units: 3, in_question: 1, sku_count: 2 }
  await shows('a unit in question', goods)
  const [first, second, firstPallet, otherPallet] = [
    await box(),
    await box(),
    await pallet(),
    await pallet(),
  ]
  await inTransaction(db, (tx) => move(tx, first, firstPallet))
  await shows('empty boxes, one of them on a pallet', goods)
  await put(db, first, 'A')
  await put(db, first, 'B')
  await put(db, second, 'A')
  await shows('filled boxes', { ...goods, boxes: 2, pallets: 1 })
  await db`update box_contents set quantity = 2 where client_id = ${id} and box_id = ${first}`
  await shows('more units in a box', { ...goods, boxes: 2, pallets: 1 })
  await inTransaction(db, (tx) => move(tx, second, firstPallet))
  await shows('both boxes on one pallet', { ...goods, boxes: 2, pallets: 1 })
  await inTransaction(db, (tx) => move(tx, first, otherPallet))
  await shows('a box that moved to another pallet', { ...goods, boxes: 2, pallets: 2 })
  await take(db, first, 'A')
  await shows('a box with a line less', { ...goods, boxes: 2, pallets: 2 })
  await take(db, first, 'B')
  await shows('an empty box', { ...goods, boxes: 1, pallets: 1 })
  await inTransaction(db, (tx) => move(tx, second, null))
  await shows('a box off its pallet', { ...goods, boxes: 1 })
  await at(db, noon, (work) => writeOff(work, id, { barcode: 'B', units: 1, reason: 'LOST' }))
  await shows('less units', { units: 2, in_question: 1, sku_count: 1, boxes: 1 })
  await db`update stock_balances set in_question = 0 where client_id = ${id}`
  await db`delete from box_contents where client_id = ${id}`
})

test('the total of a stock list follows goods that come at once, and goods that go', async () => {
  const { id } = await makeClient(db)
  const filter = { selection: undefined, barcode: undefined, search: ' ' }
  const total = async (tx: Queryable = db) =>
    (await listStock(tx, id, filter, { limit: 1, after: undefined })).total
  assert.equal(await total(), 0)
  const barcodes = Array.from({ length: 20 }, (_, n) => `G${n}`)
  await Promise.all(barcodes.map((barcode) => stockUp(many, id, { [barcode]: 1 })))
  assert.equal(await total(), barcodes.length)
  const undone = inTransaction(db, async (tx) => {
    for (const table of ['stock_balances', 'stock_figures', 'products']) {
      await tx`delete from ${tx(table)} where client_id = ${id} and barcode = any(${['G0', 'G1']})`.affected()
    }
    assert.equal(await total(tx), barcodes.length - 2)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await total(), barcodes.length)
})

test('boxes of one pallet that are filled at once are all counted, and the pallet once', async () => {
  const { box, pallet, put, shows } = await storage({ A: 9, B: 9 })
  const palletId = await pallet()
  const [one, other] = [await box(palletId), await box(palletId)]
  const { waited } = await meanwhile(
    db,
    (tx) => put(tx, one, 'A'),
    () => put(db, other, 'B'),
  )
  assert.ok(waited)
  await shows('both', { units: 18, sku_count: 2, boxes: 2, pallets: 1 })
  await assertClean()
})

test('a box whose last line goes while another one comes stays filled', async () => {
  const { box, put, take, shows } = await storage({ A: 9, B: 9 })
  const boxId = await box()
  const stored = { units: 18, sku_count: 2 }
  await put(db, boxId, 'A')
  await meanwhile(
    db,
    (tx) => take(tx, boxId, 'A'),
    () => put(db, boxId, 'B'),
  )
  await shows('taken, then put', { ...stored, boxes: 1 })
  await meanwhile(
    db,
    (tx) => put(tx, boxId, 'A'),
    () => take(db, boxId, 'B'),
  )
  await shows('put, then taken', { ...stored, boxes: 1 })
  await assertClean()
})

// Guarantee (storage): A box that moves while it is filled or emptied is counted where it stands.
test('a box that moves while it is filled or emptied is counted where it comes to stand', async () => {
  const { box, pallet, put, take, move, shows } = await storage({ A: 9 })
  const stored = { units: 9, sku_count: 1 }
  const [boxId, palletId] = [await box(), await pallet()]
  await meanwhile(
    db,
    (tx) => put(tx, boxId, 'A'),
    () => inTransaction(db, (tx) => move(tx, boxId, palletId)),
  )
  await shows('filled, then moved', { ...stored, boxes: 1, pallets: 1 })
  await meanwhile(
    db,
    (tx) => move(tx, boxId, null),
    () => take(db, boxId, 'A'),
  )
  await shows('moved, then emptied', stored)
  await meanwhile(
    db,
    (tx) => move(tx, boxId, palletId),
    () => put(db, boxId, 'A'),
  )
  await shows('moved, then filled', { ...stored, boxes: 1, pallets: 1 })
  await meanwhile(
    db,
    (tx) => take(tx, boxId, 'A'),
    () => inTransaction(db, (tx) => move(tx, boxId, null)),
  )
  await shows('emptied, then moved', stored)
  await assertClean()
})

/** Two connections whose sums stand in the same slot. */
async function ofOneSlot(t: TestContext) {
  const bySlot = new Map<number, Reservation>()
  for (;;) {
    const connection = await many.reserve()
    t.after(() => connection.release())
    const [{ slot }] = await connection<[{ slot: number }]>`select pg_backend_pid() % 16 as slot`
    const other = bySlot.get(slot)
    if (other !== undefined) return [connection, other] as const
    bySlot.set(slot, connection)
  }
}

test('whoever fills boxes of a pallet after a change of a balance, and whoever moves a box there, wait for each other in one order', async (t) => {
  const { id, box, pallet, put, shows } = await storage({ A: 9, B: 9 })
  const palletId = await pallet()
  const [empty, moved] = [await box(palletId), await box()]
  await put(db, moved, 'B')
  const [filling, moving] = await ofOneSlot(t)
  await filling`begin`
  await filling`update stock_balances set updated_at = now() where client_id = ${id} and barcode = 'A'`
  const move = moving`update boxes set pallet_id = ${palletId} where client_id = ${id} and id = ${moved}`
  const moves = move.affected()
  await waitingFor('the move')
  await put(filling, empty, 'A')
  await filling`commit`
  assert.equal(await moves, 1)
  await shows('both', { units: 18, sku_count: 2, boxes: 2, pallets: 1 })
  await assertClean()
})

test('a line that goes waits for whoever moves its box', async (t) => {
  const { id, box, pallet, put, take, shows } = await storage({ A: 9, B: 9 })
  const [boxId, palletId] = [await box(), await pallet()]
  await put(db, boxId, 'A')
  await put(db, boxId, 'B')
  const moving = await many.reserve()
  t.after(() => moving.release())
  await moving`begin`
  await moving`select from boxes where client_id = ${id} and id = ${boxId} for no key update`
  const taken = take(db, boxId, 'A').affected()
  await waitingFor('the line')
  await moving`update boxes set pallet_id = ${palletId} where client_id = ${id} and id = ${boxId}`
  await moving`commit`
  assert.equal(await taken, 1)
  await shows('moved, and one line left', { units: 18, sku_count: 2, boxes: 1, pallets: 1 })
  await assertClean()
})

test('units that go between two boxes in both directions at once block nobody', async () => {
  const { id, box, put, shows } = await storage({ A: 9, B: 9 })
  const [one, other] = [await box(), await box()]
  await put(db, one, 'A')
  await put(db, other, 'B')
  const move = (barcode: string, boxId: string, toBoxId: string) =>
    // The first deadlock fails it.
    inTransaction(
      db,
      (tx) => {
        const work = workAt(tx, noon, { kind: 'service' })
        return moveBetweenBoxes(work, id, { boxId, barcode, units: 1, toBoxId })
      },
      1,
    )
  for (let n = 0; n < 40; n += 1) {
    await Promise.all([move('A', one, other), move('B', other, one)])
    await Promise.all([move('A', other, one), move('B', one, other)])
  }
  await shows('both filled', { units: 18, sku_count: 2, boxes: 2 })
  await assertClean()
})

test('metrics read no balance and no box, however many there are', async () => {
  const { id, box, pallet, put } = await storage({ A: 1 })
  await put(db, await box(await pallet()), 'A')
  const read = await inTransaction(db, async (tx) => {
    const rowsRead = async () => {
      const [row] = await tx<[{ rows: number }]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
        where relname in ('stock_balances', 'boxes', 'box_contents', 'pallets', 'fill_counts')`
      return row.rows
    }
    const before = await rowsRead()
    await readMetrics(tx, id, period)
    return (await rowsRead()) - before
  })
  assert.equal(read, 0)
})
