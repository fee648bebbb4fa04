import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { hour, type Instant, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { ordersOf as foundByCode } from '../../src/warehouse/lookup/papers.ts'
import type { OrderDraft } from '../../src/warehouse/orders/draft.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { applyReadings } from '../../src/warehouse/orders/readings.ts'
import { findStaffOrder } from '../../src/warehouse/orders/staff-queries.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import { cabinetState, openScene } from '../support/sync-scene.ts'
import { at, makeClient, newOrder, noon } from '../support/warehouse.ts'

/** Facts of orders in later reports. */
const scene = await openScene()
const { db, wb, ozon } = scene

async function orderOf(clientId: string, externalId: string): Promise<StaffOrder> {
  const [row] = await db<{ id: string }[]>`
    select id from orders where client_id = ${clientId} and external_id = ${externalId}`
  const order = await findStaffOrder(db, clientId, row?.id ?? '')
  assert.ok(order)
  return order
}

test('a WB order keeps what the list of all orders leaves out, and gets what it names', async () => {
  const { account, clientId } = await scene.connect(wb)
  const full = {
    ddate: '30.11.2099',
    comment: 'В плёнку',
    requiredMeta: ['uin'],
    optionalMeta: ['sgtin'],
    cargoType: 1,
  }
  const externalId = wb.addOrder(account, { raw: full })
  await scene.sync()
  const first = await orderOf(clientId, externalId)
  assert.equal(first.deadline, '2099-11-30T23:59:59.999+03:00')
  assert.deepEqual([first.comment, first.cargo_type, first.scheme], ['В плёнку', '1', 'fbs'])
  assert.equal(first.cancellable, true)
  assert.deepEqual(first.lines[0]?.required_marks, ['uin'])
  assert.deepEqual(first.lines[0]?.optional_marks, ['marking_code'])

  const status = { supplier: 'complete', buyer: 'waiting' }
  wb.addOrder(account, { externalId, status, raw: { cargoType: 3 } })
  await scene.sync()
  const later = await orderOf(clientId, externalId)
  assert.deepEqual(later, {
    ...first,
    cargo_type: '3',
    cancellable: false,
    status: 'IN_DELIVERY',
    status_label: later.status_label,
    marketplace_status: later.marketplace_status,
    synced_at: later.synced_at,
  })
})

test('an OZON order is found by each code of its label, also after it was read alone', async () => {
  const { account, clientId } = await scene.connect(ozon)
  const externalId = ozon.addOrder(account)
  await scene.sync()
  await scene.sync()
  const { id, label_codes: codes = [] } = await orderOf(clientId, externalId)
  const number = externalId.split('-')[0]
  assert.deepEqual(codes, [`ii${number}`, `%101%${number}`, number])
  const [alone] = await db`
    select details_of is not null as read from order_facts where order_id = ${id}`
  assert.ok(alone?.read)
  for (const code of codes) {
    const [found] = await foundByCode(db, code, { seen: db`k.id = ${clientId}`, limit: 5 })
    assert.equal(found?.id, id, code)
  }
})

test('orders of OZON are due when lateness begins, and staff read what it costs', async () => {
  const { account, clientId } = await scene.connect(ozon)
  const in2099 = (day: number) => `2099-11-${day}T09:00:00Z`
  const rubles = (amount: string) => ({ amount, currency: 'RUB' })
  const first = ozon.addOrder(account, {
    raw: { shipment_date: in2099(20), shipment_date_without_delay: in2099(23) },
  })
  const tariffication_steps = [
    {
      tariff_type: 'no_discount',
      tariff_rate: 0,
      tariff_charge: rubles('0'),
      tariff_deadline_at: in2099(21),
    },
    {
      tariff_type: 'commission',
      tariff_rate: 3,
      tariff_charge: rubles('150'),
      tariff_deadline_at: '9999-12-31T23:59:59.999999900Z',
    },
  ]
  const second = ozon.addOrder(account, {
    raw: {
      shipment_date: in2099(21),
      shipment_date_without_delay: in2099(22),
      tariffication_steps,
    },
  })
  const third = ozon.addOrder(account, {
    raw: {
      shipment_date: in2099(25),
      shipment_date_without_delay: null,
      tariffication: null,
      tariffication_steps: [],
    },
  })
  await scene.sync()
  const due = await db<{ number: string }[]>`
    select external_id as number from orders where client_id = ${clientId} order by deadline_at`
  assert.deepEqual(
    due.map(({ number }) => number),
    [second, first, third],
  )
  assert.deepEqual((await orderOf(clientId, second)).lateness_costs, [
    {
      until: '2099-11-21T12:00:00.000+03:00',
      tariff: 'no_discount',
      percent: 0,
      amount: '0',
      currency: 'RUB',
    },
    { until: null, tariff: 'commission', percent: 3, amount: '150', currency: 'RUB' },
  ])
  const without = await orderOf(clientId, third)
  assert.equal(without.lateness_costs, undefined)
  assert.equal(without.deadline, '2099-11-25T12:00:00.000+03:00')
})

test('a later report of OZON moves the deadline, changes the marks and tells who cancelled', async () => {
  const { account, clientId, cabinetId } = await scene.connect(ozon)
  const card = ozon.addCard(account, { honestMark: true })
  const lines = [{ itemId: card.itemId, article: card.article, barcode: 'B', quantity: 1 }]
  const externalId = ozon.addOrder(account, {
    lines,
    raw: { shipment_date_without_delay: '2099-11-30T09:00:00Z' },
  })
  await scene.sync()
  const first = await orderOf(clientId, externalId)
  assert.equal(first.deadline, '2099-11-30T12:00:00.000+03:00')
  assert.deepEqual(first.warehouse, { id: '22100', name: 'Склад FBS' })
  assert.deepEqual(first.lines[0]?.required_marks, ['marking_code'])
  assert.equal(first.label_codes?.length, 3)

  ozon.addOrder(account, {
    externalId,
    lines,
    status: { supplier: 'cancelled', buyer: 'posting_canceled' },
    raw: {
      shipment_date_without_delay: '2099-12-01T09:00:00Z',
      requirements: { products_requiring_mandatory_mark: [] },
      cancellation: { cancel_reason: 'Передумал', cancellation_initiator: 'Покупатель' },
    },
  })
  await scene.sync()
  const later = await orderOf(clientId, externalId)
  assert.equal(later.deadline, '2099-12-01T12:00:00.000+03:00')
  assert.deepEqual([later.cancel_reason, later.cancelled_by], ['Передумал', 'Покупатель'])
  assert.deepEqual([later.cancellable, later.lines[0]?.required_marks], [false, []])
  assert.equal((await orderOf(clientId, externalId)).cabinet_id, cabinetId)
  assert.deepEqual((await audit(db)).findings, [])
})

for (const shipments of ['ours', 'mirrored'] as const) {
  test(`what is on a WB sticker is known wherever it is printed, once the order is in a supply (${shipments})`, async () => {
    const { account, clientId, cabinetId } = await scene.connect(wb, { shipments })
    const confirmed = { supplier: 'confirm', buyer: 'waiting' }
    const printed = wb.addOrder(account, { status: confirmed })
    const undeclared = wb.addOrder(account, { status: confirmed })
    wb.requireDeclaration(account, undeclared)
    const fresh = wb.addOrder(account)
    const codesOf = async (number: string) => (await orderOf(clientId, number)).label_codes
    const asked = () =>
      wb
        .calls()
        .filter(({ account: of, path }) => of === account.id && path === '/api/v3/orders/stickers')
        .length
    const syncLater = async () => {
      await db`update cabinet_syncs set labels_at = null where cabinet_id = ${cabinetId}`
      await scene.sync()
    }
    await scene.sync()
    const label = (number: string) => [`!${number}`, `${number} 0001`, `${number}0001`]
    assert.deepEqual(await codesOf(printed), label(printed))
    assert.equal(await codesOf(undeclared), undefined)
    assert.equal(await codesOf(fresh), undefined)
    const first = asked()
    assert.ok(first > 0)
    await syncLater()
    assert.equal(asked(), first, 'nothing new to ask about')

    wb.setStatus(account, fresh, confirmed)
    wb.failNext(1, { status: 400, body: { code: 'IncorrectRequest' } }, '/orders/stickers')
    await syncLater()
    assert.equal(await codesOf(fresh), undefined)
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
    await db`
      update order_facts set label_asked_at = label_asked_at - interval '1 day' where client_id = ${clientId}`
    await syncLater()
    assert.deepEqual(await codesOf(fresh), label(fresh))
    assert.deepEqual((await audit(db)).findings, [])
  })
}

test('a report that was under way for long changes no fact and no mark', async () => {
  const { id: clientId, cabinets } = await makeClient(db)
  const [cabinetId = ''] = cabinets
  const report = (comment: string): OrderDraft => ({
    ...newOrder('late', 'B'),
    lines: [{ barcode: 'B', quantity: 1, requiredMarks: [comment] }],
    facts: { comment, deadline: noon },
  })
  const take = (now: Instant, comment: string) =>
    at(db, now, (work) => takeInOrders(work, clientId, cabinetId, [report(comment)], true))
  await take(noon, 'first')
  await take(noon + hour, 'second')
  await take(noon + hour / 2, 'between')
  const { reading } = newOrder('late', 'B')
  assert.ok(reading)
  const between = { externalId: 'late', reading, facts: { comment: 'status' } }
  await at(db, noon + hour / 2, (work) => applyReadings(work, clientId, cabinetId, [between]))
  const order = await orderOf(clientId, 'late')
  assert.equal(order.comment, 'second')
  assert.deepEqual(order.lines[0]?.required_marks, ['second'])
  assert.equal(order.deadline, toTimestamp(noon))
})

test('a cancelled posting of OZON counts as sorted only where a sorted substatus was seen', async () => {
  const { account, clientId } = await scene.connect(ozon)
  const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }
  const seen = ozon.addOrder(account, {
    status: { supplier: 'delivering', buyer: 'posting_in_courier_service' },
  })
  const packed = ozon.addOrder(account)
  await scene.sync()
  for (const externalId of [seen, packed]) {
    const raw = { cancellation: { cancelled_after_ship: true } }
    ozon.addOrder(account, { externalId, status: cancelled, raw })
  }
  await scene.sync()
  const rows = await db<{ number: string; sorted: boolean }[]>`
    select external_id as number, sorted from orders where client_id = ${clientId}`
  const sorted = rows.filter((row) => row.sorted).map(({ number }) => number)
  assert.deepEqual([rows.length, sorted], [2, [seen]])
  assert.deepEqual((await audit(db)).findings, [])
})
