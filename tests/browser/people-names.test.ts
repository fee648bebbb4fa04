import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { goTo, signIn } from './account-scene.ts'
import { assertAccessible, openPage } from './browser.ts'
import { addUser, signIn as signInAtConsole } from './console-page.ts'
import { password } from './handheld-page.ts'

const service = await startService()
const root = await staffClient(service, 'administrator')

test('people see a name: given on the page of users, it stands in the frame and in the journal', async () => {
  const { id, login } = await addUser(root, 'administrator')
  const { page, faults } = await openPage(service.baseUrl)
  await signInAtConsole(page, login, `/staff/app/users?user=${id}`)
  await page.getByRole('textbox', { name: 'Имя и фамилия' }).fill('Анна Петрова')
  await page.getByRole('button', { name: 'Сохранить имя' }).click()
  await page.getByRole('heading', { name: 'Анна Петрова' }).waitFor()
  const journal = page.getByRole('region', { name: 'Журнал' })
  await journal.getByText('имя: нет → Анна Петрова').waitFor()
  await journal.getByText(/· Анна Петрова/).waitFor()
  await page.reload()
  await page.locator('.who', { hasText: 'Анна Петрова' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a worker with a name sees it at home on the handheld', async () => {
  const login = `ivan-${randomUUID().slice(0, 8)}`
  const made = await root.post('/users', { login, role: 'worker', password, name: 'Иван Сидоров' })
  assert.equal(made.status, 201, made.text)
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/staff/scan')
  await page.getByLabel('Пароль').waitFor()
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Иван Сидоров' }).waitFor()
  assert.deepEqual(faults, [])
})

test("a seller's user gives the own name, and the frame of the account shows it", async () => {
  const client = await root.post('/clients', { name: 'ООО Ложки' })
  const user = await accountUser(service, { [(client.body as { id: string }).id]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, user.login)
  await goTo(page, 'Вход и пароль')
  await page.getByLabel('Имя и фамилия').fill('Анна Петрова')
  await page.getByRole('button', { name: 'Сохранить имя' }).click()
  await page.locator('.who', { hasText: 'Анна Петрова' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})
