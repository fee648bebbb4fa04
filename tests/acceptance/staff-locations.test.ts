import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import type { Location, LocationsMade } from '../../src/warehouse/storage/location-view.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

const service = await sharedService()
const { db } = service

let made = 0

/** A floor in a warehouse of its own, with locations by their codes. */
async function floorWith(
  units: Readonly<Record<string, number>>,
  codes: readonly string[] = ['A-1', 'A-2', 'B-1'],
) {
  const floor = await openFloor(service, units)
  const warehouse = `W${++made}`
  await db`
    insert into warehouses (code, name, created_at) values (${warehouse}, 'Склад', now())
    on conflict do nothing`
  await db`update clients set warehouse_code = ${warehouse} where id = ${floor.client}`
  const locations: Location[] = []
  for (const [order, code] of codes.entries()) {
    const draft = { warehouse_code: warehouse, code, order }
    locations.push(good(await floor.manager.post('/locations', draft), 201))
  }
  let scans = 0
  const handle = (verb: string, code: string, qty: number, rest: object = {}) =>
    floor.worker.post(`/locations/${code}/${verb}`, {
      ...{ scan_id: `scan ${++scans}`, client_id: floor.client, barcode: 'A', qty },
      ...rest,
    })
  const held = async (code: string) => {
    const { contents = [] } = await location(floor, code, locations)
    return contents.map(({ barcode, qty }) => `${barcode} ${qty}`)
  }
  return { floor, warehouse, locations, handle, held }
}

async function location(floor: Floor, code: string, known: readonly Location[]): Promise<Location> {
  const id = known.find((each) => each.code === code)?.id ?? code
  return good(await floor.worker.get(`/locations/${id}`))
}

async function box(floor: Floor, qty: number, barcode = 'A') {
  const { id } = good<{ id: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  if (qty > 0) good(await floor.worker.post(`/boxes/${id}/put`, { barcode, qty }))
  return id
}

test('locations are made one by one and from a pattern, and listed in walking order', async () => {
  const { floor, warehouse } = await floorWith({ A: 1 }, [])
  const { manager, worker } = floor
  const bulk = { warehouse_code: warehouse, pattern: 'a-{09..10}-{1..2}', zone: 'Б', order: 7 }
  const first = good<LocationsMade>(await manager.post('/locations/bulk', bulk), 201)
  assert.deepEqual(
    [first.created, first.existing, first.locations.map(({ code, order }) => [code, order])],
    [
      4,
      0,
      [
        ['A-09-1', 7],
        ['A-09-2', 8],
        ['A-10-1', 9],
        ['A-10-2', 10],
      ],
    ],
  )
  const more = { ...bulk, pattern: 'A-{10..11}-1', zone: 'А' }
  const second = good<LocationsMade>(await manager.post('/locations/bulk', more), 201)
  assert.deepEqual([second.created, second.existing], [1, 1])
  const one = { warehouse_code: warehouse, code: 'floor', zone: 'А', order: 1 }
  const floorLocation = good<Location>(await manager.post('/locations', one), 201)
  assert.equal(floorLocation.code, 'FLOOR')
  assertRefused(await manager.post('/locations', one), 'conflict', 'FLOOR')
  const codes: string[] = []
  let cursor = ''
  do {
    const page = good<{ items: Location[]; total: number; next_cursor: string | null }>(
      await worker.get(`/locations?warehouse_code=${warehouse}&limit=4${cursor}`),
    )
    assert.equal(page.total, 6)
    codes.push(...page.items.map(({ code }) => code))
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
  } while (cursor !== '')
  assert.deepEqual(codes, ['FLOOR', 'A-11-1', 'A-09-1', 'A-09-2', 'A-10-1', 'A-10-2'])
  const moved = await manager.patch(`/locations/${floorLocation.id}`, { zone: 'Я', active: false })
  assert.deepEqual([good<Location>(moved).zone, good<Location>(moved).active], ['Я', false])
  const closed = await worker.get(`/locations?warehouse_code=${warehouse}&active=false`)
  assert.deepEqual(
    good<{ items: Location[] }>(closed).items.map(({ code }) => code),
    ['FLOOR'],
  )
  for (const [path, body, code, names] of [
    ['/locations', { warehouse_code: 'нет', code: 'X' }, 'validation_error', 'warehouse_code'],
    ['/locations', { warehouse_code: warehouse, code: '123' }, 'validation_error', 'code'],
    ['/locations', { warehouse_code: warehouse, code: 'ПОЛ' }, 'validation_error', 'латинские'],
    ['/locations/bulk', { ...bulk, pattern: 'A-{1..9999}' }, 'validation_error', '2000'],
    ['/locations/bulk', { ...bulk, pattern: 'A-{x}' }, 'validation_error', '{01..10}'],
  ] as const) {
    assertRefused(await manager.post(path, body), code, names)
  }
  const label = await fetch(`${service.baseUrl}/staff/v1/locations/FLOOR/label`, {
    headers: { Authorization: `Bearer ${worker.token}` },
  })
  assert.equal(label.status, 200)
  assert.match(await label.text(), /^<svg .*>FLOOR<.*<\/svg>\s*$/s)
})

test('units are put, taken and moved once a scan, and never more than lie nowhere else', async () => {
  const { floor, locations, handle, held } = await floorWith({ A: 10 })
  const boxId = await box(floor, 3)
  good(await handle('put', 'A-1', 5, { scan_id: 'same' }))
  good(await handle('put', 'A-1', 5, { scan_id: 'same' }))
  assert.deepEqual(await held('A-1'), ['A 5'])
  assertRefused(await handle('put', 'A-2', 3), 'conflict', 'только 2 шт')
  assertRefused(
    await floor.worker.post(`/boxes/${boxId}/put`, { barcode: 'A', qty: 3 }),
    'conflict',
    'только 2 шт',
  )
  assertRefused(await handle('take', 'A-1', 6), 'conflict', 'только 5 шт')
  good(await handle('move', 'A-1', 2, { to_location_id: 'a-2' }))
  good(await handle('move', 'A-1', 1, { to_box_id: boxId }))
  good(await handle('take', 'A-1', 2))
  assert.deepEqual([await held('A-1'), await held('A-2')], [[], ['A 2']])
  assertRefused(
    await handle('move', 'A-2', 1, { to_location_id: 'A-2' }),
    'validation_error',
    'to_location_id',
  )
  assertRefused(await handle('move', 'A-2', 1), 'validation_error', 'to_location_id')
  assertRefused(await handle('put', 'A-1', 1, { barcode: 'нет' }), 'validation_error', 'barcode')
  assertRefused(await handle('put', 'Z-9', 1), 'not_found')
  good(await floor.worker.post(`/boxes/${boxId}/place`, { location_id: 'A-2' }))
  const [, second] = locations
  const full = await location(floor, second?.id ?? '', locations)
  assert.deepEqual([full.units, full.boxes_count], [6, 1])
  const emptied = good<Location>(await floor.worker.post(`/locations/${second?.id}/empty`))
  assert.deepEqual([emptied.units, emptied.boxes_count, emptied.contents], [0, 0, []])
  assert.deepEqual(await floor.stock('A'), [10, 0])
})

test('a code of several warehouses is refused in words that name them', async () => {
  const [one, other] = [
    await floorWith({ A: 1 }, ['SAME-1']),
    await floorWith({ A: 1 }, ['SAME-1']),
  ]
  const refused = await one.floor.worker.get('/locations/same-1')
  assertRefused(refused, 'conflict', /SAME-1.*в списке мест своего склада/)
  for (const { warehouse } of [one, other]) assertRefused(refused, 'conflict', warehouse)
})

test('staff see no location of the warehouse of sandboxes, by id either', async () => {
  const { floor, handle } = await floorWith({ A: 5 })
  const { manager, worker } = floor
  const warehouse = `S${++made}`
  await db`
    insert into warehouses (code, name, mode, created_at)
    values (${warehouse}, 'Песочницы', 'test', now())`
  const [place] = await db<[{ id: string }]>`
    insert into locations (id, warehouse_code, code, zone, walk_order, created_at)
    values (gen_random_uuid(), ${warehouse}, 'HIDDEN-1', '', 0, now()) returning id`
  for (const named of [place.id, 'HIDDEN-1']) {
    const path = `/locations/${named}`
    assertRefused(await worker.get(path), 'not_found')
    assertRefused(await worker.get(`${path}/label`), 'not_found')
    assertRefused(await worker.post(`${path}/empty`), 'not_found')
    assertRefused(await manager.patch(path, { zone: 'Моя' }), 'not_found')
    assertRefused(await handle('put', named, 1), 'not_found')
    const placed = await worker.post(`/boxes/${await box(floor, 0)}/place`, { location_id: named })
    assertRefused(placed, 'validation_error')
  }
  const list = good<{ total: number }>(await manager.get(`/locations?warehouse_code=${warehouse}`))
  assert.equal(list.total, 0)
  const draft = { warehouse_code: warehouse, code: 'B-1' }
  assertRefused(await manager.post('/locations', draft), 'validation_error', 'склада нет')
  const labels = { warehouse_code: warehouse }
  assertRefused(await manager.post('/labels/locations', labels), 'validation_error')
})

// Guarantee (storage): Goods lie only at locations of their client's warehouse.
test('a location of another warehouse and a closed one are refused by name', async () => {
  const other = await floorWith({ A: 1 }, ['OTHER-1'])
  const { floor, warehouse, locations, handle } = await floorWith({ A: 5 })
  const boxId = await box(floor, 1)
  const foreign = other.locations[0]?.id
  const placed = await floor.worker.post(`/boxes/${boxId}/place`, { location_id: foreign })
  assertRefused(placed, 'validation_error', 'на складе клиента нет места')
  for (const refused of [
    await handle('put', foreign ?? '', 1),
    await handle('put', 'OTHER-1', 1),
  ]) {
    assertRefused(refused, 'validation_error', `складе ${other.warehouse}`)
    assert.match(refused.message ?? '', new RegExp(warehouse))
  }
  good(await floor.manager.patch(`/locations/${locations[0]?.id}`, { active: false }))
  assertRefused(await handle('put', 'A-1', 1), 'conflict', 'A-1 закрыто')
  // The same code in two warehouses: a client's own is meant, and without a client an id is needed.
  const draft = { warehouse_code: other.warehouse, code: 'A-2' }
  good(await other.floor.manager.post('/locations', draft), 201)
  assert.equal(good<Location>(await handle('put', 'A-2', 1)).warehouse_code, warehouse)
  assertRefused(await floor.worker.get('/locations/A-2'), 'conflict', 'id')
})

test('a box stands on a pallet or at a location, and a pallet takes its boxes along', async () => {
  const { floor, locations } = await floorWith({ A: 5 })
  const { worker, client } = floor
  const pallet = good<{ id: string }>(await worker.post('/pallets', { client_id: client }), 201)
  const boxId = await box(floor, 2)
  type Stands = { pallet_id: string | null; location_code: string | null }
  const stands = async () => {
    const { pallet_id, location_code } = good<Stands>(await worker.get(`/boxes/${boxId}`))
    return [pallet_id, location_code]
  }
  good(await worker.post(`/boxes/${boxId}/place`, { location_id: 'A-1' }))
  assert.deepEqual(await stands(), [null, 'A-1'])
  good(await worker.patch(`/boxes/${boxId}`, { pallet_id: pallet.id }))
  assert.deepEqual(await stands(), [pallet.id, null])
  good(await worker.post(`/pallets/${pallet.id}/place`, { location_id: locations[2]?.id }))
  assert.deepEqual(await stands(), [pallet.id, 'B-1'])
  const there = await location(floor, 'B-1', locations)
  assert.deepEqual([there.units, there.boxes_count, there.pallets_count], [2, 1, 1])
  assert.deepEqual(
    there.boxes?.map(({ id, pallet_id }) => [id, pallet_id]),
    [[boxId, pallet.id]],
  )
  good(await worker.post(`/boxes/${boxId}/place`, { location_id: null }))
  assert.deepEqual(await stands(), [null, null])
  const list = await worker.get(`/locations?client_id=${client}&barcode=A`)
  assert.deepEqual(good<{ items: unknown[] }>(list).items, [])
})

test('a number that is scanned at a location places the box or the pallet that has it, once', async () => {
  const { floor } = await floorWith({ A: 5 })
  const { worker, client } = floor
  type Stored = { id: string; sscc: string; location_code: string | null }
  const made = async (path: string) =>
    good<Stored>(await worker.post(path, { client_id: client }), 201)
  const [crate, pallet] = [await made('/boxes'), await made('/pallets')]
  const stand = (code: string, scan_id: string, sscc: string) =>
    worker.post(`/locations/${code}/place`, { scan_id, sscc })
  const placed = good<Stored>(await stand('A-1', 's1', `00${crate.sscc}`))
  assert.deepEqual([placed.id, placed.location_code], [crate.id, 'A-1'])
  assert.equal(good<Stored>(await stand('B-1', 's2', pallet.sscc)).id, pallet.id)
  good(await stand('A-2', 's3', crate.sscc))
  assert.equal(good<Stored>(await stand('A-1', 's1', crate.sscc)).location_code, 'A-2')
  assertRefused(await stand('A-1', 's4', '046070000000000018'), 'not_found', '046070000000000018')
  assertRefused(await stand('Z-9', 's5', crate.sscc), 'validation_error', 'Z-9')
  const late = { scan_id: 's6', sscc: pallet.sscc, queued_at: '2026-11-20T12:00:00+03:00' }
  const kept = await worker.post('/locations/Z-9/place', late)
  assert.equal(good<{ kind: string }>(kept, 202).kind, 'pallet_place')
})

test('a picking task is in walking order and says from where, and a pick takes from there', async () => {
  const { floor, locations, handle, held } = await floorWith({ A: 4, B: 4 }, ['Z-1', 'Z-2'])
  good(await handle('put', 'Z-2', 2))
  good(await handle('put', 'Z-1', 3, { barcode: 'B' }))
  const [first, second] = await floor.orders({ O1: 'A', O2: 'B' })
  assert.ok(first && second)
  const shipment = await floor.filled([first, second])
  const task = await floor.task(shipment)
  const walk = ({ lines = [] }: PickingTask) =>
    lines.map(({ order_external_id, from }) => [order_external_id, from[0]?.location_code])
  assert.deepEqual(walk(task), [
    ['O2', 'Z-1'],
    ['O1', 'Z-2'],
  ])
  const [one, two] = locations
  const scan = { scan_id: 'p1', order_id: first.id, barcode: 'A' }
  assertRefused(
    await floor.pick(task.id, { ...scan, location_id: one?.id }),
    'conflict',
    'на этом месте',
  )
  const both = { ...scan, location_id: 'Z-2', box_id: await box(floor, 1) }
  assertRefused(await floor.pick(task.id, both), 'validation_error', 'location_id')
  good(await floor.pick(task.id, { ...scan, location_id: two?.id }))
  good(await floor.pick(task.id, { ...scan, location_id: two?.id }))
  assert.deepEqual(await held('Z-2'), ['A 1'])
})

test('units that leave come off the place with the fewest of them', async () => {
  const { floor, handle, held } = await floorWith({ A: 7 })
  good(await handle('put', 'A-1', 3))
  good(await handle('put', 'A-2', 1))
  await box(floor, 2)
  const gone = (qty: number) =>
    floor.manager.post(`/clients/${floor.client}/write-offs`, { barcode: 'A', qty, reason: 'LOST' })
  good(await gone(1), 201)
  assert.deepEqual([await held('A-1'), await held('A-2')], [['A 3'], ['A 1']])
  good(await gone(2), 201)
  assert.deepEqual([await held('A-1'), await held('A-2')], [['A 3'], []])
  good(await gone(2), 201)
  assert.deepEqual(await held('A-1'), ['A 2'])
})

// Guarantee (storage): Changes at once never leave more units at places than there are.
test('puts, takes, picks and write-offs at once leave no more at places than there are', async () => {
  const { floor, handle, locations } = await floorWith({ A: 12 })
  good(await handle('put', 'A-1', 6))
  const orders = await floor.orders({ R1: 'A', R2: 'A', R3: 'A', R4: 'A' })
  const task = await floor.task(await floor.filled(orders))
  const boxId = await box(floor, 2)
  const calls = orders.flatMap(({ id }, n) => [
    floor.pick(task.id, { scan_id: `p${n}`, order_id: id, barcode: 'A', location_id: 'A-1' }),
    handle('put', 'A-2', 2, { scan_id: 'the same' }),
    handle('move', 'A-1', 1, { to_box_id: boxId }),
    floor.manager.post(`/clients/${floor.client}/write-offs`, {
      ...{ barcode: 'A', qty: 1, reason: 'LOST' },
    }),
  ])
  const answers = await Promise.all(calls)
  for (const { status, text } of answers) assert.ok(status < 300 || status === 409, text)
  const [{ stored, quantity } = { stored: 0, quantity: 0 }] = await db<
    { stored: number; quantity: number }[]
  >`
    select quantity, (
      select coalesce(sum(quantity), 0)::bigint from (
        select quantity from box_contents where client_id = ${floor.client}
        union all select quantity from location_contents where client_id = ${floor.client}) c
    ) as stored
    from stock_balances where client_id = ${floor.client}`
  assert.ok(stored <= quantity, `${stored} of ${quantity}`)
  const put = await db`
    select from location_scans
    where client_id = ${floor.client} and location_id = ${locations[1]?.id ?? ''}`
  // Write-offs that came first leave too little to put.
  const fitted = answers.some(({ status }, n) => n % 4 === 1 && status === 200)
  assert.equal(put.length, fitted ? 1 : 0)
})
