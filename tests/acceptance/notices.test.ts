import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Notice } from '../../src/exchange/notices/bell.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import type { NoticeSettings } from '../../src/exchange/notices/settings-view.ts'
import { makeUnsubscribing } from '../../src/exchange/notices/unsubscribe.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { accountUser } from '../support/account.ts'
import { botToken, openBotServer } from '../support/bot-server.ts'
import { assertRefused } from '../support/client.ts'
import { announceReceipt } from '../support/notices.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { makeClient, stockUp } from '../support/warehouse.ts'

const SECRET_KEY = randomBytes(32).toString('base64')
const bot = await openBotServer()
const service = await startService({
  SMTP_URL: 'smtp://127.0.0.1:9',
  TELEGRAM_BOT_TOKEN: botToken,
  TELEGRAM_BASE_URL: bot.baseUrl,
  SECRET_KEY,
})
const { db } = service
const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
const sender = openNoticeSender({ db, clock: systemClock, channels: {}, log })

interface Bell {
  readonly unread: number
  readonly elsewhere: number
  readonly items: readonly Notice[]
}

test('a user of two clients sees the notices of the one that is shown, and how many wait at the other', async () => {
  const [{ id: first }, { id: second }] = [await makeClient(db), await makeClient(db)]
  const user = await accountUser(service, { [first]: 'viewer', [second]: 'viewer' })
  await stockUp(db, first, { '1': 1 }, Date.now())
  await stockUp(db, second, { '1': 1 }, Date.now())
  await sender.runOnce()
  const bell = (await user.get('/notices')).body as Bell
  assert.deepEqual([bell.unread, bell.elsewhere, bell.items.length], [1, 1, 1])
  assert.equal(bell.items[0]?.client_id, first)
  const receipt = await user.get(bell.items[0]?.path.replace('/account', '') ?? '')
  assert.equal(receipt.status, 200, 'a notice opens its object')
  assert.equal((await user.post('/notices/read', {})).status, 204)
  const after = (await user.get('/notices/unread')).body
  assert.deepEqual(after, { unread: 0, elsewhere: 1 })
})

test('a manager reads what waits to be confirmed', async () => {
  const { id: client } = await makeClient(db)
  const manager = await staffClient(service, 'manager')
  const receipt = await announceReceipt(db, client, Date.now())
  await sender.runOnce()
  const { items, unread } = (await manager.get('/notices')).body as Bell
  assert.equal(unread, 1)
  assert.equal(items[0]?.path, `/staff/app/receipts/${receipt}`)
  assert.equal((await manager.post('/notices/read', { ids: [items[0]?.id ?? ''] })).status, 204)
  assert.deepEqual((await manager.get('/notices/unread')).body, { unread: 0, elsewhere: 0 })
})

test('the settings list what may reach the user: what is for owners alone only to an owner of a client', async () => {
  const [{ id: first }, { id: second }] = [await makeClient(db), await makeClient(db)]
  const listed = async (role: 'owner' | 'receipts' | 'viewer') => {
    const user = await accountUser(service, { [first]: 'viewer', [second]: role })
    const { kinds } = (await user.get('/notices/settings')).body as NoticeSettings
    return kinds.some(({ kind }) => kind === 'key_decided')
  }
  const all = [await listed('owner'), await listed('receipts'), await listed('viewer')]
  assert.deepEqual(all, [true, false, false])
})

test('settings are kept, and what is wrong in them is named', async () => {
  const { id: client } = await makeClient(db)
  const user = await accountUser(service, { [client]: 'viewer' })
  const usual = (await user.get('/notices/settings')).body as NoticeSettings
  assert.equal(usual.digest_hour, 9)
  assert.deepEqual(usual.channels, { email: true, telegram: true })
  const kinds = usual.kinds.map(({ kind }) => ({
    kind,
    bell: kind !== 'receipt_completed',
    email: 'off' as const,
    telegram: 'digest' as const,
  }))
  const session = async () => (await user.get('/session')).body as { low_days: number }
  assert.deepEqual([usual.low_days, (await session()).low_days], [14, 14])
  const draft = { kinds, digest_hour: 7, quiet_from: 22, quiet_to: 8, low_days: 30 }
  assert.equal((await user.call('PUT', '/notices/settings', draft)).status, 200)
  const kept = (await user.get('/notices/settings')).body as NoticeSettings
  assert.deepEqual([kept.digest_hour, kept.quiet_from, kept.quiet_to], [7, 22, 8])
  await stockUp(db, client, { '1': 1 }, Date.now())
  await sender.runOnce()
  assert.deepEqual(((await user.get('/notices')).body as Bell).items, [], 'not in the bell')
  assert.deepEqual([kept.low_days, (await session()).low_days], [30, 30])
  for (const low_days of [0, 91, 1.5]) {
    const refused = await user.call('PUT', '/notices/settings', { ...draft, low_days })
    assertRefused(refused, 'validation_error', 'low_days')
  }
  const wrong = await user.call('PUT', '/notices/settings', { ...draft, quiet_to: null })
  assertRefused(wrong, 'validation_error', 'quiet_to')
  assertRefused(
    await user.call('PUT', '/notices/email', { email: 'a' }),
    'validation_error',
    'email',
  )
  assert.equal((await user.call('PUT', '/notices/email', { email: 'a@b.ru' })).status, 204)
  const waits = (await user.get('/notices/settings')).body as NoticeSettings
  assert.deepEqual([waits.email, waits.email_waits], [null, 'a@b.ru'])
  assertRefused(
    await user.post('/notices/email/confirm', { code: '1' }),
    'validation_error',
    'code',
  )
  const { link } = (await user.post('/notices/telegram')).body as { link: string }
  assert.match(link, /^https:\/\/t\.me\/sklad_test_bot\?start=[\w-]{32}$/)
  bot.troubles.getMe = 'hang'
  assert.equal((await user.post('/notices/telegram')).status, 200, 'the name is known')
})

test('an administrator sees the log of letters', async () => {
  const administrator = await staffClient(service, 'administrator')
  const answer = await administrator.get('/journal/notices?state=failed')
  assert.equal(answer.status, 200, answer.text)
})

test('the link of a letter ends letters when it is posted to, without signing in, and not when it is looked at', async () => {
  const { id: client } = await makeClient(db)
  const { userId } = await accountUser(service, { [client]: 'viewer' })
  await db`insert into notice_people (user_id, side, email) values (${userId}, 'seller', 'a@b.ru')`
  const secretKeys = [Buffer.from(SECRET_KEY, 'base64')]
  const { noticeKeys } = await loadSecrets({ secretKeys, dataDir: '' })
  const link = makeUnsubscribing(noticeKeys, service.baseUrl).linkOf(userId)
  const address = async () => {
    const [row] = await db`select email from notice_people where user_id = ${userId}`
    return row?.email
  }
  const looked = await fetch(link)
  assert.equal(looked.status, 200)
  assert.match(await looked.text(), /<form method="post">/)
  assert.equal(await address(), 'a@b.ru')
  assert.equal((await fetch(`${link}x`, { method: 'POST' })).status, 404)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const posted = await fetch(link, { method: 'POST', body })
  assert.equal(posted.status, 200)
  assert.match(await posted.text(), /Писем больше не будет/)
  assert.equal(await address(), null)
})
