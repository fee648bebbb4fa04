import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { day, type Instant, midnight } from '../../src/platform/kernel/moscow-time.ts'
import { findActWithLines } from '../../src/warehouse/billing/act-lines.ts'
import { listCharges } from '../../src/warehouse/billing/charges.ts'
import { closeMonth, listActs, listPeriods } from '../../src/warehouse/billing/periods.ts'
import { putProvider } from '../../src/warehouse/billing/providers.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { changeClient } from '../../src/warehouse/clients/clients.ts'
import { recordMovements } from '../../src/warehouse/stock/ledger.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()
const hour = 60 * 60_000
const page = { limit: 50, after: undefined }
const onDay = (date: string): Instant => midnight(date) + 12 * hour

for (const [code, price, inn] of [
  ['OLD', 500, '7707083893'],
  ['NEW', 700, '7736050003'],
] as const) {
  const prices = { UNIT_RECEIVED: [{ up_to: null, price }] }
  await db`insert into warehouses (code, name, created_at) values (${code}, ${code}, now())`
  await db`
    insert into warehouse_tariffs (warehouse_code, version, first_day, prices, created_at, created_by)
    values (${code}, 1, '2026-11-01', ${db.json(prices)}, now(), 'test')`
  const provider = {
    ...{ first_day: '2026-01-01', name: code, inn, kpp: null, address: 'Москва' },
    ...({ signatory: 'Директор', vat_rate: 5, vat_included: false } as const),
  }
  await at(db, onDay('2026-11-01'), (work) => putProvider(work, code, provider))
}

const move = (id: string, warehouse: string, now: Instant) =>
  at(db, now, (work) => changeClient(work, id, { warehouse }))

async function leave(id: string, units: Readonly<Record<string, number>>, now: Instant) {
  const gone = Object.entries(units).map(
    ([barcode, n]) => ({ kind: 'write_off', barcode, delta: -n, reason: 'COUNT' }) as const,
  )
  await at(db, now, (work) => recordMovements(work, id, gone))
}

const close = (id: string, month: string, now: Instant) =>
  at(db, now, (work) => closeMonth(work, id, month))

async function actsOf(id: string) {
  const { items } = await listActs(db, id, page)
  const acts = []
  for (const act of items.toReversed()) {
    const lines = (await findActWithLines(db, id, act.id))?.lines ?? []
    const units = lines.map(({ quantity, amount }) => `${quantity} for ${amount}`).join(', ')
    acts.push([act.period, act.provider_name, act.amount, units])
  }
  return acts
}

/** What the audit says of money. */
const problems = async () =>
  (await audit(db)).findings.filter(({ check }) => /charge|act|period/.test(check))

// The provider of the new warehouse charged for the whole month, by its own prices.
test('a client that moves in the middle of a month gets an act of each provider', async () => {
  const { id } = await makeClient(db)
  await db`update clients set warehouse_code = 'OLD' where id = ${id}`
  await stockUp(db, id, { A: 2 }, onDay('2026-11-20'))
  await leave(id, { A: 2 }, onDay('2026-11-24'))
  await at(db, onDay('2026-11-24') + hour, (work) => computeCharges(work, id))
  await move(id, 'NEW', onDay('2026-11-25'))
  await stockUp(db, id, { B: 3 }, onDay('2026-11-25') + hour)
  await close(id, '2026-11-01', onDay('2026-12-02'))
  const november = [
    ['2026-11-01', 'OLD', '10.00', '2 for 1000'],
    ['2026-11-01', 'NEW', '21.00', '3 for 2100'],
  ]
  assert.deepEqual(await actsOf(id), november)
  assert.equal((await listPeriods(db, id)).length, 2)
  const old = await listCharges(db, id, { warehouse: 'OLD' }, page)
  assert.deepEqual(
    old.items.map(({ day, amount }) => [day, amount]),
    [['2026-11-20', '10.00']],
  )

  assert.deepEqual(await problems(), [])

  // What is found later is for the provider of the day; the days since are the new one's alone.
  await db`
    update receipt_scans set undone_at = ${new Date(onDay('2026-12-03'))}, undone_by = 'test'
    where client_id = ${id} and barcode = 'A'`
  await stockUp(db, id, { C: 1 }, onDay('2026-12-05'))
  await close(id, '2026-12-01', onDay('2027-01-02'))
  assert.deepEqual((await actsOf(id)).slice(2), [
    ['2026-12-01', 'OLD', '-10.00', '-2 for -1000'],
    ['2026-12-01', 'NEW', '7.00', '1 for 700'],
  ])
  assert.deepEqual(await problems(), [])
})

test('a month that was not closed before a move stays with its provider', async () => {
  const { id } = await makeClient(db)
  await db`update clients set warehouse_code = 'OLD' where id = ${id}`
  await stockUp(db, id, { A: 2 }, onDay('2026-11-20'))
  await leave(id, { A: 2 }, onDay('2026-11-24'))
  await move(id, 'NEW', onDay('2026-12-01') + day)
  await move(id, 'OLD', onDay('2026-12-01') + day + hour)
  await move(id, 'NEW', onDay('2026-12-01') + day + 2 * hour)
  await close(id, '2026-11-01', onDay('2026-12-03'))
  assert.deepEqual(await actsOf(id), [['2026-11-01', 'OLD', '10.00', '2 for 1000']])
  assert.deepEqual(await problems(), [])
})
