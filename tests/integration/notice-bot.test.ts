import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { botNameOf, openBotApi } from '../../src/exchange/notices/bot-api.ts'
import { readBotFeed } from '../../src/exchange/notices/bot-feed.ts'
import { listLetters } from '../../src/exchange/notices/letter-log.ts'
import { findPerson, offerTelegram } from '../../src/exchange/notices/people.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { openTelegram } from '../../src/exchange/notices/telegram.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { hour, minute } from '../../src/platform/kernel/moscow-time.ts'
import { botToken, openBotServer } from '../support/bot-server.ts'
import { testDatabase } from '../support/database.ts'
import { makeSeller, tellDiscrepancy } from '../support/notices.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()
const clock = new ManualClock(noon)
const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
const bot = await openBotServer()
const settings = { token: botToken, baseUrl: bot.baseUrl }
const api = openBotApi(settings)
/** For what hangs. */
const hastyApi = openBotApi(settings, 300)
const telegram = openTelegram(api, 'https://sklad.example')
const listen = () => readBotFeed({ db, clock, api })
const sender = openNoticeSender({ db, clock, channels: { telegram }, listen, log })
const hastySender = openNoticeSender({
  db,
  clock,
  channels: { telegram: openTelegram(hastyApi, 'https://sklad.example') },
  listen: () => readBotFeed({ db, clock, api: hastyApi }),
  log,
})

beforeEach(async () => {
  for (const method of Object.keys(bot.troubles)) bot.troubles[method] = undefined
  clock.advance(2 * hour)
  await db`delete from notices`
  await db`delete from notice_letters`
  await sender.runOnce()
  bot.messages.length = 0
})

let chats = 100

async function makeUser(clientIds: readonly string[]) {
  return { side: 'seller', userId: await makeSeller(db, clientIds) } as const
}

/** A user who has linked a chat. */
async function makeReader(clientIds: readonly string[]) {
  const user = await makeUser(clientIds)
  const { code } = await at(db, clock.now(), (work) => offerTelegram(work, user))
  const chat = ++chats
  bot.write(chat, `/start ${code}`)
  await sender.runOnce()
  assert.match(bot.messages.at(-1)?.text ?? '', /^Готово/)
  bot.messages.length = 0
  return { ...user, chat }
}

let happened = 0
const happen = (clientId: string, subject = `R-${++happened}`) =>
  tellDiscrepancy(db, clientId, subject, clock.now())
async function later(ms = minute, by = sender) {
  await by.runOnce()
  clock.advance(ms)
  await by.runOnce()
}
const letter = async () =>
  (await listLetters(db, undefined, { limit: 1, after: undefined })).items[0]
const stateOf = async (userId: string) => {
  const { telegram_chat, telegram_blocked } = await findPerson(db, userId)
  return { chat: telegram_chat, blocked: telegram_blocked }
}

suite('a bot', () => {
  test('brings notices to the chat that was linked, with what they open', async () => {
    const { id: client } = await makeClient(db)
    const { chat } = await makeReader([client])
    await happen(client, 'R-77')
    await later()
    const to = `https://sklad.example/account/open?client=${client}&to=%2Faccount%2Freceipts%2Fa`
    const text = `Приёмка R-77 принята с расхождением\n${to}`
    assert.deepEqual(
      bot.messages.map(({ chat_id, text }) => ({ chat_id, text })),
      [{ chat_id: chat, text }],
    )
  })

  test('says hostile names as text, with no line or markup of theirs', async () => {
    const { id: client } = await makeClient(db)
    await makeReader([client])
    await happen(client, '<b>x</b> *_[a](https://evil.ru)_*\n/stop\u202e')
    await later()
    const [message] = bot.messages
    const [first = ''] = message?.text?.split('\n') ?? []
    assert.match(first, /^Приёмка <b>x<\/b> \*_\[a\]\(https:\/\/evil\.ru\)_\* \/stop принята/)
    assert.equal(message && 'parse_mode' in message, false)
  })

  test('says its name for links, and asks again only while nobody answered', async () => {
    const name = botNameOf(hastyApi)
    bot.troubles.getMe = { status: 500 }
    assert.equal(await name(), undefined)
    bot.troubles.getMe = undefined
    assert.equal(await name(), 'sklad_test_bot')
    bot.troubles.getMe = 'hang'
    assert.equal(await name(), 'sklad_test_bot')
  })

  test('cuts a long message off and says how many are left', async () => {
    const clients = []
    for (let n = 0; n < 40; n++) clients.push((await makeClient(db)).id)
    await makeReader(clients)
    for (const client of clients) await happen(client)
    await later()
    const [{ text = '' } = {}] = bot.messages
    assert.ok(text.length <= 4_096)
    assert.match(text, /Ещё уведомлений: \d+\nhttps:\/\/sklad\.example\/account\/notices$/)
  })
})

suite('a link', () => {
  test('works once, for a quarter of an hour, and only with its code', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeUser([client])
    const offer = () => at(db, clock.now(), (work) => offerTelegram(work, user))
    const first = await offer()
    clock.advance(16 * minute)
    bot.write(1, `/start ${first.code}`)
    bot.write(1, '/start wrong')
    bot.write(1, 'hello')
    await sender.runOnce()
    assert.deepEqual(await stateOf(user.userId), { chat: null, blocked: false })
    const { code } = await offer()
    bot.write(2, `/start ${code}`)
    bot.write(3, `/start ${code}`)
    await sender.runOnce()
    assert.deepEqual(await stateOf(user.userId), { chat: 2, blocked: false })
    assert.match(bot.messages.at(-1)?.text ?? '', /^Ссылка не подошла/)
  })

  test('ends with /stop', async () => {
    const { id: client } = await makeClient(db)
    const { userId, chat } = await makeReader([client])
    bot.write(chat, '/stop')
    await sender.runOnce()
    assert.deepEqual(await stateOf(userId), { chat: null, blocked: false })
    bot.messages.length = 0
    await happen(client)
    await later()
    assert.deepEqual(bot.messages, [])
  })
})

suite('a bot that a user has stopped', () => {
  test('is seen when Telegram says so', async () => {
    const { id: client } = await makeClient(db)
    const { userId, chat } = await makeReader([client])
    bot.kick(chat)
    await sender.runOnce()
    assert.equal((await stateOf(userId)).blocked, true)
    await happen(client)
    await later()
    assert.equal(await letter(), undefined)
  })

  test('is seen when a message is refused, which ends the letter', async () => {
    const { id: client } = await makeClient(db)
    const { userId } = await makeReader([client])
    bot.troubles.sendMessage = { status: 403 }
    await happen(client)
    await later()
    assert.equal((await stateOf(userId)).blocked, true)
    const { state, problem } = (await letter()) ?? {}
    assert.deepEqual([state, problem], ['failed', 'Пользователь остановил бота'])
  })
})

suite('Telegram', () => {
  // Guarantee (notices): A channel that asks for a pause gets it, and the letter keeps its attempts.
  test('that asks for a pause gets it for all letters, and no attempt counts', async () => {
    const { id: client } = await makeClient(db)
    const { chat: first } = await makeReader([client])
    bot.troubles.sendMessage = { status: 429, retryAfterSeconds: 600 }
    await happen(client)
    await later()
    bot.troubles.sendMessage = undefined
    const { state, attempts, problem } = (await letter()) ?? {}
    assert.deepEqual([state, attempts, problem], ['waiting', 1, 'Telegram просит подождать'])
    const { id: other } = await makeClient(db)
    const { chat } = await makeReader([other])
    await happen(other)
    await later(9 * minute)
    assert.deepEqual(bot.messages, [])
    await later(minute)
    assert.deepEqual(bot.messages.map(({ chat_id }) => chat_id).sort(), [first, chat].sort())
  })

  for (const trouble of ['hang', { status: 500 }, { status: 401 }] as const) {
    test(`that answers ${JSON.stringify(trouble)} is asked again`, async () => {
      const { id: client } = await makeClient(db)
      await makeReader([client])
      bot.troubles.sendMessage = trouble
      await happen(client)
      await later(minute, hastySender)
      const { state, problem = '' } = (await letter()) ?? {}
      assert.equal(state, 'waiting')
      assert.match(problem ?? '', /^Telegram /)
      assert.doesNotMatch(problem ?? '', /123456/)
      bot.troubles.sendMessage = undefined
      await later()
      assert.equal(bot.messages.length, 1)
    })
  }

  test('that does not show what was written is asked half a minute later', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeUser([client])
    const { code } = await at(db, clock.now(), (work) => offerTelegram(work, user))
    bot.troubles.getUpdates = 'hang'
    bot.write(77, `/start ${code}`)
    await hastySender.runOnce()
    bot.troubles.getUpdates = undefined
    await sender.runOnce()
    assert.equal((await stateOf(user.userId)).chat, null)
    clock.advance(30_000)
    await sender.runOnce()
    assert.equal((await stateOf(user.userId)).chat, 77)
  })

  test('two processes handle each message once', async () => {
    const other = openNoticeSender({ db, clock, channels: { telegram }, listen, log })
    bot.write(88, 'hello')
    await Promise.all([sender.runOnce(), other.runOnce()])
    await sender.runOnce()
    assert.equal(bot.messages.filter(({ chat_id }) => chat_id === 88).length, 1)
  })
})
