import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { day, hour, midnight, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { TodayCurve } from '../../web/api/staff-calls.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { at, newOrder, noon } from '../support/warehouse.ts'

/** What the first page says of orders: how the day goes by hours, and exactly which orders lack goods. */

const tea = '4600000000017'
const cup = '4600000000024'
const today = midnight(moscowDate(Date.now()))
let now = today
const service = await startService({}, 'all', undefined, { now: () => now })
const { db } = service

test('the curve of the day has packed and handed over orders by the hour, beside yesterday', async () => {
  now = today - day + 10 * hour + 5
  const floor = await openFloor(service, { [tea]: 9 })
  const path = `/today/curve?client_id=${floor.client}`
  const pickAll = async (orders: readonly StaffOrder[]) => {
    const shipment = await floor.filled(orders)
    for (const { id } of orders) {
      const pick = { scan_id: randomUUID(), order_id: id, barcode: tea }
      good(await floor.pick(shipment.picking_task_id, pick))
    }
    return shipment
  }
  const yesterdays = await pickAll(await floor.orders({ y1: tea, y2: tea }))
  now += hour
  good(await floor.worker.post(`/shipments/${yesterdays.id}/close`))
  now = today + 9 * hour
  const [first, second, third] = await floor.orders({ t1: tea, t2: tea, t3: tea })
  assert.ok(first && second && third)
  const gone = await pickAll([first])
  good(await floor.worker.post(`/shipments/${gone.id}/close`))
  now += hour
  await pickAll([second])
  await floor.filled([third])
  const curve = good<TodayCurve>(await floor.manager.get(path))
  assert.equal(curve.items.length, 24)
  assert.deepEqual(
    curve.items.flatMap(({ packed, handed_over, yesterday }, at) =>
      packed + handed_over + yesterday.packed + yesterday.handed_over === 0
        ? []
        : [[at, packed, handed_over, yesterday.packed, yesterday.handed_over]],
    ),
    [
      [9, 1, 1, 0, 0],
      [10, 1, 0, 2, 0],
      [11, 0, 0, 0, 2],
    ],
  )
  const others = good<TodayCurve>(await floor.worker.get('/today/curve?client_id=x'))
  assert.ok(others.items.every(({ packed, handed_over }) => packed + handed_over === 0))
})

test('orders that lack goods are exactly those that the first page counts', async () => {
  now = noon + hour
  const { client, cabinet, manager } = await openFloor(service, { [tea]: 2, [cup]: 9 })
  const lines = [
    { barcode: cup, quantity: 1 },
    { barcode: tea, quantity: 1 },
  ]
  await at(db, noon, (work) =>
    takeInOrders(work, client, cabinet, [
      newOrder('lack-1', tea),
      newOrder('lack-2', tea),
      { ...newOrder('lack-both', cup), lines },
      newOrder('lack-none', cup),
      { ...newOrder('lack-unknown', 'x'), lines: [{ quantity: 1 }] },
    ]),
  )
  interface Listed {
    readonly total: number
    readonly items: readonly { readonly external_id: string }[]
  }
  const found = async (query: string) => {
    const path = `/orders?client_id=${client}&${query}`
    const { total, items } = good<Listed>(await manager.get(path))
    assert.equal(total, items.length, query)
    return items.map(({ external_id }) => external_id).toSorted()
  }
  const counted = good<{ uncovered: { items: { barcode?: string; orders_count: number }[] } }>(
    await manager.get(`/today?client_id=${client}`),
  )
  assert.deepEqual(
    new Map(counted.uncovered.items.map((goods) => [goods.barcode, goods.orders_count])),
    new Map([
      [tea, 3],
      [undefined, 1],
    ]),
  )
  const short = ['lack-1', 'lack-2', 'lack-both']
  assert.deepEqual(await found(`lacking=any&barcode=${tea}`), short)
  assert.deepEqual(await found('lacking=any'), [...short, 'lack-unknown'])
  assert.deepEqual(await found('lacking=unknown_barcode'), ['lack-unknown'])
  assert.deepEqual(await found(`lacking=any&barcode=${cup}`), [])
  assert.equal((await manager.get('/orders?lacking=x')).status, 400)
})
