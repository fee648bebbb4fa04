import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { testProvider } from '../support/warehouse.ts'

const day = 24 * 3_600_000
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const floor = await openFloor(service, { A: 3 })
const { warehouse_code: code } = good<{ warehouse_code: string }>(
  await admin.get(`/clients/${floor.client}`),
)
const at = (path: string) => `/clients/${floor.client}${path}`

interface Items<T> {
  readonly items: T[]
  readonly total: number
}
interface Line {
  readonly day: string
  readonly service: string
  readonly quantity: string
  readonly amount: string
  readonly source: { readonly kind: string; readonly id: string; readonly number: string | null }
}
interface Due {
  readonly client_id: string
  readonly client_name: string
  readonly period: string
  readonly amount: string
}
interface Sum {
  readonly amount: string
  readonly services: { service: string; quantity: string; amount: string }[]
}

const flat = (price: string) => [{ up_to: null, price }]

// Guarantee (billing): Every charge names what it is for, and the charges add up to the act.
test('a month is charged by what was scanned, closed with an act, and its seller reads both', async () => {
  good(await admin.put(`/warehouses/${code}/billing-providers`, testProvider))
  const own = { code: 'OWN_PHOTO', name: 'Фото товара', unit: 'шт.' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const prices = [
    { service: 'ORDER_PACKED', steps: [{ up_to: 1, price: '40' }, ...flat('35.50')] },
    { service: 'FURTHER_UNIT', steps: flat('5') },
    { service: 'OWN_PHOTO', steps: flat('15') },
  ]
  const tariff = { first_day: '2026-11-01', prices, free_days: 0 }
  good(await admin.post(`/warehouses/${code}/tariffs`, tariff), 201)
  const cheaper = {
    first_day: '2026-11-01',
    prices: [{ service: 'FURTHER_UNIT', steps: flat('4') }],
  }
  good(await admin.post(at('/tariffs'), cheaper), 201)

  good(await admin.post(at('/charges/recount')))

  const orders = await floor.orders({ N1: 'A', N2: 'A' })
  const shipment = await floor.filled(orders)
  for (const [index, { id }] of orders.entries()) {
    const pick = { scan_id: `pick ${index}`, order_id: id, barcode: 'A' }
    good(await floor.pick(shipment.picking_task_id, pick))
    clock.advance(60_000)
  }
  const state = good<{ unpriced: { name: string }[] }>(
    await admin.get(at('/billing-periods/2026-11-01')),
  )
  const unpriced = state.unpriced.map(({ name }) => name)
  assert.ok(!unpriced.includes('Сборка заказа'), 'it has a price, though nobody has counted since')
  const photos = { service: 'OWN_PHOTO', quantity: '2', comment: 'Для карточки' }
  good(await admin.post(at('/manual-charges'), photos), 201)
  clock.advance(5 * 60_000)
  const sum = good<Sum>(await admin.post(at('/charges/recount')))
  assert.deepEqual(
    sum.services.map(({ service, quantity, amount }) => [service, quantity, amount]),
    [
      ['ORDER_PACKED', '2', '75.50'],
      ['OWN_PHOTO', '2', '30.00'],
    ],
  )
  assert.equal(sum.amount, '105.50')
  const { items } = good<Items<Line>>(await admin.get(at(`/charges?source=order:${orders[0]?.id}`)))
  assert.deepEqual(
    items.map(({ amount, source }) => [amount, source.kind, source.number]),
    [['40.00', 'order', 'N1']],
  )

  const close = () => admin.post(at('/billing-periods/2026-11-01/close'))
  assertRefused(await close(), 'conflict', 'ещё не закончился')
  const due = async () => {
    const path = `/warehouses/${code}/due-billing-periods`
    const { items } = good<Items<Due>>(await admin.get(path))
    return items.filter(({ client_id }) => client_id === floor.client)
  }
  assert.deepEqual(await due(), [])
  clock.advance(13 * day)
  good(await admin.post(at('/charges/recount')))
  const [{ client_id: id = '', client_name: name = '', ...waits } = {}] = await due()
  assert.ok(id === floor.client && name !== '')
  assert.deepEqual(waits, { period: '2026-11-01', amount: '105.50' })
  const act = good<{ id: string; amount: string; vat: string; total: string; number: number }>(
    await close(),
    201,
  )
  assert.deepEqual([act.amount, act.vat, act.total, act.number], ['105.50', '23.21', '128.71', 1])
  assertRefused(await close(), 'conflict', 'уже закрыт')
  assert.deepEqual(await due(), [])
  const late = { ...photos, day: '2026-11-28' }
  assertRefused(await admin.post(at('/manual-charges'), late), 'conflict', 'закрыт')
  assertRefused(await admin.post(at('/tariffs'), cheaper), 'validation_error', 'уже закрыт')

  const seller = await accountUser({ ...service, clock }, { [floor.client]: 'owner' })
  const acts = (await seller.get('/acts')).body as Items<{ id: string }>
  assert.deepEqual(
    acts.items.map(({ id }) => id),
    [act.id],
  )
  const charges = (await seller.get('/charges?period=2026-11-01')).body as Items<Line>
  const kopecks = charges.items.reduce((all, { amount }) => all + Number(amount) * 100, 0)
  assert.equal(Math.round(kopecks), 10_550)
  const read = (await seller.get('/charges/summary?from=2026-11-01&to=2026-12-01')).body as Sum
  assert.equal(read.amount, '105.50')
})

// It was written down and nobody ever read it, and another client's object was taken as well.
test('a charge by hand leads to the object that it was for, of its own client alone', async () => {
  const own = { code: 'OWN_GIFT', name: 'Подарок', unit: 'шт.' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const [order] = await floor.orders({ N9: 'A' })
  const stranger = await openFloor(service, { A: 1 })
  const [foreign] = await stranger.orders({ N9: 'A' })
  const draft = { service: own.code, quantity: '1', price: '20', comment: 'Лента' }
  const charge = (kind: string, id = '') =>
    admin.post(at('/manual-charges'), { ...draft, object: { kind, id } })
  for (const [kind, id] of [
    ['order', foreign?.id],
    ['receipt', order?.id],
    ['order', 'N9'],
  ] as const)
    assertRefused(await charge(kind, id), 'validation_error', 'object.id')
  good(await charge('order', order?.id), 201)
  const list = `/charges?service=${own.code}`
  const { items } = good<Items<{ source: object; object: object }>>(await admin.get(at(list)))
  const object = { kind: 'order', id: order?.id }
  assert.deepEqual(
    items.map((each) => [each.object, { ...each.source, id: '' }]),
    [[object, { kind: 'manual', id: '', number: 'N9', comment: 'Лента' }]],
  )
  const ofOrder = good<Items<object>>(await admin.get(at(`/charges?source=order:${order?.id}`)))
  assert.deepEqual(ofOrder.items, items)
})

test('money is seen by administrators, and by managers whom one lets', async () => {
  const path = at('/charges')
  assertRefused(await floor.worker.get(path), 'forbidden')
  assertRefused(await floor.manager.get(path), 'forbidden', 'разрешил администратор')
  good(await admin.patch(`/users/${floor.manager.userId}`, { sees_money: true }))
  good(await floor.manager.get(path))
})

test('a day, a price and a quantity that can not be are refused by name, wherever they are given', async () => {
  const day = { first_day: '2026-02-30' }
  const provider = {
    ...{ ...day, name: 'А', inn: '7707083893', kpp: null, address: 'А', signatory: 'А' },
    ...{ vat_rate: null, vat_included: false },
  }
  const manual = { service: 'OWN_PHOTO', quantity: '1', comment: 'x' }
  const refused = 'validation_error'
  assertRefused(
    await admin.put(`/warehouses/${code}/billing-providers`, provider),
    refused,
    'first_day',
  )
  const tariff = { ...day, prices: [] }
  assertRefused(await admin.post(`/warehouses/${code}/tariffs`, tariff), refused, 'first_day')
  assertRefused(await admin.post(at('/tariffs'), tariff), refused, 'first_day')
  const terms = { ...day, way: 'unit' }
  assertRefused(await admin.post(at('/storage-terms'), terms), refused, 'first_day')
  for (const [field, value] of [
    ['day', '2026-02-31'],
    ['quantity', '1000000'],
    ['price', '1000000'],
  ] as const) {
    const draft = { ...manual, [field]: value }
    assertRefused(await admin.post(at('/manual-charges'), draft), refused, field)
  }
  for (const path of ['/charges', '/charges/summary']) {
    for (const period of ['abc', '2026-02-30', '']) {
      assertRefused(await admin.get(at(`${path}?period=${period}`)), 'bad_request', 'period')
    }
  }
  assertRefused(await admin.get(at('/billing-periods/0000-01-01')), 'not_found')
})

test('a tariff is refused with words that name the field', async () => {
  const put = async (steps: unknown, service = 'ORDER_PACKED') =>
    admin.post(`/warehouses/${code}/tariffs`, {
      first_day: '2026-12-01',
      prices: [{ service, steps }],
    })
  const step = (up_to: number | null) => ({ up_to, price: '1' })
  assertRefused(await put([step(5)]), 'validation_error', 'up_to')
  assertRefused(await put([step(5), step(5), step(null)]), 'validation_error', 'по возрастанию')
  assertRefused(await put([step(null)], 'OWN_NOTHING'), 'validation_error', 'такой услуги нет')
  assertRefused(await put([{ up_to: null, price: '-1' }]), 'validation_error', 'price')
})
