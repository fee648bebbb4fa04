import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import type { ReturnBatchContent } from '../../src/warehouse/returns/batch-view.ts'
import type { Box } from '../../src/warehouse/storage/view.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { cutOff } from './browser.ts'
import { pickedShipment, placeOrders, startCount } from './handheld-floor.ts'
import { alarms, figure, look, queueIsEmpty, sentence, startHandhelds } from './handheld-page.ts'
import { scan } from './scanner.ts'

const { service, administrator, openHandheld } = await startHandhelds()
const tea = ean13('460123450001')
const cup = ean13('460123450002')
const milk = ean13('460123450003')
const gift = ean13('460123450004')

async function addLocation({ warehouse_code }: Floor, code: string): Promise<void> {
  good(await administrator.post('/locations', { warehouse_code, code }), 201)
}

test('counting: the place first, then goods, one by one and as a number, blind, counted again', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 40 })
  await addLocation(floor, 'C-01-1')
  await addLocation(floor, 'C-01-2')
  const put = (code: string, barcode: string, qty: number) =>
    floor.worker.post(`/locations/${code}/put`, {
      scan_id: randomUUID(),
      client_id: floor.client,
      barcode,
      qty,
    })
  good(await put('C-01-1', tea, 5))
  good(await put('C-01-2', cup, 40))
  const id = await startCount(floor, { locations: ['C-01-1', 'C-01-2'] })
  const { page, faults } = await openHandheld()
  const counts = page.getByRole('region', { name: 'Пересчитать' })
  await counts.locator(`a[href$="${id}"]`).click()
  await page.getByRole('heading', { name: 'Пересчёт', exact: true }).waitFor()
  await page.getByText('Обойдено мест: 0 из 2').waitFor()
  await look(page, 'counting')
  await alarms(page, tea, 'Сначала отсканируйте место или короб')
  await alarms(page, 'Z-99', 'Склад не знает этого кода')
  await scan(page, 'C-01-1')
  await sentence(page, 'C-01-1. Считайте товар')
  for (let n = 0; n < 4; n++) await scan(page, tea)
  await figure(page, '4')
  await look(page, 'counting-good')
  await queueIsEmpty(page)
  await page.context().setOffline(true)
  await scan(page, tea)
  await figure(page, '5')
  await page.getByText('В очереди: 1').waitFor()
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  await page.getByRole('button', { name: 'Отменить:' }).click()
  await sentence(page, 'Отменено')
  await queueIsEmpty(page)

  await page.getByRole('button', { name: 'Числом', exact: true }).click()
  await scan(page, 'C-01-2')
  await sentence(page, 'C-01-2. Считайте товар')
  await scan(page, cup)
  await page.getByLabel('Сколько штук', { exact: true }).fill('40')
  await look(page, 'counting-number')
  await page.getByRole('button', { name: 'Посчитать', exact: true }).click()
  await figure(page, '40')
  await queueIsEmpty(page)
  const places = page.getByRole('list', { name: 'Где считать' })
  const stateOf = (code: string, state: string) =>
    places.getByRole('listitem').filter({ hasText: code }).getByText(state, { exact: true })
  await stateOf('C-01-1', 'начато').waitFor()
  await stateOf('C-01-2', 'считаете').waitFor()
  const ready = page.getByRole('button', { name: 'Готово', exact: true })
  const placeReady = page.getByRole('button', { name: 'Место готово', exact: true })
  await placeReady.click()
  await sentence(page, 'C-01-2: готово. Сканируйте следующее место')
  await stateOf('C-01-2', '✓ готово').waitFor()
  await ready.click()
  const question = page.getByRole('dialog', { name: 'Вы всё посчитали?' })
  await question.getByText('Не обойдено: C-01-1', { exact: true }).waitFor()
  await question.getByRole('button', { name: 'Считать дальше', exact: true }).click()
  await look(page, 'counting-place-done')
  await alarms(page, cup, 'Сначала отсканируйте место или короб')
  await page.reload()
  await page.getByText('Обойдено мест: 1 из 2').waitFor()
  await scan(page, 'C-01-1')
  await placeReady.click()
  await page.getByText('Все места посчитаны').waitFor()
  await page.getByText('Обойдено мест: 2 из 2').waitFor()
  await ready.click()
  await sentence(page, 'Вы закончили считать. Всего: 44 штуки')
  await queueIsEmpty(page)
  const counted = async () => {
    const { lines = [] } = good<StockCount>(await floor.manager.get(`/counts/${id}`))
    return lines.map(({ barcode, counted: units, difference }) => [barcode, units, difference])
  }
  assert.deepEqual(await counted(), [
    [tea, 4, -1],
    [cup, 40, 0],
  ])

  const verb = async (name: string, body?: object) =>
    good(await floor.manager.post(`/counts/${id}/${name}`, body))
  await verb('review')
  await page.reload()
  await sentence(page, 'пересчёт на проверке у менеджера')
  await verb('recount', { barcodes: [tea] })
  await page.reload()
  const again = page.getByRole('list', { name: 'Посчитать заново' })
  await again.getByText(`Товар ${tea}`).waitFor()
  assert.equal(await again.getByRole('listitem').count(), 1)
  await look(page, 'counting-again')
  await scan(page, 'C-01-1')
  await sentence(page, 'C-01-1. Считайте товар')
  await alarms(page, cup, 'уже посчитан')
  for (let n = 0; n < 6; n++) await scan(page, tea)
  await figure(page, '6')
  await queueIsEmpty(page)
  await verb('review')
  await verb(`lines/${tea}/accept`, { outcome: 'correct', reason: 'COUNT' })
  await verb('close')
  assert.deepEqual(
    [await floor.stock(tea), await floor.stock(cup)],
    [
      [6, 0],
      [40, 0],
    ],
  )
  assert.deepEqual(faults, [])
})

test('picking and counting: the last scan is undone after a reload, and the place stays chosen', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const addBox = async () =>
    good<Box>(await floor.worker.post('/boxes', { client_id: floor.client }), 201)
  const [other, box] = [await addBox(), await addBox()]
  for (const { id } of [other, box]) {
    good(await floor.worker.post(`/boxes/${id}/put`, { barcode: cup, qty: 2 }))
  }
  const sscc = box.sscc ?? ''
  const undo = (page: Page) => page.getByRole('button', { name: /^Отменить: / })
  const { page, faults } = await openHandheld()

  const id = await startCount(floor, { barcodes: [cup] })
  await page.goto(`/staff/scan/counting/${id}`)
  await page.getByText('Весь склад').waitFor()
  await scan(page, sscc)
  await sentence(page, 'Считайте товар')
  await scan(page, cup)
  await scan(page, cup)
  await figure(page, '2')
  await queueIsEmpty(page)
  await page.reload()
  await undo(page).click()
  await sentence(page, 'Отменено')
  await queueIsEmpty(page)
  await scan(page, cup)
  await figure(page, '2')
  await sentence(page, `Короб …${sscc.slice(-5)}`)
  // The scan has not left yet.
  const mend = await cutOff(page, '**/scans')
  await scan(page, cup)
  await figure(page, '3')
  await page.getByText('В очереди: 1').waitFor()
  await page.reload()
  await undo(page).click()
  await figure(page, '2')
  await page.getByText('В очереди: 2').waitFor()
  mend()
  await queueIsEmpty(page)
  const { lines = [] } = good<StockCount>(await floor.manager.get(`/counts/${id}`))
  assert.deepEqual(
    lines.map(({ counted, places }) => [counted, places.map((place) => place.sscc)]),
    [[2, [sscc]]],
  )

  const orders = await placeOrders(floor, { U1: { [cup]: 2, [tea]: 1 } })
  const shipment = await floor.filled(orders)
  const picked = async () =>
    (await floor.task(shipment)).lines?.map((line) => [line.barcode, line.picked]).toSorted()
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText('Собрано 0 из 1').waitFor()
  await scan(page, sscc)
  await sentence(page, `Место ${sscc}`)
  await scan(page, cup)
  await figure(page, '1 из 2')
  await queueIsEmpty(page)
  await page.reload()
  await undo(page).click()
  await sentence(page, 'Отменено')
  await undo(page).waitFor({ state: 'hidden' })
  await queueIsEmpty(page)
  assert.deepEqual(await picked(), [
    [tea, 0],
    [cup, 0],
  ])
  for (const code of [cup, cup]) await scan(page, code)
  await figure(page, '2 из 2')
  await scan(page, tea)
  await sentence(page, 'Заказ U1 собран')
  await queueIsEmpty(page)
  const left = good<Box>(await floor.worker.get(`/boxes/${box.id}`))
  assert.deepEqual(left.contents, [])
  await page.reload()
  await undo(page).click()
  await page.getByText('Собрано 0 из 1').waitFor()
  await queueIsEmpty(page)
  assert.deepEqual(await picked(), [
    [tea, 0],
    [cup, 2],
  ])
  assert.deepEqual(faults, [])
})

test('what is over, or in the hands of another, offers nothing to do there', async () => {
  const floor = await openFloor(service, { [tea]: 1 })
  const shipment = await floor.filled(await placeOrders(floor, { O1: { [tea]: 1 } }))
  const path = `/staff/scan/picking/${shipment.picking_task_id}`
  const { page: first, login } = await openHandheld()
  const { page: second, faults } = await openHandheld()
  await first.goto(path)
  await first.getByText('Собрано 0 из 1').waitFor()
  await scan(first, tea)
  await sentence(first, 'Заказ O1 собран')
  await queueIsEmpty(first)
  await second.goto(path)
  await second.getByText(`Задание собирает ${login}`).waitFor()
  const offered = (page: Page) => page.locator('main').getByRole('button').count()
  assert.equal(await offered(second), 0)
  await look(second, 'picking-claimed')
  await first.getByRole('button', { name: 'Закрыть отгрузку' }).click()
  await first.getByText('Упаковка проверена у 0 из 1 посылки').waitFor()
  await look(first, 'picking-close')
  await first.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await sentence(first, 'Отгрузка закрыта')
  assert.equal(await offered(first), 0)
  await first.getByRole('link', { name: 'К заданиям' }).click()
  await first.getByRole('heading', { name: login, exact: true }).waitFor()
  assert.equal(await first.getByRole('link', { name: 'Продолжить' }).count(), 0)
  assert.deepEqual(faults, [])
})

test('the packing check: the parcel, then every unit; wrong and surplus goods alarm, done says so', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const shipment = await pickedShipment(floor, { P1: { [tea]: 2, [cup]: 1 }, P2: { [cup]: 1 } })
  const { page, faults } = await openHandheld()
  await page.getByRole('link', { name: 'Проверить упаковку', exact: true }).click()
  await page.getByText('Отсканируйте этикетку заказа или номер отгрузки').waitFor()
  await scan(page, milk)
  await page.getByText('среди отгрузок, которые собирают, такого нет').waitFor()
  await look(page, 'checking-find')
  await scan(page, shipment.external_id ?? '')
  await page.getByRole('heading', { name: `Проверка ${shipment.external_id}` }).waitFor()
  await page.getByText('Проверено 0 из 2').waitFor()
  await alarms(page, tea, 'Сначала отсканируйте этикетку')
  await scan(page, 'P1')
  await sentence(page, 'Заказ P1. Сканируйте, что в посылке')
  await scan(page, tea)
  await figure(page, '1 из 3')
  await look(page, 'checking-good')
  await alarms(page, milk, 'нет в этой отгрузке')
  await page.context().setOffline(true)
  await scan(page, tea)
  await figure(page, '2 из 3')
  await alarms(page, tea, 'в заказе P1 лишняя единица')
  await page.context().setOffline(false)
  await scan(page, cup)
  await sentence(page, 'Заказ P1 проверен. Берите следующий')
  await look(page, 'checking-full')
  await scan(page, 'P2')
  await sentence(page, 'Заказ P2. Сканируйте')
  await alarms(page, tea, 'не из заказа P2')
  await scan(page, cup)
  await sentence(page, 'Заказ P2 проверен. Вся отгрузка проверена')
  await queueIsEmpty(page)
  const { lines = [] } = await floor.task(shipment)
  assert.deepEqual(
    lines.map(({ checked, qty }) => checked === qty),
    [true, true, true],
  )
  await page.reload()
  await page.getByText('Проверено 2 из 2').waitFor()
  await page.getByText('Вся отгрузка проверена').waitFor()
  await look(page, 'checking-done')
  assert.deepEqual(await floor.stock(tea), [5, 2])
  assert.deepEqual(faults, [])
})

/** A client with a name of its own, whose only order, of a cup, has left. */
async function shippedCup(name: string, order: string): Promise<Floor> {
  const floor = await openFloor(service, { [gift]: 2 })
  good(await floor.manager.patch(`/clients/${floor.client}`, { name }))
  const shipment = await pickedShipment(floor, { [order]: { [gift]: 1 } })
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assert.deepEqual(await floor.stock(gift), [1, 0])
  return floor
}

test('returns: open batches are on the first page, and a code of two clients asks whose it is', async () => {
  const moon = await shippedCup('ООО «Луна»', 'L1')
  const mars = await shippedCup('ООО «Марс»', 'M1')
  const expected = [{ external_id: 'L1' }]
  const batch = good<ReturnBatchContent>(
    await moon.manager.post('/returns', { client_id: moon.client, expected }),
    201,
  )
  const { page, faults, login } = await openHandheld()
  const home = page.getByRole('heading', { name: login })
  const back = page.getByRole('link', { name: 'Назад', exact: true })
  const sellable = page.getByRole('button', { name: 'Годен', exact: true })
  const batches = page.getByRole('region', { name: 'Возвраты' })
  await batches.locator(`a[href$="${batch.id}"]`).click()
  await page.getByRole('heading', { name: `Возвраты ${batch.number}` }).waitFor()
  await page.getByText('0 из 1').waitFor()
  await look(page, 'return-batch')
  await alarms(page, 'M1', 'другого клиента')
  await alarms(page, markingCode(milk, 1), /^У этого клиента нет товара с GTIN/)
  await sellable.click()
  await scan(page, gift)
  await figure(page, '1')
  await page.getByText('1 из 1').waitFor()
  await queueIsEmpty(page)
  assert.deepEqual(await moon.stock(gift), [2, 0])
  await page.getByRole('button', { name: `Отменить: ${gift}` }).click()
  await sentence(page, 'Отменено')
  await queueIsEmpty(page)
  await page.getByText('0 из 1').waitFor()
  assert.deepEqual(await moon.stock(gift), [1, 0])

  await back.click()
  await home.waitFor()
  await page.getByRole('link', { name: 'Принять возврат', exact: true }).click()
  await page.getByText('сканируйте любой код с единицы').waitFor()
  await sellable.click()
  await scan(page, gift)
  const question = page.getByRole('dialog', { name: 'Чей это товар?' })
  await question.waitFor()
  await look(page, 'return-whose')
  await scan(page, gift)
  await question.getByRole('button', { name: 'ООО «Марс»' }).click()
  await question.waitFor({ state: 'hidden' })
  await sentence(page, `Годен: ${gift}. ООО «Марс»`)
  await figure(page, '1')
  await queueIsEmpty(page)
  assert.deepEqual(
    [await moon.stock(gift), await mars.stock(gift)],
    [
      [1, 0],
      [2, 0],
    ],
  )
  await page.getByRole('button', { name: `Отменить: ${gift}` }).click()
  await sentence(page, 'Отменено')
  await queueIsEmpty(page)
  assert.deepEqual(await mars.stock(gift), [1, 0])
  await scan(page, gift)
  await question.getByRole('button', { name: 'Отмена', exact: true }).click()
  await question.waitFor({ state: 'hidden' })
  await scan(page, 'L1')
  await sentence(page, 'Годен: L1')
  await queueIsEmpty(page)
  assert.deepEqual(
    [await moon.stock(gift), await mars.stock(gift)],
    [
      [2, 0],
      [1, 0],
    ],
  )

  await back.click()
  await home.waitFor()
  await batches.locator(`a[href$="${batch.id}"]`).click()
  await page.getByRole('button', { name: 'Закончить приём возвратов', exact: true }).click()
  await look(page, 'return-finish')
  await page.getByRole('button', { name: 'Закончить', exact: true }).click()
  await sentence(page, 'Приём возвратов закончен')
  assert.deepEqual(faults, [])
})

test('a returned unit is undone without network and after a reload, also before its batch is known', async () => {
  const floor = await shippedCup('ООО «Сатурн»', 'S1')
  const { page, faults } = await openHandheld()
  const undo = page.getByRole('button', { name: 'Отменить: S1' })
  const cameBack = async () => {
    await queueIsEmpty(page)
    return (await floor.stock(gift))[0] === 2
  }
  await page.getByRole('link', { name: 'Принять возврат', exact: true }).click()
  await page.getByText('сканируйте любой код с единицы').waitFor()
  await page.getByRole('button', { name: 'Годен', exact: true }).click()

  await page.context().setOffline(true)
  await scan(page, 'S1')
  await sentence(page, 'Годен: S1')
  await undo.click()
  await sentence(page, 'Отменено: S1')
  await page.getByText('В очереди: 2').waitFor()
  await page.context().setOffline(false)
  assert.equal(await cameBack(), false)

  await page.getByRole('button', { name: 'Годен', exact: true }).click()
  await scan(page, 'S1')
  await sentence(page, 'Годен: S1')
  assert.equal(await cameBack(), true)
  await sentence(page, `Годен: S1 · Товар ${gift}`)
  await page.reload()
  await undo.click()
  await sentence(page, `Отменено: S1 · Товар ${gift}`)
  await undo.waitFor({ state: 'hidden' })
  assert.equal(await cameBack(), false)
  await page.reload()
  await page.getByText('сканируйте любой код с единицы').waitFor()
  assert.equal(await undo.count(), 0)

  // The page is read again before the scan has left: only the disk knows what the undo belongs to.
  await page.getByRole('button', { name: 'Годен', exact: true }).click()
  const mend = await cutOff(page, '**/staff/v1/returns/scans')
  await scan(page, 'S1')
  await sentence(page, 'Годен: S1')
  await page.reload()
  await undo.click()
  await sentence(page, 'Отменено: S1')
  await page.getByText('В очереди: 2').waitFor()
  mend()
  await queueIsEmpty(page)
  assert.equal(await cameBack(), false)
  const scans = await floor.manager.get(`/returns?client_id=${floor.client}`)
  assert.equal(good<{ items: { came_qty: number }[] }>(scans).items[0]?.came_qty, 0)
  assert.deepEqual(faults, [])
})

test('the sums of all that was scanned agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
