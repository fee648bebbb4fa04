import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { assertFitsWidth, desktop, intercept, openPage, phone } from './browser.ts'

/** The pages of the references: their text is there before their script, which is large, has come and run. */

/** The script is a megabyte, and the page of staff long. */
const patienceMs = 60_000

const service = await startService()

for (const [path, title, tag, operation] of [
  ['/docs/', 'Sklad: интерфейс фулфилмента', 'Остатки', 'Остатки на складе'],
  ['/account/docs/', 'Sklad: личный кабинет', 'Остатки', 'Остатки на складе'],
  ['/staff/docs/', 'Sklad: интерфейс склада', 'Заказы', 'Один заказ'],
] as const) {
  for (const viewport of [desktop, phone]) {
    test(`${path} shows its introduction and each operation before its script is there, and warns of nothing: ${viewport.width}`, async () => {
      const { page, faults } = await openPage(service.baseUrl, { viewport })
      page.on('console', (message) => {
        if (message.type() === 'warning') faults.push(message.text())
      })
      const script = Promise.withResolvers<void>()
      await intercept(page, '**/js/scalar.js*', async (route) => {
        await script.promise
        await route.continue()
      })
      await page.goto(path, { waitUntil: 'commit' })
      const look = page.locator('#first-look')
      await look.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
      await look.locator('summary', { hasText: tag }).first().click()
      await look.getByRole('link', { name: operation, exact: true }).click()
      await look.getByRole('heading', { name: operation, level: 1, exact: true }).waitFor()
      await look.getByRole('heading', { name: 'Ответы', exact: true }).waitFor()
      await assertFitsWidth(page)
      await look.getByRole('link', { name: 'Введение', exact: true }).click()
      await look.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()

      script.resolve()
      await look.waitFor({ state: 'detached', timeout: patienceMs })
      await page.locator('#app h1', { hasText: title }).waitFor()
      assert.deepEqual(faults, [])
    })
  }
}
