import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

const scene = await openScene()
const { db, coordinator, wb, ozon } = scene
const actor = { kind: 'service' } as const
const run = <T>(verb: (work: Work) => Promise<T>) => perform(db, systemClock, actor, verb)

// Guarantee (marketplaces): While the exchange with marketplaces is off, no call leaves.
test('while the exchange is off no call leaves, and what needs one says so', async () => {
  for (const fake of [wb, ozon]) {
    const barcode = '4600000000017'
    const { clientId, cabinetId, account } = await scene.connect(fake)
    await stockUp(db, clientId, { [barcode]: 1 })
    const card = fake.addCard(account, { barcodes: [barcode] })
    const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
    fake.addOrder(account, { lines: [line] })
    await setSwitch(db, 'marketplaces', false)
    const before = fake.calls().length
    await scene.sync()
    const draft = { cabinetId, externalId: 'утро', name: undefined }
    await assert.rejects(coordinator.open(clientId, draft, actor, run), {
      code: 'marketplace_unavailable',
      message: /Обмен с маркетплейсами выключен/,
    })
    assert.equal(fake.calls().length, before)
    assert.equal((await cabinetState(db, cabinetId)).synced_at, null)
    await setSwitch(db, 'marketplaces', true)
    await scene.sync()
    assert.equal((await ordersOf(db, cabinetId)).length, 1)
    assert.ok(fake.calls().length > before)
  }
})
