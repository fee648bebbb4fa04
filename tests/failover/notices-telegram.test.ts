import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openBotApi } from '../../src/exchange/notices/bot-api.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { openTelegram } from '../../src/exchange/notices/telegram.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { hour, minute } from '../../src/platform/kernel/moscow-time.ts'
import { type BotServer, botToken, openBotServer } from '../support/bot-server.ts'
import {
  eventually,
  type FaultScene,
  faultScene,
  type HoldingPoint,
  hold,
} from '../support/faults.ts'
import { makeSeller, makeSellers, tellDiscrepancy } from '../support/notices.ts'

/** A thousand people are notified by Telegram at once, while processes die and Telegram is in trouble. */

const baseUrl = 'https://sklad.example'
/** A process sends so many at a time. */
const atOnce = 8
/** As sellers and marketplaces may call a thing: markup of both kinds, entities, commands, another direction of writing. */
const evil = '<b>x</i> &amp; *_`[y](tg://user?id=1) {{z}}\u202e\r\n/stop @all'
const evilSaid = '<b>x</i> &amp; *_`[y](tg://user?id=1) {{z}} /stop @all'

interface Thousand extends FaultScene {
  readonly bot: BotServer
  /** What each chat is to get, in any order. */
  readonly wanted: ReadonlyMap<number, readonly string[]>
  /** The chats by their users. */
  readonly chats: ReadonlyMap<string, number>
  /** How many sendings to a chat ended without an outcome: each may have arrived. */
  readonly unknown: Map<number, number>
}

/** 980 users of twenty clients, and twenty of two clients each; ten have stopped the bot, which nobody knows yet. */
async function openThousand(t: TestContext): Promise<Thousand> {
  const bot = await openBotServer()
  const scene = await faultScene(t)
  const { db } = scene
  const sellers = new Map(
    [...(await makeSellers(db, { clients: 20, usersOfEach: 49 }))].map(([user, client]) => [
      user,
      [client],
    ]),
  )
  const clients = [...new Set([...sellers.values()].flat())]
  for (const [index, client] of clients.entries()) {
    const both = [client, clients.at(index - 1) ?? client]
    sellers.set(await makeSeller(db, both), both)
  }
  await db`update clients set name = ${`ООО «${evil}»`} where id = any(${clients}::uuid[])`
  const chats = new Map([...sellers.keys()].map((user, index) => [user, 1_000 + index]))
  await db`
    insert into notice_people (user_id, side, telegram_chat)
    select c.user_id, 'seller', c.chat
    from unnest(${[...chats.keys()]}::uuid[], ${[...chats.values()]}::bigint[]) as c (user_id, chat)`
  const wanted = new Map(
    [...sellers].map(([user, of]) => [chats.get(user) ?? 0, of.map((each) => said(each, of))]),
  )
  for (const chat of chats.values()) if (chat % 100 === 7) bot.stopped.add(chat)
  for (const client of clients) await tellDiscrepancy(db, client, `R-${client} ${evil}`, Date.now())
  return { ...scene, bot, chats, wanted, unknown: new Map() }
}

/** About a client, to a user of these. */
function said(client: string, of: readonly string[]): string {
  const whose = of.length === 1 ? '' : `ООО «${evilSaid}»: `
  return (
    `${whose}Приёмка R-${client} ${evilSaid} принята с расхождением\n` +
    `${baseUrl}/account/open?client=${client}&to=%2Faccount%2Freceipts%2Fa`
  )
}

const isSent = `new.state = 'sent'`
const deaths: readonly (readonly [when: string, point: HoldingPoint])[] = [
  ['while it writes who is notified', { table: 'notices', on: 'insert' }],
  [
    'while it claims',
    { table: 'notice_letters', on: 'update', when: 'new.attempts > old.attempts' },
  ],
  ['while it records what was sent', { table: 'notice_letters', on: 'update', when: isSent }],
  [
    'while it commits that',
    { table: 'notice_letters', on: 'update', when: isSent, atCommit: true },
  ],
]

/** Lets letters go that collect, or that a killed process had claimed: they would wait for a minute. */
const hurry = ({ db }: Thousand) =>
  db`update notice_letters set due_at = now() where state = 'waiting'`

const settingsOf = ({ bot }: Thousand) => ({
  BASE_URL: baseUrl,
  TELEGRAM_BOT_TOKEN: botToken,
  TELEGRAM_BASE_URL: bot.baseUrl,
})

async function dieAt(thousand: Thousand, point: HoldingPoint): Promise<void> {
  const { db, chats, start } = thousand
  const held = await hold(db, point)
  const service = await start(settingsOf(thousand))
  if (point.table === 'notice_letters') {
    await eventually('each user has a letter', async () => {
      const rows = await db`select from notice_letters`
      return rows.length === chats.size
    })
    await hurry(thousand)
  }
  await held.reached()
  await service.end('SIGKILL')
  await held.release()
  await eventually('the database has ended what was begun', async () => {
    const busy = await db`
      select from pg_stat_activity where datname = current_database() and state <> 'idle'
        and backend_type = 'client backend' and pid <> pg_backend_pid()`
    return busy.length === 0
  })
}

/** A process dies while Telegram takes messages and says nothing. */
async function dieUnanswered(thousand: Thousand): Promise<void> {
  const { bot, start } = thousand
  bot.troubles.sendMessage = 'lose'
  const until = bot.messages.length
  const service = await start(settingsOf(thousand))
  await eventually('some are on their way', async () => bot.messages.length > until)
  await service.end('SIGKILL')
  bot.troubles.sendMessage = undefined
}

/** Attempts that nobody has recorded anything of. */
async function noteUnknown({ db, chats, unknown }: Thousand, seen: Map<string, number>) {
  const rows = await db<{ user_id: string; attempts: number }[]>`
    select user_id, attempts from notice_letters where state = 'waiting' and attempts > 0`
  const begun = rows.filter(({ user_id, attempts }) => attempts > (seen.get(user_id) ?? 0))
  for (const { user_id, attempts } of begun) {
    seen.set(user_id, attempts)
    const chat = chats.get(user_id) ?? 0
    unknown.set(chat, (unknown.get(chat) ?? 0) + 1)
  }
  return begun.length
}

/** Two processes send all that is left. On their way Telegram asks for a pause, hangs, and takes messages without a word. */
async function sendTheRest(thousand: Thousand, seen: Map<string, number>): Promise<void> {
  const { db, bot } = thousand
  const clock = new ManualClock(Date.now() + hour)
  const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
  const sendersOf = (timeoutMs?: number) => {
    const api = openBotApi({ token: botToken, baseUrl: bot.baseUrl }, timeoutMs)
    const channels = { telegram: openTelegram(api, baseUrl) }
    return [1, 2].map(() => openNoticeSender({ db, clock, channels, log }))
  }
  const [senders, hasty] = [sendersOf(), sendersOf(300)]
  const send = (by = senders) => Promise.all(by.map((each) => each.runOnce()))

  bot.troubles.sendMessage = { status: 429, retryAfterSeconds: 30 }
  await send()
  bot.troubles.sendMessage = undefined
  const until = bot.messages.length
  await send()
  assert.equal(bot.messages.length, until, 'nobody is notified in the pause')
  clock.advance(minute / 2)
  bot.troubles.sendMessage = 'hang'
  await send(hasty)
  // Those had an outcome each: it did not arrive.
  await noteKnown(thousand, seen)
  bot.troubles.sendMessage = 'lose'
  await send(hasty)
  await noteUnknown(thousand, seen)
  bot.troubles.sendMessage = undefined
  for (let waiting = 1; waiting > 0; clock.advance(minute / 60)) {
    await send()
    waiting = (await db`select from notice_letters where state = 'waiting'`).length
  }
}

async function noteKnown({ db }: Thousand, seen: Map<string, number>): Promise<void> {
  const rows = await db<{ user_id: string; attempts: number }[]>`
    select user_id, attempts from notice_letters where state = 'waiting' and attempts > 0`
  for (const { user_id, attempts } of rows) seen.set(user_id, attempts)
}

// Guarantee (notices): A message by Telegram goes to its own user, and once unless the answer to its sending is lost.
test('a thousand messages arrive through kills, pauses, silence and stopped bots, each at its own user', async (t) => {
  const thousand = await openThousand(t)
  const { db, bot, wanted, chats, unknown } = thousand
  assert.equal(wanted.size, 1_000)
  const seen = new Map<string, number>()
  for (const [when, point] of deaths) {
    await dieAt(thousand, point)
    const lost = await noteUnknown(thousand, seen)
    assert.ok(lost <= atOnce, `${when}: ${lost}`)
    if (when === 'while it claims') assert.equal(bot.messages.length + lost, 0, 'nothing has left')
    await hurry(thousand)
  }
  await dieUnanswered(thousand)
  assert.ok((await noteUnknown(thousand, seen)) <= atOnce)
  assert.ok(bot.messages.length < wanted.size / 2, 'most are still to come')
  await sendTheRest(thousand, seen)

  const arrived = Map.groupBy(bot.messages, ({ chat_id }) => chat_id)
  for (const [chat, lines] of wanted) {
    const messages = arrived.get(chat) ?? []
    const times = bot.stopped.has(chat) ? 0 : 1
    assert.ok(messages.length >= times, `${chat} got nothing`)
    assert.ok(messages.length <= times + (times && (unknown.get(chat) ?? 0)), `${chat} too often`)
    for (const message of messages) {
      assert.deepEqual(message.text.split('\n\n').sort(), lines.toSorted())
      assert.equal('parse_mode' in message, false, 'nothing in a name is markup')
    }
  }
  assert.deepEqual(
    [...arrived.keys()].filter((chat) => !wanted.has(chat)),
    [],
    'nobody else',
  )
  const refused = await db<{ user_id: string }[]>`
    select user_id from notice_people where telegram_blocked order by user_id`
  const stopped = [...chats].filter(([, chat]) => bot.stopped.has(chat)).map(([user]) => user)
  assert.deepEqual(
    refused.map(({ user_id }) => user_id),
    stopped.toSorted(),
  )
  assert.deepEqual((await audit(db)).findings, [])
})
