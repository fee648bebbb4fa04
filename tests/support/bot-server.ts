import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface SentMessage {
  readonly chat_id: number
  readonly text: string
}

/** What the next calls of a method are answered with; `hang`: nothing. `lose`: it is done, and nothing is said. */
export type BotTrouble =
  | 'hang'
  | 'lose'
  | { readonly status: number; readonly retryAfterSeconds?: number }
  | undefined

export interface BotServer {
  readonly baseUrl: string
  readonly messages: SentMessage[]
  /** By method. */
  readonly troubles: Record<string, BotTrouble>
  /** Chats of those who stopped the bot, which nobody has said yet. */
  readonly stopped: Set<number>
  /** Somebody writes to the bot. */
  write(chat: number, text: string): void
  /** Somebody stops the bot in Telegram. */
  kick(chat: number): void
}

export const botToken = '123456:AAAAAAAAAAAAAAAAAAAAAAAA'

/** Telegram's Bot API on this machine, which does as the test says, until the tests of the file end. */
export async function openBotServer(): Promise<BotServer> {
  const messages: SentMessage[] = []
  const troubles: Record<string, BotTrouble> = {}
  const stopped = new Set<number>()
  const updates: { readonly update_id: number }[] = []
  const add = (update: object) => void updates.push({ update_id: updates.length + 1, ...update })
  const results: Readonly<Record<string, (body: { offset?: number }) => unknown>> = {
    getMe: () => ({ id: 1, is_bot: true, username: 'sklad_test_bot' }),
    getUpdates: ({ offset = 0 }) => updates.filter(({ update_id }) => update_id >= offset),
    sendMessage: (body) => {
      messages.push(body as SentMessage)
      return { message_id: messages.length }
    },
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const trouble = troubles[method]
    if (trouble === 'hang') return
    if (token !== botToken) return answer(response, 401, { ok: false })
    if (trouble !== undefined && trouble !== 'lose') return answerTrouble(response, trouble)
    const body = JSON.parse(text)
    if (stopped.has(body.chat_id)) return answerTrouble(response, { status: 403 })
    const result = results[method]?.(body)
    if (trouble === 'lose') return
    answer(response, result === undefined ? 404 : 200, { ok: result !== undefined, result })
  })
  after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    troubles,
    stopped,
    write: (chat, text) => add({ message: { text, chat: { id: chat, type: 'private' } } }),
    kick: (chat) =>
      add({ my_chat_member: { chat: { id: chat }, new_chat_member: { status: 'kicked' } } }),
  }
}

function answerTrouble(
  response: ServerResponse,
  { status, retryAfterSeconds }: Exclude<BotTrouble, string | undefined>,
): void {
  const parameters =
    retryAfterSeconds === undefined ? {} : { parameters: { retry_after: retryAfterSeconds } }
  answer(response, status, { ok: false, error_code: status, ...parameters })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
