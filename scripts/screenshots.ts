// "node scripts/screenshots.ts": writes the pictures of README and of the API reference: the account of a sandbox, and the
// first page of the console on a warehouse in the middle of its day.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { type BrowserContext, chromium } from 'playwright-core'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { bundleOnce } from '../src/http/pages/bundle.ts'
import type { PictureName } from '../src/http/public/reference-files.ts'
import { hashPassword } from '../src/identity/sign-in/passwords.ts'
import { createUser, issueToken } from '../src/identity/staff/users.ts'
import { perform } from '../src/platform/db/work.ts'
import { ManualClock } from '../src/platform/kernel/clock.ts'
import { isNothingSealed, loadSecrets } from '../src/platform/process/secrets.ts'
import { openStore } from '../src/platform/process/store.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { callsTo } from './trial/calls.ts'
import { fillTower } from './trial/tower.ts'

/** The clocks of the service and of the browser stand still, so that two runs make the same pictures. */
const moment = Date.parse('2026-11-20T15:00:00+03:00')
const clock = new ManualClock(moment)
const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url))

interface Place {
  readonly path: string
  /** What stands on the page when its data have come. */
  readonly heading: string
  /** Leads from there to what is shown. */
  readonly link?: string
  readonly isDark?: boolean
  readonly height: number
}

const places: Readonly<Record<PictureName, Place>> = {
  overview: { path: '', heading: 'Путь товаров', height: 900 },
  stock: { path: '/stock', heading: 'Остатки', height: 640 },
  receipt: {
    path: '/receipts?status=RECEIVED_WITH_DISCREPANCY',
    heading: 'Приёмки',
    link: 'tbody tr:nth-child(2) a',
    height: 640,
  },
  metrics: { path: '/metrics', heading: 'Путь товаров', isDark: true, height: 900 },
  sandbox: { path: '/sandbox', heading: 'Песочница', height: 900 },
}

async function take(context: BrowserContext, baseUrl: string): Promise<void> {
  const page = await context.newPage()
  await page.clock.setFixedTime(moment)
  const issued = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await issued.json()) as { key: string }
  // The first sandbox waits for its scenario, on a busy machine longer than a page does.
  await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  await page.goto(`${baseUrl}/account`)
  await page.getByLabel('Тестовый ключ', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Обзор', level: 1 }).waitFor()
  for (const [name, place] of Object.entries(places)) {
    const { path, heading, link, isDark, height } = place
    await page.setViewportSize({ width: 1200, height })
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
    await page.goto(`${baseUrl}/account${path}`)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    if (link !== undefined) {
      await page.locator(link).first().click()
      await page.getByRole('heading', { name: 'Состав', exact: true }).waitFor()
    }
    await page.locator('.chart-place:not(:has(canvas))').first().waitFor({ state: 'detached' })
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/pictures/${name}.png is written`)
  }
}

const towers = {
  tower: { width: 1280, height: 1060 },
  'tower-phone': { width: 390, height: 844 },
} as const

/** The first page of the console, as a manager sees it in the middle of a day. */
async function takeTower(context: BrowserContext, baseUrl: string): Promise<void> {
  const password = 'пароль для картинки'
  const passwordHash = await hashPassword(password)
  const person = {
    login: 'manager',
    name: 'Ольга Белова',
    role: 'administrator',
    passwordHash,
  } as const
  const token = await perform(store.db, clock, { kind: 'service' }, async (work) => {
    const id = await createUser(work, person)
    return (await issueToken(work, id, 'picture')).token
  })
  const staff = callsTo(baseUrl, '/staff/v1', token)
  await fillTower({ baseUrl, staff, now: moment, moveTo: (at) => clock.set(at) })
  const page = await context.newPage()
  await page.clock.setFixedTime(moment)
  await page.goto(`${baseUrl}/staff/app`)
  await page.getByLabel('Логин', { exact: true }).fill(person.login)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Выйти', exact: true }).waitFor()
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const [name, viewport] of Object.entries(towers)) {
    await page.setViewportSize(viewport)
    await page.goto(`${baseUrl}/staff/app`)
    await page.getByRole('heading', { name: /^Что горит/ }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/pictures/${name}.png is written`)
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'sklad-pictures-'))
const config = readConfig({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  BASE_URL: 'http://localhost:8080',
  SANDBOX_ROBOT: 'off',
})
const store = await openStore(config, 'service', () => {})
try {
  const app = await startApp({
    config,
    role: 'api',
    db: store.db,
    clock,
    secrets: await loadSecrets(config, () => isNothingSealed(store.db)),
    log: pino({ level: 'error' }),
    web: bundleOnce(),
  })
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  })
  try {
    const context = await browser.newContext({ locale: 'ru-RU', timezoneId: 'Europe/Moscow' })
    await take(context, `http://127.0.0.1:${app.port}`)
    await takeTower(context, `http://127.0.0.1:${app.port}`)
  } finally {
    await browser.close()
    await app.close()
  }
} finally {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
}
