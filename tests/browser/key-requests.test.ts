import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accountUser, sellersPassword } from '../support/account.ts'
import { openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { goTo, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, openPage, phone } from './browser.ts'
import { openConsole } from './console-page.ts'

/** A key goes from the owner's wish to the owner's program, and no person of the warehouse sees it. */

const service = await startService()
const root = await staffClient(service, 'administrator')

const managersPage = () => openConsole(root, service.baseUrl, 'manager')

async function ownersPage(name: string) {
  const made = await root.post('/clients', { name })
  const { id } = made.body as { id: string }
  const owner = await accountUser(service, { [id]: 'owner' })
  const opened = await openPage(service.baseUrl, { viewport: phone })
  await signIn(opened.page, owner.login)
  await goTo(opened.page, 'Ключи')
  return opened
}

test('an owner asks for a key, the manager issues it, and the owner sees it once', async () => {
  const name = `ООО «Ключ ${randomUUID().slice(0, 8)}»`
  const { page: owner, faults } = await ownersPage(name)
  const ask = async (program: string) => {
    await owner.getByText('Попросить ключ', { exact: true }).click()
    await owner.getByLabel('Имя ключа').fill(program)
    await owner.getByLabel('Зачем ключ').fill('Сверять остатки')
    await assertAccessible(owner)
    await owner.keyboard.press('Enter')
    await owner.getByRole('row', { name: program }).getByText('Ждёт решения склада').waitFor()
  }
  await ask('Учёт')
  await ask('Лишний')
  const manager = await managersPage()
  await manager.page.getByRole('link', { name: 'Решить Учёт' }).waitFor()
  await manager.page.goto('/staff/app/clients')
  await manager.page.getByRole('link', { name: `${name}, «Учёт»` }).click()
  const row = manager.page.getByRole('row', { name: 'Учёт' })
  await row.getByText('Сверять остатки').waitFor()
  await assertAccessible(manager.page)
  await row.getByRole('button', { name: 'Выпустить ключ' }).click()
  await manager.page.getByRole('dialog').getByRole('button', { name: 'Выпустить ключ' }).click()
  await manager.page
    .getByRole('row', { name: 'Сверять остатки' })
    .getByText('ключ выпущен')
    .waitFor()
  const other = manager.page.getByRole('row', { name: 'Лишний' })
  await other.getByRole('button', { name: 'Отказать' }).click()
  const dialog = manager.page.getByRole('dialog')
  await dialog.getByLabel('Почему').fill('Хватит одного')
  await dialog.getByRole('button', { name: 'Отказать' }).click()
  await other.getByText('Хватит одного').waitFor()

  await owner.goto('/account')
  await owner.getByText('1 ключ готов').waitFor()
  await owner.getByRole('link', { name: 'Посмотреть, пока не отозваны' }).click()
  await owner.getByRole('row', { name: 'Лишний' }).getByText('Хватит одного').waitFor()
  await assertFitsWidth(owner)
  await owner.getByRole('button', { name: 'Показать ключ' }).click()
  await owner.getByRole('dialog').getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
  await owner.keyboard.press('Enter')
  const key = (await owner.locator('code.secret').textContent()) ?? ''
  assert.equal((await openClient(service.baseUrl, key).get('/v1/me')).status, 200)
  await owner.getByText('Ключ у вас').waitFor()
  await assertAccessible(owner)
  await assertFitsWidth(owner)
  await owner.getByRole('button', { name: 'Сохранено, скрыть' }).click()
  await owner.reload()
  await owner.getByText('Ключ у вас').waitFor()
  for (const page of [owner, manager.page]) {
    await page.setViewportSize(phone)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertAccessible(page)
    await assertFitsWidth(page)
    assert.ok(!(await page.content()).includes(key.slice(9, -4)))
  }
  assert.equal(await owner.getByRole('button', { name: 'Показать ключ' }).count(), 0)
  assert.deepEqual([...faults, ...manager.faults], [])
})

test('an owner withdraws what the warehouse has not decided', async () => {
  const { page, faults } = await ownersPage(`ООО «Отмена ${randomUUID().slice(0, 8)}»`)
  await page.getByText('Попросить ключ', { exact: true }).click()
  await page.getByLabel('Имя ключа').fill('1С')
  await page.getByLabel('Зачем ключ').fill('Остатки')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Отменить', exact: true }).click()
  const cancelled = page.getByRole('row', { name: '1С' }).getByText('Отменена')
  await cancelled.waitFor()
  await page.locator('.toast').getByRole('button', { name: 'Отменить', exact: true }).click()
  await page.getByRole('row', { name: '1С' }).getByText('Ждёт решения склада').waitFor()
  assert.equal(await cancelled.count(), 1)
  assert.deepEqual(faults, [])
})
