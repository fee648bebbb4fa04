import type { Database } from '../../platform/db/connection.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { minute, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { BotApi } from './bot-api.ts'
import { blockTelegramChat, dropTelegramChat, linkTelegram } from './people.ts'

/**
 * What people write to the bot: `/start` with the code of their link, `/stop`, or that they have stopped it in Telegram. The only
 * writer of telegram_feed.
 *
 * - One process reads at a time: it holds the feed until a moment. One that slept past it repeats nothing, because each update is
 *   handled in one transaction with the number of the next one.
 * - A code links once. Whoever answers to a wrong one learns nothing.
 */
export interface BotFeedParts {
  readonly db: Database
  readonly clock: Clock
  readonly api: BotApi
}

const heldMs = minute
/** After an answer that was none. */
const troubleMs = 30_000

interface Update {
  readonly update_id: number
  readonly message?: {
    readonly text?: string
    readonly chat: { readonly id: number; readonly type: string }
  }
  readonly my_chat_member?: {
    readonly chat: { readonly id: number }
    readonly new_chat_member: { readonly status: string }
  }
}

/** Reads what waits, where no other process does. */
export async function readBotFeed(parts: BotFeedParts): Promise<void> {
  const { db, clock, api } = parts
  const service = { kind: 'service' } as const
  const next = await perform(db, clock, service, holdFeed)
  if (next === undefined) return
  const answer = await api.call('getUpdates', {
    offset: next,
    limit: 100,
    timeout: 0,
    allowed_updates: ['message', 'my_chat_member'],
  })
  const updates = answer.ok && Array.isArray(answer.result) ? (answer.result as Update[]) : []
  for (const update of updates) {
    const reply = await perform(db, clock, service, (work) => takeUpdate(work, update))
    // One that gets lost is no harm: the page says what has become of the link.
    if (reply !== undefined) await api.call('sendMessage', reply)
  }
  const pauseMs = answer.ok ? 0 : (answer.retryAfterMs ?? troubleMs)
  await perform(db, clock, service, (work) => releaseFeed(work, pauseMs))
}

/** The number of the next update; undefined while another process holds the feed. A clock may have been ahead. */
async function holdFeed({ tx, at, now }: Work): Promise<number | undefined> {
  const [held] = await tx<{ next_update: number }[]>`
    update telegram_feed set leased_until = ${toTimestamp(now + heldMs)}
    where leased_until is null or leased_until <= ${at} or leased_until > ${toTimestamp(now + 60 * minute)}
    returning next_update`
  return held?.next_update
}

async function releaseFeed({ tx, now }: Work, pauseMs: number): Promise<void> {
  await tx`update telegram_feed set leased_until = ${toTimestamp(now + pauseMs)}`
}

interface Reply {
  readonly chat_id: number
  readonly text: string
}

async function takeUpdate(work: Work, update: Update): Promise<Reply | undefined> {
  const { update_id, message, my_chat_member: member } = update
  if (!Number.isSafeInteger(update_id)) return undefined
  const taken = await work.tx`
    update telegram_feed set next_update = ${update_id + 1}
    where next_update <= ${update_id} returning next_update`
  if (taken.length === 0) return undefined
  if (member?.new_chat_member.status === 'kicked') await blockTelegramChat(work, member.chat.id)
  if (message?.text === undefined || message.chat.type !== 'private') return undefined
  const text = await answerTo(work, message.chat.id, message.text.trim())
  return { chat_id: message.chat.id, text }
}

async function answerTo(work: Work, chat: number, text: string): Promise<string> {
  if (/^\/stop(?:@|\s|$)/.test(text)) {
    await dropTelegramChat(work, chat)
    return 'Уведомления сюда больше не приходят. Подключить снова можно на странице уведомлений.'
  }
  const [, code] = /^\/start ([\w-]{1,64})$/.exec(text) ?? []
  if (code === undefined) return 'Откройте ссылку со страницы уведомлений. Отключить: /stop'
  if (await linkTelegram(work, code, chat)) {
    return 'Готово: уведомления Sklad приходят сюда. Отключить: /stop'
  }
  return 'Ссылка не подошла: получите новую на странице уведомлений.'
}
