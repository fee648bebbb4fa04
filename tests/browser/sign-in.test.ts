import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const password = 'верный пароль кладовщика'

async function addUser(role: string): Promise<string> {
  const login = `${role}-${randomUUID().slice(0, 8)}`
  const { status } = await administrator.post('/users', { login, role, password })
  assert.equal(status, 201)
  return login
}

for (const [name, viewport] of Object.entries({ desktop, phone })) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the first page names every door (${name}, ${colorScheme})`, async () => {
      const { page, faults } = await openPage(service.baseUrl, { viewport, colorScheme })
      await page.goto('/')
      await page.getByRole('link', { name: 'Склад', exact: false }).first().waitFor()
      await assertAccessible(page)
      await assertFitsWidth(page)
      assert.deepEqual(faults, [])
    })
  }
}

test('a page of signing in writes nothing into the console of the browser', async () => {
  for (const [path, field] of [
    ['/staff/app', 'Логин'],
    ['/staff/scan', 'Логин'],
    ['/staff/print', 'Логин'],
    ['/account', 'Логин'],
  ] as const) {
    const { page } = await openPage(service.baseUrl)
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(path)
    await page.getByLabel(field).waitFor()
    // Whoever signed in and out is nobody again.
    await page.reload()
    await page.getByLabel(field).waitFor()
    assert.deepEqual(said, [], path)
  }
})

test('a manager signs in after a wrong password, which costs only the password, and signs out', async () => {
  const login = await addUser('manager')
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/staff/app')
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('Пароль').fill('неверный пароль')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Войти' }).click()
  await page.getByRole('alert').getByText('Неверный логин или пароль').waitFor()
  assert.equal(await page.getByLabel('Логин').inputValue(), login)
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Что ждёт сегодня' }).waitFor()
  await page.getByRole('button', { name: 'Выйти' }).click()
  await page.getByLabel('Пароль').waitFor()
  assert.deepEqual(faults, [])
})

test('a session that ends under a page is renewed by a dialog over it, and another person starts afresh', async () => {
  const login = await addUser('manager')
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/staff/app')
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Что ждёт сегодня' }).waitFor()
  await page.context().clearCookies()
  // The page asks again when it is looked at again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const dialog = page.getByRole('dialog', { name: 'Сессия закончилась' })
  await dialog.getByLabel('Пароль').fill(password)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Сейчас нет:').waitFor()
  assert.deepEqual(faults, [])
})

test('keys ask for the password again long after signing in, and what was typed is kept', async () => {
  const login = await addUser('manager')
  const { body } = await administrator.post('/clients', { name: `ООО ${randomUUID()}` })
  const { id } = body as { id: string }
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto(`/staff/app/clients/${id}?tab=keys&form=new`)
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  const name = page.getByLabel('Имя', { exact: true })
  await name.fill('1С')
  await service.db`
    update staff_sessions set created_at = created_at - interval '16 minutes'
    where user_id in (select id from staff_users where login = ${login})`
  const issue = page.getByRole('button', { name: 'Выпустить', exact: true })
  await issue.click()
  const dialog = page.getByRole('dialog', { name: 'Введите пароль ещё раз', exact: true })
  await dialog.getByLabel('Пароль').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('alert').getByText('Войдите с паролем ещё раз').waitFor()
  assert.equal(await name.inputValue(), '1С')
  await issue.click()
  await dialog.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Ключ «1С» выпущен').waitFor()
  assert.deepEqual(faults, [])
})

// Guarantee (web): A web page runs scripts and styles of the service only.
test('pages and files carry the policy, and a file is kept for ever by its hash', async () => {
  const page = await fetch(`${service.baseUrl}/staff/app/any/depth`)
  assert.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(page.headers.get('permissions-policy') ?? '', /camera=\(\)/)
  assert.match(policy, /require-trusted-types-for 'script'/)
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  const html = await page.text()
  assert.doesNotMatch(html, /<script>|<style|style=| on\w+=/)
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(html) ?? []
  const file = await fetch(service.baseUrl + script)
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const tag = page.headers.get('etag') ?? ''
  const again = await fetch(`${service.baseUrl}/staff/app`, { headers: { 'if-none-match': tag } })
  assert.equal(again.status, 304)
  assert.equal((await fetch(`${service.baseUrl}/assets/unknown.js`)).status, 404)
})
