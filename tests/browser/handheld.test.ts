import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import type { Box } from '../../src/warehouse/storage/view.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { intercept, openPage, phone } from './browser.ts'
import {
  addWorker,
  alarms,
  figure,
  look,
  queueIsEmpty,
  sentence,
  signIn,
  startHandhelds,
  understand,
} from './handheld-page.ts'
import { scan } from './scanner.ts'

const { service, administrator, openHandheld } = await startHandhelds()
const tea = ean13('460123450001')
const cup = ean13('460123450002')
const milk = ean13('460123450003')

async function addReceipt(client: string, items: readonly object[]): Promise<StaffReceipt> {
  const manager = await staffClient(service, 'manager')
  return good(await manager.post(`/clients/${client}/receipts`, { items }), 201)
}

// Guarantee (handheld): A handheld loses no scan, whatever the network does and however often the page is loaded.
test('receiving: thirty scans in a row, an hour without network and a reload lose nothing', async () => {
  const floor = await openFloor(service, { X: 1 })
  const receipt = await addReceipt(floor.client, [
    { barcode: tea, name: 'Чай зелёный листовой', qty: 33 },
    { barcode: cup, name: 'Чашка', qty: 2 },
  ])
  const { page, faults } = await openHandheld()
  await look(page, 'home')
  await scan(page, receipt.number)
  await page.getByRole('heading', { name: `Приёмка ${receipt.number}` }).waitFor()
  await page.getByRole('button', { name: 'Начать приёмку' }).click()
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  const speedUp = await intercept(page, '**/scans', async (route) => {
    const answer = await route.fetch()
    // As slow as a bad Wi-Fi.
    await page.waitForTimeout(100)
    await route.fulfill({ response: answer })
  })
  for (let n = 0; n < 30; n++) await scan(page, tea)
  await figure(page, '30 из 33')
  await look(page, 'receiving-good')
  speedUp()
  await queueIsEmpty(page)

  await page.context().setOffline(true)
  await scan(page, tea)
  await scan(page, tea)
  await scan(page, tea)
  await figure(page, '33 из 33')
  await page.getByText('В очереди: 3').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await page.getByText('В очереди: 3').waitFor()
  await page.getByText('33 из 33').waitFor()
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  assert.equal(
    good<StaffReceipt>(await floor.worker.get(`/receipts/${receipt.id}`)).accepted_qty,
    33,
  )

  await scan(page, tea)
  await sentence(page, 'лишних 1. Отложите, решит менеджер')
  await look(page, 'receiving-surplus')
  await page.getByRole('button', { name: 'Отменить: Чай' }).click()
  await sentence(page, 'Отменено: Чай зелёный листовой')
  await scan(page, milk)
  await page.getByLabel('Название').fill('Молоко')
  await look(page, 'receiving-unlisted')
  await page.getByRole('button', { name: 'Принять сверх документа' }).click()
  await sentence(page, 'Молоко: нет в приёмке')
  await scan(page, cup)
  await figure(page, '1 из 2')
  await queueIsEmpty(page)

  // The reasons come by themselves once the network is there again.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Завершить приёмку' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.context().setOffline(false)
  await page.getByLabel('Чашка: нет 1').selectOption({ index: 1 })
  await look(page, 'receiving-finish')
  await page.getByRole('button', { name: 'Завершить', exact: true }).click()
  await page.getByText('Принята с расхождением').waitFor()
  const done = good<StaffReceipt>(await floor.worker.get(`/receipts/${receipt.id}`))
  assert.deepEqual(
    done.items?.map((item) => [item.barcode, item.accepted_qty]),
    [
      [tea, 33],
      [cup, 1],
      [milk, 1],
    ],
  )
  assert.deepEqual(await floor.stock(tea), [33, 0])
  assert.deepEqual(faults, [])
})

test('picking: a wrong item locks, marks are asked for, the last unit packs and the next one is named', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 2 })
  const [first, second] = await floor.orders({ H1: tea, H2: cup })
  assert.ok(first && second)
  const shipment = await floor.filled([first, second])
  const { page, faults, login } = await openHandheld()
  await page.getByRole('link', { name: shipment.external_id ?? '' }).click()
  await page.getByText('Вне мест').first().waitFor()
  await look(page, 'picking')
  await scan(page, milk)
  await sentence(page, 'не из этого задания. Верните на место')
  await look(page, 'picking-alarm')
  await scan(page, tea)
  await understand(page)
  await page.getByRole('button', { name: 'Товара нет' }).waitFor()
  await page.getByText('Собрано 0 из 2').waitFor()
  await scan(page, tea)
  await sentence(page, 'Заказ H1 собран. Дальше Вне мест: Товар')
  await look(page, 'picking-full')
  await page.getByRole('button', { name: 'Отменить' }).click()
  await sentence(page, 'Отменено')
  await scan(page, tea)
  await sentence(page, 'Заказ H1 собран')
  await scan(page, tea)
  await sentence(page, 'уже всё собрано')
  await understand(page)
  await page.getByRole('button', { name: 'Товара нет' }).click()
  await page.getByRole('dialog').getByRole('button').first().click()
  await sentence(page, 'Не найден')
  await scan(page, cup)
  await sentence(page, 'Заказ H2 собран. Всё собрано')
  await queueIsEmpty(page)
  const task = await floor.task(shipment)
  assert.deepEqual([task.packed_count, task.claim?.login], [2, login])
  assert.deepEqual(
    task.lines?.map((line) => line.picked),
    [1, 1],
  )

  await page.getByRole('button', { name: 'Закрыть отгрузку' }).click()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await page.getByText('Отгрузка закрыта').waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('link', { name: 'Принять возврат' }).click()
  await page.getByRole('button', { name: 'Годен' }).click()
  await scan(page, 'H1')
  await figure(page, '1')
  await queueIsEmpty(page)
  await page.getByText('1 единица').waitFor()
  await look(page, 'returns')
  await page.getByRole('button', { name: 'Отменить: H1' }).click()
  await page.getByText('0 единиц').waitFor()
  assert.deepEqual(faults, [])
})

test('a box or a pallet is put at a place by two scans, without network and with a reload between them', async () => {
  const floor = await openFloor(service, { [tea]: 1 })
  type Stored = { id: string; sscc: string; location_code?: string }
  const made = async (path: string) =>
    good<Stored>(await floor.worker.post(path, { client_id: floor.client }), 201)
  const [box, pallet] = [await made('/boxes'), await made('/pallets')]
  const { warehouse_code } = floor
  good(await administrator.post('/locations', { warehouse_code, code: 'A-01-02' }), 201)
  const { page, faults } = await openHandheld()
  await page.getByRole('link', { name: 'Разместить' }).click()
  await page.getByText('Отсканируйте номер короба или паллеты').waitFor()
  await scan(page, 'A-01-02')
  await sentence(page, 'Сначала отсканируйте короб')
  await understand(page)
  await scan(page, box.sscc)
  await sentence(page, 'Теперь место')
  await look(page, 'placing')
  await page.reload()
  await page.getByText(`Куда ставите …${box.sscc.slice(-5)}?`).waitFor()
  await scan(page, 'A-01-02')
  await sentence(page, 'стоит на A-01-02')
  await page.context().setOffline(true)
  await scan(page, pallet.sscc)
  await scan(page, 'A-01-02')
  await figure(page, '2')
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  const places = [`/boxes/${box.id}`, `/pallets/${pallet.id}`].map(async (path) => {
    return good<Stored>(await floor.worker.get(path)).location_code
  })
  assert.deepEqual(await Promise.all(places), ['A-01-02', 'A-01-02'])
  assert.deepEqual(faults, [])
})

/** Records what the worker's hand and ear get: vibrations, and the tones of each sound. */
function recordSignals(): void {
  const signals = { made: 0, vibrations: [] as string[], sounds: {} as Record<string, string[]> }
  Object.assign(globalThis, { signals })
  navigator.vibrate = (pattern) => {
    signals.vibrations.push(JSON.stringify(pattern))
    return true
  }
  globalThis.AudioContext = class extends AudioContext {
    constructor() {
      super()
      signals.made++
    }
    override createOscillator() {
      const oscillator = super.createOscillator()
      const signal = `${signals.vibrations.length} ${signals.vibrations.at(-1)}`
      const start = oscillator.start.bind(oscillator)
      oscillator.start = (at) => {
        const sound = `${oscillator.type} ${oscillator.frequency.value}`
        signals.sounds[signal] = [...(signals.sounds[signal] ?? []), sound]
        start(at)
      }
      return oscillator
    }
  }
}

interface Signals {
  readonly made: number
  readonly vibrations: readonly string[]
  /** The tones, by the vibration that came with them. */
  readonly sounds: Readonly<Record<string, readonly string[]>>
}

/** On the page. */
declare const signals: Signals

const signalsOf = (page: Page) => page.evaluate(() => signals)

test('receiving marked goods: repeated, foreign and broken codes alarm, four outcomes feel different', async () => {
  const rare = ean13('460123450088')
  const foreign = await openFloor(service, { [rare]: 1 })
  const floor = await openFloor(service, { X: 1 })
  await addReceipt(foreign.client, [{ barcode: rare, name: 'Редкость', qty: 1 }])
  const { id, number } = await addReceipt(floor.client, [
    { barcode: tea, name: 'Чай', qty: 2, honest_mark: true },
  ])
  good(await floor.worker.post(`/receipts/${id}/start`))
  const box = good<{ id: string; sscc: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  const { login } = await addWorker(administrator)
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.addInitScript(recordSignals)
  await page.goto('/staff/scan')
  await signIn(page, login)
  await scan(page, number, { isRussian: true, sendsEnter: false })
  // Receipts of two clients have the same number.
  await page.getByRole('heading', { name: 'Что это?' }).waitFor()
  await page.locator(`a[href$="${id}"]`).click()
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  const [first, second] = [markingCode(tea, 1), markingCode(tea, 2)]
  await scan(page, tea)
  await sentence(page, 'Теперь код маркировки «Чай»')
  await scan(page, first)
  await figure(page, '1 из 2')
  await queueIsEmpty(page)
  await alarms(page, first, 'уже')
  await page.locator('.lines', { hasText: '1 из 2' }).waitFor()
  await alarms(page, first.slice(0, 30), 'код')
  await alarms(page, markingCode(milk, 1), 'нет в этой приёмке. Отложите')
  await scan(page, rare)
  await page.getByText('товар другого клиента').waitFor()
  await scan(page, first)
  await look(page, 'receiving-foreign')
  await page.getByRole('button', { name: 'Отмена' }).click()
  await scan(page, box.sscc)
  await sentence(page, 'кладите в него')
  await scan(page, second)
  await figure(page, '2 из 2')
  await queueIsEmpty(page)
  assert.deepEqual(await floor.stock(tea), [2, 0])
  const inside = good<object>(await floor.worker.get(`/boxes/${box.id}`))
  assert.match(JSON.stringify(inside), new RegExp(`${tea}.*"qty":1|"qty":1.*${tea}`))

  const { made, vibrations, sounds } = await signalsOf(page)
  const [good_, full, surplus, alarm] = [
    '40',
    '[40,60,120]',
    '[120,80,120]',
    '[300,100,300,100,300]',
  ]
  for (const pattern of [good_, full, surplus, alarm]) {
    assert.ok(vibrations.includes(String(pattern)), `${pattern} in ${vibrations}`)
  }
  assert.equal(made, 1)
  const heard = new Map(
    Object.entries(sounds).map(([signal, tones]) => [tones.join(), signal.split(' ')[1]]),
  )
  assert.equal(Object.keys(sounds).length, vibrations.length, 'each vibration has its sound')
  assert.equal(new Set(heard.values()).size, 4)
  assert.equal(heard.size, 4, `four sounds: ${[...heard.keys()].join(' | ')}`)
  assert.deepEqual(faults, [])
})

test('goods without a document: goods of the warehouse count at once, marked ones by their codes, unknown ones get a name', async () => {
  const rare = ean13('460123450077')
  const marked = ean13('460123450078')
  const strange = ean13('460123450079')
  const floor = await openFloor(service, { [rare]: 1 })
  const { page, faults } = await openHandheld()
  await page.getByRole('link', { name: 'Принять без документа' }).click()
  await page.getByText('Отсканируйте товар, короб').waitFor()
  await scan(page, rare)
  await page.getByRole('heading', { name: 'Чей это товар?' }).waitFor()
  await look(page, 'walk-in')
  await page.getByRole('button', { name: 'ООО «Проверка»' }).click()
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  await scan(page, rare)
  await figure(page, '1')
  await scan(page, rare)
  await figure(page, '2')
  const card = { name: 'Молоко', honest_mark: true }
  good(await floor.manager.put(`/clients/${floor.client}/products/${marked}`, card), 201)
  await alarms(page, marked, 'отсканируйте код маркировки')
  await scan(page, markingCode(marked, 1))
  await figure(page, '1')
  await scan(page, strange)
  await page.getByLabel('Название').fill('Диковина')
  await page.getByRole('button', { name: 'Принять' }).click()
  await sentence(page, 'Диковина')

  // After a reload the box is still the one that takes the goods.
  const box = good<{ id: string; sscc: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  await scan(page, box.sscc)
  await sentence(page, 'кладите в него')
  await page.reload()
  await page.getByText('Кладём в короб').waitFor()
  // It still is where a browser is opened anew at the first page.
  await page.goto('/staff/scan')
  await page.getByRole('link', { name: 'Продолжить: приёмка' }).click()
  await page.getByText('Кладём в короб').waitFor()
  await scan(page, rare)
  await figure(page, '3')
  await queueIsEmpty(page)
  const { contents } = good<Box>(await floor.worker.get(`/boxes/${box.id}`))
  assert.deepEqual(
    contents?.map(({ barcode, qty }) => [barcode, qty]),
    [[rare, 1]],
  )
  const units = [rare, marked, strange].map((barcode) => floor.stock(barcode))
  assert.deepEqual(await Promise.all(units), [
    [4, 0],
    [1, 0],
    [1, 0],
  ])
  assert.deepEqual(faults, [])
})

test('the sums of all that was scanned agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
