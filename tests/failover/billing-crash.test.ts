import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { day, minute, moscowDate, toMidnight } from '../../src/platform/kernel/moscow-time.ts'
import { putProvider } from '../../src/warehouse/billing/providers.ts'
import { computeCharges, monthAfter, monthOf } from '../../src/warehouse/billing/run.ts'
import { addTariff } from '../../src/warehouse/billing/tariffs.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { eventually, faultScene, type Hold, type HoldingPoint, hold } from '../support/faults.ts'
import type { ServiceProcess } from '../support/process.ts'
import { good } from '../support/shipping.ts'
import { type StaffClient, staffCalls, staffClient } from '../support/staff.ts'
import { at, stockUp, testProvider } from '../support/warehouse.ts'

/** A service process is killed while it computes charges or closes a month, and another one takes its place. */

const open = monthOf(moscowDate(Date.now()))
/** Two months ago: in its first minute the last month has not ended yet. */
const ended = monthAfter(open, -2)
const daysOfEnded = (Date.parse(monthAfter(ended)) - Date.parse(ended)) / day
const noonOf = (date: number) => Date.parse(toMidnight(ended)) + (date - 1) * day + 12 * 60 * minute

/** A client with two receipts in the month that has ended, prices with steps, and a minimum. */
async function openCharged(t: TestContext) {
  const scene = await faultScene(t)
  const { db } = scene
  const client = await at(db, noonOf(1), (work) =>
    createClient(work, { mode: 'live', name: 'ООО «Сбой»' }),
  )
  const [row] = await db<{ code: string }[]>`
    select warehouse_code as code from clients where id = ${client}`
  const code = row?.code ?? ''
  const flat = (price: string) => [{ up_to: null, price }]
  await at(db, noonOf(1), async (work) => {
    await putProvider(work, code, { ...testProvider, first_day: ended, vat_rate: 5 })
    await addTariff(
      work,
      { clientId: client, servicesOf: code },
      {
        first_day: ended,
        monthly_minimum: '1000',
        prices: [
          { service: 'UNIT_RECEIVED', steps: [{ up_to: 10, price: '12' }, ...flat('9')] },
          { service: 'STORAGE_UNIT_DAY', steps: flat('0.10') },
        ],
      },
    )
  })
  await stockUp(db, client, { A: 7 }, noonOf(3))
  await stockUp(db, client, { B: 5 }, noonOf(10))
  return { ...scene, client }
}

/** The month that has ended, in kopecks, by the price list alone. */
const unitDays = 7 * (daysOfEnded - 2) + 5 * (daysOfEnded - 9)
const expected = {
  UNIT_RECEIVED: 10 * 1_200 + 2 * 900,
  STORAGE_UNIT_DAY: unitDays * 10,
  MONTHLY_MINIMUM: 100_000 - (10 * 1_200 + 2 * 900) - unitDays * 10,
}

const kopecks = (sum: string) => Math.round(Number(sum) * 100)

async function billOf(staff: StaffClient | ReturnType<typeof staffCalls>, client: string) {
  const { services } = good<{ services: { service: string; amount: string }[] }>(
    await staff.get(`/clients/${client}/charges/summary?period=${ended}`),
  )
  const acts = good<{ items: { number: number; amount: string; total: string }[] }>(
    await staff.get(`/clients/${client}/acts`),
  )
  return {
    services: Object.fromEntries(services.map((each) => [each.service, kopecks(each.amount)])),
    acts: acts.items.map(({ number, amount, total }) => [number, amount, total]),
  }
}

const once = { services: expected, acts: [[1, '1000.00', '1050.00']] }

interface Moment {
  readonly name: string
  readonly at: HoldingPoint
  /** The closing is in the database afterwards, though nobody got an answer. */
  readonly closed?: true
}

/** The process is killed while it is held there, and the database ends what it had begun. */
async function dieAt(held: Hold, process: ServiceProcess): Promise<void> {
  await held.reached()
  await process.end('SIGKILL')
  await held.release()
  await held.over()
}

/** The same under a call, which gets no answer. */
async function dieUnder(
  call: Promise<unknown>,
  held: Hold,
  process: ServiceProcess,
): Promise<void> {
  const lost = call.then(
    () => false,
    () => true,
  )
  await dieAt(held, process)
  assert.ok(await lost)
}

const daily: readonly Moment[] = [
  { name: 'while it counts what is stored', at: { table: 'storage_days', on: 'insert' } },
  { name: 'before it writes a charge', at: { table: 'charges', on: 'insert' } },
  {
    name: 'between the charges and the month',
    at: { table: 'billing_periods', on: 'update', when: 'new.computed_at is not null' },
  },
  { name: 'while it commits', at: { table: 'charges', on: 'insert', atCommit: true } },
]

for (const { name, at: point } of daily) {
  test(`the daily run of a process that is killed ${name} is made again by the next one`, async (t) => {
    const { db, client, start } = await openCharged(t)
    const held = await hold(db, point)
    const first = await start()
    await dieAt(held, first)
    const second = await start()
    await eventually('the daily run is made', async () => {
      const left = await db`
        select from generate_series(${ended}::timestamp, ${open}, interval '1 month') m
        where not exists (select from billing_periods p
          where p.client_id = ${client} and p.month = m and p.computed_at is not null)`
      return left.length === 0
    })
    const staff = await staffClient({ db, baseUrl: second.baseUrl }, 'administrator')
    assert.deepEqual(await billOf(staff, client), { services: expected, acts: [] })
    good(await staff.post(`/clients/${client}/billing-periods/${ended}/close`), 201)
    assert.deepEqual(await billOf(staff, client), once)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

const closing: readonly Moment[] = [
  {
    name: 'before the month is closed',
    at: { table: 'billing_periods', on: 'update', when: 'new.closed_at is not null' },
  },
  { name: 'before the act is written', at: { table: 'acts', on: 'insert' } },
  { name: 'before news of it are written', at: { table: 'news', on: 'insert' } },
  { name: 'while it commits', at: { table: 'acts', on: 'insert', atCommit: true }, closed: true },
]

for (const { name, at: point, closed = false } of closing) {
  // Guarantee (billing): A kill while a month is computed or closed charges nothing twice and loses nothing.
  test(`a month whose closing is killed ${name} has one act, and its charges once`, async (t) => {
    const { db, client, start } = await openCharged(t)
    const first = await start()
    const staff = await staffClient({ db, baseUrl: first.baseUrl }, 'administrator')
    const held = await hold(db, point)
    const path = `/clients/${client}/billing-periods/${ended}/close`
    await dieUnder(staff.post(path), held, first)
    const second = await start()
    const again = staffCalls(second.baseUrl, staff.token)
    assert.equal((await again.post(path)).status, closed ? 409 : 201)
    assert.equal((await again.post(path)).status, 409)
    good(await again.post(`/clients/${client}/charges/recount`))
    assert.deepEqual(await billOf(again, client), once)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

test('a charge by hand that a process dies under while it commits is charged once when it is sent again', async (t) => {
  const { db, client, start } = await openCharged(t)
  const first = await start()
  const staff = await staffClient({ db, baseUrl: first.baseUrl }, 'administrator')
  const { warehouse_code: code } = good<{ warehouse_code: string }>(
    await staff.get(`/clients/${client}`),
  )
  const own = { code: 'OWN_PHOTO', name: 'Фото', unit: 'шт.' }
  good(await staff.post(`/warehouses/${code}/billing-services`, own), 201)
  const held = await hold(db, { table: 'manual_charges', on: 'insert', atCommit: true })
  const draft = { service: own.code, quantity: '2', price: '50', comment: 'Фото', entry_id: 'one' }
  await dieUnder(staff.post(`/clients/${client}/manual-charges`, draft), held, first)
  const second = await start()
  const again = staffCalls(second.baseUrl, staff.token)
  good(await again.post(`/clients/${client}/manual-charges`, draft), 201)
  const { items } = good<{ items: { amount: string }[] }>(
    await again.get(`/clients/${client}/charges?service=${own.code}`),
  )
  assert.deepEqual(
    items.map(({ amount }) => amount),
    ['100.00'],
  )
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (billing): Scans, runs and closings whose process is killed are charged once.
test('scans that come while processes die under runs and a closing are charged once each', async (t) => {
  const { db, client, start } = await openCharged(t)
  let service = await start()
  const { token, post } = await staffClient({ db, baseUrl: service.baseUrl }, 'administrator')
  const items = [{ barcode: 'C', name: 'C', qty: 1_000 }]
  const { id } = good<{ id: string }>(await post(`/clients/${client}/receipts`, { items }), 201)
  good(await post(`/receipts/${id}/start`))
  const sent: object[] = []
  const scan = (staff: ReturnType<typeof staffCalls>, body: object) =>
    staff.post(`/receipts/${id}/scans`, body)
  for (const kill of [12, 30, 60]) {
    const staff = staffCalls(service.baseUrl, token)
    let ending: Promise<unknown> | undefined
    const until = async (call: () => Promise<unknown>) => {
      for (;;) {
        const isGone = await call().then(
          () => ending !== undefined,
          () => true,
        )
        if (isGone) return
      }
    }
    await Promise.all([
      until(async () => {
        const body = { scan_id: `scan ${sent.length}`, barcode: 'C' }
        sent.push(body)
        good(await scan(staff, body))
        if (sent.length >= kill) ending ??= service.end('SIGKILL')
      }),
      ...['charges/recount', `billing-periods/${ended}/close`, 'charges/recount'].map((path) =>
        until(() => staff.post(`/clients/${client}/${path}`)),
      ),
    ])
    await ending
    service = await start()
  }
  const staff = staffCalls(service.baseUrl, token)
  for (const body of sent) good(await scan(staff, body))
  // The kills may have been quicker than every closing.
  const { status } = await staff.post(`/clients/${client}/billing-periods/${ended}/close`)
  assert.ok(status === 201 || status === 409, `closing answers ${status}`)
  const charged = await at(db, Date.now() + 2 * minute, async (work) => {
    await computeCharges(work, client)
    return work.tx<{ units: number }[]>`
      select sum(quantity)::integer as units from charges
      where client_id = ${client} and source = ${`receipt:${id}`}`
  })
  assert.equal(charged[0]?.units, sent.length)
  assert.deepEqual(await billOf(staff, client), once)
  assert.deepEqual((await audit(db)).findings, [])
})
