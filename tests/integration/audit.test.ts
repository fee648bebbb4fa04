import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { audit } from '../../src/audit/audit.ts'
import type { Database } from '../../src/db/connection.ts'
import { newId } from '../../src/kernel/ids.ts'
import { takeInOrders } from '../../src/orders/verbs.ts'
import { requestReceipt } from '../../src/receipts/request.ts'
import { addOrders, openShipment } from '../../src/shipments/verbs.ts'
import { addBox, putIntoBox } from '../../src/stock/storage.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, newOrder, noon, orderIds, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 1 })

before(async () => {
  const { id: client, cabinets } = await makeClient(db)
  const cabinetId = cabinets[0] ?? ''
  await stockUp(db, client, { A: 5 })
  await at(db, noon, (work) =>
    takeInOrders(work, client, cabinetId, [newOrder('1', 'A'), newOrder('2', 'A')]),
  )
  const [order = ''] = await orderIds(db, client)
  await at(db, noon, async (work) => {
    const shipment = await openShipment(work, client, { cabinetId, externalId: 'S' })
    await addOrders(work, client, shipment, [order])
    await putIntoBox(work, client, { boxId: await addBox(work, client), barcode: 'A', units: 4 })
    for (const external_ref of ['1', '2', '3']) {
      await requestReceipt(
        work,
        { clientId: client, keyId: newId(), requestId: newId() },
        { external_ref, items: [{ barcode: 'A', qty: 1, honest_mark: false }] },
      )
    }
  })
})

/** Damage done behind the service's back, and the check that has to name it. */
const damages: Readonly<Record<string, (tx: Database) => PromiseLike<unknown>>> = {
  'balances are the sums of movements': (tx) =>
    tx`update stock_balances set quantity = quantity + 1`,
  'reserved units are those of orders in open shipments': (tx) =>
    tx`update stock_balances set reserved = 0`,
  'boxes hold no more than there is': (tx) => tx`update box_contents set quantity = 6`,
  'tallies of movements': (tx) => tx`update movement_tallies set units = units + 1`,
  'tallies of orders': (tx) => tx`update order_tallies set orders = orders + 1`,
  'tallies of milestones': (tx) =>
    tx`insert into milestone_tallies select id, 'sorted', '2026-01-01', 1 from clients`,
  'totals of receipts': (tx) => tx`update receipts set expected_qty = expected_qty + 1`,
  'lines of receipts are the sums of their scans and movements': (tx) =>
    tx`delete from receipt_scans`,
  'shipments count their orders and units': (tx) =>
    tx`update shipments set orders_count = orders_count + 1`,
  'statuses of orders agree with their shipments': (tx) =>
    tx`update orders set status = 'COMPLETED' where external_id = '2'`,
  'history of orders ends where they are': (tx) =>
    tx`insert into order_status_history (client_id, order_id, at, status)
       select client_id, id, now(), 'OTHER' from orders`,
  'movements, picks and history belong to something': (tx) =>
    tx`insert into order_status_history (client_id, order_id, at, status)
       select id, ${newId()}, now(), 'NEW' from clients`,
  'requests of sellers are in the journal': (tx) =>
    tx`insert into receipts (client_id, id, number, status, source, expected_qty, created_at)
       select id, ${newId()}, 'X', 'EXPECTED', 'api', 0, now() from clients`,
  'chains of the receipt journal': (tx) =>
    tx`alter table receipt_journal disable trigger user`.then(
      () => tx`update receipt_journal set body = replace(body, '1', '2') where entry = 2`,
    ),
}

test('an undamaged database has nothing to report', async () => {
  const report = await audit(db)
  assert.deepEqual(report.findings, [])
  assert.equal(report.checks, Object.keys(damages).length)
})

for (const [check, damage] of Object.entries(damages)) {
  test(`damage is named: ${check}`, async () => {
    await db`begin`
    try {
      await damage(db)
      const { findings } = await audit(db)
      assert.ok(
        findings.some((finding) => finding.check === check),
        JSON.stringify(findings),
      )
    } finally {
      await db`rollback`
    }
  })
}

test('an entry taken out of the journal, at the end too, is missed', async () => {
  for (const entry of [2, 3]) {
    await db`begin`
    try {
      await db`alter table receipt_journal disable trigger user`
      await db`delete from receipt_journal where entry = ${entry}`
      const { findings } = await audit(db)
      const checks = findings.map((finding) => finding.check)
      assert.ok(checks.includes('chains of the receipt journal'))
    } finally {
      await db`rollback`
    }
  }
})
