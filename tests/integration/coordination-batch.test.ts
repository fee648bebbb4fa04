import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRemoteCommands } from '../../src/exchange/marketplaces/coordination/command-list.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { findShipment } from '../../src/warehouse/shipments/queries.ts'
import { actor, openScene, ordersOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** Batches of orders of which WB refuses some, without saying which. */
const scene = await openScene()
const { db, wb, coordinator, run } = scene
const barcode = '4600000000017'
const otherWarehouse = '7'

async function openBatch(count: number, raw: (index: number) => object = () => ({})) {
  const warehouses = [wb.ownWarehouse, otherWarehouse]
  const { clientId, cabinetId, account } = await scene.connect(wb, { warehouses })
  await stockUp(db, clientId, { [barcode]: count })
  const card = wb.addCard(account, { barcodes: [barcode] })
  const lines = [{ itemId: card.itemId, article: card.article, barcode, quantity: 1 }]
  const numbers = Array.from({ length: count }, (_, index) =>
    wb.addOrder(account, { lines, raw: raw(index) as Record<string, unknown> }),
  )
  await scene.sync()
  const rows = await ordersOf(db, cabinetId)
  const ids = numbers.map((number) => rows.find((row) => row.external_id === number)?.id ?? '')
  const draft = { cabinetId, externalId: 'утро', name: undefined }
  const { id } = await coordinator.open(clientId, draft, actor, run)
  const supply = () => wb.shipments(account).find(({ name }) => name.includes('утро'))
  return {
    clientId,
    numbers,
    id,
    ids,
    account,
    supply,
    add: (orders = ids) => coordinator.addOrders(clientId, id, orders, actor, run),
    inside: async () =>
      (await findShipment(db, clientId, id))?.orders?.map((one) => one.external_id),
    async command() {
      const page = { limit: 50, after: undefined }
      const { items } = await listRemoteCommands(db, clientId, cabinetId, page)
      return items.find(({ kind }) => kind === 'fill')
    },
  }
}

// Guarantee (wildberries): Of a batch that WB refuses in part, the same orders join here and there.
test('the good orders of a batch join on both sides, and the bad one is named', async () => {
  const batch = await openBatch(8)
  const bad = batch.numbers[5] ?? ''
  wb.holdBack(batch.account, bad)
  const { added, refused } = await batch.add()
  assert.equal(added, 7)
  assert.deepEqual(
    refused.map(({ externalId }) => externalId),
    [bad],
  )
  const good = batch.numbers.filter((number) => number !== bad).toSorted()
  assert.deepEqual((await batch.inside())?.toSorted(), good)
  assert.deepEqual([...(batch.supply()?.orders ?? [])].toSorted(), good)
  const command = await batch.command()
  assert.equal(command?.state, 'done')
  assert.match(command?.message ?? '', new RegExp(`не принял заказы ${bad}`))
  assert.deepEqual((await audit(db)).findings, [])
})

test('a batch of which WB refuses all changes nothing on either side', async () => {
  const batch = await openBatch(3)
  for (const number of batch.numbers) wb.holdBack(batch.account, number)
  await assert.rejects(batch.add(), { code: 'conflict', message: /Ни один не вошёл/ })
  assert.deepEqual(await batch.inside(), [])
  assert.deepEqual(batch.supply()?.orders, [])
  assert.equal((await batch.command())?.state, 'refused')
})

test('a batch whose answers were lost half way is finished by the next sync run', async () => {
  const batch = await openBatch(4)
  // Calls name orders by their ids here, so this one is in the half that comes second.
  const last = batch.ids.indexOf(batch.ids.toSorted().at(-1) ?? '')
  const bad = batch.numbers[last] ?? ''
  wb.holdBack(batch.account, bad)
  // The answers to the calls of the second half are lost, and so are all others from there on.
  const path = `${batch.supply()?.id}/orders`
  const first = wb.holdNext(path)
  const adding = assert.rejects(batch.add(), { code: 'marketplace_unavailable' })
  await first.reached
  const second = wb.holdNext(path)
  first.release()
  await second.reached
  wb.failNext(20, { status: 504, done: true }, path)
  second.release()
  await adding
  wb.heal()
  assert.equal((await batch.command())?.state, 'asked')
  assert.equal(batch.supply()?.orders.length, 2)
  assert.deepEqual(await batch.inside(), [])
  await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
  await scene.sync()
  const command = await batch.command()
  assert.equal(command?.state, 'done')
  assert.match(command?.message ?? '', new RegExp(bad))
  assert.equal((await batch.inside())?.length, 3)
  assert.deepEqual((await audit(db)).findings, [])
})

test('orders of another kind are refused here, by name and before any call', async () => {
  const raws: object[] = [
    {},
    { cargoType: 3 },
    { warehouseId: Number(otherWarehouse) },
    { crossBorderType: 1 },
  ]
  const batch = await openBatch(4, (index) => raws[index] ?? {})
  const before = wb.calls().length
  await assert.rejects(batch.add(), (error: Error) => {
    assert.match(error.message, new RegExp(`${batch.numbers[1]} — габаритный тип 3, а нужен 1`))
    assert.match(error.message, new RegExp(`${batch.numbers[2]} — склад ${otherWarehouse}`))
    assert.match(error.message, new RegExp(`${batch.numbers[3]} — трансграничный тип 1`))
    return true
  })
  assert.equal(wb.calls().length, before)
  await batch.add(batch.ids.slice(0, 1))
  await assert.rejects(batch.add(batch.ids.slice(1, 2)), /с заказами отгрузки не войдут/)
})
