import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertWellMade } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'
import { done, type Made } from './console-world.ts'
import { password } from './handheld-page.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')

async function addClient(): Promise<Made & { readonly name: string }> {
  const name = `ООО ${randomUUID().slice(0, 8)}`
  return { name, ...(await done<Made>(administrator.post('/clients', { name }))) }
}

/** Two units of three came, and one of them is in question. */
async function receive(client: string): Promise<void> {
  const barcode = '4600000000017'
  const items = [{ barcode, name: 'Кружка', qty: 3 }]
  const { id } = await done<Made>(administrator.post(`/clients/${client}/receipts`, { items }))
  await done(administrator.post(`/receipts/${id}/start`))
  await done(administrator.post(`/receipts/${id}/scans`, { scan_id: 'one', barcode, qty: 2 }))
  const reasonOf = async (kind: string) =>
    (await done<{ items: { code: string }[] }>(administrator.get(`/reasons?kind=${kind}`))).items[0]
      ?.code
  const shortages = [{ barcode, reason: await reasonOf('shortage') }]
  await done(administrator.post(`/receipts/${id}/finish`, { shortages }))
  const question = { barcode, qty: 1, reason: await reasonOf('correction') }
  await done(administrator.post(`/clients/${client}/in-question`, question))
}

const openConsole = (path: string) =>
  openConsoleOf(administrator, service.baseUrl, 'administrator', path)

test('the figures of the warehouse show any days as curves, beside the days before, and as tables', async () => {
  const { id } = await addClient()
  await receive(id)
  const { page, faults } = await openConsole('/staff/app/figures')
  await page.getByRole('heading', { name: 'Склад в цифрах', exact: true }).waitFor()
  const flow = page.getByRole('region', { name: 'Поток единиц', exact: true })
  const received = flow.getByRole('slider', { name: 'Принято единиц', exact: true })
  assert.equal(await received.getAttribute('aria-valuetext'), 'всего 2, в прошлом периоде 0')
  await received.locator('canvas').waitFor()
  await received.press('Home')
  // The units came in this very hour, which may be the first of the day.
  assert.match(
    (await received.getAttribute('aria-valuetext')) ?? '',
    /^00:00: (пока )?[02], было 0$/,
  )
  await flow.getByText('Таблицей', { exact: true }).first().click()
  const table = flow.getByRole('table', { name: 'Принято единиц', exact: true })
  assert.equal(await table.getByRole('row').count(), 25)
  const ages = page.getByRole('table', { name: 'Единиц под вопросом по возрасту', exact: true })
  assert.equal(await ages.getByRole('row', { name: 'меньше суток 1' }).count(), 1)
  await page.getByRole('heading', { name: 'Собрано единиц в час', exact: true }).waitFor()
  await page.getByRole('slider', { name: 'Не доставлено вебхуков за сутки', exact: true }).waitFor()
  await assertWellMade(page)
  for (const [days, rows] of [
    ['7 дней', 7],
    ['90 дней', 90],
    ['30 дней', 30],
  ] as const) {
    await page.getByRole('link', { name: days, exact: true }).click()
    const last = flow.locator(`.chart tbody tr:nth-child(${rows}):last-child`).first()
    await last.waitFor({ state: 'attached' })
    assert.match((await received.getAttribute('aria-valuetext')) ?? '', /^всего 2, в прошлом/)
  }
  await page.getByRole('heading', { name: 'Собрано единиц в час', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('a person is invited to the account by a link that is shown once, and the invitation is revoked', async () => {
  const { id } = await addClient()
  const { page, faults } = await openConsole(`/staff/app/clients/${id}?tab=users`)
  await page.getByRole('link', { name: 'Пригласить', exact: true }).click()
  await page.getByLabel('Для кого').fill('Анна, бухгалтер')
  await page.getByRole('button', { name: 'Получить ссылку', exact: true }).click()
  const notice = page.getByRole('region', { name: 'Ссылка для: Анна, бухгалтер', exact: true })
  assert.match((await notice.getByRole('code').textContent()) ?? '', /\/account\/.+/)
  await assertWellMade(page)
  await notice.getByRole('button', { name: 'Сохранено, скрыть', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  const table = page.getByRole('region', { name: 'Приглашения', exact: true })
  await table.getByRole('button', { name: 'Отозвать', exact: true }).click()
  const question = page.getByRole('dialog', { name: /Анна, бухгалтер/ })
  await question.getByRole('button', { name: 'Отозвать', exact: true }).click()
  await table.getByText('отозвано', { exact: false }).waitFor()
  assert.deepEqual(faults, [])
})

test("a client's webhooks say where they go and how they are, and lead to their attempts", async () => {
  const { id } = await addClient()
  const { page, faults } = await openConsole(`/staff/app/clients/${id}?tab=webhooks`)
  await page.getByText('Подписок нет', { exact: false }).waitFor()
  await assertWellMade(page)
  const webhook = randomUUID()
  await service.db`
    insert into webhook_subscriptions
      (client_id, id, url, events, secret, created_at, disabled_at, disabled_reason, failures_in_row)
    values (${id}, ${webhook}, 'https://seller.example/hook', array['receipt.completed'], '\\x00',
      now(), now(), 'Восемь неудач подряд', 8)`
  await page.reload()
  const table = page.getByRole('region', { name: 'Вебхуки', exact: true })
  await table.getByText('отключена', { exact: false }).waitFor()
  await page.getByText('Отключённая подписка сама не включится', { exact: false }).waitFor()
  await table.getByRole('link', { name: 'https://seller.example/hook', exact: true }).click()
  await page.getByRole('heading', { name: 'Попытки доставки', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('cabinets of all clients stand in one list, by the state of their keys, and lead to their client', async () => {
  const clients = [await addClient(), await addClient()]
  for (const [n, { id }] of clients.entries()) {
    const draft = { marketplace: n === 0 ? 'WB' : 'OZON', name: `Кабинет ${id}` }
    await done(administrator.post(`/clients/${id}/cabinets`, draft))
  }
  const [first, second] = clients
  assert.ok(first && second)
  const { page, faults } = await openConsole('/staff/app')
  await page.getByRole('link', { name: 'Клиенты', exact: true }).click()
  await page.getByRole('link', { name: 'Кабинеты', exact: true }).click()
  const list = page.getByRole('region', { name: 'Кабинеты', exact: true })
  for (const { id, name } of clients) {
    const row = list.getByRole('row').filter({ hasText: `Кабинет ${id}` })
    await row.getByRole('link', { name, exact: true }).waitFor()
    await row.getByText('не заданы', { exact: false }).waitFor()
  }
  await assertWellMade(page)
  await page
    .getByRole('combobox', { name: 'Ключи', exact: true })
    .selectOption({ label: 'не приняты' })
  await page.waitForURL(/credentials_state=refused/)
  await page.getByText('Кабинетов не нашли', { exact: false }).waitFor()
  await page.goto(`/staff/app/cabinets?client_id=${second.id}&credentials_state=none`)
  await list.getByRole('link', { name: `Кабинет ${second.id}`, exact: true }).waitFor()
  assert.equal(await list.locator('tbody tr').count(), 1)
  await list.getByRole('link', { name: second.name, exact: true }).click()
  await page.getByRole('heading', { name: second.name, exact: true, level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('pallets have pages like every list, and the labels are those of the page that is shown', async () => {
  const client = await addClient()
  for (let made = 0; made < 30; made += 1) {
    await done(administrator.post('/pallets', { client_id: client.id }))
  }
  const { page, faults } = await openConsole(`/staff/app/boxes?client_id=${client.id}`)
  await page.getByRole('link', { name: 'Паллеты', exact: true }).click()
  const pages = page.getByRole('navigation', { name: 'Страницы списка', exact: true })
  await page.getByLabel('Строк на странице', { exact: true }).selectOption('25')
  await pages.getByText('1–25 из 30', { exact: true }).waitFor()
  await pages.getByRole('link', { name: 'Дальше', exact: true }).click()
  await pages.getByText('26–30 из 30', { exact: true }).waitFor()
  const asked = page.waitForRequest('**/staff/v1/labels/pallets')
  const [labels] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Этикетки этой страницы', exact: true }).click(),
  ])
  assert.equal(labels.suggestedFilename(), 'etiketki-pallet.pdf')
  const { pallets } = (await asked).postDataJSON() as { readonly pallets: readonly string[] }
  assert.equal(pallets.length, 5)
  await assertWellMade(page)
  assert.deepEqual(faults, [])
})

test('a scanned box opens from the palette, and labels of boxes and places are one PDF each', async () => {
  const client = await addClient()
  const box = await done<Made & { sscc: string }>(
    administrator.post('/boxes', { client_id: client.id }),
  )
  const [warehouse] = (await done<{ items: { code: string }[] }>(administrator.get('/warehouses')))
    .items
  const place = { warehouse_code: warehouse?.code, pattern: 'A-{01..03}' }
  await done(administrator.post('/locations/bulk', place))
  const { page, faults } = await openConsole('/staff/app/boxes')
  await page.getByRole('heading', { name: 'Короба и паллеты', exact: true }).waitFor()
  await assertWellMade(page)
  const [labels] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Этикетки этой страницы', exact: true }).click(),
  ])
  assert.equal(labels.suggestedFilename(), 'etiketki-korobov.pdf')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /штрихкод/ }).fill(box.sscc)
  await page.getByRole('option', { name: /Короб/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Короб ${box.sscc}`, exact: true }).waitFor()
  const print = page.getByRole('button', { name: 'Напечатать на станции', exact: true })
  await print.click()
  await page
    .getByRole('alert')
    .getByText(/станци/)
    .waitFor()
  const station = { warehouse_code: warehouse?.code, name: 'Стол', formats: ['58x40'] }
  await done(administrator.post('/print-stations', station))
  await print.click()
  await page.getByText('Ждёт станцию печати', { exact: true }).waitFor()
  await assertWellMade(page)
  await page.keyboard.press('Control+k')
  const sought = page.getByRole('combobox', { name: /штрихкод/ })
  await sought.fill(`напечатать ${box.sscc}`)
  await page.getByRole('option', { name: /Напечатать этикетку/ }).waitFor()
  await page.keyboard.press('Enter')
  await sought.waitFor({ state: 'hidden' })
  const jobs = await done<{ items: { kind: string }[] }>(administrator.get('/print-jobs'))
  assert.deepEqual(
    jobs.items.map(({ kind }) => kind),
    ['box-label', 'box-label'],
    'the button of the page and the palette print at the station alike',
  )
  assert.equal(page.context().pages().length, 1, 'no tab opens beside the page')
  await page.keyboard.press('Control+k')
  for (const [text, found] of [
    ['инвентаризация', /Пересчёты/],
    ['пересчеты', /Пересчёты/],
    ['ghbtvrb', /Приёмки/],
  ] as const) {
    await sought.fill(text)
    await page.getByRole('option', { name: found }).first().waitFor()
  }
  await sought.fill('этикетки мест')
  await page.getByRole('option', { name: /Напечатать этикетки мест/ }).waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Этикетки мест', exact: true })
  await form.getByLabel('Коды').fill('A-{01..02}')
  const [places] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Скачать PDF', exact: true }).click(),
  ])
  assert.equal(places.suggestedFilename(), 'etiketki-mest.pdf')
  assert.deepEqual(faults, [])
})

test('the palette finds goods, users and cabinets by name, and signs out', async () => {
  const client = await addClient()
  const cabinet = { marketplace: 'WB', name: `Полка ${randomUUID().slice(0, 8)}` }
  await done(administrator.post(`/clients/${client.id}/cabinets`, cabinet))
  const machine = `scales-${randomUUID().slice(0, 8)}`
  const { id: user } = await done<Made>(
    administrator.post('/users', { login: machine, role: 'worker' }),
  )
  await done(administrator.post(`/users/${user}/tokens`, { name: 'Весы' }))
  const { page, faults } = await openConsole('/staff/app/services')
  const search = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /штрихкод/ }).fill(text)
    await page.getByRole('option', { name: option }).click()
  }
  await search(cabinet.name, /кабинет/)
  await page.getByRole('heading', { name: new RegExp(cabinet.name) }).waitFor()
  const [barcode, article] = ['4600000000093', randomUUID().slice(0, 8)]
  const product = `/clients/${client.id}/products/${barcode}`
  await done(administrator.put(product, { name: `Самовар <b>${article}</b> тульский` }))
  await search(`тульск ${article}`, new RegExp(`^Самовар.*${client.name}`))
  await page.getByRole('heading', { name: 'Остатки', exact: true }).waitFor()
  assert.match(page.url(), new RegExp(`client_id=${client.id}&barcode=${barcode}`))
  await search(machine, /пользователь/)
  await page.getByRole('heading', { name: machine, exact: true }).waitFor()
  const tokens = page.getByRole('list', { name: 'Токены', exact: true })
  await tokens.getByRole('button', { name: 'Отозвать', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Отозвать токен «Весы»?', exact: true })
  await question.getByRole('button', { name: 'Отозвать', exact: true }).click()
  await tokens.getByText('Отозван', { exact: false }).waitFor()
  await assertWellMade(page)
  await search('выйти', /Выйти/)
  await page.getByRole('textbox', { name: 'Логин' }).waitFor()
  assert.deepEqual(faults, [])
})

test('a scan that came late from a handheld is taken on the first page, by two presses that no double click makes', async () => {
  const { id: client } = await addClient()
  const barcode = '4600000000024'
  const items = [{ barcode, name: 'Носки', qty: 1 }]
  const { id } = await done<Made>(administrator.post(`/clients/${client}/receipts`, { items }))
  const queued = { queued_at: new Date().toISOString(), queued_by: administrator.login }
  const scan = { scan_id: 'late', barcode, qty: 1, ...queued }
  const { status } = await administrator.post(`/receipts/${id}/scans`, scan)
  assert.equal(status, 202)
  await done(administrator.post(`/receipts/${id}/start`))
  const { page, faults } = await openConsole('/staff/app')
  const accept = page.getByRole('button', { name: 'Принять скан', exact: true })
  await accept.waitFor()
  await assertWellMade(page)
  await accept.dblclick()
  const question = page.getByRole('dialog', { name: 'Принять скан?', exact: true })
  await question.getByRole('button', { name: 'Принять скан', exact: true }).click()
  await page.getByText('Скан принят', { exact: true }).waitFor()
  await accept.waitFor({ state: 'detached' })
  const receipt = await done<{ accepted_qty: number }>(administrator.get(`/receipts/${id}`))
  assert.equal(receipt.accepted_qty, 1)
  await page.goto(`/staff/app/receipts/${id}`)
  await page.getByRole('link', { name: barcode, exact: true }).click()
  await page.getByRole('heading', { name: 'Остатки', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('a label opens in a tab after the session is renewed, and a refused one says why in words', async () => {
  const { id: client } = await addClient()
  const box = await done<Made>(administrator.post('/boxes', { client_id: client }))
  const { page, faults } = await openConsole(`/staff/app/boxes/${box.id}`)
  await page.getByRole('heading', { name: /^Короб / }).waitFor()
  // The last answer of the page: one that came later would ask for the password before the label does.
  await page.getByRole('region', { name: 'Журнал' }).getByRole('listitem').first().waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Этикетка', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Сессия закончилась', exact: true })
  await again.getByLabel('Пароль', { exact: true }).fill(password)
  const [label] = await Promise.all([
    page.context().waitForEvent('page'),
    page.keyboard.press('Enter'),
  ])
  await label.locator('svg').first().waitFor()
  const file = `/staff/v1/boxes/${randomUUID()}/label`
  await label.goto(file)
  await label.getByRole('heading', { name: 'Короб не найден', exact: true }).waitFor()
  await assertAccessible(label, 'a refused file')
  await label.context().clearCookies()
  await label.goto(file)
  await label.getByRole('heading', { name: 'Сессия закончилась', exact: true }).waitFor()
  await label.getByRole('link', { name: 'Войдите снова', exact: true }).click()
  await label.getByLabel('Пароль').waitFor()
  assert.deepEqual(faults, [])
})

test('an object that is not there says so, and leads to its room', async () => {
  const { page, faults } = await openConsole(`/staff/app/orders/${randomUUID()}`)
  await page.getByRole('heading', { name: 'Такого здесь нет', level: 1 }).waitFor()
  await page.getByRole('alert').getByText('не найден', { exact: false }).waitFor()
  await assertWellMade(page)
  await page.getByRole('link', { name: 'К разделу «Заказы»', exact: true }).click()
  await page.getByRole('heading', { name: 'Заказы', level: 1 }).waitFor()
  await page.goto(`/staff/app/cabinets/${randomUUID()}`)
  await page.getByRole('link', { name: 'К разделу «Кабинеты»', exact: true }).click()
  await page.getByRole('heading', { name: 'Кабинеты', level: 1 }).waitFor()
  await page.goto(`/staff/app/pallets/${randomUUID()}`)
  await page.getByRole('link', { name: 'К тому, что ждёт сегодня', exact: true }).click()
  await page.getByRole('heading', { name: 'Что ждёт сегодня', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('the first page counts what came without a document by itself, not of nothing', async () => {
  const { id: client } = await addClient()
  const walkIn = { client_id: client, scan_id: randomUUID() }
  const receipt = await done<Made & { number: string }>(
    administrator.post('/receipts/walk-in', walkIn),
  )
  const { page, faults } = await openConsole('/staff/app')
  const row = page.getByRole('listitem').filter({ hasText: receipt.number }).last()
  await row.getByText(' · 0 шт.', { exact: false }).waitFor()
  assert.equal(await page.getByText('0 из 0', { exact: true }).count(), 0)
  assert.deepEqual(faults, [])
})

test('a manager adds a print station, sees what it did not print and has it printed again', async () => {
  const client = await addClient()
  const box = await done<Made>(administrator.post('/boxes', { client_id: client.id }))
  const { page, faults } = await openConsole('/staff/app/printing?form=new')
  const form = page.getByRole('form', { name: 'Новая станция', exact: true })
  const name = `Упаковка ${randomUUID().slice(0, 8)}`
  await form.getByLabel('Название').fill(name)
  for (const format of await form.getByRole('checkbox').all()) await format.uncheck()
  await form.getByRole('button', { name: 'Завести', exact: true }).click()
  await form
    .getByRole('alert')
    .getByText('Отметьте, что станция печатает', { exact: true })
    .waitFor()
  assert.equal(await form.getByLabel('Название').inputValue(), name)
  await form.getByLabel(/этикетки/).check()
  await form.getByRole('button', { name: 'Завести', exact: true }).click()
  const stations = page.getByRole('region', { name: 'Станции печати', exact: true })
  await stations.getByRole('link', { name, exact: true }).click()
  await page
    .getByRole('form', { name, exact: true })
    .getByLabel(/документы/)
    .check()
  await assertWellMade(page)
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  const row = stations.getByRole('row').filter({ hasText: name })
  await row.getByText(/документы A4/).waitFor()
  const list = await done<{ items: (Made & { name: string })[] }>(
    administrator.get('/print-stations?limit=200'),
  )
  const station = list.items.find((each) => each.name === name)
  const label = { kind: 'box-label', object_id: box.id, station_id: station?.id }
  const job = await done<Made>(administrator.post('/print-jobs', label))
  const outcome = { status: 'FAILED', reason: 'Кончилась бумага' }
  await done(administrator.patch(`/print-jobs/${job.id}`, outcome))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /штрихкод/ }).fill('не напечатано')
  await page.getByRole('option', { name: /Что не напечатано/ }).click()
  await page.getByText('Кончилась бумага', { exact: true }).waitFor()
  await assertWellMade(page)
  await page.getByLabel('Выбрать все строки', { exact: true }).check()
  await page.getByRole('button', { name: 'Напечатать ещё раз', exact: true }).click()
  const question = page.getByRole('dialog', { name: /^Напечатать ещё раз/ })
  await question.getByRole('button', { name: 'Напечатать ещё раз', exact: true }).click()
  await page.getByText('Заданий нет', { exact: false }).waitFor()
  await page.goto('/staff/app/printing')
  await row.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await row.getByText('закрыта', { exact: false }).waitFor()
  assert.deepEqual(faults, [])
})

test('the palette does what its words say: it confirms a request by its number and finds a batch of returns', async () => {
  const client = await addClient()
  const items = [{ barcode: '4600000000031', name: 'Плед', qty: 2 }]
  const receipt = await done<Made & { number: string }>(
    administrator.post(`/clients/${client.id}/receipts`, { items }),
  )
  await service.db`
    update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${receipt.id}`
  const batch = await done<Made & { number: string }>(
    administrator.post('/returns', { client_id: client.id }),
  )
  const { page, faults } = await openConsole('/staff/app/orders')
  const ofClient = new RegExp(client.name)
  const choose = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /штрихкод/ }).fill(text)
    await page.getByRole('option', { name: option }).filter({ hasText: ofClient }).click()
  }
  await choose(`подтв ${receipt.number}`, /^Подтвердить/)
  await page.getByRole('heading', { name: `Приёмка ${receipt.number}`, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  await page.locator('.badge', { hasText: 'Ожидается на складе' }).first().waitFor()
  await choose(receipt.number, /^Начать/)
  await page.locator('.badge', { hasText: 'Идёт приёмка' }).first().waitFor()
  await page.getByRole('link', { name: 'Открыть терминал', exact: true }).waitFor()
  await choose(batch.number, /^Возвраты/)
  await page
    .getByRole('heading', { name: `Приём возвратов ${batch.number}`, exact: true })
    .waitFor()
  assert.deepEqual(faults, [])
})

test('each thing on the first page has its next step, and a packed shipment is closed there', async () => {
  const client = await addClient()
  const draft = { marketplace: 'WB', name: 'Основной' }
  const cabinet = await done<Made>(administrator.post(`/clients/${client.id}/cabinets`, draft))
  await receive(client.id)
  const barcode = '4600000000017'
  const number = `today-${randomUUID().slice(0, 8)}`
  const orders = await done<{ items: Made[] }>(
    administrator.post(`/clients/${client.id}/orders`, [
      { cabinet_id: cabinet.id, external_id: number, barcode },
      { cabinet_id: cabinet.id, external_id: `${number}-2`, barcode: '4600000000048' },
    ]),
  )
  const shipment = await done<Made & { picking_task_id: string }>(
    administrator.post('/shipments', {
      cabinet_id: cabinet.id,
      external_id: number,
      order_ids: [orders.items[0]?.id],
    }),
  )
  const { page, faults } = await openConsole('/staff/app')
  const line = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  const ofShipment = line(`WB ${number}`)
  await ofShipment.getByRole('link', { name: `Сборка ${number}`, exact: true }).waitFor()
  const pick = { scan_id: randomUUID(), order_id: orders.items[0]?.id, barcode }
  await done(administrator.post(`/picking-tasks/${shipment.picking_task_id}/picks`, pick))
  await page.reload()
  await ofShipment.getByRole('button', { name: 'Закрыть', exact: true }).waitFor()
  await assertWellMade(page)
  await ofShipment.getByRole('button', { name: 'Закрыть', exact: true }).click()
  const question = page.getByRole('dialog', { name: `Закрыть отгрузку ${number}?`, exact: true })
  await question.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await ofShipment.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Сегодня на складе' }).getByText('Отгружено').waitFor()
  await page
    .getByRole('link', { name: /^1 заказ/ })
    .first()
    .click()
  await page
    .getByRole('region', { name: 'Заказы', exact: true })
    .getByRole('link')
    .first()
    .waitFor()
  assert.match(page.url(), /lacking=any/)
  assert.deepEqual(faults, [])
})
