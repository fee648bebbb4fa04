import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { covers, type Role, roleLabels, roles } from '../../src/identity/staff/roles.ts'
import { paths } from '../../web/console/paths.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { openConsole as openConsoleOf, settle, watchCalls } from './console-page.ts'
import { furnish } from './console-world.ts'

const service = await startService()
const root = await staffClient(service, 'administrator')
const addresses = await furnish(service, root)

const openConsole = (role: Role) => openConsoleOf(root, service.baseUrl, role)

interface Operation {
  readonly method: string
  readonly path: RegExp
  readonly role: Role
}

/** Every call of the staff API with the least role, as its document says. */
const operations = readOperations()

function readOperations(): Operation[] {
  const file = new URL('../../openapi/staff.json', import.meta.url)
  const { paths: described } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { description?: string }>>
  }
  return Object.entries(described).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description = '' }]) => ({
      method: method.toUpperCase(),
      // A field that nobody filled leaves its part of the path empty.
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`),
      role: roles.find((role) => description.includes(`Роль: ${roleLabels[role]}`)) ?? 'worker',
    })),
  )
}

function leastRoleOf(method: string, url: string): Role {
  const { pathname } = new URL(url, service.baseUrl)
  // A fixed path comes before one with a parameter.
  const found = operations.filter((each) => each.method === method && each.path.test(pathname))
  const [operation] = found.sort((one, other) => one.path.source.length - other.path.source.length)
  assert.ok(operation, `${method} ${pathname}`)
  return operation.role
}

/** What a page offers and says. */
function readPage(page: Page) {
  return page.locator('main').evaluate((main) => {
    const reasonOf = (each: Element) =>
      (each.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim()
    const disabled = [...main.querySelectorAll(':disabled, [aria-disabled=true]')]
    const links = [...main.querySelectorAll('a[href^="/staff/v1/"]')]
    return {
      /** What does nothing now and does not say why. */
      silent: disabled.filter((each) => reasonOf(each).length < 10).map((each) => each.outerHTML),
      alerts: [...main.querySelectorAll<HTMLElement>('[role=alert]')].map((each) => each.innerText),
      files: links.map((link) => link.getAttribute('href') ?? ''),
    }
  })
}

declare global {
  /** Changes that the page has asked for since it was opened. */
  var askedChanges: { readonly method: string; readonly url: string }[]
  function afterTwoFrames(): Promise<void>
}

/** No change leaves the page: each is noted and refused. It needs no interception, which would keep files out of the cache. */
function refuseChanges(): void {
  globalThis.afterTwoFrames = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  globalThis.askedChanges = []
  const ask = globalThis.fetch
  globalThis.fetch = async (input, given) => {
    const { method, url } = new Request(input, given)
    if (method === 'GET') return ask(input, given)
    askedChanges.push({ method, url })
    const error = { code: 'conflict', message: 'Проверка', request_id: 'r' }
    return Response.json({ error }, { status: 409 })
  }
}

/** Presses each button that is not among the pressed ones, and the one of the question that it asks. */
async function pressAll(page: Page, pressed: Set<string>): Promise<void> {
  const names = await page.evaluate(
    async (known) => {
      const named = new Set(known)
      const place = location.pathname.replace(/[0-9a-f-]{36}/, ':id')
      const buttons = () => [
        ...document.querySelectorAll<HTMLElement>('main button:enabled:not([aria-disabled=true])'),
      ]
      const press = async (button: HTMLElement) => {
        for (const form of document.forms) form.noValidate = true
        button.click()
        await afterTwoFrames()
        document.querySelector<HTMLElement>('dialog[open] .row button')?.click()
        await afterTwoFrames()
        for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
          dialog.requestClose()
        }
        document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
      }
      for (;;) {
        const isNew = (each: HTMLElement) =>
          each.checkVisibility() && !named.has(`${place} ${each.innerText}`)
        const button = buttons().find(isNew)
        if (button === undefined) return [...named]
        named.add(`${place} ${button.innerText}`)
        await press(button)
      }
    },
    [...pressed],
  )
  for (const name of names) pressed.add(name)
}

test('every page of the console has an address here', () => {
  const known = addresses.map((address) => new URL(address, service.baseUrl).pathname)
  for (const path of Object.values(paths)) {
    const form = new RegExp(`^${path.replace(':id', '[^/]+')}$`)
    assert.ok(
      known.some((each) => form.test(each)),
      path,
    )
  }
})

/** What a worker does not see, a request that nobody has confirmed, looks like none and leads to the others. */
async function goOn(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Такого здесь нет', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'К разделу «Приёмки»', exact: true }).waitFor()
}

const closedTo = /^Недостаточно прав: раздел открыт/

/** What a lesser role may press needs no second press: each role may do what the ones before may. */
const pressed = new Set<string>()

for (const role of roles) {
  test(`each page asks and offers only what the role may, and what is disabled says why (${role})`, async () => {
    const { page, faults } = await openConsole(role)
    const going = watchCalls(page)
    const wrong: string[] = []
    page.on('response', (answer) => {
      if (answer.status() !== 403 && answer.status() < 500) return
      wrong.push(`${page.url()} asks ${answer.url()}: ${answer.status()}`)
    })
    await page.addInitScript(refuseChanges)
    for (const address of addresses) {
      await page.goto(address)
      await settle(page, going)
      const { silent, alerts, files } = await readPage(page)
      for (const each of silent) wrong.push(`${address} does not say why: ${each}`)
      for (const alert of alerts) {
        if (closedTo.test(alert)) continue
        if (role === 'worker' && alert.startsWith('Приёмка не найдена')) await goOn(page)
        else wrong.push(`${address} shows ${alert}`)
      }
      await pressAll(page, pressed)
      const asked = await page.evaluate(() => askedChanges)
      for (const { method, url } of [...asked, ...files.map((url) => ({ method: 'GET', url }))]) {
        if (!covers(role, leastRoleOf(method, url))) wrong.push(`${address} offers ${url}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(pressed.size > 10, `${pressed.size} buttons`)
    assert.deepEqual(faults, [])
  })
}
