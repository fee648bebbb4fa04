import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import { correctStock, writeOff } from '../../src/warehouse/stock/adjustments.ts'
import { moveBetweenBoxes, putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { recordMovements, reserveUnits } from '../../src/warehouse/stock/ledger.ts'
import {
  emptyLocation,
  moveFromLocation,
  takeFromPlaces,
} from '../../src/warehouse/stock/located-units.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { handleShelf } from '../../src/warehouse/stock/put-away.ts'
import { addBox, addPallet, placeBox } from '../../src/warehouse/storage/boxes.ts'
import { addLocation } from '../../src/warehouse/storage/locations.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })

/** A client with units of each product, and empty boxes ordered by id. */
async function scene(units: Readonly<Record<string, number>>, boxes: number) {
  const { id } = await makeClient(db)
  await stockUp(db, id, units)
  const ids = await at(db, noon, async (work) => {
    const made: string[] = []
    for (let n = 0; n < boxes; n++) made.push(await addBox(work, id))
    return made.sort()
  })
  return { client: id, boxes: ids }
}

function put(client: string, boxId: string, barcode: string, units: number): Promise<void> {
  return at(db, noon, (work) => putIntoBox(work, client, { boxId, barcode, units }))
}

function gone(client: string, barcode: string, units: number): Promise<void> {
  return at(db, noon, (work) => writeOff(work, client, { barcode, units, reason: 'LOST' }))
}

async function held(client: string, boxes: readonly string[], barcode: string): Promise<number[]> {
  const rows = await db<{ box_id: string; quantity: number }[]>`
    select box_id, quantity from box_contents where client_id = ${client} and barcode = ${barcode}`
  const units = new Map(rows.map((row) => [row.box_id, row.quantity]))
  return boxes.map((box) => units.get(box) ?? 0)
}

/** Products with more units in boxes and at locations than the balance has. */
function overfull(client: string) {
  return db`
    select barcode, sum(c.quantity) from (
      select client_id, barcode, quantity from box_contents
      union all select client_id, barcode, quantity from location_contents
    ) c
    join stock_balances b using (client_id, barcode)
    where client_id = ${client}
    group by barcode, b.quantity having sum(c.quantity) > b.quantity`
}

test('leaving units come out of boxes only as far as boxes hold more than the balance', async () => {
  const { client, boxes } = await scene({ A: 12, B: 4 }, 3)
  const [a, b, c] = boxes as [string, string, string]
  await put(client, a, 'A', 5)
  await put(client, b, 'A', 2)
  await put(client, c, 'A', 3)
  await put(client, a, 'B', 4)
  await gone(client, 'A', 2)
  assert.deepEqual(await held(client, boxes, 'A'), [5, 2, 3])
  // From the box with the fewest units, then from the next.
  await gone(client, 'A', 3)
  assert.deepEqual(await held(client, boxes, 'A'), [5, 0, 2])
  await at(db, noon, (work) =>
    correctStock(work, client, { barcode: 'A', delta: -2, reason: 'LOST' }),
  )
  assert.deepEqual(await held(client, boxes, 'A'), [5, 0, 0])
  assert.deepEqual(await held(client, boxes, 'B'), [4, 0, 0])
  await gone(client, 'A', 5)
  assert.deepEqual(await held(client, boxes, 'A'), [0, 0, 0])
})

test('of boxes with equally many units the one with the lowest id gives them up', async () => {
  const { client, boxes } = await scene({ A: 6 }, 3)
  for (const box of boxes.toReversed()) await put(client, box, 'A', 2)
  await gone(client, 'A', 3)
  assert.deepEqual(await held(client, boxes, 'A'), [0, 1, 2])
})

test('several products leave in one change, each from its own boxes', async () => {
  const { client, boxes } = await scene({ A: 3, B: 3, C: 3 }, 2)
  const [a, b] = boxes as [string, string]
  for (const barcode of ['A', 'B', 'C']) {
    await put(client, a, barcode, 1)
    await put(client, b, barcode, 2)
  }
  await at(db, noon, async (work) => {
    await reserveUnits(work, client, [
      { barcode: 'A', units: 2 },
      { barcode: 'B', units: 3 },
    ])
    await recordMovements(work, client, [
      { kind: 'shipment', barcode: 'B', delta: -1, fromReserve: 1 },
      { kind: 'shipment', barcode: 'A', delta: -2, fromReserve: 2 },
      { kind: 'shipment', barcode: 'B', delta: -2, fromReserve: 2 },
    ])
  })
  assert.deepEqual(await held(client, boxes, 'A'), [0, 1])
  assert.deepEqual(await held(client, boxes, 'B'), [0, 0])
  assert.deepEqual(await held(client, boxes, 'C'), [1, 2])
})

test('a refused change leaves boxes as they were', async () => {
  const { client, boxes } = await scene({ A: 2, B: 2 }, 2)
  const [a, b] = boxes as [string, string]
  await put(client, a, 'A', 2)
  await assert.rejects(gone(client, 'A', 3), /свободно только 2/)
  await assert.rejects(
    at(db, noon, (work) =>
      takeFromPlaces(work, client, [
        { boxId: a, barcode: 'A', units: 1 },
        { boxId: b, barcode: 'A', units: 1 },
      ]),
    ),
    /в этом коробе нет/,
  )
  await assert.rejects(
    at(db, noon, (work) =>
      moveBetweenBoxes(work, client, { boxId: a, barcode: 'A', units: 3, toBoxId: b }),
    ),
    /в коробе только 2/,
  )
  assert.deepEqual(await held(client, boxes, 'A'), [2, 0])
})

test('a box can not be placed on a pallet of another client', async () => {
  const own = await scene({ A: 1 }, 1)
  const others = await scene({ A: 1 }, 0)
  const pallet = await at(db, noon, (work) => addPallet(work, others.client))
  const [box = ''] = own.boxes
  await assert.rejects(
    at(db, noon, (work) => placeBox(work, own.client, box, pallet)),
    /pallet_id/,
  )
  await assert.rejects(
    at(db, noon, (work) => addBox(work, own.client, pallet)),
    /pallet_id/,
  )
})

test('SSCCs assigned at once are unique, and a box without a prefix has none', async () => {
  const { id } = await makeClient(db)
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      at(db, noon, (work) =>
        n % 3 === 0
          ? addPallet(work, id, '09520000')
          : addBox(work, id, undefined, n % 3 === 1 ? '952000000' : undefined),
      ),
    ),
  )
  const rows = await db<{ sscc: string; kind: string }[]>`
    select sscc, kind from storage_numbers where client_id = ${id}`
  assert.equal(rows.filter(({ kind }) => kind === 'pallet').length, 10)
  assert.equal(rows.filter(({ kind }) => kind === 'box').length, 10)
  assert.equal(new Set(rows.map(({ sscc }) => sscc.slice(-10, -1))).size, 20)
})

/** A location of the warehouse that all clients of this file share. */
const shelf = makeClient(db).then(({ id }) =>
  at(db, noon, async (work) => {
    const [client] = await work.tx<{ warehouse_code: string }[]>`
      select warehouse_code from clients where id = ${id}`
    return addLocation(work, client?.warehouse_code ?? '', { code: 'A-1', zone: '', order: 0 })
  }),
)

const barcodes = ['A', 'B'] as const
const action = fc.record({
  verb: fc.constantFrom(
    ...['put', 'take', 'move', 'gone', 'found', 'ship', 'pick', 'locate', 'unlocate', 'empty'],
  ),
  barcode: fc.constantFrom(...barcodes),
  box: fc.nat(2),
  units: fc.integer({ min: 1, max: 4 }),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

function play(client: string, boxes: readonly string[], each: Action): Promise<void> {
  const { verb, barcode, units } = each
  const boxId = boxes[each.box] ?? ''
  const entry = { boxId, barcode, units }
  return at(db, noon, async (work) => {
    switch (verb) {
      case 'put':
        return putIntoBox(work, client, entry)
      case 'take':
        return takeFromPlaces(work, client, [entry])
      case 'move':
        return moveBetweenBoxes(work, client, {
          ...entry,
          toBoxId: boxes[(each.box + 1) % 3] ?? '',
        })
      case 'locate':
        await handleShelf(work, {
          ...{ kind: 'put', clientId: client, scanId: randomUUID() },
          ...{ locationId: await shelf, code: barcode, units },
        })
        return
      case 'unlocate':
        return moveFromLocation(
          work,
          client,
          { locationId: await shelf, barcode, units },
          { boxId },
        )
      case 'empty':
        await emptyLocation(work, await shelf)
        return
      case 'gone':
        return writeOff(work, client, { barcode, units, reason: 'LOST' })
      case 'found':
        return correctStock(work, client, { barcode, delta: units, reason: 'FOUND' })
      case 'ship': {
        const claims = barcodes.toReversed().map((each) => ({ barcode: each, units: 1 }))
        await reserveUnits(work, client, claims)
        return recordMovements(
          work,
          client,
          claims.map((claim) => ({
            kind: 'shipment' as const,
            barcode: claim.barcode,
            delta: -1,
            fromReserve: 1,
          })),
        )
      }
      case 'pick':
        return takeFromPlaces(
          work,
          client,
          barcodes.toReversed().map((each) => ({ boxId, barcode: each, units: 1 })),
        )
    }
  })
}

// Guarantee (storage): Boxes and locations together hold no more than the balance.
test('concurrent changes leave boxes and locations with no more than the balance, and never deadlock', async () => {
  const before = await deadlocks()
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 40 }), async (actions) => {
      const { client, boxes } = await scene({ A: 6, B: 6 }, 3)
      const outcomes = await Promise.allSettled(actions.map((each) => play(client, boxes, each)))
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        const { reason } = outcome
        assert.ok(reason instanceof ServiceError && reason.code === 'conflict', String(reason))
      }
      assert.deepEqual([...(await overfull(client))], [])
    }),
    { numRuns: 15 },
  )
  assert.equal(await deadlocks(), before)
})

async function deadlocks(): Promise<number> {
  await db`select pg_stat_clear_snapshot()`
  const [row] = await db<[{ deadlocks: number }]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`
  return row.deadlocks
}

test('reservations and write-offs of the last units get no more than there are', async () => {
  const { id } = await makeClient(db)
  await at(db, noon, (work) => registerProducts(work, id, [{ barcode: 'A', name: 'A' }]))
  await stockUp(db, id, { A: 9 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      n % 2 === 0
        ? gone(id, 'A', 1)
        : at(db, noon, (work) => reserveUnits(work, id, [{ barcode: 'A', units: 1 }])),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 9)
  const [row] = await db`
    select quantity - reserved as free from stock_balances where client_id = ${id}`
  assert.equal(row?.free, 0)
})
