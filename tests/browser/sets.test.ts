import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountUser } from '../support/account.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { look, openHandheld, queueIsEmpty } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** Sets: a manager names the parts on the console, a worker puts sets together at the shelf. */
const service = await startService()
const root = await staffClient(service, 'administrator')
let opened = 0

/** Goods that no other client has: a scan names one product. */
async function openGoods() {
  opened += 1
  const [kit, cup, saucer] = [
    ean13(`46077770${opened}001`),
    ean13(`46077770${opened}002`),
    ean13(`46077770${opened}003`),
  ]
  const floor = await openFloor(service, { [cup]: 5, [saucer]: 9 })
  const product = `/clients/${floor.client}/products/${kit}`
  good(await floor.manager.put(product, { name: 'Чайный набор' }), 201)
  return { ...floor, product, kit, cup, saucer }
}

test('a manager makes a product a set, assembles two, and undoes it', async () => {
  const { client, stock, kit, cup, saucer } = await openGoods()
  const path = `/staff/app/clients/${client}?tab=products&product=${kit}`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  const section = page.getByRole('region', { name: 'Состав набора', exact: true })
  const add = async (barcode: string, units: string) => {
    await section.getByLabel('Штрихкод части', { exact: true }).fill(barcode)
    await section.getByLabel('Сколько в наборе', { exact: true }).fill(units)
    await page.keyboard.press('Enter')
  }
  await section.getByText('Если товар — набор, укажите, из чего он').waitFor()
  await add(kit, '1')
  await section.getByText('это сам набор, а нужна его часть').waitFor()
  await add(cup, '2')
  await section.getByText('Из свободных частей выйдет: 2').waitFor()
  await add(saucer, '10')
  await section.getByText('Из свободных частей выйдет: 0').waitFor()
  await section.getByRole('button', { name: `Убрать из набора Товар ${saucer}` }).click()
  await section.getByText('Из свободных частей выйдет: 2').waitFor()
  await add(saucer, '1')
  const making = page.getByRole('region', { name: 'Сборка наборов', exact: true })
  await making.getByLabel('Сколько наборов', { exact: true }).fill('9')
  await page.keyboard.press('Enter')
  await making.getByText(/свободно только/).waitFor()
  await making.getByLabel('Сколько наборов', { exact: true }).fill('2')
  await page.keyboard.press('Enter')
  await making.getByText(/^Собрано 2, /).waitFor()
  await section.getByText('Из свободных частей выйдет: 0').waitFor()
  assert.deepEqual(await stock(kit), [2, 0])
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'with a set')
  }
  await making.getByRole('button', { name: /^Отменить: Собрано 2/ }).click()
  await making.getByText(/отменено$/).waitFor()
  assert.deepEqual(await stock(kit), [0, 0])
  assert.deepEqual(faults, [])
})

test('a manager makes sets by a table, and sees before what changes and what is wrong', async () => {
  const { client, kit, cup, saucer } = await openGoods()
  const path = `/staff/app/clients/${client}?tab=products`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  await page.getByRole('link', { name: 'Наборы из таблицы', exact: true }).click()
  const form = page.getByRole('form', { name: 'Наборы из таблицы' })
  const choose = (...rows: string[]) => {
    const buffer = Buffer.from(['Набор;Часть;Шт', ...rows].join('\r\n'))
    const file = { name: 'наборы.csv', mimeType: 'text/csv', buffer }
    return form.getByLabel('Таблица', { exact: false }).setInputFiles(file)
  }
  await choose(`${kit};${cup};0`, `${kit};${kit};1`)
  const wrong = form.getByRole('list', { name: 'Ошибки в таблице' })
  await wrong.getByText('Строка 3, столбец B: это сам набор, а нужна его часть').waitFor()
  await choose(`${kit};${cup};2`, `${kit};${saucer};1`)
  await form.getByText('Прочитано: 1 набор. Изменится: 1.').waitFor()
  await form.getByText(`Товар ${cup} × 2, Товар ${saucer} × 1`).waitFor()
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'with a table of sets')
  }
  await form.getByRole('button', { name: 'Составить наборы' }).click()
  await page.getByText('Наборов в таблице: 1, состав изменён: 1').waitFor()
  await page.goto(`${path}&product=${kit}`)
  await page.getByText('Из свободных частей выйдет: 2').waitFor()
  assert.deepEqual(faults, [])
})

test('a seller sees what a set is made of, and how many more its parts allow', async () => {
  const { client, manager, product, kit, cup, saucer } = await openGoods()
  const parts = [
    { barcode: cup, qty: 2 },
    { barcode: saucer, qty: 1 },
  ]
  good(await manager.put(`${product}/parts`, { parts }))
  const assembly = { kind: 'ASSEMBLE', barcode: kit, qty: 1 }
  good(await manager.post(`/clients/${client}/assemblies`, assembly), 201)
  const { login } = await accountUser(service, { [client]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, login)
  await page.goto(`/account/stock/${kit}`)
  await page.getByRole('heading', { name: 'Состав набора', exact: true }).waitFor()
  await page.getByText('Из свободных частей выйдет ещё: 1.').waitFor()
  const table = page.getByRole('region', { name: 'Состав набора', exact: true })
  const cells = await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)),
    )
  assert.deepEqual(
    cells.toSorted((one, other) => (`${one[1]}` < `${other[1]}` ? -1 : 1)),
    [
      [`Товар ${cup}`, cup, '2'],
      [`Товар ${saucer}`, saucer, '1'],
    ],
  )
  for (const [name, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport)
    await table.scrollIntoViewIfNeeded()
    await look(page, `account-set-${name}`)
  }
  await table.getByRole('link', { name: `Товар ${cup}`, exact: true }).click()
  await page.getByRole('heading', { name: `Товар ${cup}`, exact: true, level: 1 }).waitFor()
  await page.getByText('Сроки годности', { exact: true }).first().waitFor()
  await page.locator('main:not(:has([aria-busy]))').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Состав набора' }).count(), 0)
  assert.deepEqual(faults, [])
})

test('a worker collects an order of a set, part by part, under the name of the set', async () => {
  const { manager, product, orders, filled, worker, stock, kit, cup, saucer } = await openGoods()
  const parts = [
    { barcode: cup, qty: 2 },
    { barcode: saucer, qty: 1 },
  ]
  good(await manager.put(`${product}/parts`, { parts }))
  const shipment = await filled(await orders({ [`SET-${kit}`]: kit }))
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText('Для набора «Чайный набор»').waitFor()
  await look(page, 'set-picking')
  for (const code of [cup, saucer, cup]) await scan(page, code)
  await page.getByText('Всё собрано', { exact: true }).waitFor()
  await queueIsEmpty(page)
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  assert.deepEqual(
    [await stock(cup), await stock(saucer)],
    [
      [3, 0],
      [8, 0],
    ],
  )
  assert.deepEqual(faults, [])
})

test('a worker scans a set, sees its parts, puts two together and takes one apart', async () => {
  const { manager, product, stock, kit, cup, saucer } = await openGoods()
  const parts = [
    { barcode: cup, qty: 2 },
    { barcode: saucer, qty: 1 },
  ]
  good(await manager.put(`${product}/parts`, { parts }))
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await scan(page, kit)
  await page.getByText('Набор, из частей выйдет 2:').waitFor()
  await look(page, 'set')
  await page.getByRole('button', { name: 'Собрать наборы', exact: true }).click()
  await page.getByLabel('Сколько наборов').fill('2')
  await look(page, 'set-assembling')
  await page.getByRole('dialog').getByRole('button', { name: 'Собрать наборы' }).click()
  await page.getByText('Набор, из частей выйдет 0:').waitFor()
  assert.deepEqual(await stock(kit), [2, 0])
  await page.getByRole('button', { name: 'Разобрать наборы', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Разобрать наборы' }).click()
  await page.getByText('Набор, из частей выйдет 1:').waitFor()
  assert.deepEqual(
    [await stock(kit), await stock(cup)],
    [
      [1, 0],
      [3, 0],
    ],
  )
  assert.deepEqual(faults, [])
})
