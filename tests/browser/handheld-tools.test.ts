import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import bwip from '@bwip-js/node'
import { Resvg } from '@resvg/resvg-js'
import type { PrintJob } from '../../src/documents/printing/view.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Location } from '../../src/warehouse/storage/location-view.ts'
import type { Box } from '../../src/warehouse/storage/view.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { good, openFloor } from '../support/shipping.ts'
import { launch, plainHttp } from './browser.ts'
import {
  figure,
  look,
  queueIsEmpty,
  sentence,
  startHandhelds,
  understand,
} from './handheld-page.ts'
import { scan } from './scanner.ts'

const { service, administrator, openHandheld } = await startHandhelds()
const tea = ean13('460123450001')
const cup = ean13('460123450002')
const floor = await openFloor(service, { [tea]: 20, [cup]: 4 })
const { warehouse_code } = floor
for (const code of ['A-01', 'B-02']) {
  good(await administrator.post('/locations', { warehouse_code, code }), 201)
}

/** Loose units at a location, or units in a box, by barcode. */
async function held(path: string): Promise<Record<string, number>> {
  const { contents = [] } = good<Location | Box>(await floor.worker.get(path))
  return Object.fromEntries(contents.map(({ barcode, qty }) => [barcode, qty]))
}

test('loose units are put, taken and moved by scans; a scan counts once, and undo is the opposite', async () => {
  const box = good<{ id: string; sscc: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  const { page, faults } = await openHandheld()
  await page.getByRole('link', { name: 'Положить или взять товар', exact: true }).click()
  await page.getByRole('heading', { name: 'Положить', exact: true }).waitFor()
  await look(page, 'units')
  await scan(page, tea)
  await sentence(page, 'Сначала отсканируйте место или короб')
  await look(page, 'units-alarm')
  await understand(page)
  await scan(page, 'A-01')
  await sentence(page, 'Положить: A-01. Теперь товар')
  await page.getByText('Россыпью ничего не лежит').waitFor()
  for (let n = 0; n < 5; n++) await scan(page, tea)
  await figure(page, '5')
  await page.getByRole('button', { name: 'Положить ещё несколько', exact: true }).click()
  await page.getByLabel('Сколько ещё штук').fill('3')
  await look(page, 'units-quantity')
  await page.getByRole('button', { name: 'Посчитать', exact: true }).click()
  await figure(page, '8')
  await queueIsEmpty(page)
  await look(page, 'units-put')
  await page.reload()
  await page.locator('.place', { hasText: 'A-01' }).waitFor()
  await page.getByRole('button', { name: /^Отменить: / }).click()
  await sentence(page, 'Отменено')
  await queueIsEmpty(page)
  assert.deepEqual(await held('/locations/A-01'), { [tea]: 5 })

  await page.reload()
  await page.locator('.place', { hasText: 'A-01' }).waitFor()
  await page.getByRole('button', { name: 'Взять', exact: true }).click()
  await page.getByRole('heading', { name: 'Взять', exact: true }).waitFor()
  await scan(page, tea)
  await figure(page, '4')
  await scan(page, cup)
  await sentence(page, 'на этом месте вне коробов нет')
  await queueIsEmpty(page)
  await understand(page)

  await page.getByRole('button', { name: 'Переложить', exact: true }).click()
  await page.getByRole('heading', { name: 'Переложить', exact: true }).waitFor()
  await scan(page, tea)
  await scan(page, tea)
  await sentence(page, 'в руках 2')
  await look(page, 'units-moving')
  await scan(page, cup)
  await sentence(page, 'Сначала отсканируйте, куда кладёте')
  await understand(page)
  await scan(page, 'B-02')
  await sentence(page, 'A-01 → B-02')
  await scan(page, tea)
  await sentence(page, 'в руках 1')
  await scan(page, box.sscc)
  await sentence(page, 'A-01 → короб')
  await queueIsEmpty(page)
  assert.deepEqual(await held('/locations/A-01'), { [tea]: 1 })
  assert.deepEqual(await held('/locations/B-02'), { [tea]: 2 })
  assert.deepEqual(await held(`/boxes/${box.id}`), { [tea]: 1 })

  await page.getByRole('button', { name: 'Положить', exact: true }).click()
  await page.getByRole('heading', { name: 'Положить', exact: true }).waitFor()
  await scan(page, box.sscc)
  await sentence(page, 'Теперь товар')
  await page.context().setOffline(true)
  await scan(page, tea)
  await scan(page, tea)
  await page.getByText('В очереди: 2').waitFor()
  await page.getByRole('button', { name: /^Отменить: / }).click()
  await sentence(page, 'Скан ещё не отправлен')
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  assert.deepEqual(await held(`/boxes/${box.id}`), { [tea]: 3 })
  assert.deepEqual(await floor.stock(tea), [20, 0])
  assert.deepEqual(faults, [])
})

test('a box that is scanned shows what is in it, and the next step goes on with it in hand', async () => {
  const { page, faults } = await openHandheld()
  const { id, sscc = '' } = good<Box>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  const put = { scan_id: randomUUID(), barcode: cup, qty: 2 }
  good(await floor.worker.post(`/boxes/${id}/put`, put))
  await scan(page, sscc ?? '')
  const inside = page.getByRole('list', { name: 'Что внутри' })
  await inside.getByText(`Товар ${cup}`).waitFor()
  await look(page, 'code-box')
  await page.getByRole('link', { name: 'Взять отсюда', exact: true }).click()
  await page.getByRole('heading', { name: 'Взять', exact: true }).waitFor()
  // What is in the box says how many are left.
  await page.getByText(`Товар ${cup}`).waitFor()
  await scan(page, cup)
  await figure(page, '1')
  await queueIsEmpty(page)
  assert.deepEqual(await held(`/boxes/${id}`), { [cup]: 1 })
  await page.goto(`/staff/scan/code?code=${sscc}`)
  await page.getByRole('link', { name: 'Поставить на место', exact: true }).click()
  await page.getByRole('heading', { name: 'Разместить', exact: true }).waitFor()
  await scan(page, 'B-02')
  await sentence(page, 'стоит на B-02')
  await scan(page, 'B-02')
  await sentence(page, 'Сначала отсканируйте короб или паллету')
  await understand(page)
  await queueIsEmpty(page)
  assert.equal(good<Box>(await floor.worker.get(`/boxes/${id}`)).location_code, 'B-02')
  assert.deepEqual(faults, [])
})

test('where several clients have the goods, the worker says whose they are', async () => {
  const other = await openFloor(service, { [cup]: 2 })
  await service.db`update clients set warehouse_code = ${warehouse_code} where id = ${other.client}`
  const { page, faults } = await openHandheld()
  await page.goto('/staff/scan/units?verb=put&location=A-01')
  await page.locator('.place', { hasText: 'A-01' }).waitFor()
  await scan(page, cup)
  await page.getByRole('heading', { name: 'Чей это товар?', exact: true }).waitFor()
  await look(page, 'units-owner')
  await page.getByRole('dialog').getByRole('button').first().click()
  await sentence(page, 'положено 1')
  await scan(page, cup)
  await figure(page, '2')
  await queueIsEmpty(page)
  assert.equal((await held('/locations/A-01'))[cup], 2)
  assert.deepEqual(faults, [])
})

test('labels of what a scan has found go to the chosen station, and the page says what became of them', async () => {
  const box = good<Box>(await floor.worker.post('/boxes', { client_id: floor.client }), 201)
  const pallet = good<Box>(await floor.worker.post('/pallets', { client_id: floor.client }), 201)
  const [order] = await floor.orders({ 'label-1': tea })
  const station = good<{ id: string }>(
    await floor.manager.post('/print-stations', {
      warehouse_code,
      name: 'Упаковка 1',
      formats: ['58x40'],
    }),
    201,
  )
  const lastJob = async () => {
    const { items } = good<{ items: PrintJob[] }>(
      await floor.worker.get(`/print-jobs?station_id=${station.id}`),
    )
    assert.ok(items[0])
    return items[0]
  }
  const { page, faults } = await openHandheld()
  await scan(page, box.sscc ?? '')
  await look(page, 'label-no-station')
  await page.getByRole('link', { name: 'Выбрать станцию печати', exact: true }).click()
  await page.getByRole('heading', { name: 'Где печатать этикетки', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Упаковка 1', exact: true }).click()
  const print = page.getByRole('button', { name: 'Напечатать этикетку: Упаковка 1', exact: true })
  await print.click()
  await page.getByText('В очереди на печать: Упаковка 1').waitFor()
  await look(page, 'label-queued')
  const first = await lastJob()
  assert.deepEqual([first.kind, first.object_id, first.copies], ['box-label', box.id, 1])
  good(await floor.worker.patch(`/print-jobs/${first.id}`, { status: 'PRINTED' }))
  await page.getByText('Напечатано: Упаковка 1').waitFor()
  await look(page, 'label-printed')

  for (const [code, title, kind] of [
    [pallet.sscc ?? '', `Паллета ${pallet.sscc}`, 'pallet-label'],
    ['B-02', 'Место хранения B-02', 'location-label'],
    ['label-1', 'Заказ WB label-1', 'order-sticker'],
  ] as const) {
    await scan(page, code)
    await page.getByRole('heading', { name: title }).waitFor()
    await print.click()
    await page.getByText('В очереди на печать: Упаковка 1').waitFor()
    assert.equal((await lastJob()).kind, kind)
  }
  const last = await lastJob()
  assert.equal(last.object_id, order?.id)
  const outcome = { status: 'FAILED', reason: 'Кончилась бумага' }
  good(await floor.worker.patch(`/print-jobs/${last.id}`, outcome))
  await page.getByText('Не напечатано: Кончилась бумага').waitFor()
  await look(page, 'label-failed')
  await page.getByRole('button', { name: 'Напечатать ещё раз', exact: true }).click()
  await page.getByText('В очереди на печать: Упаковка 1').waitFor()
  assert.notEqual((await lastJob()).id, last.id)
  good(await floor.manager.patch(`/print-stations/${station.id}`, { active: false }))
  await page.getByRole('button', { name: 'Напечатать ещё раз', exact: true }).click()
  await page.getByRole('link', { name: 'Выбрать другую станцию', exact: true }).waitFor()
  await look(page, 'label-refused')
  assert.deepEqual(faults, [])
})

/** A film for a camera that does not exist: each code for two seconds, over and over. */
function filmOf(codes: readonly { bcid: string; text: string }[]): Buffer {
  const [width, height] = [640, 480]
  const grey = Buffer.alloc((width * height) / 2, 128)
  const frames = codes.flatMap((code) => {
    const drawn = bwip.toSVG(code).replace('<svg', '<svg x="60" y="90" width="520" height="300"')
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="${width}" height="${height}" fill="white"/>${drawn}</svg>`
    const { pixels } = new Resvg(picture).render()
    const light = Buffer.from(pixels.filter((_, at) => at % 4 === 0))
    return Array(20).fill(Buffer.concat([Buffer.from('FRAME\n'), light, grey]))
  })
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\n`),
    ...frames,
  ])
}

test('the camera reads what a scanner would, separators included, and says why it is not there', async (t) => {
  const box = good<Box>(await floor.worker.post('/boxes', { client_id: floor.client }), 201)
  const marking = markingCode(tea, 5)
  const folder = await mkdtemp(join(tmpdir(), 'sklad-film-'))
  const film = join(folder, 'film.y4m')
  await writeFile(
    film,
    filmOf([
      { bcid: 'code128', text: `00${box.sscc}` },
      { bcid: 'datamatrix', text: marking },
    ]),
  )
  const own = await launch([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ])
  t.after(async () => {
    await own.close()
    await rm(folder, { recursive: true })
  })
  const { page, faults } = await openHandheld(service.baseUrl, own)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.baseUrl) && !url.startsWith('blob:')) elsewhere.push(url)
  })
  const asked = (code: string) =>
    page.waitForRequest((request) => new URL(request.url()).searchParams.get('code') === code)
  const boxAsked = asked(`00${box.sscc}`)
  const markingAsked = asked(marking)
  await page.getByRole('button', { name: 'Код', exact: true }).click()
  await look(page, 'camera-choice')
  await page.getByRole('button', { name: 'Сканировать камерой', exact: true }).click()
  await boxAsked
  await page.getByRole('heading', { name: `Короб ${box.sscc}` }).waitFor()
  await look(page, 'camera')
  await markingAsked
  await page.getByRole('button', { name: 'Выключить камеру', exact: true }).click()
  await page.locator('video').waitFor({ state: 'detached' })
  assert.deepEqual(elsewhere, [])
  assert.deepEqual(faults, [])
})

test('where there is no camera, or no HTTPS, the page says so and goes on with the scanner', async () => {
  const { page, faults } = await openHandheld()
  await page.getByRole('button', { name: 'Код', exact: true }).click()
  await page.getByRole('button', { name: 'Сканировать камерой', exact: true }).click()
  await page.getByRole('alert').getByText(/камер/i).waitFor()
  await look(page, 'camera-missing')
  await scan(page, 'A-01')
  await page.getByRole('heading', { name: 'Место хранения A-01' }).waitFor()
  assert.deepEqual(faults, [])

  const plain = await openHandheld(plainHttp(service.baseUrl))
  await plain.page.getByRole('button', { name: 'Код', exact: true }).click()
  await plain.page.getByText('Камера работает только по HTTPS').waitFor()
  await look(plain.page, 'camera-plain')
})

test('the sums of all that was handled agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})

test('goods are measured by tape where they were looked up', async () => {
  const kettle = ean13('460123450009')
  await openFloor(service, { [kettle]: 1 })
  const { page, faults } = await openHandheld()
  await scan(page, kettle)
  await page.getByText('Товар не измерен').waitFor()
  await page.getByRole('button', { name: 'Измерить' }).click()
  await page.getByLabel('Длина, см').fill('10,5')
  await page.getByLabel('Ширина, см').fill('8')
  await page.getByLabel('Высота, см').fill('8')
  await look(page, 'measuring')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByText('Размеры: 10,5 × 8 × 8 см').waitFor()
  await look(page, 'measured')
  assert.deepEqual(faults, [])
})
