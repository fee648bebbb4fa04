import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { questionExpired } from '../../src/warehouse/stock/expired-lots.ts'
import { findUnitsInQuestion } from '../../src/warehouse/stock/units-in-question.ts'
import { assertRefused } from '../support/client.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

/** Lots where other things happen to goods: two products become one, sets take their parts, parts come back and are counted. */

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const [kept, other] = [ean13('460667000101'), ean13('460667000102')]

interface Lots {
  readonly warn_days: number | null
  readonly items: readonly {
    expires_on: string | null
    number: string
    quantity: number
    picked: number
  }[]
}

type Line = readonly [expires_on: string | null, number: string, quantity: number, picked: number]

async function openDated(units: Readonly<Record<string, number>>) {
  const floor = await openFloor(service, units)
  const lotsPath = (barcode: string) => `/clients/${floor.client}/products/${barcode}/lots`
  let entries = 0
  return {
    ...floor,
    keep: async (barcode: string, warn_days: number) =>
      good(await floor.manager.put(lotsPath(barcode), { warn_days })),
    /** Gives units of unknown date one. */
    date: async (barcode: string, to_expires_on: string, qty: number, to_lot_number = '') => {
      const to = { expires_on: null, to_expires_on, to_lot_number, qty }
      const entry_id = `entry ${++entries}`
      good(await floor.worker.post(`${lotsPath(barcode)}/changes`, { entry_id, ...to }))
    },
    lots: async (barcode: string) => good<Lots>(await floor.worker.get(lotsPath(barcode))),
    lines: async (barcode: string): Promise<Line[]> =>
      good<Lots>(await floor.worker.get(lotsPath(barcode))).items.map(
        ({ expires_on, number, quantity, picked }) => [expires_on, number, quantity, picked],
      ),
    merge: async () =>
      good(
        await floor.manager.put(`/clients/${floor.client}/products/${kept}/merged/${other}`, {}),
      ),
    silent: async () => assert.deepEqual((await audit(service.db, clock)).findings, []),
  }
}

async function ship(floor: Floor, barcodes: readonly string[], name: string) {
  const orders = await floor.orders(
    Object.fromEntries(barcodes.map((barcode, n) => [`${name}-${n}-${floor.client}`, barcode])),
  )
  const shipment = await floor.filled(orders)
  return { orders, shipment, first: orders[0]?.id ?? '' }
}

test('the dates of a merged product go with its units, in boxes and in orders that are collected', async () => {
  const floor = await openDated({ [kept]: 3, [other]: 5 })
  const { client, worker } = floor
  await floor.keep(kept, 10)
  await floor.keep(other, 60)
  await floor.date(kept, '2027-05-31', 2, 'K')
  await floor.date(other, '2027-03-31', 2)
  await floor.date(other, '2027-05-31', 2, 'K')
  const box = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: other, qty: 3 }))
  const { shipment, first } = await ship(floor, [other], 'M')
  const pick = { scan_id: '1', order_id: first, barcode: other, box_id: box.id }
  good(await floor.pick(shipment.picking_task_id, pick))
  const [before, own] = [await floor.lines(other), await floor.lines(kept)]
  assert.deepEqual(
    before.reduce((sum, [, , , picked]) => sum + picked, 0),
    1,
  )
  await floor.merge()
  await floor.silent()
  const units = (lines: readonly Line[], date: string | null) =>
    lines.filter(([each]) => each === date).reduce((sum, [, , quantity]) => sum + quantity, 0)
  const after = await floor.lots(kept)
  assert.equal(after.warn_days, 10)
  const lines = await floor.lines(kept)
  for (const date of ['2027-03-31', '2027-05-31', null]) {
    assert.equal(units(lines, date), units(before, date) + units(own, date), `of ${date}`)
  }
  assert.deepEqual(
    lines.filter(([, , , picked]) => picked > 0).map(([date]) => date),
    before.filter(([, , , picked]) => picked > 0).map(([date]) => date),
  )
  const { body } = await floor.manager.get(`/lots?client_id=${client}`)
  assert.deepEqual(
    [...new Set((body as { items: { barcode: string }[] }).items.map((l) => l.barcode))],
    [kept],
  )
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.equal(
    (await floor.lines(kept)).reduce((sum, [, , quantity]) => sum + quantity, 0),
    7,
  )
  await floor.silent()
})

test('a product keeps dates from then on that the one merged into it kept, and those without dates are unknown', async () => {
  const floor = await openDated({ [kept]: 2, [other]: 2 })
  await floor.keep(other, 60)
  await floor.date(other, '2027-03-31', 1, 'L1')
  await floor.merge()
  assert.equal((await floor.lots(kept)).warn_days, 60)
  assert.deepEqual(await floor.lines(kept), [
    ['2027-03-31', 'L1', 1, 0],
    [null, '', 3, 0],
  ])
  await floor.silent()
})

test('what was received, picked and sent before the merging is undone and comes back with its date', async () => {
  const floor = await openDated({ [kept]: 1, [other]: 1 })
  const { client, manager, worker } = floor
  await floor.keep(other, 5)
  const items = [{ barcode: other, qty: 3, honest_mark: false }]
  const receipt = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await worker.post(`/receipts/${receipt.id}/start`))
  const scan = (scan_id: string, expires_on: string) =>
    worker.post(`/receipts/${receipt.id}/scans`, { scan_id, barcode: other, expires_on })
  good(await scan('1', '2027-02-28'))
  good(await scan('2', '2027-08-31'))
  good(
    await manager.post(`/clients/${client}/corrections`, {
      barcode: other,
      delta: -1,
      reason: 'LOST',
    }),
    201,
  )
  const sent = await ship(floor, [other], 'R')
  good(
    await floor.pick(sent.shipment.picking_task_id, {
      scan_id: 's',
      order_id: sent.first,
      barcode: other,
    }),
  )
  good(await worker.post(`/shipments/${sent.shipment.id}/close`, {}))
  const taken = await ship(floor, [other], 'U')
  const pick = { scan_id: 'u', order_id: taken.first, barcode: other }
  good(await floor.pick(taken.shipment.picking_task_id, pick))
  await floor.merge()
  await floor.silent()
  good(await worker.post(`/picking-tasks/${taken.shipment.picking_task_id}/picks/u/undo`))
  assert.deepEqual(await floor.lines(kept), [
    ['2027-08-31', '', 1, 0],
    [null, '', 1, 0],
  ])
  await floor.report(sent.first, 'cancel', 'canceled')
  const back = { scan_id: 'b', client_id: client, code: other, condition: 'sellable' }
  good(await worker.post('/returns/scans', back))
  assert.deepEqual(await floor.lines(kept), [
    ['2027-02-28', '', 1, 0],
    ['2027-08-31', '', 1, 0],
    [null, '', 1, 0],
  ])
  await floor.silent()
})

/** A tea set of two cups and a saucer. Three cups are good until April of the year, three until June; saucers have no dates. */
async function openTea(year: number) {
  const floor = await openDated({ CUP: 6, SAUCER: 4 })
  const product = `/clients/${floor.client}/products/KIT`
  good(await floor.manager.put(product, { name: 'Чайный набор' }), 201)
  const parts = [
    { barcode: 'CUP', qty: 2 },
    { barcode: 'SAUCER', qty: 1 },
  ]
  good(await floor.manager.put(`${product}/parts`, { parts }))
  await floor.keep('CUP', 10)
  await floor.date('CUP', `${year}-04-30`, 3, 'APR')
  await floor.date('CUP', `${year}-06-30`, 3, 'JUN')
  let picks = 0
  const pick = (task: string | null, order: string, barcode: string, from: object = {}) =>
    floor.pick(task, { scan_id: `pick ${++picks}`, order_id: order, barcode, ...from })
  return { ...floor, pickUnit: pick }
}

test('parts of a set are picked by the date that is first, leave with it and come back with it', async () => {
  const floor = await openTea(2027)
  const { client, cabinet, worker } = floor
  const box = good<{ id: string }>(await worker.post('/boxes', { client_id: client }), 201)
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: 'CUP', qty: 6 }))
  const { shipment, first } = await ship(floor, ['KIT'], 'S')
  const task = await floor.task(shipment)
  const cup = task.lines?.find(({ barcode }) => barcode === 'CUP')
  assert.equal(cup?.set?.barcode, 'KIT')
  assert.deepEqual(
    cup?.from.map(({ qty, expires_on }) => [qty, expires_on]),
    [[2, '2027-04-30']],
  )
  good(await floor.pickUnit(task.id, first, 'SAUCER'))
  for (const from of [{ box_id: box.id }, { box_id: box.id }]) {
    good(await floor.pickUnit(task.id, first, 'CUP', from))
  }
  assert.deepEqual(await floor.lines('CUP'), [
    ['2027-04-30', 'APR', 3, 2],
    ['2027-06-30', 'JUN', 3, 0],
  ])
  await floor.silent()
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(await floor.lines('CUP'), [
    ['2027-04-30', 'APR', 1, 0],
    ['2027-06-30', 'JUN', 3, 0],
  ])
  await floor.report(first, 'cancel', 'canceled')
  const batch = good<{ id: string }>(
    await worker.post('/returns', { client_id: client, cabinet_id: cabinet }),
    201,
  )
  const scan = { scan_id: 'r', code: 'CUP', condition: 'sellable' }
  good(await worker.post(`/returns/${batch.id}/scans`, scan))
  assert.deepEqual(await floor.lines('CUP'), [
    ['2027-04-30', 'APR', 2, 0],
    ['2027-06-30', 'JUN', 3, 0],
  ])
  await floor.silent()
})

test('sets are put together of what expires first, and what has expired is no part of one', async () => {
  const floor = await openTea(2027)
  const { client, worker } = floor
  const assemble = (qty: number) =>
    worker.post(`/clients/${client}/assemblies`, { kind: 'ASSEMBLE', barcode: 'KIT', qty })
  good(await assemble(1), 201)
  assert.deepEqual(await floor.lines('CUP'), [
    ['2027-04-30', 'APR', 1, 0],
    ['2027-06-30', 'JUN', 3, 0],
  ])
  const sold = await ship(floor, ['KIT', 'KIT'], 'X')
  const task = await floor.task(sold.shipment)
  clock.advance(Date.parse('2027-06-01T12:00:00+03:00') - clock.now())
  good(await floor.pickUnit(task.id, sold.orders[1]?.id ?? '', 'CUP'))
  good(await floor.pickUnit(task.id, sold.orders[1]?.id ?? '', 'CUP'))
  assert.deepEqual(await floor.lines('CUP'), [
    ['2027-04-30', 'APR', 1, 0],
    ['2027-06-30', 'JUN', 3, 2],
  ])
  clock.advance(Date.parse('2027-07-15T12:00:00+03:00') - clock.now())
  await questionExpired(service.db, clock)
  await floor.silent()
  assert.equal((await floor.stock('CUP'))[0], 4)
  assertRefused(await assemble(1), 'conflict')
  const late = await floor.orders({ [`late-${client}`]: 'KIT' })
  const { id } = await floor.open()
  assertRefused(
    await floor.add(
      id,
      late.map((order) => order.id),
    ),
    'conflict',
  )
})

test('an expired part is refused at the shelf of which nothing good is left', async () => {
  const floor = await openTea(2028)
  const sold = await ship(floor, ['KIT', 'KIT', 'KIT'], 'E')
  clock.advance(Date.parse('2028-08-15T12:00:00+03:00') - clock.now())
  const refused = await floor.pickUnit(sold.shipment.picking_task_id, sold.first, 'CUP')
  assertRefused(refused, 'conflict', 'срок годности всего остатка истёк')
  good(await floor.pickUnit(sold.shipment.picking_task_id, sold.first, 'SAUCER'))
  await floor.silent()
})

test('a count of parts makes their lots what was seen, while an order holds some of them', async () => {
  const floor = await openTea(2029)
  const { client, worker, manager } = floor
  const { shipment, first } = await ship(floor, ['KIT'], 'C')
  good(await floor.pickUnit(shipment.picking_task_id, first, 'CUP'))
  const scope = { barcodes: ['CUP', 'SAUCER'] }
  const draft = { client_id: client, scope }
  const { id } = good<{ id: string }>(await manager.post('/counts', draft), 201)
  good(await manager.post(`/counts/${id}/start`))
  const seen = [
    { scan_id: '1', code: 'CUP', qty: 1, expires_on: '30.04.30' },
    { scan_id: '2', code: 'CUP', qty: 3, expires_on: '30.06.29', lot_number: 'JUN' },
    { scan_id: '3', code: 'SAUCER', qty: 4 },
  ]
  for (const scan of seen) good(await worker.post(`/counts/${id}/scans`, scan))
  const reviewed = good<{ lines: { barcode: string; difference: number }[] }>(
    await manager.post(`/counts/${id}/review`).then(() => manager.get(`/counts/${id}`)),
  )
  for (const { barcode, difference } of reviewed.lines) {
    if (difference === 0) continue
    const decision = { outcome: 'correct', reason: 'COUNT' }
    good(await manager.post(`/counts/${id}/lines/${barcode}/accept`, decision))
  }
  good(await manager.post(`/counts/${id}/close`))
  await floor.silent()
  assert.deepEqual(await floor.lines('CUP'), [
    ['2029-04-30', 'APR', 1, 1],
    ['2029-06-30', 'JUN', 3, 0],
    ['2030-04-30', '', 1, 0],
  ])
})

test('units in question for another reason stay so when a date that has passed is corrected', async () => {
  const floor = await openDated({ [kept]: 10 })
  const { client, manager } = floor
  await floor.keep(kept, 10)
  await floor.date(kept, '2026-11-01', 5)
  await questionExpired(service.db, clock)
  const inQuestion = async () => {
    const found = await manager.get(`/clients/${client}/stock?barcode=${kept}`)
    return good<{ items: { in_question: number }[] }>(found).items[0]?.in_question
  }
  assert.equal(await inQuestion(), 5)
  const found = { barcode: kept, qty: 5, outcome: 'found' }
  good(await manager.post(`/clients/${client}/in-question/resolve`, found))
  const lost = { barcode: kept, qty: 3, reason: 'LOST' }
  good(await manager.post(`/clients/${client}/in-question`, lost), 201)
  const change = (entry_id: string, to_expires_on: string, qty: number) =>
    floor.worker.post(`/clients/${client}/products/${kept}/lots/changes`, {
      ...{ entry_id, to_expires_on, qty, expires_on: '2026-11-01' },
    })
  assertRefused(await change('wrong', '31.02.2028', 1), 'validation_error', 'Поле to_expires_on:')
  good(await change('redated', '2028-01-01', 5))
  assert.equal(await inQuestion(), 3, 'what is lost is not found by another date')
  await questionExpired(service.db, clock)
  assert.equal(await inQuestion(), 3)
  await floor.silent()
})

test('what has expired is in question once, also where dates were forgotten and are kept anew', async () => {
  const floor = await openDated({ [kept]: 10 })
  const { client, manager } = floor
  const figures = async () => {
    const found = await manager.get(`/clients/${client}/stock?barcode=${kept}`)
    return good<{ items: { in_question: number }[] }>(found).items[0]?.in_question
  }
  await floor.keep(kept, 10)
  await floor.date(kept, '2026-11-01', 4)
  assert.equal(await figures(), 4)
  good(await manager.delete(`/clients/${client}/products/${kept}/lots`))
  await floor.keep(kept, 10)
  await floor.date(kept, '2026-11-01', 4)
  assert.equal(await figures(), 4)
  await floor.date(kept, '2026-11-02', 1)
  await questionExpired(service.db, clock)
  assert.equal(await figures(), 5)
  await floor.silent()
})

test('units that were freed by a corrected date go in question anew when that one passes, beside others in question', async () => {
  const floor = await openDated({ [kept]: 10 })
  const { client, manager } = floor
  const reasons = async () => {
    const units = (await findUnitsInQuestion(service.db, client, kept)) ?? []
    return units.map((each) => `${each.reason} ${each.units}`).toSorted()
  }
  const lost = { barcode: kept, qty: 5, reason: 'LOST' }
  good(await manager.post(`/clients/${client}/in-question`, lost), 201)
  await floor.keep(kept, 10)
  await floor.date(kept, '2026-11-01', 3)
  assert.deepEqual(await reasons(), ['EXPIRED 3', 'LOST 5'])
  const change = async (expires_on: string, to_expires_on: string) => {
    const entry = { entry_id: to_expires_on, qty: 3, expires_on, to_expires_on }
    good(await floor.worker.post(`/clients/${client}/products/${kept}/lots/changes`, entry))
  }
  await change('2026-11-01', '2030-01-01')
  assert.deepEqual(await reasons(), ['LOST 5'])
  await change('2030-01-01', '2026-11-02')
  assert.deepEqual(await reasons(), ['EXPIRED 3', 'LOST 5'])
  await floor.silent()
})
