import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRemoteCommands } from '../../src/exchange/marketplaces/coordination/command-list.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { findShipment } from '../../src/warehouse/shipments/queries.ts'
import { actor, openScene, ordersOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** The marketplace carried a call out, lost the answer and refused the repeated call. */
const scene = await openScene()
const { db, wb, ozon, coordinator, run } = scene
const barcode = '4600000000017'

for (const [fake, path] of [
  [wb, '/deliver'],
  [ozon, '/carriage/approve'],
] as const) {
  test(`${fake.marketplace}: a hand-over that succeeded without an answer and was refused on repetition is adopted later`, async () => {
    const { clientId, cabinetId, account } = await scene.connect(fake)
    await stockUp(db, clientId, { [barcode]: 1 })
    const card = fake.addCard(account, { barcodes: [barcode] })
    const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
    fake.addOrder(account, { lines: [line] })
    await scene.sync()
    const [order] = await ordersOf(db, cabinetId)
    assert.ok(order !== undefined)
    const draft = { cabinetId, externalId: 'утро', name: undefined }
    const { id } = await coordinator.open(clientId, draft, actor, run)
    await coordinator.addOrders(clientId, id, [order.id], actor, run)
    await run(async (work) => {
      const picking = await pickingTaskOf(work, clientId, id)
      await pickUnits(work, clientId, picking, [{ scanId: '1', orderId: order.id, barcode }])
    })
    const command = async () => {
      const { items } = await listRemoteCommands(db, clientId, cabinetId, {
        limit: 50,
        after: undefined,
      })
      return items.find(({ kind }) => kind === 'deliver')
    }

    fake.failNext(1, { status: 504, done: true }, path)
    fake.failNext(1, { status: 401 }, path)
    await assert.rejects(coordinator.close(clientId, id, actor, run), {
      code: 'marketplace_unavailable',
      message: /не принимает ключ доступа/,
    })
    assert.equal((await command())?.state, 'asked')
    await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
    await scene.sync()
    assert.equal((await command())?.state, 'done')
    assert.equal((await findShipment(db, clientId, id))?.status, 'HANDED_OVER')
    assert.deepEqual((await audit(db)).findings, [])
  })
}
