import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readGoods } from '../../src/documents/imports/goods.ts'
import { startService } from '../support/service.ts'
import { bookWithInstruction, inlineRow } from '../support/xlsx-file.ts'
import { openSandbox } from './account-scene.ts'
import {
  assertAccessible,
  assertFitsWidth,
  assertReadable,
  desktop,
  openPage,
  phone,
} from './browser.ts'

/** Tables of goods: the template, and what the reference says of them. */

const service = await startService()

/** The template as it is saved, with a row typed below its headings. */
async function filledTemplate(page: Page): Promise<Buffer> {
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV', exact: true }).click()
  const saved = await readFile(await (await saving).path())
  return Buffer.concat([saved, Buffer.from('4600000000015;Плед;;5;нет\r\n')])
}

test('the template is filled in, and the chapter says what is read', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  await page.goto('/account/receipts/new')
  await page.getByRole('button', { name: 'Из файла' }).click()
  const { rows } = await readGoods({ bytes: await filledTemplate(page) })
  assert.deepEqual(rows, [
    { row: 2, barcode: '4600000000015', name: 'Плед', qty: 5, honestMark: false },
  ])
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    await assertAccessible(page)
    await assertFitsWidth(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertReadable(page)
  }
  assert.deepEqual(faults, [])
  const link = page.getByRole('link', { name: 'Какие таблицы читаются', exact: true })
  // The chapter is waited for, not the megabytes of the reference around it.
  await page.goto((await link.getAttribute('href')) ?? '', { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Файлы товаров', exact: true }).first().waitFor()
  await page.getByRole('heading', { name: 'Что не принимается' }).first().waitFor()
})

test('the receipt of a book with several sheets says which one was read', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await openSandbox(page, service.baseUrl)
  await page.goto('/account/receipts/new')
  await page.getByRole('button', { name: 'Из файла' }).click()
  await page.getByLabel('Файл', { exact: true }).setInputFiles({
    name: 'поставка.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: bookWithInstruction(
      inlineRow('barcode', 'name', 'qty') + inlineRow('S-1', 'Плед', '5'),
    ),
  })
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.getByText('Прочитан лист «Товары»; другие листы не читаются.').waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  assert.deepEqual(faults, [])
})
