import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { MarkKind } from '../../src/warehouse/orders/fact-kinds.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { openShipmentOf } from '../support/marked-orders.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { at, newOrder, noon } from '../support/warehouse.ts'

/** Marks of units reach the marketplace before the hand-over. */
const wb = await startFakeWildberries()
after(() => wb.close())
const service = await startService({ WB_BASE_URL: wb.baseUrl, SYNC_INTERVAL: '1h' })
const { db } = service
const barcode = ean13('460000000081')

const kindsOfWb: Readonly<Record<string, MarkKind>> = { customsDeclaration: 'customs_declaration' }

/** An open shipment of one order for each list of marks that WB requires. */
async function openOrders(...required: readonly (readonly string[])[]) {
  const wanted = required.map((requiredMeta) => ({
    raw: { requiredMeta },
    requiredMarks: requiredMeta.map((key) => kindsOfWb[key] ?? key),
  }))
  const { taskId: task, ...floor } = await openShipmentOf({ service, wb, barcode }, wanted)
  const { account, ids, numbers } = floor
  return {
    ...floor,
    task,
    take: async (n: number, marks: object) =>
      good(await floor.pick(task, { scan_id: `s${n}`, order_id: ids[n], barcode, marks })),
    give: (n: number, marks: object) =>
      floor.worker.put(`/picking-tasks/${task}/picks/s${n}/marks`, marks),
    marksOf: (n: number) => wb.marksOf(account, numbers[n] ?? ''),
    sent: () =>
      wb.calls().filter(({ method, path }) => {
        return method === 'PUT' && numbers.some((number) => path.includes(`/${number}/meta/`))
      }).length,
  }
}

test('WB gets each kind of mark in its own form before the hand-over', async () => {
  const kinds = ['uin', 'imei', 'gtin', 'expiration', 'customsDeclaration']
  const floor = await openOrders(kinds, [])
  await floor.take(0, {
    uin: '8000000000000001',
    imei: '490154203237518',
    gtin: '04600000000039',
    expiration: '2099-12-31',
    customs_declaration: '10704010/010624/0000302',
  })
  // WB does not want it of this order.
  await floor.take(1, { gtin: '4600000000039' })
  assert.equal(good<StaffShipment>(await floor.close()).status, 'HANDED_OVER')
  assert.deepEqual(floor.marksOf(0), {
    uin: '8000000000000001',
    imei: '490154203237518',
    gtin: '4600000000039',
    expiration: '31.12.2099',
    customsDeclaration: '10704010/010624/0000302',
  })
  assert.deepEqual(floor.marksOf(1), {})
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (wildberries): A repeated hand-over sends only the marks that WB does not have.
test('a hand-over that is repeated sends only the marks that WB has not', async () => {
  const floor = await openOrders(['uin'], ['uin'])
  await floor.take(0, { uin: '8000000000000002' })
  await floor.take(1, { uin: '8000000000000003' })
  wb.failNext(
    1,
    { status: 409, body: { code: 'FulfillmentSupplyBoxesRequired', message: '' } },
    '/deliver',
  )
  assert.notEqual((await floor.close()).status, 200)
  assert.equal(floor.sent(), 2)
  good(await floor.give(1, { uin: '8000000000000004' }))
  good(await floor.close())
  assert.equal(floor.sent(), 3)
  assert.deepEqual(
    [floor.marksOf(0).uin, floor.marksOf(1).uin],
    ['8000000000000002', '8000000000000004'],
  )
})

test('WB forgets the mark of a unit that was put back, and keeps what the seller entered', async () => {
  const floor = await openOrders(['imei'], ['imei'])
  const [first = '', second = ''] = floor.numbers
  wb.wantMarks(floor.account, first, ['uin', 'imei', 'gtin'])
  await floor.take(0, { uin: '8000000000000009', imei: '353879234253003' })
  await floor.take(1, { imei: '353879234253011' })
  wb.failNext(
    1,
    { status: 409, body: { code: 'FulfillmentSupplyBoxesRequired', message: '' } },
    '/deliver',
  )
  assert.notEqual((await floor.close()).status, 200)
  wb.enterMark(floor.account, first, 'gtin', '4600000000039')
  good(await floor.worker.post(`/picking-tasks/${floor.task}/picks/s0/undo`))
  good(
    await floor.pick(floor.task, {
      scan_id: 'again',
      order_id: floor.ids[0],
      barcode,
      marks: { imei: '353879234253029' },
    }),
  )
  wb.failNext(
    1,
    { status: 409, body: { code: 'FailedToUpdateMeta', message: '' } },
    `${first}/meta`,
  )
  assertRefused(await floor.close(), 'conflict', 'остался УИН прежней единицы')
  good(await floor.close())
  assert.deepEqual(floor.marksOf(0), { imei: '353879234253029', gtin: '4600000000039' })
  assert.deepEqual(wb.marksOf(floor.account, second), { imei: '353879234253011' })
})

test('WB deletes no expiration date: that of the next unit replaces it, and until then nothing leaves', async () => {
  const floor = await openOrders(['uin'])
  const [number = ''] = floor.numbers
  wb.wantMarks(floor.account, number, ['uin', 'expiration'])
  await floor.take(0, { uin: '8000000000000012', expiration: '2099-12-31' })
  wb.failNext(
    1,
    { status: 409, body: { code: 'FulfillmentSupplyBoxesRequired', message: '' } },
    '/deliver',
  )
  assert.notEqual((await floor.close()).status, 200)
  good(await floor.worker.post(`/picking-tasks/${floor.task}/picks/s0/undo`))
  const uin = '8000000000000013'
  const again = { scan_id: 'again', order_id: floor.ids[0], barcode, marks: { uin } }
  good(await floor.pick(floor.task, again))
  assertRefused(await floor.close(), 'conflict', 'остался срок годности прежней единицы')
  // WB does not say what it has.
  wb.failNext(1, { status: 404, body: { code: 'NotFound', message: '' } }, 'v3/orders/meta')
  assert.equal((await floor.close()).status, 409)
  const calls = wb.calls().filter(({ account }) => account === floor.account.id)
  assert.equal(calls.filter(({ path }) => path.endsWith('/deliver')).length, 1)
  assert.deepEqual(
    calls.filter(({ method }) => method === 'DELETE'),
    [],
  )
  const path = `/picking-tasks/${floor.task}/picks/again/marks`
  good(await floor.worker.put(path, { expiration: '2099-11-30' }))
  good(await floor.close())
  assert.deepEqual(floor.marksOf(0), { uin, expiration: '30.11.2099' })
})

test('an expiration date that is too near for WB is named with what to do', async () => {
  const floor = await openOrders(['expiration'])
  await floor.take(0, { expiration: '2099-12-31' })
  const body = { code: 'LowExpirationDate', message: '' }
  wb.failNext(1, { status: 400, body }, `${floor.numbers[0]}/meta`)
  assertRefused(await floor.close(), 'conflict', 'до него меньше 30 дней. Уберите заказ')
  good(await floor.close())
})

test('a mark that WB refuses is named with its order, and corrected', async () => {
  const floor = await openOrders(['uin'], ['uin'])
  await floor.take(0, { uin: '8000000000000005' })
  await floor.take(1, { uin: '8000000000000006' })
  const [, second = ''] = floor.numbers
  wb.failNext(
    1,
    { status: 409, body: { code: 'FailedToUpdateMeta', message: '' } },
    `${second}/meta`,
  )
  const refused = await floor.close()
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.message, new RegExp(`не принял УИН 8000000000000006 заказа ${second}`))
  good(await floor.close())
})

test('a batch with one order that lacks a mark is not handed over before it has it', async () => {
  const floor = await openOrders(['uin'], [])
  await floor.take(0, { uin: '8000000000000007' })
  await floor.take(1, {})
  await at(db, noon + 1, async (work) => {
    const lines = [{ barcode, quantity: 1, requiredMarks: ['imei'] }]
    const draft = { ...newOrder(floor.numbers[1] ?? '', barcode), lines }
    await takeInOrders(work, floor.client, floor.cabinet, [draft])
  })
  assertRefused(await floor.close(), 'conflict', `заказ ${floor.numbers[1]}`)
  assert.equal(floor.sent(), 0)
  good(await floor.give(1, { imei: '356938035643809' }))
  assert.equal(good<StaffShipment>(await floor.close()).status, 'HANDED_OVER')
})

// Guarantee (wildberries): A lost answer leaves each mark at WB once.
test('a lost answer to a mark or to the hand-over leaves each mark at WB once', async () => {
  const floor = await openOrders(['uin'], ['imei'])
  await floor.take(0, { uin: '8000000000000008' })
  await floor.take(1, { imei: '353879234252633' })
  wb.failNext(3, { status: 502, body: {}, done: true }, '/meta/uin')
  assert.notEqual((await floor.close()).status, 500)
  wb.heal()
  wb.failNext(3, { status: 502, body: {}, done: true }, '/deliver')
  assert.notEqual((await floor.close()).status, 500)
  wb.heal()
  await floor.close()
  assert.equal((await floor.order(floor.ids[0] ?? '')).status, 'IN_DELIVERY')
  assert.deepEqual(floor.marksOf(0), { uin: '8000000000000008' })
  assert.deepEqual(floor.marksOf(1), { imei: '353879234252633' })
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (wildberries): An order without a customs declaration holds up no other order's sticker.
test('a customs declaration reaches WB before the sticker, and the others print without it', async () => {
  const floor = await openOrders(['customsDeclaration'], [], ['customsDeclaration'])
  const [declared = '', free = '', bare = ''] = floor.numbers
  const notesOf = async () => {
    const task = good<PickingTask>(await floor.worker.get(`/picking-tasks/${floor.task}`))
    const lines = new Map(task.lines?.map((line) => [line.order_external_id, line.notes]))
    return floor.numbers.map((number) => (lines.get(number) ?? []).join())
  }
  const [before, none] = await notesOf()
  assert.match(before ?? '', /после номера таможенной декларации: введите его до печати/)
  assert.equal(none, '')
  await floor.take(0, { customs_declaration: '10704010/010624/0000302' })
  assert.equal((await notesOf())[0], '')
  const path = `/staff/v1/shipments/${floor.shipment.id}/stickers`
  const headers = { authorization: `Bearer ${floor.worker.token}` }
  const printed = await fetch(`${service.baseUrl}${path}`, { headers })
  assert.equal(printed.status, 200)
  assert.equal(printed.headers.get('x-missing-labels'), bare)
  assert.match(await printed.text(), /таможенной/)
  assert.equal(floor.marksOf(0).customsDeclaration, '10704010/010624/0000302')
  for (const number of [declared, free]) {
    const order = floor.ids[floor.numbers.indexOf(number)]
    const one = await fetch(`${service.baseUrl}/staff/v1/orders/${order}/sticker`, { headers })
    assert.equal(one.status, 200, number)
  }
  const alone = await floor.worker.get(`/orders/${floor.ids[2]}/sticker`)
  assertRefused(alone, 'conflict', 'без номера таможенной декларации: введите его')
  assert.equal(floor.sent(), 1)
})
