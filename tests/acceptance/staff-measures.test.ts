import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { testProvider } from '../support/warehouse.ts'

const day = 24 * 3_600_000
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const floor = await openFloor(service, { A: 3, B: 2 })
const { warehouse_code: code } = good<{ warehouse_code: string }>(
  await admin.get(`/clients/${floor.client}`),
)
const at = (path: string) => `/clients/${floor.client}${path}`
const measuresOf = (barcode: string) => at(`/products/${barcode}/measures`)
const sides = { length_cm: 12.5, width_cm: 10, height_cm: 8 }

interface Measured {
  readonly items: {
    first_day: string
    litres: number
    weight_g: number | null
    measured_by: string
  }[]
}
interface Sum {
  readonly amount: string
  readonly services: { service: string; quantity: string; amount: string }[]
}

test('a worker measures by tape, a manager corrects the day, and both read who measured', async () => {
  const first = good<Measured>(await floor.worker.post(measuresOf('A'), sides))
  assert.deepEqual(
    first.items.map(({ first_day, litres, weight_g }) => [first_day, litres, weight_g]),
    [['2026-11-20', 1, null]],
  )
  assertRefused(
    await floor.worker.post(measuresOf('A'), { ...sides, first_day: '2026-11-01' }),
    'forbidden',
    'менеджер',
  )
  const earlier = { ...sides, length_cm: 12.6, weight_g: 250, first_day: '2026-11-05' }
  good(await floor.manager.post(measuresOf('A'), earlier))
  const heavier = { ...sides, weight_g: 240 }
  good(await floor.worker.post(measuresOf('A'), heavier))
  const { items } = good<Measured>(await floor.worker.get(measuresOf('A')))
  assert.deepEqual(
    items.map(({ first_day, litres, weight_g }) => [first_day, litres, weight_g]),
    [
      ['2026-11-20', 1, 240],
      ['2026-11-05', 1.1, 250],
    ],
  )
  assert.notEqual(items[0]?.measured_by, items[1]?.measured_by)
  assert.doesNotMatch(items[0]?.measured_by ?? '', /^staff:/)
})

test('the journal has the measures of a day as they were and as a correction made them', async () => {
  const day = { first_day: '2026-11-12' }
  good(await floor.manager.post(measuresOf('A'), { ...sides, ...day, weight_g: 300 }))
  good(await floor.manager.post(measuresOf('A'), { ...sides, ...day, height_cm: 9 }))
  good(await floor.manager.post(measuresOf('A'), { ...sides, ...day, height_cm: 9 }))
  const journal = good<{ items: { before: unknown; after: unknown }[] }>(
    await admin.get(`/journal/staff?client_id=${floor.client}&limit=2`),
  )
  const first = { ...sides, ...day, weight_g: 300 }
  assert.deepEqual(
    journal.items.map(({ before, after }) => ({ before, after })),
    [
      { before: first, after: { ...sides, ...day, height_cm: 9, weight_g: null } },
      { before: null, after: first },
    ],
  )
})

test('sides and weights that can not be are refused by name, and nothing is written', async () => {
  const wrong = [
    [{ length_cm: 0 }, 'length_cm'],
    [{ width_cm: 1000.1 }, 'width_cm'],
    [{ height_cm: 1.25 }, 'height_cm'],
    [{ weight_g: 0 }, 'weight_g'],
    [{ weight_g: 1.5 }, 'weight_g'],
    [{ first_day: '2026-02-30' }, 'first_day'],
  ] as const
  for (const [field, name] of wrong) {
    const answer = await floor.manager.post(measuresOf('B'), { ...sides, ...field })
    assertRefused(answer, 'validation_error')
    assert.match(JSON.stringify(answer.body), new RegExp(name))
  }
  assertRefused(await floor.manager.post(measuresOf('no-such'), sides), 'not_found')
  assert.deepEqual(good<Measured>(await floor.manager.get(measuresOf('B'))).items, [])
})

test('goods without measures are listed and counted', async () => {
  const listed = async (measured: string) =>
    good<{ items: { barcode: string }[]; total: number }>(
      await floor.manager.get(at(`/products?measured=${measured}`)),
    )
  const without = await listed('false')
  assert.deepEqual([without.items.map(({ barcode }) => barcode), without.total], [['B'], 1])
  assert.deepEqual(
    (await listed('true')).items.map(({ barcode }) => barcode),
    ['A'],
  )
})

test('many goods are measured by the table that was saved, from a day on, whole or not at all', async () => {
  const form = openClient(service.baseUrl, floor.manager.token, false)
  const path = `/staff/v1${at('/measures/template')}?format=csv`
  const saved = (await form.get(path)).text
  assert.match(saved, /^Штрихкод;Название;Артикул;Длина, см;Ширина, см;Высота, см;Вес, г\r\n/)
  assert.deepEqual(saved.match(/^\S+?;/gm)?.slice(1), ['B;'])
  const send = (table: string, query = '?first_day=2026-11-06') =>
    form.call(`/staff/v1${at('/measures/import')}${query}`, {
      body: table,
      headers: { 'Content-Type': 'text/csv' },
    })
  const filled = saved.replace(/^(B;.*?);;;;?$/m, '$1;20;10;10;')
  assert.notEqual(filled, saved)
  const unknown = `${filled.trimEnd()}\r\nX;x;;1;1;1;\r\n`
  assertRefused(await send(unknown), 'validation_error', 'товара X у клиента нет')
  assertRefused(await send(filled, '?first_day=2026-02-30'), 'validation_error', 'first_day')
  assert.deepEqual(good<Measured>(await floor.manager.get(measuresOf('B'))).items, [])
  const done = { first_day: '2026-11-06', products: 1 }
  assert.deepEqual((await send(filled)).body, { ...done, changed: 1 })
  assert.deepEqual((await send(filled)).body, { ...done, changed: 0 })
  const [measures] = good<Measured>(await floor.manager.get(measuresOf('B'))).items
  assert.deepEqual([measures?.first_day, measures?.litres], ['2026-11-06', 2])
  await service.db`delete from product_measures where client_id = ${floor.client} and barcode = 'B'`
})

test('litres follow the measures of the day, and a closed month refuses others', async () => {
  const flat = (price: string) => [{ up_to: null, price }]
  const prices = [
    { service: 'STORAGE_LITRE_DAY', steps: flat('1') },
    { service: 'OWN_PHOTO', steps: flat('15') },
  ]
  good(await admin.put(`/warehouses/${code}/billing-providers`, testProvider))
  const own = { code: 'OWN_PHOTO', name: 'Фото товара', unit: 'шт.' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  good(await admin.post(at('/tariffs'), { first_day: '2026-11-01', prices }), 201)
  const terms = { first_day: '2026-11-01', way: 'litre', assumed_litres: '5' }
  good(await admin.post(at('/storage-terms'), terms), 201)
  clock.advance(day)
  const sum = good<Sum>(await admin.post(at('/charges/recount')))
  assert.deepEqual(
    sum.services.map(({ service, quantity }) => [service, quantity]),
    [['STORAGE_LITRE_DAY', '13']],
  )
  clock.advance(13 * day)
  good(await admin.post(at('/charges/recount')))
  good(await admin.post(at('/billing-periods/2026-11-01/close')), 201)
  const late = { ...sides, first_day: '2026-11-30' }
  assertRefused(await floor.manager.post(measuresOf('B'), late), 'validation_error', 'уже закрыт')
})

// It was counted by a run of a minute later alone, and neither list nor sums showed it until then.
test('a charge by hand is there at once, and gone at once when it is cancelled', async () => {
  const photos = { service: 'OWN_PHOTO', quantity: '2', comment: 'Для карточки' }
  const { id } = good<{ id: string }>(await admin.post(at('/manual-charges'), photos), 201)
  const path = at(`/charges?source=manual:${id}`)
  const amounts = async () =>
    good<{ items: { amount: string }[] }>(await admin.get(path)).items.map(({ amount }) => amount)
  assert.deepEqual(await amounts(), ['30.00'])
  assert.equal((await admin.delete(at(`/manual-charges/${id}`))).status, 204)
  assert.deepEqual(await amounts(), [])
})

// Guarantee (billing): A charge by hand that is sent twice with one number is charged once.
test('a charge by hand whose answer was lost is charged once, though it is sent again', async () => {
  const draft = { service: 'OWN_PHOTO', quantity: '2,5', comment: 'Ещё раз', entry_id: 'try 1' }
  const send = () => admin.post(at('/manual-charges'), draft)
  const answers = await Promise.all([send(), send(), send()])
  const ids = new Set(answers.map((answer) => good<{ id: string }>(answer, 201).id))
  assert.equal(ids.size, 1)
  const [id = ''] = ids
  const { items } = good<{ items: object[] }>(await admin.get(at(`/charges?source=manual:${id}`)))
  assert.equal(items.length, 1)
  const entries = await service.db`select from staff_journal where object_id = ${id}`
  assert.equal(entries.length, 1)
  for (const other of [{ quantity: '3' }, { comment: 'Другое' }]) {
    const answer = await admin.post(at('/manual-charges'), { ...draft, ...other })
    assertRefused(answer, 'validation_error', 'entry_id')
  }
  assert.equal((await admin.delete(at(`/manual-charges/${id}`))).status, 204)
  good(await send(), 201)
  const gone = good<{ items: object[] }>(await admin.get(at(`/charges?source=manual:${id}`)))
  assert.deepEqual(gone.items, [])
})

test('a month by another version of the tariff is compared with what was charged, and nothing is written', async () => {
  interface Trial {
    readonly period: string
    readonly amount: string
    readonly charged: string
    readonly difference: string
    readonly services: { service: string; quantity: string; amount: string; charged: string }[]
  }
  const flat = (service: string, price: string) => ({ service, steps: [{ up_to: null, price }] })
  const prices = [flat('UNIT_RECEIVED', '7'), flat('STORAGE_LITRE_DAY', '99')]
  const later = { first_day: '2027-01-01', prices, monthly_minimum: '10000' }
  good(await admin.post(`/warehouses/${code}/tariffs`, later), 201)
  const before = good<Sum>(await admin.get(at('/charges/summary')))
  const trial = good<Trial>(await admin.get(at('/tariff-trials/1?period=2026-11-15')))
  const received = trial.services.find(({ service }) => service === 'UNIT_RECEIVED')
  const stored = trial.services.find(({ service }) => service === 'STORAGE_LITRE_DAY')
  const minimum = trial.services.find(({ service }) => service === 'MONTHLY_MINIMUM')
  assert.deepEqual(
    [received?.quantity, received?.amount, received?.charged],
    ['5', '35.00', '0.00'],
  )
  assert.equal(stored?.amount, stored?.charged, 'the price of the client goes before')
  assert.equal(trial.amount, '10000.00')
  assert.equal(
    Math.round(Number(trial.difference) * 100),
    Math.round((Number(trial.amount) - Number(trial.charged)) * 100),
  )
  assert.ok(Number(minimum?.amount) > 0)
  assert.equal((await admin.get(at('/tariff-trials/1'))).status, 200)
  assertRefused(await admin.get(at('/tariff-trials/2')), 'not_found')
  assert.deepEqual(good<Sum>(await admin.get(at('/charges/summary'))), before)
})

test('a month is forecast from the days that have ended, alike for staff and seller', async () => {
  const month = '2026-12-01'
  const sum = good<Sum & { days: { day: string; amount: string }[] }>(
    await admin.get(at(`/charges/summary?period=${month}`)),
  )
  const today = new Date(clock.now() + 3 * 3_600_000).toISOString().slice(0, 10)
  const ended = sum.days.filter((each) => each.day >= month && each.day < today)
  const kopecks = ended.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0)
  const passed = (Date.parse(today) - Date.parse(ended[0]?.day ?? '')) / day
  const left = (Date.parse('2027-01-01') - Date.parse(today)) / day
  assert.ok(passed > 0)
  const forecast = good<{ amount: string; a_day: string; expected: string }>(
    await admin.get(at('/charges/forecast')),
  )
  assert.equal(Math.round(Number(forecast.a_day) * 100), Math.round(kopecks / passed))
  const others = Math.round(Number(sum.amount) * 100) - kopecks
  const ofToday = sum.days.find((each) => each.day === today)
  assert.equal(ofToday, undefined)
  const expected = kopecks + others + Math.round((kopecks / passed) * left)
  assert.equal(Math.round(Number(forecast.expected) * 100), expected)
  const seller = await accountUser({ ...service, clock }, { [floor.client]: 'owner' })
  assert.deepEqual((await seller.get('/charges/forecast')).body, forecast)
})

test('a seller reads beforehand what an announced delivery costs, from the step that the month has come to', async () => {
  const steps = [
    { up_to: 10, price: '7' },
    { up_to: null, price: '5' },
  ]
  const litre = [{ up_to: null, price: '1' }]
  const prices = [
    { service: 'UNIT_RECEIVED', steps },
    { service: 'MARKED_UNIT_RECEIVED', steps: [{ up_to: null, price: '0.50' }] },
    { service: 'STORAGE_LITRE_DAY', steps: litre },
  ]
  good(await admin.post(at('/tariffs'), { first_day: '2026-12-01', prices }), 201)
  const seller = await accountUser({ ...service, clock }, { [floor.client]: 'owner' })
  const costOf = async (items: readonly object[]) => {
    const { id } = good<{ id: string }>(await floor.manager.post(at('/receipts'), { items }), 201)
    return (await seller.get(`/receipts/${id}/cost`)).body
  }
  const unmarked = [
    { barcode: 'A', name: 'A', qty: 8 },
    { barcode: 'B', name: 'B', qty: 4 },
  ]
  assert.deepEqual(await costOf(unmarked), { receiving: '80.00', storage_day: '28.00' })
  const marked = [{ barcode: 'M', name: 'M', qty: 6, honest_mark: true }]
  const { receiving } = (await costOf(marked)) as { receiving: string }
  assert.equal(receiving, '45.00', 'with the surcharge for marks')
  assertRefused(await seller.get('/receipts/x/cost'), 'not_found')
})
