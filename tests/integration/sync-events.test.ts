import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { addSubscription } from '../support/subscription.ts'
import { openScene, ordersOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** After a sync run a seller's events, lists and figures agree. */
const service = await startService()
const scene = await openScene({ db: service.db })
const { db, wb, ozon } = scene

test('every change is announced once, and sync runs without news announce nothing', async () => {
  const first = await scene.connect(wb)
  const { clientId } = first
  const second = await scene.connect(ozon, { clientId })
  await addSubscription(db, clientId)
  const numbers = Array.from({ length: 6 }, () => wb.addOrder(first.account))
  const postings = Array.from({ length: 4 }, () => ozon.addOrder(second.account))
  await scene.sync()
  const events = async () => {
    const rows = await db<{ type: string; n: number }[]>`
      select type, count(*)::int as n from events where client_id = ${clientId} group by 1 order by 1`
    return rows.map(({ type, n }) => `${type} ${n}`)
  }
  const begun = await events()
  wb.setStatus(first.account, numbers[0] ?? '', { supplier: 'confirm', buyer: 'waiting' })
  wb.setStatus(first.account, numbers[1] ?? '', { supplier: 'cancel', buyer: 'declined_by_client' })
  ozon.setStatus(second.account, postings[0] ?? '', {
    supplier: 'delivering',
    buyer: 'posting_on_way_to_city',
  })
  await scene.sync()
  const changed = await events()
  const changedOrders = (lines: readonly string[]) =>
    Number(lines.find((line) => line.startsWith('order.status_changed'))?.split(' ')[1] ?? 0)
  assert.equal(changedOrders(changed) - changedOrders(begun), 3)
  await scene.sync()
  await scene.sync()
  assert.deepEqual(await events(), changed)
  // Another raw pair that means the same status is no change.
  ozon.setStatus(second.account, postings[0] ?? '', {
    supplier: 'delivering',
    buyer: 'posting_in_pickup_point',
  })
  await scene.sync()
  assert.deepEqual(await events(), changed)
})

test('orders, stock and metrics of the seller add up after a sync run', async () => {
  const { clientId, account, cabinetId } = await scene.connect(wb, { shipments: 'mirrored' })
  const barcode = '4600000000017'
  const { itemId, article } = wb.addCard(account, { barcodes: [barcode] })
  await stockUp(db, clientId, { [barcode]: 10 })
  const line = { itemId, article, barcode, quantity: 1 }
  const numbers = Array.from({ length: 7 }, () =>
    wb.addOrder(account, { lines: [line], status: { supplier: 'confirm', buyer: 'waiting' } }),
  )
  await scene.sync()
  const shipped = wb.addShipment(account, { orders: numbers.slice(0, 4) })
  wb.acceptShipment(account, shipped)
  await scene.sync()
  wb.setStatus(account, numbers[0] ?? '', { supplier: 'complete', buyer: 'sold' })
  await scene.sync()
  await scene.sync()
  const { key } = await perform(db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, clientId, { name: 'Проверка', receiptsEnabled: false }),
  )
  const seller = openClient(service.baseUrl, key, false)
  const page = (await seller.get('/v1/orders?limit=100')).body as {
    total: number
    items: {
      external_id: string
      status: string
      barcode: string
      marketplace_status: { changed_at: string | null }
    }[]
  }
  assert.equal(page.total, 7)
  assert.ok(
    page.items.every((order) => order.barcode === barcode && order.marketplace_status.changed_at),
  )
  assert.equal((await ordersOf(db, cabinetId)).length, 7)
  const count = (status: string) => page.items.filter((order) => order.status === status).length
  assert.deepEqual([count('ASSEMBLING'), count('IN_DELIVERY'), count('COMPLETED')], [3, 3, 1])
  const metrics = (await seller.get('/v1/metrics')).body as {
    funnel: Record<string, number>
  }
  assert.equal(metrics.funnel.in_storage, 6)
  const stock = (await seller.get('/v1/stock')).body as { items: { quantity: number }[] }
  assert.equal(
    stock.items.reduce((sum, { quantity }) => sum + quantity, 0),
    6,
  )
  const me = (await seller.get('/v1/me')).body as { cabinets: { synced_at: string | null }[] }
  assert.ok(me.cabinets.every(({ synced_at }) => synced_at !== null))
  assert.deepEqual((await audit(db)).findings, [])
})
