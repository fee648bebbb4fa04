import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabinetState, openScene, ordersOf, shipmentsOf } from '../support/syncing.ts'

/** Where a cabinet's data begin: with its first round, and again with another seller's key. */
const scene = await openScene()
const { db, wb, ozon } = scene
const hour = 3_600_000
const day = 24 * hour

for (const fake of [wb, ozon] as const) {
  test(`${fake.marketplace}: another seller's key begins anew, another key of the same seller goes on`, async () => {
    const cabinet = await scene.connect(fake, { shipments: 'mirrored' })
    const { cabinetId, account: wrong } = cabinet
    const foreign = fake.addCard(wrong, { updatedAt: Date.now() - 20 * day })
    await scene.sync()
    const right = fake.account()
    const card = fake.addCard(right, { updatedAt: Date.now() - 20 * day })
    const [barcode = ''] = card.barcodes
    const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
    const orders = [10 * day, 3 * hour, hour / 6].map((ago) =>
      fake.addOrder(right, { createdAt: Date.now() - ago, lines: [line] }),
    )
    const createdAt = Date.now() - 5 * day
    const left = fake.addShipment(right, { orders: [], createdAt, closedAt: createdAt + hour })
    await scene.giveKey(cabinet, right)
    await scene.sync()
    const found = await ordersOf(db, cabinetId)
    assert.deepEqual(found.map(({ external_id }) => external_id).toSorted(), orders.toSorted())
    for (const order of found) assert.equal(order.barcode, barcode)
    assert.deepEqual(
      (await shipmentsOf(db, cabinetId)).map(({ external_id }) => external_id),
      [left],
    )
    const cards = await db<{ id: number }[]>`
      select item_id as id from marketplace_cards where cabinet_id = ${cabinetId}`
    assert.deepEqual([...cards], [{ id: card.itemId }], `without ${foreign.itemId}`)
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)

    const marks = () => db`
      select connected_at, orders_from, shipments_from, cards_at from cabinet_syncs
      where cabinet_id = ${cabinetId}`
    const [before] = await marks()
    const calls = fake.calls().length
    await scene.giveKey(cabinet, right)
    await scene.sync()
    const [after] = await marks()
    assert.deepEqual(after?.connected_at, before?.connected_at)
    assert.deepEqual(after?.cards_at, before?.cards_at)
    const asked = fake.calls().slice(calls)
    assert.ok(!asked.some(({ path }) => /cards|product\/info\/list/.test(path)))
  })
}

test('the history of a cabinet without orders begins with its first round', async () => {
  for (const fake of [wb, ozon] as const) {
    const { clientId } = await scene.connect(fake)
    await scene.sync()
    const [{ since } = {}] = await db<{ since: string | null }[]>`
      select history_since as since from cabinets where client_id = ${clientId}`
    assert.notEqual(since, null)
  }
})
