import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { publicErrors } from '../../src/platform/kernel/errors.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { accountUser, sellersPassword } from '../support/account.ts'
import { startService } from '../support/service.ts'
import {
  allowCopying,
  answerInShell,
  copiedBy,
  goTo,
  lacksCurl,
  openSandbox,
  signIn,
} from './account-scene.ts'
import { openPage } from './browser.ts'

/** Pages say in a seller's words what happened, what is wrong and what to do. */

const service = await startService({
  SANDBOX_ROBOT: 'off',
})

test('the sandbox shows each error of the API, and the copied call gets it', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { key } = await openSandbox(page, service.baseUrl)
  await goTo(page, 'Песочница')
  const section = page.getByRole('region', { name: 'Получить ошибку' })
  const codes = await section
    .locator('option')
    .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))
  assert.deepEqual(codes.toSorted(), Object.keys(publicErrors).sort())
  for (const code of codes) {
    await section.getByLabel('Ошибка', { exact: true }).selectOption(code)
    await section.getByRole('button', { name: 'Показать ответ', exact: true }).click()
    await section
      .getByRole('status')
      .filter({ hasText: `"code": "${code}"` })
      .waitFor()
    const call = await section.locator('pre').last().innerText()
    const plain = call.replace('curl -i', 'curl -s').replace('ВАШ_КЛЮЧ', key)
    const { error } = (await answerInShell(plain)) as { error: { code: string } }
    assert.equal(error.code, code)
  }
  assert.equal(
    await copiedBy(page, section.getByRole('button', { name: 'Скопировать', exact: true })),
    await section.locator('pre').last().innerText(),
  )
  assert.deepEqual(faults, [])
})

test('an event names what changed and its status then, and leads there', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  await api.get('/v1/events')
  for (const name of ['receipt_with_shortage', 'order_cancelled', 'shipment_handed_over']) {
    assert.equal((await api.post(`/v1/sandbox/triggers/${name}`)).status, 200)
  }
  await goTo(page, 'События')
  for (const [words, heading] of [
    [/Приёмка завершена: R-\d+, принята с расхождением/, /^Приёмка R-\d+$/],
    [/Статус заказа изменился: [\d-]+, отменён/, /^Заказ [\d-]+$/],
    [/Состояние отгрузки изменилось: WB-GI-\d+, передана маркетплейсу/, /^Отгрузка WB-GI-\d+$/],
  ] as const) {
    const event = page.getByRole('listitem').filter({ hasText: words }).first()
    await event.locator('summary').click()
    await event.getByRole('link', { name: /^Открыть/ }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await goTo(page, 'События')
  }
  assert.deepEqual(faults, [])
})

test('a request without goods says at its first line what to write', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  await page.goto('/account/receipts/new')
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  const barcode = page.getByLabel('Товар или штрихкод', { exact: true })
  await page.getByText('впишите товары: хотя бы один, не больше 500', { exact: true }).waitFor()
  assert.equal(await barcode.getAttribute('aria-invalid'), 'true')
  assert.ok(await barcode.evaluate((field) => field === document.activeElement))
  assert.doesNotMatch(await page.locator('main').innerText(), /массив|items/)
  assert.deepEqual(faults, [])
})

test('an owner gives a role in one dialog, and sees browsers by their names', async () => {
  const id = await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    createClient(work, { mode: 'live', name: 'ООО «Роль»' }),
  )
  const owner = await accountUser(service, { [id]: 'owner' })
  const other = await accountUser(service, { [id]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, owner.login)
  await goTo(page, 'Пользователи')
  const row = page.getByRole('row').filter({ hasText: other.login })
  await row.getByRole('button', { name: 'Роль', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Что разрешить пользователю ${other.login}?` })
  assert.ok(await dialog.getByLabel('Просмотр', { exact: true }).isChecked())
  await dialog.getByLabel('Просмотр и заявки на приёмку', { exact: true }).check()
  await dialog.getByLabel('Ваш пароль ещё раз', { exact: true }).fill(sellersPassword)
  await dialog.getByRole('button', { name: 'Сменить роль', exact: true }).click()
  await row.getByRole('cell', { name: 'Просмотр и заявки на приёмку', exact: true }).waitFor()
  const { body } = await other.get('/session')
  assert.equal((body as { role: string }).role, 'receipts')
  await goTo(page, 'Вход и пароль')
  const here = page.getByRole('row').filter({ hasText: 'этот вход' })
  assert.match(await here.innerText(), /^Chrome, /)
  assert.deepEqual(faults, [])
})
