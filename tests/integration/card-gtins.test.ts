import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeCards } from '../../src/exchange/marketplaces/sync/card-store.ts'
import { gtinOf } from '../../src/platform/kernel/codes/gs1.ts'
import type { PickResult } from '../../src/warehouse/picking/view.ts'
import type { ScanResult } from '../../src/warehouse/receipts/scans.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { openScene } from '../support/sync-scene.ts'
import { at, noon } from '../support/warehouse.ts'

/** Marks whose GTIN is not that of the barcode on the goods, where the seller's card knows both. */
const service = await startService()
const { db } = service
const [shoe = '', sku = '', second = '', foreign = '', boot = '', third = ''] = [
  1, 2, 3, 4, 5, 6,
].map((end) => ean13(`46076543200${end}`))

async function openSold() {
  const floor = await openFloor(service, { [shoe]: 5 })
  const card = { itemId: 7, barcodes: [shoe, sku], article: 'A', name: 'Туфли' }
  const gtin = gtinOf(second)
  assert.ok(gtin)
  await at(db, noon, (work) => storeCards(work, floor.client, floor.cabinet, [{ ...card, gtin }]))
  return floor
}

test('a picked mark may have the GTIN of another barcode of the card, or its second one', async () => {
  const floor = await openSold()
  const orders = await floor.orders({ one: shoe, two: shoe, three: shoe, four: shoe })
  const { id } = await floor.open()
  const { picking_task_id: task } = good<{ picking_task_id: string }>(
    await floor.add(
      id,
      orders.map((order) => order.id),
    ),
  )
  const { lines = [] } = await floor.task({ picking_task_id: task })
  assert.deepEqual(lines[0]?.card_gtins, [gtinOf(sku), gtinOf(second)], 'handhelds know them')
  const pick = (n: number, code: string | undefined, barcode?: string) =>
    floor.pick(task, {
      scan_id: `s${n}`,
      order_id: orders[n]?.id,
      ...(barcode === undefined ? {} : { barcode }),
      ...(code === undefined ? {} : { marking_code: code }),
    })
  assertRefused(
    await pick(0, markingCode(foreign, 1), shoe),
    'validation_error',
    /код товара с GTIN .*, а нужен/,
  )
  assertRefused(await pick(0, markingCode(foreign, 1)), 'validation_error', 'в заказе нет')
  good(await pick(0, markingCode(second, 2), shoe))
  assert.equal(good<PickResult>(await pick(1, markingCode(sku, 3))).barcode, shoe)
  assert.equal(good<PickResult>(await pick(2, markingCode(second, 4))).barcode, shoe)
  good(await pick(3, undefined, shoe))
  const give = (code: string) =>
    floor.worker.put(`/picking-tasks/${task}/picks/s3/marks`, { marking_code: code })
  assertRefused(await give(markingCode(foreign, 5)), 'validation_error', 'а нужен')
  good(await give(markingCode(second, 6)))
})

test('a received mark may have the second GTIN of the card, with or without the barcode', async () => {
  const floor = await openSold()
  const items = [{ barcode: shoe, name: 'Туфли', qty: 3, honest_mark: true }]
  const path = `/clients/${floor.client}/receipts`
  const { id } = good<{ id: string }>(await floor.manager.post(path, { items }), 201)
  good(await floor.manager.post(`/receipts/${id}/start`))
  const scan = (code: string, given: object = { barcode: shoe }) => {
    const body = { scan_id: code.slice(0, 31), ...given, marking_code: code }
    return floor.worker.post(`/receipts/${id}/scans`, body)
  }
  assertRefused(await scan(markingCode(foreign, 11)), 'validation_error', /другого товара/)
  good(await scan(markingCode(second, 12)))
  good(await scan(markingCode(sku, 13)))
  for (const code of [markingCode(second, 14), markingCode(sku, 15)]) {
    assert.equal(good<ScanResult>(await scan(code, {})).barcode, shoe)
  }
  assertRefused(await scan(markingCode(foreign, 16), {}), 'validation_error', 'нет в этой приёмке')
})

test('a mark that no line has is counted as the goods of its card', async () => {
  const floor = await openSold()
  const items = [{ barcode: foreign, name: 'Сапоги', qty: 3, honest_mark: true }]
  const path = `/clients/${floor.client}/receipts`
  const { id } = good<{ id: string }>(await floor.manager.post(path, { items }), 201)
  good(await floor.manager.post(`/receipts/${id}/start`))
  await at(db, noon, (work) =>
    storeCards(work, floor.client, floor.cabinet, [
      {
        itemId: 8,
        barcodes: [boot],
        article: 'B',
        name: 'Ботинки',
        gtin: gtinOf(third) ?? '',
        honestMark: true,
      },
    ]),
  )
  const body = { scan_id: 's1', marking_code: markingCode(third, 17) }
  const counted = good<ScanResult>(await floor.worker.post(`/receipts/${id}/scans`, body))
  assert.deepEqual([counted.barcode, counted.name], [boot, 'Ботинки'])
})

test('a mark with the second GTIN of the card is counted, and comes back, as its goods', async () => {
  const floor = await openSold()
  const draft = { client_id: floor.client, scope: { barcodes: [shoe] } }
  const { id } = good<{ id: string }>(await floor.manager.post('/counts', draft), 201)
  good(await floor.manager.post(`/counts/${id}/start`))
  const scan = { scan_id: 'c1', code: markingCode(second, 18), qty: 1 }
  const counted = good<{ barcode: string }>(await floor.worker.post(`/counts/${id}/scans`, scan))
  assert.equal(counted.barcode, shoe)
  const shipment = await floor.filled(await floor.orders({ gone: shoe }))
  const { lines = [] } = await floor.task(shipment)
  const pick = { scan_id: 'p1', order_id: lines[0]?.order_id, barcode: shoe }
  good(await floor.pick(shipment.picking_task_id, pick))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const back = { scan_id: 'r1', client_id: floor.client, code: markingCode(second, 19) }
  const returned = good<{ barcode: string }>(
    await floor.worker.post('/returns/scans', { ...back, condition: 'sellable' }),
  )
  assert.equal(returned.barcode, shoe)
})

test('the second GTIN of a WB card is stored and follows the card', async () => {
  const scene = await openScene()
  const { account, cabinetId } = await scene.connect(scene.wb)
  const { itemId } = scene.wb.addCard(account, { barcodes: [shoe], gtin: second })
  const stored = async () => {
    await scene.db`update cabinet_syncs set cards_at = null, cards_cursor = null
      where cabinet_id = ${cabinetId}`
    await scene.sync()
    const rows = await scene.db<{ gtin: string | null }[]>`
      select gtin from marketplace_cards where cabinet_id = ${cabinetId}`
    return rows.map(({ gtin }) => gtin)
  }
  assert.deepEqual(await stored(), [gtinOf(second)])
  scene.wb.addCard(account, { itemId, barcodes: [shoe] })
  assert.deepEqual(await stored(), [null])
})
