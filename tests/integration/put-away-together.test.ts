import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Verdict } from '../../src/platform/db/together.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import {
  handleShelves,
  type ShelfOutcome,
  type ShelfScan,
} from '../../src/warehouse/stock/put-away.ts'
import type { Location } from '../../src/warehouse/storage/location-view.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

const service = await startService()
const { db } = service
let shelves = 0

async function shelf({ manager, warehouse_code }: Floor): Promise<string> {
  const draft = { warehouse_code, code: `TOGETHER-${++shelves}` }
  return good<{ id: string }>(await manager.post('/locations', draft), 201).id
}

const worker = (n: number) => ({ kind: 'staff', userId: `worker-${n}` }) as const
let scans = 0
const scanOf = (
  { client: clientId }: Floor,
  kind: ShelfScan['kind'],
  locationId: string,
  code: string,
  units: number,
  rest: Partial<ShelfScan> = {},
): ShelfScan => ({
  ...{ clientId, kind, locationId, code, units, actor: worker(1) },
  scanId: `together ${++scans}`,
  ...rest,
})

/** Handles by one transaction. */
const handleAll = (received: readonly ShelfScan[]) =>
  db.begin((tx) => handleShelves(sharedWorkAt(tx, Date.now()), received))

const shown = (verdict: Verdict<ShelfOutcome> | undefined) => {
  if (verdict?.kind === 'refused') return verdict.error.message
  if (verdict?.kind !== 'done') return verdict?.kind
  return [verdict.result.before, verdict.result.after, verdict.result.isNew]
}

async function lines(locationId: string): Promise<unknown[]> {
  const rows = await db<{ barcode: string; quantity: number }[]>`
    select barcode, quantity from location_contents where location_id = ${locationId} order by 1, 2`
  return rows.map(({ barcode, quantity }) => [barcode, quantity])
}

const assertClean = async () => assert.deepEqual((await audit(db)).findings, [])

test('other spellings of a barcode are the same goods in one transaction', async () => {
  const floor = await openFloor(service, { '0036000291452': 3 })
  const location = await shelf(floor)
  const received = ['0036000291452', ']E00036000291452', '036000291452'].map((code) =>
    scanOf(floor, 'put', location, code, 1),
  )
  assert.deepEqual((await handleAll(received)).map(shown), [
    [0, 1, true],
    [1, 2, true],
    [2, 3, true],
  ])
  assert.deepEqual(await lines(location), [['0036000291452', 3]])
  await assertClean()
})

// Guarantee (storage): Scans at shelves that share a transaction see those before them.
test('scans at several shelves and of several clients share a transaction, and each finds what those before it left', async () => {
  const mine = await openFloor(service, { A: 5, B: 2 })
  const theirs = await openFloor(service, { A: 3 })
  const [first, second] = [await shelf(mine), await shelf(mine)]
  const received = [
    scanOf(mine, 'put', first, 'A', 3, { actor: worker(2) }),
    scanOf(mine, 'put', second, 'A', 2),
    scanOf(theirs, 'put', first, 'A', 1, { actor: worker(3) }),
    scanOf(mine, 'put', first, 'A', 1),
    scanOf(mine, 'take', first, 'A', 1),
    scanOf(mine, 'put', second, 'A', 1),
    scanOf(mine, 'take', first, 'B', 1),
    scanOf(mine, 'put', first, 'C', 1),
    scanOf(mine, 'put', mine.client, 'B', 1),
  ]
  assert.deepEqual((await handleAll(received)).map(shown), [
    [0, 3, true],
    [0, 2, true],
    [0, 1, true],
    'Товар A весь лежит в коробах и на местах: переложите его оттуда',
    [3, 2, true],
    [2, 3, true],
    'Товара B на этом месте вне коробов нет: проверьте место и товар',
    'Поле barcode: у клиента нет товара C',
    'Место хранения не найдено',
  ])
  assert.deepEqual(await lines(first), [
    ['A', 1],
    ['A', 2],
  ])
  assert.deepEqual(await lines(second), [['A', 3]])
  const again = await handleAll(received.slice(0, 3))
  assert.deepEqual(
    again.map((verdict) => verdict.kind === 'done' && verdict.result.isNew),
    [false, false, false],
  )
  assert.deepEqual(await lines(second), [['A', 3]])
  const actors = await db<{ actor: string }[]>`
    select actor from location_scans where location_id = ${first} order by actor`
  assert.deepEqual(
    actors.map(({ actor }) => actor),
    ['staff:worker-1', 'staff:worker-2', 'staff:worker-3'],
  )
  await assertClean()
})

test('two scans with one number do not share a transaction, and what nets to nothing leaves no line', async () => {
  const floor = await openFloor(service, { A: 5 })
  const place = await shelf(floor)
  const verdicts = await handleAll([
    scanOf(floor, 'put', place, 'A', 2, { scanId: 'same' }),
    scanOf(floor, 'put', place, 'A', 2, { scanId: 'same' }),
    scanOf(floor, 'take', place, 'A', 2),
  ])
  assert.deepEqual(verdicts.map(shown), [[0, 2, true], 'apart', [2, 0, true]])
  assert.deepEqual(await lines(place), [])
  await handleAll([scanOf(floor, 'put', place, 'A', 2)])
  const emptied = await handleAll([
    scanOf(floor, 'take', place, 'A', 1),
    scanOf(floor, 'take', place, 'A', 1),
  ])
  assert.deepEqual(emptied.map(shown), [
    [2, 1, true],
    [1, 0, true],
  ])
  assert.deepEqual(await lines(place), [])
})

test('a closed shelf takes nothing more, and gives back what lies there', async () => {
  const floor = await openFloor(service, { A: 2 })
  const place = await shelf(floor)
  await handleAll([scanOf(floor, 'put', place, 'A', 1)])
  good(await floor.manager.patch(`/locations/${place}`, { active: false }))
  const verdicts = await handleAll([
    scanOf(floor, 'put', place, 'A', 1),
    scanOf(floor, 'take', place, 'A', 1),
  ])
  assert.deepEqual(verdicts.map(shown), [
    `Место TOGETHER-${shelves} закрыто: положите на другое`,
    [1, 0, true],
  ])
})

// Guarantee (storage): Workers at the same shelves put no more away than there is.
test('workers who fill the same shelves at once never put away more than there is, and each scan once', async () => {
  const floor = await openFloor(service, { A: 20, B: 7 })
  const places = [await shelf(floor), await shelf(floor)]
  const put = (n: number, barcode: string) =>
    floor.worker.post(`/locations/${places[n % 2]}/put`, {
      ...{ scan_id: `hand ${barcode} ${n}`, client_id: floor.client, barcode, qty: 1 },
    })
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => [put(n, 'A'), put(n, 'B'), put(n, 'A')]).flat(),
  )
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  // A: 20 of 24 scans find units, and each is sent twice; B: 7 of 24.
  assert.equal(count(200) + count(409), answers.length)
  const held = await db<{ barcode: string; units: number }[]>`
    select barcode, sum(quantity)::integer as units from location_contents
    where client_id = ${floor.client} group by barcode order by barcode`
  assert.deepEqual(
    held.map(({ barcode, units }) => [barcode, units]),
    [
      ['A', 20],
      ['B', 7],
    ],
  )
  const entries = await db<{ before: { units: number }; after: { units: number } }[]>`
    select before, after from staff_journal
    where action = 'putAtLocation' and client_id = ${floor.client}`
  assert.equal(entries.length, 27)
  assert.ok(entries.every(({ before, after }) => after.units === before.units + 1))
  const location = good<Location>(await floor.worker.get(`/locations/${places[0]}`))
  assert.equal(
    location.units,
    location.contents?.reduce((sum, { qty }) => sum + qty, 0),
  )
  await assertClean()
})
