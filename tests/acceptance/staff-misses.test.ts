import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { MissWithPlaces, ShownMiss } from '../../src/warehouse/picking/miss-view.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { noon } from '../support/warehouse.ts'

/** Goods that a picker did not find wait for a manager, who decides; the picker sees what. */

const clock = new ManualClock(noon)
const service = await startService(undefined, undefined, undefined, clock)
const { db } = service
let places = 0

const assertTrue = async () => assert.deepEqual((await audit(db, clock)).findings, [])

interface Scene {
  readonly floor: Floor
  readonly task: string
  readonly shipment: string
  readonly orders: readonly string[]
  readonly here: string
  readonly there: string
}

/** Orders of one unit A each in a shipment; A lies at two locations. */
async function openScene(
  units: number,
  orders: number,
  [atHere, atThere] = [1, 0],
): Promise<Scene> {
  const floor = await openFloor(service, { A: units })
  places += 1
  const [here, there] = [`M-${places}-1`, `M-${places}-2`]
  for (const [code, qty] of [
    [here, atHere],
    [there, atThere],
  ] as const) {
    const client = good<{ warehouse_code: string }>(
      await floor.manager.get(`/clients/${floor.client}`),
    )
    const draft = { warehouse_code: client.warehouse_code, code, order: places * 10 }
    good(await floor.manager.post('/locations', draft), 201)
    if (!qty) continue
    const put = { scan_id: code, client_id: floor.client, barcode: 'A', qty }
    good(await floor.worker.post(`/locations/${code}/put`, put))
  }
  const numbers = Array.from({ length: orders }, (_, n) => [`M${places}-${n}`, 'A'])
  const taken = await floor.orders(Object.fromEntries(numbers))
  const { id, picking_task_id: task } = await floor.filled(taken)
  assert.ok(task)
  return { floor, task, shipment: id, orders: taken.map((order) => order.id), here, there }
}

let scan = 0
const miss = async ({ floor, task, here }: Scene, order_id: string | undefined, more = {}) => {
  scan += 1
  const body = {
    order_id,
    reason: 'EMPTY_LOCATION',
    scan_id: `m${scan}`,
    location_id: here,
    ...more,
  }
  return good<PickingTask>(await floor.worker.post(`/picking-tasks/${task}/not-found`, body))
}

async function listed({ floor }: Scene, filter = ''): Promise<ShownMiss[]> {
  const path = `/misses?client_id=${floor.client}${filter}`
  return good<{ items: ShownMiss[] }>(await floor.manager.get(path)).items
}

async function open(scene: Scene): Promise<string> {
  const [first] = await listed(scene, '&status=OPEN')
  assert.ok(first)
  return first.id
}

const decide = ({ floor }: Scene, id: string, verb: string, body: object = {}) =>
  floor.manager.post(`/misses/${id}/${verb}`, body)

async function counters({ floor, shipment, orders }: Scene) {
  const today = good<{ misses: { items: { client_id: string }[] } }>(
    await floor.manager.get('/today'),
  )
  const mine = today.misses.items.filter(({ client_id: client }) => client === floor.client)
  const shown = good<{ open_misses: number }>(await floor.manager.get(`/shipments/${shipment}`))
  return [mine.length, shown.open_misses, (await floor.order(orders[0] ?? '')).open_misses]
}

test('what a picker did not find waits for a manager: today, on the shipment and on the order', async () => {
  const scene = await openScene(3, 1, [1, 2])
  const { floor, orders, shipment, task, here } = scene
  assert.deepEqual(await counters(scene), [0, 0, 0])
  await miss(scene, orders[0])
  assert.deepEqual(await counters(scene), [1, 1, 1])
  const [shown] = await listed(scene)
  assert.ok(shown)
  const { place, reported_by, name, order_external_id, reason_label, qty, status } = shown
  assert.deepEqual([place?.location_code, name, qty, status], [here, 'Товар A', 1, 'OPEN'])
  assert.deepEqual([reason_label, shown.picking_task_id], ['Место хранения пусто', task])
  assert.equal(order_external_id, (await floor.order(orders[0] ?? '')).external_id)
  assert.ok(reported_by)
  const one = good<MissWithPlaces>(await floor.manager.get(`/misses/${shown.id}`))
  assert.deepEqual([one.missing, one.free], [1, 2])
  assert.deepEqual(
    one.places.map(({ location_code, qty }) => [location_code, qty]),
    [[scene.there, 2]],
  )
  const seen = async (filter: string) => (await listed(scene, filter)).length
  assert.deepEqual(
    [await seen(`&shipment_id=${shipment}`), await seen(`&order_id=${orders[0]}`)],
    [1, 1],
  )
  assert.deepEqual([await seen(`&shipment_id=${nobody}`), await seen('&order_id=x')], [0, 0])
  assert.deepEqual([await seen('&status=DECIDED'), await seen('&status=CLOSED')], [0, 0])
  const worker = good<object>(await floor.worker.get('/today'))
  assert.ok(!('misses' in worker))
  assertRefused(await floor.worker.post(`/misses/${shown.id}/look-elsewhere`, {}), 'forbidden')
  assertRefused(await floor.manager.get(`/misses/${nobody}`), 'not_found')
})

test('misses are listed page by page, the newest first', async () => {
  const scene = await openScene(3, 3, [3, 0])
  for (const order of scene.orders) await miss(scene, order)
  const all = await listed(scene)
  assert.equal(all.length, 3)
  const page = async (cursor = '') => {
    const path = `/misses?client_id=${scene.floor.client}&limit=2${cursor && `&cursor=${cursor}`}`
    return good<{ items: ShownMiss[]; total: number; next_cursor: string }>(
      await scene.floor.manager.get(path),
    )
  }
  const first = await page()
  const rest = await page(first.next_cursor)
  assert.deepEqual([...first.items, ...rest.items], all)
  assert.equal(first.total, 3)
})

// Guarantee (picking): A manager decides once on goods that a picker did not find.
test('a picker learns where else the goods lie, and the miss is decided once', async () => {
  const scene = await openScene(3, 2, [1, 2])
  const { floor, orders, task, here, there } = scene
  const [first, second] = orders
  await miss(scene, first)
  const id = await open(scene)
  assertRefused(await decide(scene, id, 'look-elsewhere'), 'validation_error', 'location_id')
  const same = await decide(scene, id, 'look-elsewhere', { location_id: here })
  assertRefused(same, 'validation_error', 'уже искали')
  const decided = good<ShownMiss>(
    await decide(scene, id, 'look-elsewhere', { location_id: there, comment: 'Верхняя полка' }),
  )
  assert.deepEqual(
    [decided.status, decided.outcome, decided.look_at?.location_code, decided.comment],
    ['DECIDED', 'look_elsewhere', there, 'Верхняя полка'],
  )
  assertRefused(await decide(scene, id, 'look-elsewhere', { location_id: there }), 'conflict')
  assertRefused(await decide(scene, id, 'remove-order'), 'conflict', 'уже принято')
  const shown = await floor.task({ picking_task_id: task })
  const from = shown.lines?.map((line) => [line.order_id, line.from[0]?.location_code])
  assert.deepEqual(new Map(from as [string, string][]).get(first ?? ''), there)
  assert.equal(new Map(from as [string, string][]).get(second ?? ''), there, 'none of A is there')
  assert.equal(shown.misses?.[0]?.look_at?.location_code, there)
  const pick = { order_id: first, barcode: 'A', location_id: there, scan_id: 'p1' }
  good(await floor.pick(task, pick))
  assert.deepEqual(await counters(scene), [0, 0, 0])
  assert.equal((await listed(scene))[0]?.outcome, 'look_elsewhere')
  await assertTrue()
})

test('goods that are not found at the second place either wait once more', async () => {
  const scene = await openScene(3, 1, [1, 2])
  await miss(scene, scene.orders[0])
  const { there } = scene
  good(await decide(scene, await open(scene), 'look-elsewhere', { location_id: there }))
  await miss(scene, scene.orders[0])
  assert.equal((await listed(scene, '&status=OPEN')).length, 1)
  assert.equal((await listed(scene)).length, 2)
  await miss(scene, scene.orders[0], { location_id: there })
  const all = await listed(scene)
  assert.deepEqual(
    all.map(({ outcome }) => outcome).sort(),
    ['look_elsewhere', null, 'reported_again'].sort(),
  )
})

test('missing units leave the stock and their place, and the order is collected from others', async () => {
  const scene = await openScene(3, 2, [1, 2])
  const { floor, orders, task, here, there } = scene
  await miss(scene, orders[0])
  const id = await open(scene)
  assertRefused(await decide(scene, id, 'correct-stock', { reason: 'NO' }), 'validation_error')
  assert.equal((await listed(scene))[0]?.status, 'OPEN')
  good(await decide(scene, id, 'correct-stock', { reason: 'LOST', comment: 'Обошли ряд' }))
  assert.deepEqual(await floor.stock('A'), [2, 2])
  const { lines = [] } = await floor.task({ picking_task_id: task })
  assert.deepEqual(
    lines.map(({ from }) => from.map(({ location_code: code }) => code)),
    [[there], [there]],
  )
  await miss(scene, orders[1], { location_id: there })
  const last = await decide(scene, await open(scene), 'correct-stock', { reason: 'LOST' })
  assertRefused(last, 'conflict', 'уберите его из отгрузки')
  const entries = await db<{ delta: number; reason: string; comment: string }[]>`
    select delta, reason, comment from stock_movements
    where client_id = ${floor.client} and kind = 'correction' and delta < 0`
  assert.deepEqual(
    [...entries].map((row) => ({ ...row })),
    [{ delta: -1, reason: 'LOST', comment: 'Обошли ряд' }],
  )
  assert.notEqual(here, there)
  await assertTrue()
})

test('an order whose goods are missing leaves its shipment, with a correction where the manager wants one', async () => {
  const scene = await openScene(2, 2, [2, 0])
  const { floor, orders } = scene
  await miss(scene, orders[0])
  good(await decide(scene, await open(scene), 'remove-order', { comment: 'До завтра' }))
  const order = await floor.order(orders[0] ?? '')
  assert.deepEqual([order.shipment_id, order.status, order.open_misses], [null, 'NEW', 0])
  assert.deepEqual(await floor.stock('A'), [2, 1])
  await miss(scene, orders[1])
  good(await decide(scene, await open(scene), 'remove-order', { reason: 'LOST' }))
  assert.deepEqual(await floor.stock('A'), [1, 0])
  assert.deepEqual(
    (await listed(scene)).map(({ outcome, status }) => [outcome, status]),
    [
      ['remove_order', 'DECIDED'],
      ['remove_order', 'DECIDED'],
    ],
  )
  await assertTrue()
})

test('a seller learns of missing goods by the units in question, and the order waits outside', async () => {
  const scene = await openScene(1, 1, [1, 0])
  const { floor, orders } = scene
  await miss(scene, orders[0])
  const id = await open(scene)
  assertRefused(await decide(scene, id, 'tell-seller'), 'validation_error', 'reason')
  const answer = good<ShownMiss>(await decide(scene, id, 'tell-seller', { reason: 'LOST' }))
  assert.deepEqual([answer.status, answer.outcome], ['DECIDED', 'tell_seller'])
  assert.equal((await floor.order(orders[0] ?? '')).shipment_id, null)
  const stock = good<{ items: { in_question: number; quantity: number }[] }>(
    await floor.manager.get(`/clients/${floor.client}/stock`),
  )
  assert.deepEqual([stock.items[0]?.in_question, stock.items[0]?.quantity], [1, 1])
  await assertTrue()
})

// Guarantee (picking): A miss ends by itself once its goods are found or its order has left.
test('a miss ends by itself once its goods are found, or its order leaves or is cancelled', async () => {
  const scene = await openScene(4, 4, [4, 0])
  const { floor, orders, task, shipment } = scene
  const [found, removed, cancelled, rest] = orders
  for (const order of orders) await miss(scene, order)
  const outcome = async (order: string | undefined) => {
    const [shown] = await listed(scene, `&order_id=${order}`)
    return [shown?.status, shown?.outcome]
  }
  good(await floor.pick(task, { order_id: found, barcode: 'A', scan_id: 'found' }))
  assert.deepEqual(await outcome(found), ['CLOSED', 'found'])
  good(await floor.worker.delete(`/shipments/${shipment}/orders/${removed}`), 204)
  assert.deepEqual(await outcome(removed), ['CLOSED', 'order_left'])
  await floor.report(cancelled ?? '', 'new', 'canceled')
  assert.deepEqual(await outcome(cancelled), ['CLOSED', null])
  const cancelledId = (await listed(scene, `&order_id=${cancelled}`))[0]?.id ?? ''
  assertRefused(await decide(scene, cancelledId, 'remove-order'), 'conflict')
  assert.deepEqual(
    (await listed(scene, '&status=OPEN')).map(({ order_id: id }) => id),
    [rest],
  )
  assert.equal((await listed(scene, '&status=CLOSED')).length, 3)
  good(await floor.pick(task, { order_id: rest, barcode: 'A', scan_id: 'rest' }))
  good(await floor.worker.post(`/shipments/${shipment}/close`))
  assert.deepEqual(await outcome(cancelled), ['CLOSED', 'order_left'])
  assert.deepEqual(await counters(scene), [0, 0, 0])
  await assertTrue()
})
