import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { type OzonRequirement, startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

/** Marks of units from OZON's demand to the pick, and from the pick to OZON. */
const fake = await startFakeOzon()
after(() => fake.close())
const service = await startService(
  {
    OZON_BASE_URL: fake.baseUrl,
    SYNC_INTERVAL: '1h',
    OZON_LIST_PAUSE: '1ms',
  },
  'all',
)
const { db } = service
const barcode = '4600000000015'
const declaration = '10704010/010624/0000302'

type OnlyAlone = { readonly is_multibox: true }

/** A connected cabinet with an open shipment of one order for each list of required marks. */
async function openOrders(...required: readonly (readonly OzonRequirement[] | OnlyAlone)[]) {
  const floor = await openFloor(service, { [barcode]: 10 })
  const account = fake.account()
  const { itemId, article } = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId, article, barcode, quantity: 1 }
  const numbers = required.map((kinds) => {
    if ('is_multibox' in kinds) return fake.addOrder(account, { lines: [line], raw: kinds })
    const number = fake.addOrder(account, { lines: [line] })
    fake.require(account, number, ...kinds)
    return number
  })
  const { credentials } = account
  const draft = { marketplace: 'OZON', name: 'OZON', credentials, shipments: 'ours' }
  const made = await floor.manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  good(await floor.manager.patch(`/cabinets/${cabinet}`, { warehouses: [fake.ownWarehouse] }))
  const path = `/orders?client_id=${floor.client}&limit=100`
  const orders = async () => good<{ items: StaffOrder[] }>(await floor.worker.get(path)).items
  await eventually('orders are there', async () => (await orders()).length === numbers.length)
  const known = await orders()
  await eventually('single orders are read', async () => {
    const rows = await db`
      select from order_facts where client_id = ${floor.client} and details_of is null`
    return rows.length === 0
  })
  const ids = numbers.map((number) => known.find((one) => one.external_id === number)?.id ?? '')
  const opening = { cabinet_id: cabinet, external_id: '1', order_ids: ids }
  const shipment = good<StaffShipment>(await floor.worker.post('/shipments', opening), 201)
  const task = shipment.picking_task_id
  return {
    ...floor,
    account,
    itemId,
    ids,
    shipment,
    task,
    number: (n: number) => numbers[n] ?? '',
    take: (n: number, marks: object) =>
      floor.pick(task, { scan_id: `s${n}`, order_id: ids[n], barcode, marks }),
    give: (n: number, marks: object) =>
      floor.worker.put(`/picking-tasks/${task}/picks/s${n}/marks`, marks),
    close: () => floor.worker.post(`/shipments/${shipment.id}/close`),
    exemplar: (n: number) => fake.exemplarsOf(account, numbers[n] ?? '')[0],
    sets: () =>
      fake.calls().filter((call) => call.account === account.id && /exemplar\/set/.test(call.path)),
    async inDelivery() {
      const after = await orders()
      assert.deepEqual(
        after.map(({ status }) => status),
        after.map(() => 'IN_DELIVERY'),
      )
    },
  }
}

test('what OZON requires is asked for at the pick, and OZON has it at the hand-over', async () => {
  const floor = await openOrders(['gtd'], ['rnpt', 'country'], ['jw_uin'], ['imei'], [])
  const marks = [
    { customs_declaration: declaration },
    { rnpt: null, country: 'CN' },
    { uin: '8100000000000001' },
    { imei: '490154203237518' },
    {},
  ]
  for (const [n, kind] of [
    [0, 'customs_declaration'],
    [1, 'country'],
    [2, 'uin'],
    [3, 'imei'],
  ] as const) {
    assertRefused(await floor.take(n, {}), 'validation_error', kind)
  }
  for (const [n, given] of marks.entries()) good(await floor.take(n, given))
  assert.equal(good<StaffShipment>(await floor.close()).status, 'HANDED_OVER')
  assert.equal(floor.exemplar(0)?.gtd, declaration)
  assert.equal(floor.exemplar(1)?.is_rnpt_absent, true)
  assert.deepEqual(fake.countriesOf(floor.account, floor.number(1)), { [floor.itemId]: 'CN' })
  assert.deepEqual(floor.exemplar(2)?.marks, [{ mark: '8100000000000001', mark_type: 'jw_uin' }])
  assert.deepEqual(floor.exemplar(3)?.marks, [{ mark: '490154203237518', mark_type: 'imei' }])
  const [there] = fake.shipments(floor.account)
  assert.deepEqual(there?.orders.length, 5)
  await floor.inDelivery()
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (ozon): Closing a shipment while OZON checks marks says so, and closing it again names a bad mark.
test('a mark that OZON still checks when the shipment is closed and then refuses is named with its order, and corrected', async () => {
  const floor = await openOrders(['gtd', 'imei'], [])
  fake.injectFaults(floor.account, floor.number(0), { unknownCodes: [declaration], checkPolls: 1 })
  const sent = fake.called('exemplar/set')
  good(await floor.take(0, { customs_declaration: declaration, imei: '356938035643809' }))
  good(await floor.take(1, {}))
  await sent
  assertRefused(
    await floor.close(),
    'conflict',
    `ещё проверяет данные единиц заказа ${floor.number(0)}`,
  )
  const refused = await floor.close()
  assertRefused(refused, 'conflict', `декларации ${declaration} (INVALID_GTD_FORMAT)`)
  assert.equal(floor.sets().length, 1)
  assert.match(refused.message, new RegExp(`заказе ${floor.number(0)}.*в задании на сборку`))
  assert.deepEqual(await floor.stock(barcode), [10, 2])
  good(await floor.give(0, { customs_declaration: null }))
  assert.equal(good<StaffShipment>(await floor.close()).status, 'HANDED_OVER')
  assert.deepEqual(
    [floor.exemplar(0)?.gtd, floor.exemplar(0)?.is_gtd_absent, floor.exemplar(0)?.marks.length],
    ['', true, 1],
  )
  assert.deepEqual(await floor.stock(barcode), [8, 0])
})

test('the weight and several boxes, which OZON names of single postings alone, are asked for at the pick', async () => {
  const floor = await openOrders(['weight'], [], { is_multibox: true })
  assertRefused(await floor.take(0, {}), 'validation_error', 'вес')
  good(await floor.take(0, { weight: '0450' }))
  good(await floor.take(1, {}))
  good(await floor.take(2, {}))
  const lines = good<PickingTask>(await floor.worker.get(`/picking-tasks/${floor.task}`)).lines
  assert.deepEqual(
    lines?.map(({ notes }) => notes.some((note) => note.includes('в нескольких коробках'))).sort(),
    [false, false, true],
  )
  assert.equal((await floor.order(floor.ids[2] ?? '')).needs_boxes, true)
  assertRefused(await floor.close(), 'conflict', 'укажите их число')
  good(await floor.worker.put(`/orders/${floor.ids[2]}/boxes`, { count: 2 }))
  assert.equal((await floor.order(floor.ids[2] ?? '')).needs_boxes, undefined)
  good(await floor.close())
  assert.equal(floor.exemplar(0)?.weight, 0.45)
})

test('lost answers to marks and to packing leave each mark at OZON once', async () => {
  const floor = await openOrders(['gtd', 'country'], ['imei'])
  good(await floor.take(0, { customs_declaration: declaration, country: 'TR' }))
  good(await floor.take(1, { imei: '353879234252633' }))
  for (const path of ['country/set', 'exemplar/set', 'exemplar/status', '/fbs/ship', '/approve']) {
    fake.failNext(4, { status: 502, body: {}, done: true }, path)
    assert.notEqual((await floor.close()).status, 500)
    fake.heal()
  }
  await eventually('it is handed over', async () => {
    await floor.close()
    return (await floor.order(floor.ids[0] ?? '')).status === 'IN_DELIVERY'
  })
  assert.equal(floor.exemplar(0)?.gtd, declaration)
  assert.deepEqual(floor.exemplar(1)?.marks, [{ mark: '353879234252633', mark_type: 'imei' }])
  assert.deepEqual(fake.countriesOf(floor.account, floor.number(0)), { [floor.itemId]: 'TR' })
  assert.equal(fake.shipments(floor.account).length, 1)
  await floor.inDelivery()
  assert.deepEqual((await audit(db)).findings, [])
})
