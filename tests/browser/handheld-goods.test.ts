import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import type { ReturnBatchContent } from '../../src/warehouse/returns/batch-view.ts'
import type { Box } from '../../src/warehouse/storage/view.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { pickedShipment, placeOrders, startCount } from './handheld-floor.ts'
import { alarms, figure, look, queueIsEmpty, sentence, startHandhelds } from './handheld-page.ts'
import { scan } from './scanner.ts'

const { service, administrator, openHandheld } = await startHandhelds()
const tea = ean13('460123450001')
const cup = ean13('460123450002')
const shoe = ean13('460123450005')
const rare = ean13('460123450006')

async function addBox(floor: Floor, goods: Readonly<Record<string, number>> = {}): Promise<Box> {
  const box = good<Box>(await floor.worker.post('/boxes', { client_id: floor.client }), 201)
  for (const [barcode, qty] of Object.entries(goods)) {
    good(await floor.worker.post(`/boxes/${box.id}/put`, { barcode, qty }))
  }
  return box
}

const ssccOf = ({ sscc }: Box) => sscc ?? assert.fail('a box without a number')

/** Another client of the same warehouse. */
async function neighbourOf(floor: Floor, name: string, units: Readonly<Record<string, number>>) {
  const neighbour = await openFloor(service, units)
  good(await neighbour.manager.patch(`/clients/${neighbour.client}`, { name }))
  await service.db`
    update clients set warehouse_code = ${floor.warehouse_code} where id = ${neighbour.client}`
  return neighbour
}

/** Takes marked units in, with their marking codes. */
async function receiveMarked(floor: Floor, barcode: string, codes: readonly string[]) {
  const items = [{ barcode, name: 'Туфли', qty: codes.length, honest_mark: true }]
  const path = `/clients/${floor.client}/receipts`
  const { id } = good<StaffReceipt>(await floor.manager.post(path, { items }), 201)
  good(await floor.worker.post(`/receipts/${id}/start`))
  for (const marking_code of codes) {
    const scanned = { scan_id: randomUUID(), barcode, marking_code }
    good(await floor.worker.post(`/receipts/${id}/scans`, scanned))
  }
  good(await floor.worker.post(`/receipts/${id}/finish`, { shortages: [] }))
}

const linesOf = async (floor: Floor, id: string) =>
  (good<StockCount>(await floor.manager.get(`/counts/${id}`)).lines ?? []).map(
    ({ barcode, counted, difference }) => [barcode, counted, difference],
  )

test('marked goods and goods in boxes are counted: a marking code once, a box as a place of its own', async () => {
  const floor = await openFloor(service, { [tea]: 6, X: 1 })
  const codes = [1, 2, 3].map((unit) => markingCode(shoe, unit))
  const [first = '', second = '', third = ''] = codes
  await receiveMarked(floor, shoe, codes)
  const [box, empty] = [await addBox(floor, { [tea]: 4 }), await addBox(floor)]
  const id = await startCount(floor, { barcodes: [shoe, tea] })
  const { page, faults } = await openHandheld()
  await page.goto(`/staff/scan/counting/${id}`)
  await page.getByText('Весь склад').waitFor()
  await scan(page, first)
  await figure(page, '1')
  await queueIsEmpty(page)
  await alarms(page, first, 'этот код маркировки уже посчитан')
  await alarms(page, first.slice(0, 30), 'код')
  await scan(page, second)
  await figure(page, '2')
  await queueIsEmpty(page)

  // A marking code is one unit, also where the worker counts by number.
  await page.getByRole('button', { name: 'Числом', exact: true }).click()
  await scan(page, third)
  await figure(page, '3')
  await queueIsEmpty(page)
  await page.getByRole('button', { name: 'По одной', exact: true }).click()
  await scan(page, ssccOf(box))
  await sentence(page, `Короб …${ssccOf(box).slice(-5)}. Считайте товар`)
  for (let n = 0; n < 3; n++) await scan(page, tea)
  await figure(page, '3')
  await look(page, 'counting-box')
  await scan(page, ssccOf(empty))
  await sentence(page, `Короб …${ssccOf(empty).slice(-5)}. Считайте товар`)
  await scan(page, tea)
  await figure(page, '1')
  await queueIsEmpty(page)
  assert.deepEqual(await linesOf(floor, id), [
    [tea, 4, -2],
    [shoe, 3, 0],
  ])

  // A count of one box knows no other.
  const ofBox = await startCount(floor, { boxes: [box.id] })
  await page.goto(`/staff/scan/counting/${ofBox}`)
  await page.getByText('Обойдено мест: 0 из 1').waitFor()
  await alarms(page, ssccOf(empty), `Короб …${ssccOf(empty).slice(-5)} не считают`)
  await scan(page, ssccOf(box))
  await sentence(page, 'Считайте товар')
  for (let n = 0; n < 4; n++) await scan(page, tea)
  await figure(page, '4')
  await queueIsEmpty(page)
  assert.deepEqual(await linesOf(floor, ofBox), [[tea, 4, 0]])
  assert.deepEqual(faults, [])
})

test('marked goods and goods of a box are picked and checked: each unit by its own code, no box as a whole', async () => {
  const floor = await openFloor(service, { X: 1 })
  const codes = [1, 2, 3].map((unit) => markingCode(rare, unit))
  const [first = '', second = '', spare = ''] = codes
  await receiveMarked(floor, rare, codes)
  const box = await addBox(floor)
  good(await floor.worker.post(`/boxes/${box.id}/put`, { barcode: rare, qty: 3 }))
  const orders = await placeOrders(floor, { K1: { [rare]: 2 } })
  await service.db`
    update order_lines set required_marks = array['marking_code'] where order_id = ${orders[0]?.id ?? ''}`
  const shipment = await floor.filled(orders)
  const { page, faults } = await openHandheld()
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.locator('.place', { hasText: `Короб …${ssccOf(box).slice(-5)}` }).waitFor()
  await scan(page, ssccOf(box))
  await sentence(page, `Место ${ssccOf(box)}. Сканируйте товар`)
  await scan(page, rare)
  await sentence(page, 'Теперь код маркировки «Туфли»')
  await scan(page, first)
  await figure(page, '1 из 2')
  await scan(page, second)
  await sentence(page, 'Заказ K1 собран. Всё собрано')
  await queueIsEmpty(page)
  const inside = good<Box>(await floor.worker.get(`/boxes/${box.id}`))
  assert.deepEqual(
    inside.contents?.map(({ qty }) => qty),
    [1],
  )

  await page.getByRole('link', { name: 'Проверить упаковку', exact: true }).click()
  await page.getByText('Проверено 0 из 1').waitFor()
  await scan(page, 'K1')
  await sentence(page, 'Заказ K1. Сканируйте, что в посылке')
  await alarms(page, ssccOf(box), 'Короб целиком не проверяют')
  await scan(page, rare)
  await sentence(page, 'Теперь код маркировки «Туфли»')
  await scan(page, spare)
  await sentence(page, 'единицы с этим кодом маркировки в заказе K1 нет')
  await queueIsEmpty(page)
  await page.getByRole('button', { name: 'Понятно', exact: true }).click()
  await scan(page, first)
  await figure(page, '1 из 2')
  await queueIsEmpty(page)
  await alarms(page, first, 'уже проверили')
  await scan(page, second)
  await sentence(page, 'Заказ K1 проверен. Вся отгрузка проверена')
  await queueIsEmpty(page)
  const { lines = [] } = await floor.task(shipment)
  assert.deepEqual(
    lines.map(({ picked, checked }) => [picked, checked]),
    [[2, 2]],
  )
  assert.deepEqual(faults, [])
})

test('two workers in one count: the figures add up, and each sees what the other did', async () => {
  const floor = await openFloor(service, { [tea]: 9, [cup]: 2 })
  const id = await startCount(floor, { barcodes: [tea, cup] })
  const [anna, boris] = [await openHandheld(), await openHandheld()]
  const both = [anna.page, boris.page]
  const here = (page: Page) => page.getByRole('list', { name: 'Посчитано здесь' })
  const shows = (page: Page, barcode: string, qty: number) =>
    here(page)
      .getByRole('listitem')
      .filter({ hasText: barcode })
      .filter({ hasText: new RegExp(`${qty}$`) })
      .waitFor()
  for (const page of both) {
    await page.goto(`/staff/scan/counting/${id}`)
    await page.getByText('Весь склад').waitFor()
  }
  const count = async (page: Page, barcode: string, times: number) => {
    for (let n = 0; n < times; n++) await scan(page, barcode)
  }
  await Promise.all([count(anna.page, tea, 4), count(boris.page, tea, 3)])
  await count(boris.page, cup, 2)
  await figure(boris.page, '2')
  for (const page of both) await queueIsEmpty(page)
  for (const page of both) {
    await page.reload()
    await shows(page, tea, 7)
    await shows(page, cup, 2)
  }
  await scan(anna.page, tea)
  await figure(anna.page, '8')
  await queueIsEmpty(anna.page)
  await anna.page.getByRole('button', { name: 'Отменить:' }).click()
  await sentence(anna.page, 'Отменено')
  await queueIsEmpty(anna.page)
  await boris.page.reload()
  await shows(boris.page, tea, 7)
  assert.deepEqual(await linesOf(floor, id), [
    [tea, 7, -2],
    [cup, 2, 0],
  ])
  assert.deepEqual([...anna.faults, ...boris.faults], [])
})

test('goods of two orders in one return: each unit goes to its own order, and an order of several goods asks which', async () => {
  const floor = await openFloor(service, { [tea]: 3, [cup]: 2 })
  const shipment = await pickedShipment(floor, {
    R1: { [tea]: 1, [cup]: 1 },
    R2: { [tea]: 1 },
  })
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const expected = [{ external_id: 'R1' }, { external_id: 'R2' }]
  const draft = { client_id: floor.client, expected }
  const batch = good<ReturnBatchContent>(await floor.manager.post('/returns', draft), 201)
  const { page, faults } = await openHandheld()
  await page.goto(`/staff/scan/returns/${batch.id}`)
  await page.getByRole('heading', { name: `Возвраты ${batch.number}` }).waitFor()
  await page.getByRole('button', { name: 'Годен', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Какой товар из R1?' })
  await scan(page, 'R1')
  await question.waitFor()
  await look(page, 'return-which')
  await scan(page, cup)
  await question.waitFor({ state: 'hidden' })
  await sentence(page, `Годен: ${cup}, R1`)
  await figure(page, '1')
  await queueIsEmpty(page)
  await scan(page, 'R2')
  await sentence(page, 'Годен: R2')
  await figure(page, '2')
  await queueIsEmpty(page)
  await scan(page, tea)
  await figure(page, '3')
  await queueIsEmpty(page)
  await alarms(page, 'R2', 'R2')
  const { scans = [] } = good<ReturnBatchContent>(await floor.manager.get(`/returns/${batch.id}`))
  assert.deepEqual(
    scans.map(({ order_external_id, barcode }) => [order_external_id, barcode]),
    [
      ['R1', cup],
      ['R2', tea],
      ['R1', tea],
    ],
  )
  assert.deepEqual(
    [await floor.stock(tea), await floor.stock(cup)],
    [
      [3, 0],
      [2, 0],
    ],
  )
  assert.deepEqual(faults, [])
})

test("another client's goods are refused in every task, by name and with what to do, and nothing is counted", async () => {
  const alien = ean13('460123450007')
  const floor = await openFloor(service, { [tea]: 5 })
  const neighbour = await neighbourOf(floor, 'ООО «Марс»', { [alien]: 2 })
  const name = `«Товар ${alien}» другого клиента, ООО «Марс»: `
  const { page, faults } = await openHandheld()

  const items = [{ barcode: tea, name: 'Чай', qty: 1 }]
  const path = `/clients/${floor.client}/receipts`
  const receipt = good<StaffReceipt>(await floor.manager.post(path, { items }), 201)
  good(await floor.worker.post(`/receipts/${receipt.id}/start`))
  await page.goto(`/staff/scan/receiving/${receipt.id}`)
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  await scan(page, alien)
  const unlisted = page.getByRole('dialog', { name: 'Этого товара нет в приёмке' })
  await unlisted
    .getByText(`«Товар ${alien}» — товар другого клиента, ООО «Марс». Отложите его`)
    .waitFor()
  await look(page, 'receiving-foreign')
  await unlisted.getByRole('button', { name: 'Отмена', exact: true }).click()
  await alarms(page, markingCode(alien, 1), `${name}нет в этой приёмке. Отложите`)

  const box = await addBox(floor)
  await page.goto('/staff/scan/placing')
  await page.locator('.place', { hasText: 'Короб' }).waitFor()
  await alarms(page, alien, `«Товар ${alien}»: так не разместить. Отсканируйте короб или паллету`)
  await scan(page, ssccOf(box))
  await sentence(page, 'Теперь место')
  await alarms(page, alien, `«Товар ${alien}»: это не место. Отсканируйте место`)
  await page.goto('/staff/scan/units')
  await page.locator('.place', { hasText: 'Место' }).waitFor()
  await scan(page, ssccOf(box))
  await sentence(page, 'Теперь товар')
  await alarms(page, alien, `${name}в этот короб нельзя. Отсканируйте другой короб или место`)

  const { warehouse_code } = floor
  const place = 'G-09'
  good(await administrator.post('/locations', { warehouse_code, code: place }), 201)
  const orders = await placeOrders(floor, { F1: { [tea]: 1 } })
  const shipment = await floor.filled(orders)
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText('Вне мест').first().waitFor()
  await alarms(page, alien, `${name}не из этого задания. Верните на место`)
  await alarms(page, markingCode(alien, 1), `${name}не из этого задания. Верните на место`)
  // A place is no goods: nobody puts it back.
  await alarms(page, place, /^Место хранения G-09, .+: не из этого задания$/)
  await scan(page, tea)
  await sentence(page, 'Заказ F1 собран. Всё собрано')
  await queueIsEmpty(page)
  await page.goto(`/staff/scan/checking/${shipment.picking_task_id}?order=${orders[0]?.id}`)
  await page.getByRole('list', { name: 'В посылке' }).waitFor()
  await alarms(page, alien, `${name}нет в этой отгрузке. Уберите из посылки`)
  await alarms(page, markingCode(alien, 1), `${name}нет в этой отгрузке. Уберите из посылки`)

  // Handing over: the shipment is complete, and closes without the strange goods.
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByRole('button', { name: 'Закрыть отгрузку' }).waitFor()
  await alarms(page, alien, `${name}не из этого задания. Верните на место`)
  await page.getByRole('button', { name: 'Закрыть отгрузку' }).click()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await page.getByText('Отгрузка закрыта').waitFor()

  const draft = { client_id: floor.client, expected: [{ external_id: 'F1' }] }
  const batch = good<ReturnBatchContent>(await floor.manager.post('/returns', draft), 201)
  await page.goto(`/staff/scan/returns/${batch.id}`)
  await page.getByRole('heading', { name: `Возвраты ${batch.number}` }).waitFor()
  const toOthers = `${name}отложите и отсканируйте в приёме возвратов того клиента`
  await alarms(page, alien, toOthers)
  await alarms(page, markingCode(alien, 1), toOthers)

  const [ofTea, ofAll] = [await startCount(floor, { barcodes: [tea] }), await startCount(floor, {})]
  for (const [id, sentenceOfCount] of [
    [ofTea, `${name}сейчас не считают. Положите обратно`],
    [ofAll, `${name}в этом пересчёте не считают. Отложите`],
  ] as const) {
    await page.goto(`/staff/scan/counting/${id}`)
    await page.getByText('Весь склад').waitFor()
    await alarms(page, alien, sentenceOfCount)
    await alarms(page, markingCode(alien, 1), sentenceOfCount)
    await queueIsEmpty(page)
    assert.equal(good<StockCount>(await floor.manager.get(`/counts/${id}`)).units, 0)
  }

  const { accepted_qty } = good<StaffReceipt>(await floor.worker.get(`/receipts/${receipt.id}`))
  const { came_qty } = good<ReturnBatchContent>(await floor.manager.get(`/returns/${batch.id}`))
  const { lines = [] } = await floor.task(shipment)
  assert.deepEqual([accepted_qty, came_qty, lines[0]?.checked, lines.length], [0, 0, 0, 1])
  assert.deepEqual(await floor.stock(alien), [0, 0])
  assert.deepEqual(await neighbour.stock(alien), [2, 0])
  const known = await service.db`select identity from marking_codes where barcode = ${alien}`
  assert.equal(known.length, 0)
  assert.deepEqual(faults, [])
})

test('the sums of all that was scanned agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
