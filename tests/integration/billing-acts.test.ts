import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actPaper } from '../../src/http/files/act-paper.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { hour, type Instant, midnight } from '../../src/platform/kernel/moscow-time.ts'
import { findActWithLines } from '../../src/warehouse/billing/act-lines.ts'
import { addManualCharge } from '../../src/warehouse/billing/manual.ts'
import { closeMonth } from '../../src/warehouse/billing/periods.ts'
import { type ProviderDraft, putProvider } from '../../src/warehouse/billing/providers.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { changeClient } from '../../src/warehouse/clients/clients.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, testProvider } from '../support/warehouse.ts'

/** What stands in an act: VAT of each rate, beside and within the prices, and who it is of, for ever. */

const { db } = await testDatabase()
const [november, december] = ['2026-11-01', '2026-12-01'] as const
const afterNovember: Instant = midnight('2026-12-02') + hour
const afterDecember: Instant = midnight('2027-01-02') + hour

let warehouses = 0

/** A warehouse with that VAT, and a client that it has done these services for: quantities and prices as people enter them. */
async function openBilled(
  vat: Pick<ProviderDraft, 'vat_rate' | 'vat_included'>,
  services: readonly (readonly [code: string, quantity: string, price: string])[],
) {
  const warehouse = `ACT-${++warehouses}`
  await db`insert into warehouses (code, name, created_at) values (${warehouse}, 'W', now())`
  for (const code of new Set(services.map(([code]) => code))) {
    await db`
      insert into billing_services (warehouse_code, code, name, unit, created_at)
      values (${warehouse}, ${code}, ${code}, 'шт.', now())`
  }
  const provider = { ...testProvider, ...vat }
  await at(db, midnight(november), (work) => putProvider(work, warehouse, provider))
  const { id } = await makeClient(db)
  await db`update clients set warehouse_code = ${warehouse} where id = ${id}`
  for (const [service, quantity, price] of services) {
    const draft = { service, quantity, price, comment: 'Работа', day: '2026-11-20' }
    await at(db, midnight('2026-11-20') + hour, (work) =>
      addManualCharge(work, { clientId: id, warehouse }, draft),
    )
  }
  return { id, warehouse, provider }
}

const close = (id: string, month: string, now: Instant) =>
  at(db, now, async (work) => {
    const act = await closeMonth(work, id, month)
    const found = await findActWithLines(work.tx, id, act)
    assert.ok(found)
    return found
  })

/** By hand: 2 × 12.34 = 24.68; 1.005 × 99.50 = 99.9975, so 100.00; 0.5 × 0.01 = 0.005, so 0.01. */
const services = [
  ['OWN_A', '2', '12.34'],
  ['OWN_B', '1.005', '99.5'],
  ['OWN_C', '0.5', '0.01'],
] as const
const amount = 2_468 + 10_000 + 1
/** Of 124.69: VAT in kopecks, beside the prices and within them. */
const vats = [
  { rate: null, beside: 0, within: 0 },
  { rate: 5, beside: 623, within: 594 },
  { rate: 7, beside: 873, within: 816 },
  { rate: 22, beside: 2_743, within: 2_249 },
] as const

for (const { rate, beside, within } of vats) {
  // Without VAT no price can contain it.
  for (const isWithin of rate === null ? [false] : [false, true]) {
    // Guarantee (billing): Each line is rounded half up to kopecks, and VAT is rounded once an act.
    test(`an act with VAT of ${rate} % ${isWithin ? 'within' : 'beside'} the prices adds up`, async () => {
      const { id } = await openBilled({ vat_rate: rate, vat_included: isWithin }, services)
      const act = await close(id, november, afterNovember)
      const vat = isWithin ? within : beside
      const total = isWithin ? amount : amount + vat
      assert.deepEqual([act.amount, act.vat, act.total], [amount, vat, total])
      assert.deepEqual(
        act.lines.map((line) => line.amount),
        [2_468, 10_000, 1],
      )
      const sum = (of: 'amount' | 'vat' | 'total') =>
        act.lines.reduce((all, line) => all + line[of], 0)
      assert.deepEqual([sum('amount'), sum('vat'), sum('total')], [amount, vat, total])
      const { notes = [] } = actPaper(act)
      const words =
        rate === null
          ? /^Без НДС\.$/
          : new RegExp(isWithin ? `^В том числе НДС ${rate} %: ` : `^НДС ${rate} % сверх суммы: `)
      assert.ok(
        notes.some((note) => words.test(note)),
        notes.join(' '),
      )
    })
  }
}

// Guarantee (billing): An act keeps the parties, VAT and sums that it was made with.
test('an act is of the provider of its last day, and stays as it is whatever changes later', async () => {
  const vat = { vat_rate: 5, vat_included: false } as const
  const { id, warehouse, provider } = await openBilled(vat, services)
  const within = {
    ...provider,
    first_day: '2026-11-30',
    name: 'ООО «Склад-2»',
    vat_rate: 7,
  } as const
  const later = { ...provider, first_day: december, name: 'ООО «Склад-3»', vat_rate: 22 } as const
  for (const next of [within, later])
    await at(db, afterNovember, (work) => putProvider(work, warehouse, next))
  const act = await close(id, november, afterNovember)
  assert.deepEqual([act.provider.name, act.vat_rate, act.vat], ['ООО «Склад-2»', 7, 873])
  await at(db, afterNovember, (work) => changeClient(work, id, { name: 'ООО «Другое»' }))
  const rewritten = { ...within, name: 'ООО «Склад-4»', vat_rate: null } as const
  await assert.rejects(
    at(db, afterNovember, (work) => putProvider(work, warehouse, rewritten)),
    /уже есть акты/,
  )
  assert.deepEqual(await findActWithLines(db, id, act.id), act)
  for (const change of [
    db`update acts set amount = 0, total = 0 where client_id = ${id}`,
    db`delete from acts where client_id = ${id}`,
  ]) {
    await assert.rejects(Promise.resolve(change), /append-only|never/)
  }
})

// Guarantee (billing): An act is taken back only by a charge of the open month, and the two add up to nothing.
test('an act is cancelled by what is given back in the open month, kopeck by kopeck', async () => {
  const { id, warehouse } = await openBilled({ vat_rate: 22, vat_included: false }, services)
  const act = await close(id, november, afterNovember)
  const giveBack = (day: string) =>
    at(db, afterDecember, async (work) => {
      for (const [service, quantity, price] of services) {
        const draft = { service, quantity: `-${quantity}`, price, comment: 'Отмена акта 1', day }
        await addManualCharge(work, { clientId: id, warehouse }, draft)
      }
      await computeCharges(work, id)
    })
  await assert.rejects(giveBack('2026-11-20'), /закрыт/)
  await giveBack('2026-12-20')
  const back = await close(id, december, afterDecember)
  assert.deepEqual([back.amount, back.vat, back.total], [-act.amount, -act.vat, -act.total])
  assert.deepEqual(await findActWithLines(db, id, act.id), act)
  assert.deepEqual((await audit(db)).findings, [])
})
