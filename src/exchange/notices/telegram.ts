import type { BotAnswer, BotApi } from './bot-api.ts'
import { type Channel, type LetterLine, linesOfLetter, noticesPage } from './channel.ts'
import type { LetterOutcome } from './letters.ts'

/** Messages by the bot. */
export function openTelegram(api: BotApi, baseUrl: string): Channel {
  return {
    async send(letter) {
      const { telegram_chat: chat_id } = letter.person
      if (chat_id === null) return { kind: 'dropped' }
      const text = textOfMessage(linesOfLetter(letter, baseUrl), noticesPage(letter, baseUrl))
      const preview = { link_preview_options: { is_disabled: true } }
      return outcomeOf(await api.call('sendMessage', { chat_id, text, ...preview }))
    },
  }
}

/** Telegram takes 4,096 characters. */
const textMax = 3_800

function textOfMessage(lines: readonly LetterLine[], page: string): string {
  const parts: string[] = []
  let length = 0
  for (const { words, url } of lines) {
    const part = `${words}\n${url}`
    length += part.length + 2
    if (length > textMax) break
    parts.push(part)
  }
  const left = lines.length - parts.length
  return [...parts, ...(left > 0 ? [`Ещё уведомлений: ${left}\n${page}`] : [])].join('\n\n')
}

function outcomeOf(answer: BotAnswer): LetterOutcome {
  if (answer.ok) return { kind: 'sent' }
  const { status, retryAfterMs } = answer
  switch (status) {
    case 0:
      return { kind: 'later', problem: 'Telegram не отвечает' }
    case 403:
      return { kind: 'refused', problem: 'Пользователь остановил бота', blocked: true }
    case 400:
      return { kind: 'refused', problem: 'Telegram не принял сообщение (код 400)' }
    case 429: {
      const problem = 'Telegram просит подождать'
      return retryAfterMs === undefined
        ? { kind: 'later', problem }
        : { kind: 'later', problem, afterMs: retryAfterMs }
    }
    case 401:
    case 404:
      return { kind: 'later', problem: 'Telegram не знает бота: проверьте TELEGRAM_BOT_TOKEN' }
    default:
      return { kind: 'later', problem: `Telegram отказал (код ${status})` }
  }
}
