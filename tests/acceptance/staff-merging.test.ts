import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { MergingPlan } from '../../src/warehouse/merging/plan.ts'
import { mirrorShipment } from '../../src/warehouse/shipments/mirror.ts'
import { assertRefused } from '../support/client.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const service = await startService()
const { db } = service
/** The product that stays, the one that turns out to be the same, and a barcode that this one has besides. */
const [kept, other, supplied] = [
  ean13('460666000101'),
  ean13('460666000102'),
  ean13('460666000103'),
]

async function openBoth(units: Readonly<Record<string, number>> = { [kept]: 5, [other]: 3 }) {
  const floor = await openFloor(service, units)
  const products = `/clients/${floor.client}/products`
  const path = `${products}/${kept}/merged/${other}`
  return {
    ...floor,
    products,
    plan: async () => good<MergingPlan>(await floor.manager.get(path)),
    merge: () => floor.manager.put(path, {}),
    refused: async (words: RegExp) => {
      const { refusal = '' } = good<MergingPlan>(await floor.manager.get(path))
      assert.match(refusal, words)
      assertRefused(await floor.manager.put(path, {}), 'conflict', words)
      assert.deepEqual(await floor.stock(other), [units[other] ?? 0, 0], 'nothing moved')
    },
    silent: async () => assert.deepEqual((await audit(db)).findings, []),
  }
}

test('the units of a product become units of the other by two movements, and its barcodes name the other', async () => {
  const floor = await openBoth()
  const { client, manager, products } = floor
  good(await manager.put(`${products}/${other}/barcodes/${supplied}`, {}))
  const before = await db<{ version: number }[]>`
    select sum(products)::int as version from stock_versions where client_id = ${client}`
  assert.deepEqual(await floor.plan(), {
    barcode: other,
    name: `Товар ${other}`,
    into: kept,
    units: 3,
    reserved: 0,
    boxes: 0,
    locations: 0,
    barcodes: 2,
    orders: 0,
    receipts: 0,
  })
  const merged = good<{ other_barcodes: string[] }>(await floor.merge())
  assert.deepEqual(merged.other_barcodes, [other, supplied])
  assert.deepEqual(await floor.stock(kept), [8, 0])
  const trail = await db`
    select barcode, kind, delta, comment from stock_movements
    where client_id = ${client} and kind = 'correction' order by id`
  assert.deepEqual(
    trail.map((row) => ({ ...row })),
    [
      { barcode: other, kind: 'correction', delta: -3, comment: `Объединён с товаром ${kept}` },
      { barcode: kept, kind: 'correction', delta: 3, comment: `Объединён с товаром ${other}` },
    ],
  )
  const gone = good<{ merged_into?: string }>(await manager.get(`${products}/${other}`))
  assert.equal(gone.merged_into, kept)
  const list = good<{ items: { barcode: string }[]; total: number }>(await manager.get(products))
  assert.deepEqual([list.items.map(({ barcode }) => barcode), list.total], [[kept], 1])
  const [{ version }] = before as [{ version: number }]
  const [after] = await db<{ products: number }[]>`
    select sum(products)::int as products from stock_versions where client_id = ${client}`
  assert.equal(after?.products, version - 1)
  for (const barcode of [other, supplied, `0${other}`]) {
    good(
      await manager.post(`/clients/${client}/corrections`, {
        barcode,
        delta: 1,
        reason: 'FOUND',
      }),
      201,
    )
  }
  assert.deepEqual(await floor.stock(kept), [11, 0])
  await floor.silent()
})

test('a repeat merges nothing again, and the journal names it once', async () => {
  const floor = await openBoth()
  good(await floor.merge())
  good(await floor.merge())
  const entries = await db`
    select from staff_journal where action = 'mergeProducts' and client_id = ${floor.client}`
  assert.equal(entries.length, 1)
  assert.deepEqual(await floor.stock(kept), [8, 0])
})

test('the barcode of a merged product stays with the other one', async () => {
  const floor = await openBoth()
  good(await floor.merge())
  const { manager, products } = floor
  assertRefused(await manager.delete(`${products}/${kept}/barcodes/${other}`), 'conflict')
  good(await manager.put(`${products}/${other}`, { name: 'Плед' }))
  assert.equal(good<{ name: string }>(await manager.get(`${products}/${kept}`)).name, 'Плед')
  await floor.silent()
})

test('what is changed under the address of a merged product is changed of the other one', async () => {
  const floor = await openBoth({ [kept]: 5, [other]: 3, [supplied]: 4 })
  const { client, manager, products } = floor
  good(await floor.merge())
  const of = (what: string, barcode = other) => `${products}/${barcode}${what}`
  good(await manager.put(of('/barcodes/CASE-1'), {}))
  const found = { barcode: 'CASE-1', delta: 1, reason: 'FOUND' }
  good(await manager.post(`/clients/${client}/corrections`, found), 201)
  assert.deepEqual(await floor.stock(kept), [9, 0])
  good(await manager.delete(of('/barcodes/CASE-1')))
  good(await manager.put(of('/lots'), {}))
  const lots = good<{ items: { quantity: number }[] }>(await manager.get(of('/lots', kept)))
  assert.deepEqual(
    lots.items.map(({ quantity }) => quantity),
    [9],
  )
  good(await manager.post(of('/measures'), { ...sides, weight_g: 5 }))
  const { items } = good<Measured>(await manager.get(of('/measures', kept)))
  assert.deepEqual(
    items.map((each) => each.weight_g),
    [5],
  )
  const { picture } = good<Pictured>(await manager.put(of('/picture'), fakePicture('case')))
  assert.equal(good<Pictured>(await manager.get(of('', kept))).picture, picture)
  good(await manager.put(of('/parts'), { parts: [{ barcode: supplied, qty: 2 }] }))
  const set = good<{ parts?: { barcode: string }[] }>(await manager.get(of('', kept)))
  assert.deepEqual(
    set.parts?.map(({ barcode }) => barcode),
    [supplied],
  )
  await floor.silent()
})

test('an order that was over when its goods were merged takes units of the other product along in a mirrored shipment', async () => {
  const floor = await openBoth()
  const { client, cabinet } = floor
  const [order, cancelled] = await floor.orders({
    [`OVER-${client}`]: other,
    [`CANCELLED-${client}`]: other,
  })
  assert.ok(order && cancelled)
  await floor.report(order.id, 'complete', 'sold')
  await floor.report(cancelled.id, 'cancel', 'canceled')
  good(await floor.merge())
  const at = systemClock.now()
  const mirror = (closedAt: number | undefined) =>
    perform(db, systemClock, { kind: 'service' }, (work) =>
      mirrorShipment(
        work,
        client,
        cabinet,
        {
          ...{ externalId: `WB-GI-OVER-${client}`, name: undefined, createdAt: at, closedAt },
          ...{ acceptedAt: undefined, cancelled: false },
          orders: [order.external_id, cancelled.external_id],
        },
        { connectedAt: 0, adds: true, ordersAsOf: at, mayRemove: async () => true },
      ),
    )
  await mirror(undefined)
  for (const { id } of [order, cancelled]) {
    const { barcode, lines } = await floor.order(id)
    assert.deepEqual([barcode, lines[0]?.barcode], [kept, kept], 'it is here again')
  }
  await floor.silent()
  await mirror(at)
  assert.deepEqual(await floor.stock(kept), [7, 0])
  await floor.silent()
})

test('orders that wait or are collected go on as the other product, picked units and all', async () => {
  const floor = await openBoth({ [kept]: 5, [other]: 3 })
  const { client, worker } = floor
  const [first, second, waiting] = await floor.orders({
    [`A-${client}`]: other,
    [`B-${client}`]: other,
    [`C-${client}`]: other,
  })
  assert.ok(first && second && waiting)
  const shipment = await floor.filled([first, second])
  const task = await floor.task(shipment)
  good(await floor.pick(task.id, { scan_id: '1', order_id: first.id, barcode: other }))
  assert.deepEqual(await floor.plan().then(({ orders, reserved }) => [orders, reserved]), [3, 2])
  good(await floor.merge())
  await floor.silent()
  assert.deepEqual(await floor.stock(kept), [8, 2])
  assert.equal((await floor.order(waiting.id)).barcode, kept)
  good(await floor.pick(task.id, { scan_id: '2', order_id: second.id, barcode: other }))
  const check = { scan_id: '1', order_id: first.id, code: kept }
  good(await worker.post(`/shipments/${shipment.id}/checks`, check))
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(await floor.stock(kept), [6, 0])
  await floor.silent()
})

test('what left as the merged product comes back as the other one, by order and by barcode', async () => {
  const floor = await openBoth({ [kept]: 1, [other]: 2 })
  const { client, worker } = floor
  const orders = await floor.orders({ [`A-${client}`]: other, [`B-${client}`]: other })
  const [one] = orders
  const shipment = await floor.filled(orders)
  const task = await floor.task(shipment)
  for (const [n, order] of orders.entries()) {
    good(await floor.pick(task.id, { scan_id: `${n}`, order_id: order.id, barcode: other }))
  }
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  good(await floor.merge())
  await floor.silent()
  const scan = (scan_id: string, code: string) =>
    worker.post('/returns/scans', {
      scan_id: `${client}-${scan_id}`,
      client_id: client,
      code,
      condition: 'sellable',
    })
  good(await scan('1', `A-${client}`))
  good(await scan('2', other))
  assert.deepEqual(await floor.stock(kept), [3, 0])
  assertRefused(await scan('3', kept), 'conflict')
  assert.equal((await floor.order(one?.id ?? '')).barcode, other, 'what is over keeps its barcode')
  await floor.silent()
})

test('an open receipt goes on with one line for both products', async () => {
  const floor = await openBoth()
  const { client, manager, worker } = floor
  const items = [kept, other].map((barcode) => ({ barcode, qty: 2, honest_mark: false }))
  const { id } = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await worker.post(`/receipts/${id}/start`, {}))
  const scan = (scan_id: string, barcode: string) =>
    worker.post(`/receipts/${id}/scans`, { scan_id, barcode, qty: 1 })
  good(await scan('1', other))
  good(await floor.merge())
  await floor.silent()
  for (const [n, barcode] of [other, kept, other].entries()) good(await scan(`2-${n}`, barcode))
  const done = good<{ status: string; items: { barcode: string; accepted_qty: number }[] }>(
    await worker.post(`/receipts/${id}/finish`, {}),
  )
  assert.equal(done.status, 'RECEIVED')
  assert.deepEqual(
    done.items.map(({ barcode, accepted_qty: units }) => [barcode, units]),
    [[kept, 4]],
  )
  await floor.silent()
})

test('marked units and units at their places go along', async () => {
  const floor = await openBoth({})
  const { client, manager, worker, products } = floor
  for (const barcode of [kept, other]) {
    good(await manager.put(`${products}/${barcode}`, { name: 'Духи', honest_mark: true }), 201)
  }
  const items = [{ barcode: other, qty: 2, honest_mark: true }]
  const { id } = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await worker.post(`/receipts/${id}/start`, {}))
  const box = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  for (const n of [1, 2]) {
    const marking_code = markingCode(other, n)
    good(
      await worker.post(`/receipts/${id}/scans`, { scan_id: `${n}`, marking_code, box_id: box.id }),
    )
  }
  good(await worker.post(`/receipts/${id}/finish`, {}))
  assert.equal((await floor.plan()).boxes, 1)
  good(await floor.merge())
  await floor.silent()
  const [order] = await floor.orders({ [`M-${client}`]: kept })
  const shipment = await floor.filled(order === undefined ? [] : [order])
  const task = await floor.task(shipment)
  const pick = { scan_id: '1', order_id: order?.id, marking_code: markingCode(other, 1) }
  good(await floor.pick(task.id, { ...pick, box_id: box.id }))
  await floor.silent()
})

test('what stands in the way is said before and when it is tried', async (t) => {
  await t.test('units in question', async () => {
    const floor = await openBoth()
    const draft = { barcode: other, qty: 1, reason: 'COUNT' }
    good(await floor.manager.post(`/clients/${floor.client}/in-question`, draft), 201)
    await floor.refused(/Под вопросом 1 шт\./)
  })
  await t.test('marking of one of them', async () => {
    const floor = await openBoth()
    good(await floor.manager.put(`${floor.products}/${other}`, { name: 'Духи', honest_mark: true }))
    await floor.refused(/«Духи» маркируется, а другой нет/)
  })
  await t.test('stocktaking', async () => {
    const floor = await openBoth()
    const count = good<{ id: string }>(
      await floor.manager.post('/counts', { client_id: floor.client, scope: {} }),
      201,
    )
    good(await floor.manager.post(`/counts/${count.id}/start`, {}))
    await floor.refused(/Идёт инвентаризация/)
  })
  await t.test('a surplus of one in a receipt that lacks the other', async () => {
    const floor = await openBoth()
    const { client, manager, worker } = floor
    const items = [kept, other].map((barcode) => ({ barcode, qty: 1, honest_mark: false }))
    const { id } = good<{ id: string }>(
      await manager.post(`/clients/${client}/receipts`, { items }),
      201,
    )
    good(await worker.post(`/receipts/${id}/start`, {}))
    good(await worker.post(`/receipts/${id}/scans`, { scan_id: '1', barcode: kept, qty: 2 }))
    await floor.refused(/одного из товаров больше, чем заявлено/)
  })
  await t.test('the same product, an unknown one, and one that was merged', async () => {
    const floor = await openBoth()
    const { manager, products } = floor
    const merging = (into: string, from: string) =>
      manager.put(`${products}/${into}/merged/${from}`, {})
    assertRefused(await merging(kept, kept), 'conflict')
    assertRefused(await merging(kept, 'NONE'), 'not_found')
    assertRefused(await merging('NONE', kept), 'not_found')
    good(await merging(kept, other))
    assertRefused(await merging(other, kept), 'conflict')
  })
})

test('of three products each is merged after another, and all barcodes name the last', async () => {
  const floor = await openBoth({ [kept]: 1, [other]: 1, [supplied]: 1 })
  const { manager, products } = floor
  good(await manager.put(`${products}/${other}/merged/${supplied}`, {}))
  good(await floor.merge())
  assert.deepEqual(await floor.stock(kept), [3, 0])
  const gone = good<{ merged_into?: string }>(await manager.get(`${products}/${supplied}`))
  assert.equal(gone.merged_into, kept)
  await floor.silent()
})

// Guarantee (stock): What is scanned, ordered or received while two products are merged counts once.
test('fifty scans, orders and receipts at once with the merging are all counted, once', async () => {
  const floor = await openBoth({ [kept]: 20, [other]: 20 })
  const { client, manager, worker } = floor
  const orders = await floor.orders(
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`P${n}-${client}`, other])),
  )
  const shipment = await floor.filled(orders)
  const task = await floor.task(shipment)
  const receipts = `/clients/${client}/receipts`
  const line = (barcode: string) => ({ barcode, qty: 100, honest_mark: false })
  const listed = { items: [line(kept), line(other)] }
  const { id } = good<{ id: string }>(await manager.post(receipts, listed), 201)
  good(await worker.post(`/receipts/${id}/start`, {}))
  const scans = Array.from({ length: 25 }, (_, n) => async () => {
    const barcode = n % 2 === 0 ? other : kept
    return worker.post(`/receipts/${id}/scans`, { scan_id: `${n}`, barcode, qty: 1 })
  })
  const picks = orders.map(
    (order, n) => () =>
      floor.pick(task.id, { scan_id: `${n}`, order_id: order.id, barcode: other }),
  )
  const arriving = Array.from({ length: 10 }, (_, n) => async () => {
    await floor.orders({ [`N${n}-${client}`]: other })
    return manager.post(receipts, { items: [line(other)] })
  })
  const corrections = Array.from({ length: 5 }, () => async () => {
    const entry = { barcode: other, delta: 1, reason: 'FOUND' }
    return manager.post(`/clients/${client}/corrections`, entry)
  })
  const before = [...scans, ...picks, ...arriving, ...corrections]
  const half = Math.floor(before.length / 2)
  // Some are on their way when the merging begins, and some come while it goes on.
  const mixed = before.map((_, n) => before[(n * 7) % before.length] ?? before[n])
  const under = mixed.slice(0, half).map((act) => act?.())
  const merging = floor.merge()
  const answers = await Promise.all([...under, ...mixed.slice(half).map((act) => act?.()), merging])
  for (const answer of answers) {
    assert.ok(answer !== undefined && answer.status < 300, String(answer?.text.slice(0, 300)))
  }
  assert.equal(new Set(mixed).size, 50)
  await floor.silent()
  assert.deepEqual(await floor.stock(kept), [40 + 25 + 5, 10])
  const named = await db`
    select from order_lines where client_id = ${client} and barcode = ${other}
    union all
    select from receipt_items i join receipts r on r.client_id = i.client_id and r.id = i.receipt_id
    where i.client_id = ${client} and i.barcode = ${other} and r.status <> 'RECEIVED'`
  assert.equal(named.length, 0, 'nothing that is open names the product that went')
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  await floor.silent()
})

test('an assembly is undone after what were its parts were merged', async () => {
  const floor = await openBoth({ [kept]: 10, [other]: 10 })
  const { client, manager, worker, products } = floor
  good(await manager.put(`${products}/KIT`, { name: 'Набор' }), 201)
  const compose = async (parts: readonly object[]) =>
    good(await manager.put(`${products}/KIT/parts`, { parts }))
  await compose([
    { barcode: kept, qty: 1 },
    { barcode: other, qty: 2 },
  ])
  const draft = { kind: 'ASSEMBLE', barcode: 'KIT', qty: 3 }
  const path = `/clients/${client}/assemblies`
  const { id } = good<{ id: string }>(await worker.post(path, draft), 201)
  await compose([])
  good(await floor.merge())
  await floor.silent()
  assert.deepEqual(await floor.stock(kept), [11, 0])
  good(await worker.post(`${path}/${id}/undo`))
  assert.deepEqual(
    [await floor.stock(kept), await floor.stock('KIT')],
    [
      [20, 0],
      [0, 0],
    ],
  )
  await floor.silent()
})

test('a set and a part of a set are not merged', async () => {
  const floor = await openBoth()
  const parts = { parts: [{ barcode: other, qty: 2 }] }
  good(await floor.manager.put(`${floor.products}/${kept}/parts`, parts))
  await floor.refused(/часть набора/)
})

interface Measured {
  readonly items: { first_day: string; weight_g: number | null; measured_by: string }[]
}
interface Pictured {
  readonly picture?: string
}
const sides = { length_cm: 12.5, width_cm: 10, height_cm: 8 }

test('measures hold for the product that stays from today on, and it shows the picture, where it has none', async () => {
  const floor = await openBoth()
  const { manager, products } = floor
  const of = (barcode: string, what = '') => `${products}/${barcode}${what}`
  const old = { ...sides, weight_g: 250, first_day: '2026-01-05' }
  good(await manager.post(of(other, '/measures'), old))
  good(
    await manager.post(of(other, '/measures'), {
      ...sides,
      weight_g: 260,
      first_day: '2026-01-06',
    }),
  )
  const before = good<Measured>(await manager.get(of(other, '/measures'))).items
  const { picture } = good<Pictured>(await manager.put(of(other, '/picture'), fakePicture('tea')))
  assert.ok(picture)
  good(await floor.merge())
  const { items } = good<Measured>(await manager.get(of(kept, '/measures')))
  const [taken] = items
  assert.deepEqual(
    [items.length, taken?.weight_g, taken?.measured_by],
    [1, 260, before[0]?.measured_by],
  )
  assert.ok((taken?.first_day ?? '') > '2026-01-06', 'no charge of a past day changes')
  assert.equal(good<Pictured>(await manager.get(of(kept))).picture, picture)
  await floor.silent()
  good(await manager.delete(of(kept, '/picture')))
  assert.equal(good<Pictured>(await manager.get(of(kept))).picture, undefined)
  await floor.silent()
})

test('measures and the picture of the product that stays remain', async () => {
  const floor = await openBoth()
  const { manager, products } = floor
  for (const [barcode, weight] of [
    [kept, 100],
    [other, 200],
  ] as const) {
    good(
      await manager.post(`${products}/${barcode}/measures`, {
        ...sides,
        weight_g: weight,
        first_day: '2026-01-05',
      }),
    )
    good(await manager.put(`${products}/${barcode}/picture`, fakePicture(barcode)))
  }
  const { picture } = good<Pictured>(await manager.get(`${products}/${kept}`))
  assert.ok(picture)
  good(await floor.merge())
  const { items } = good<Measured>(await manager.get(`${products}/${kept}/measures`))
  assert.deepEqual(
    items.map(({ first_day, weight_g }) => [first_day, weight_g]),
    [['2026-01-05', 100]],
  )
  assert.equal(good<Pictured>(await manager.get(`${products}/${kept}`)).picture, picture)
  await floor.silent()
})
