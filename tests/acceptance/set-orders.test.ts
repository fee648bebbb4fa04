import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const service = await startService()
const { db } = service
let numbers = 0

/** A tea set, KIT, of two cups and a saucer. */
async function openTea(goods: Readonly<Record<string, number>> = { CUP: 10, SAUCER: 10 }) {
  const floor = await openFloor(service, goods)
  const { client, manager, worker } = floor
  const product = `/clients/${client}/products/KIT`
  good(await manager.put(product, { name: 'Чайный набор', article: 'TEA' }), 201)
  const parts = [
    { barcode: 'CUP', qty: 2 },
    { barcode: 'SAUCER', qty: 1 },
  ]
  const compose = (changed: readonly object[]) =>
    manager.put(`${product}/parts`, { parts: changed })
  good(await compose(parts))
  /** Takes orders of one unit in. */
  const ordered = (...barcodes: string[]) =>
    floor.orders(Object.fromEntries(barcodes.map((barcode) => [`SET-${++numbers}`, barcode])))
  const assemble = async (qty: number) =>
    good(
      await worker.post(`/clients/${client}/assemblies`, { kind: 'ASSEMBLE', barcode: 'KIT', qty }),
      201,
    )
  const stocks = async () => ({
    kit: await floor.stock('KIT'),
    cup: await floor.stock('CUP'),
    saucer: await floor.stock('SAUCER'),
  })
  const linesOf = (order: StaffOrder) =>
    order.lines.map(({ barcode, qty, set_barcode: set }) => [barcode, qty, set])
  return { ...floor, compose, ordered, assemble, stocks, linesOf }
}

const one = <T>([first]: readonly T[]): T => {
  assert.ok(first)
  return first
}

async function assertAuditSilent() {
  const { findings } = await audit(db, systemClock)
  assert.deepEqual(findings, [])
}

// Guarantee (orders): An order of a set that is not put together reserves, takes and ships its parts.
test('an order of a set reserves its parts; they are picked, checked and shipped', async () => {
  const floor = await openTea()
  const { worker, stocks } = floor
  const order = one(await floor.ordered('KIT'))
  const shipment = await floor.filled([order])
  assert.deepEqual(await stocks(), { kit: [0, 0], cup: [10, 2], saucer: [10, 1] })
  assert.deepEqual(floor.linesOf(await floor.order(order.id)), [
    ['CUP', 2, 'KIT'],
    ['SAUCER', 1, 'KIT'],
  ])
  const task = await floor.task(shipment)
  assert.deepEqual(task.lines?.map(({ barcode, qty, set }) => [barcode, qty, set]).toSorted(), [
    ['CUP', 2, { barcode: 'KIT', name: 'Чайный набор', qty: 1 }],
    ['SAUCER', 1, { barcode: 'KIT', name: 'Чайный набор', qty: 1 }],
  ])
  // What the set is made of from now on is no matter of this order.
  good(await floor.compose([{ barcode: 'SAUCER', qty: 3 }]))
  assertRefused(
    await floor.pick(task.id, { scan_id: 'kit', order_id: order.id, barcode: 'KIT' }),
    'validation_error',
  )
  for (const [n, barcode] of ['CUP', 'SAUCER', 'CUP'].entries()) {
    good(await floor.pick(task.id, { scan_id: `p${n}`, order_id: order.id, barcode }))
  }
  const check = (code: string, n: number) =>
    worker.post(`/shipments/${shipment.id}/checks`, { scan_id: `c${n}`, order_id: order.id, code })
  const checks = []
  for (const [n, code] of ['CUP', 'CUP', 'SAUCER'].entries())
    checks.push(good<{ complete: boolean }>(await check(code, n)))
  assert.deepEqual(
    checks.map(({ complete }) => complete),
    [false, false, true],
  )
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(await stocks(), { kit: [0, 0], cup: [8, 0], saucer: [9, 0] })
  const movements = await db<{ barcode: string; delta: number }[]>`
    select barcode, delta from stock_movements
    where client_id = ${floor.client} and kind = 'shipment' order by barcode`
  assert.deepEqual(
    movements.map(({ barcode, delta }) => [barcode, delta]),
    [
      ['CUP', -2],
      ['SAUCER', -1],
    ],
  )
  assert.deepEqual(floor.linesOf(await floor.order(order.id)).length, 2)
  await assertAuditSilent()
})

test('sellers see the set that was ordered, and metrics count the parts that left', async () => {
  const floor = await openTea()
  const order = one(await floor.ordered('KIT'))
  const issued = good<{ key: string }>(
    await floor.manager.post(`/clients/${floor.client}/keys`, { name: '1C' }),
    201,
  )
  const seller = openClient(service.baseUrl, issued.key)
  const shipment = await floor.filled([order])
  const shown = good<{ barcode: string }>(await seller.get(`/v1/orders/${order.id}`))
  assert.equal(shown.barcode, 'KIT')
  const goods = good<{ items: { parts_allow: number | null }[] }>(
    await seller.get('/v1/goods?is_set=true'),
  )
  assert.equal(goods.items[0]?.parts_allow, 4, 'reserved parts make no other set')
  for (const [n, barcode] of ['CUP', 'CUP', 'SAUCER'].entries()) {
    good(
      await floor.pick(shipment.picking_task_id, { scan_id: `${n}`, order_id: order.id, barcode }),
    )
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  const metrics = good<{ funnel: { shipped: number }; shipments: { units_shipped: number } }>(
    await seller.get('/v1/metrics'),
  )
  assert.deepEqual([metrics.funnel.shipped, metrics.shipments.units_shipped], [3, 3])
})

test('sets that lie ready go first, the others are put together', async () => {
  const floor = await openTea({ CUP: 4, SAUCER: 9 })
  await floor.assemble(1)
  const drafts = [
    {
      cabinet_id: floor.cabinet,
      external_id: `SET-${++numbers}`,
      lines: [{ barcode: 'KIT', qty: 2 }],
      marketplace_status: { supplier: 'new', buyer: 'waiting' },
    },
  ]
  const { items } = good<{ items: StaffOrder[] }>(
    await floor.manager.post(`/clients/${floor.client}/orders`, drafts),
    201,
  )
  const order = one(items)
  const shipment = await floor.filled([order])
  assert.deepEqual(await floor.stocks(), { kit: [1, 1], cup: [2, 2], saucer: [8, 1] })
  assert.deepEqual(floor.linesOf(await floor.order(order.id)), [
    ['KIT', 1, 'KIT'],
    ['CUP', 2, 'KIT'],
    ['SAUCER', 1, 'KIT'],
  ])
  for (const [n, barcode] of ['CUP', 'KIT', 'CUP', 'SAUCER'].entries()) {
    good(
      await floor.pick(shipment.picking_task_id, { scan_id: `${n}`, order_id: order.id, barcode }),
    )
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [0, 0], saucer: [7, 0] })
  await assertAuditSilent()
})

test('an order that leaves its shipment wants the set again, and takes the parts of today the next time', async () => {
  const floor = await openTea()
  const order = one(await floor.ordered('KIT'))
  const shipment = await floor.filled([order])
  good(
    await floor.pick(shipment.picking_task_id, {
      scan_id: '1',
      order_id: order.id,
      barcode: 'CUP',
    }),
  )
  good(await floor.worker.delete(`/shipments/${shipment.id}/orders/${order.id}`), 204)
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [10, 0], saucer: [10, 0] })
  assert.deepEqual(floor.linesOf(await floor.order(order.id)), [['KIT', 1, undefined]])
  good(await floor.compose([{ barcode: 'SAUCER', qty: 3 }]))
  good(await floor.add(shipment.id, [order.id]))
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [10, 0], saucer: [10, 3] })
  good(await floor.manager.delete(`/shipments/${shipment.id}`), 204)
  assert.deepEqual(floor.linesOf(await floor.order(order.id)), [['KIT', 1, undefined]])
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [10, 0], saucer: [10, 0] })
  await assertAuditSilent()
})

test('a cancelled order frees its parts', async () => {
  const floor = await openTea()
  const order = one(await floor.ordered('KIT'))
  await floor.filled([order])
  await floor.report(order.id, 'cancel', 'canceled')
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [10, 0], saucer: [10, 0] })
  await assertAuditSilent()
})

test('orders that the parts do not cover wait, and the first page and the plan of the day say why', async () => {
  const floor = await openTea({ CUP: 3, SAUCER: 9 })
  const [first, second] = await floor.ordered('KIT', 'KIT')
  assert.ok(first && second)
  const { id } = await floor.open()
  const refused = await floor.add(id, [first.id, second.id])
  assertRefused(refused, 'conflict')
  assert.match(refused.text, /Чайный набор/)
  assert.deepEqual((await floor.stocks()).cup, [3, 0])
  const day = good<{ leaving: unknown[]; staying: { reason: string }[] }>(
    await floor.worker.get(`/cabinets/${floor.cabinet}/day-shipment`),
  )
  assert.equal(day.leaving.length, 1)
  assert.match(
    day.staying[0]?.reason ?? '',
    /Чайный набор \(нужно 1, свободно 0, из частей выйдет 0\)/,
  )
  const today = good<{
    uncovered: { items: { client_id: string; barcode: string; missing: number }[] }
  }>(await floor.manager.get('/today'))
  const own = today.uncovered.items.filter(({ client_id }) => client_id === floor.client)
  assert.deepEqual(
    own.map(({ barcode, missing }) => [barcode, missing]),
    [['CUP', 1]],
  )
})

// Guarantee (stock): Sets never sell what their parts lack, however many orders come at once.
test('fifty orders of a set and of its part at once never take more than there is', async () => {
  const floor = await openTea({ CUP: 40, SAUCER: 40 })
  const orders = await floor.ordered(
    ...Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? 'KIT' : 'CUP')),
  )
  const shipments: StaffShipment[] = []
  for (const _ of [1, 2, 3, 4, 5]) shipments.push(await floor.open())
  const answers = await Promise.all([
    ...orders.map((order, n) => floor.add(shipments[n % 5]?.id ?? '', [order.id])),
    ...Array.from({ length: 5 }, () =>
      floor.worker.post(`/clients/${floor.client}/assemblies`, {
        kind: 'ASSEMBLE',
        barcode: 'KIT',
        qty: 1,
      }),
    ),
  ])
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].toSorted().filter((status) => status >= 500),
    [],
  )
  const { kit, cup, saucer } = await floor.stocks()
  for (const [quantity, reserved] of [kit, cup, saucer]) assert.ok(reserved <= quantity)
  const joined = await db<{ barcode: string; count: number }[]>`
    select barcode, count(*)::int as count from orders
    where client_id = ${floor.client} and shipment_id is not null group by 1`
  const taken = new Map(joined.map(({ barcode, count }) => [barcode, count]))
  assert.equal((taken.get('KIT') ?? 0) + kit[0] - kit[1] > 0, true)
  // Every cup is reserved alone or in a set, or fewer are free than the next order wants.
  assert.equal(cup[0] + 2 * kit[0], 40)
  assert.equal(cup[1] + 2 * kit[1], (taken.get('CUP') ?? 0) + 2 * (taken.get('KIT') ?? 0))
  await assertAuditSilent()
})

test('a set of which the marketplace wants a mark is not put together at the shelf', async () => {
  const floor = await openTea()
  const order = one(await floor.ordered('KIT'))
  await db`
    update order_lines set required_marks = '{sgtin}'
    where client_id = ${floor.client} and order_id = ${order.id}`
  const { id } = await floor.open()
  const refused = await floor.add(id, [order.id])
  assertRefused(refused, 'conflict')
  assert.match(refused.text, /соберите набор заранее/)
  await floor.assemble(1)
  good(await floor.add(id, [order.id]))
  assert.deepEqual((await floor.stocks()).kit, [1, 1])
})

test('a set that came back is taken in part by part', async () => {
  const floor = await openTea()
  const order = one(await floor.ordered('KIT'))
  const shipment = await floor.filled([order])
  for (const [n, barcode] of ['CUP', 'CUP', 'SAUCER'].entries()) {
    good(
      await floor.pick(shipment.picking_task_id, { scan_id: `${n}`, order_id: order.id, barcode }),
    )
  }
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  await floor.report(order.id, 'cancel', 'canceled')
  const batch = good<{ id: string }>(
    await floor.worker.post('/returns', { client_id: floor.client, cabinet_id: floor.cabinet }),
    201,
  )
  const scan = (code: string, n: number) =>
    floor.worker.post(`/returns/${batch.id}/scans`, {
      scan_id: `r${n}`,
      code,
      condition: 'sellable',
    })
  for (const [n, code] of ['CUP', 'SAUCER', 'CUP'].entries()) good(await scan(code, n))
  assert.deepEqual(await floor.stocks(), { kit: [0, 0], cup: [10, 0], saucer: [10, 0] })
  assertRefused(await scan('CUP', 3), 'conflict')
  await assertAuditSilent()
})
