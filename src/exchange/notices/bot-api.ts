import { hostOf, namesOwnNetwork } from '../webhooks/addresses.ts'
import { type Destination, makeEgress } from '../webhooks/egress.ts'

/** The bot at Telegram, as the settings name it. */
export interface BotSettings {
  readonly token: string
  readonly baseUrl: string
}

/** `status` 0: nobody answered. */
export type BotAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly status: number; readonly retryAfterMs: number | undefined }

export interface BotApi {
  /** Calls a method once. Never rejects: what goes wrong is an answer. */
  call(method: string, body?: object): Promise<BotAnswer>
}

const answerBytesMax = 1024 * 1024

/** Calls go the one way out: a public name never leads into the own network. The token stands in the path and in no message. */
export function openBotApi({ token, baseUrl }: BotSettings, timeoutMs = 10_000): BotApi {
  const isOwn = namesOwnNetwork(hostOf(new URL(baseUrl)))
  const egress = makeEgress({ privateTargets: isOwn ? 'allow' : 'deny', timeoutMs })
  return {
    async call(method, body = {}) {
      const destination = egress.destination(`${baseUrl}/bot${token}/${method}`, 'live')
      try {
        return readAnswer(await post(destination, JSON.stringify(body)))
      } catch {
        return { ok: false, status: 0, retryAfterMs: undefined }
      }
    },
  }
}

interface Posted {
  readonly status: number
  readonly text: string
}

async function post({ take, path, timeoutMs }: Destination, body: string): Promise<Posted> {
  const connection = take()
  try {
    const answer = await connection.client.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > answerBytesMax) throw new Error('too large')
      chunks.push(chunk)
    }
    return { status: answer.statusCode, text: Buffer.concat(chunks).toString() }
  } finally {
    connection.drop(new Error('not kept'))
  }
}

function readAnswer({ status, text }: Posted): BotAnswer {
  const said = readJson(text)
  if (status === 200 && said?.ok === true) return { ok: true, result: said.result }
  const seconds = Number((said?.parameters as { retry_after?: unknown } | undefined)?.retry_after)
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : undefined
  return { ok: false, status, retryAfterMs }
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Asks once how the bot is called, and again only while it got no answer. */
export function botNameOf(api: BotApi): () => Promise<string | undefined> {
  let known: string | undefined
  return async () => {
    if (known !== undefined) return known
    const answer = await api.call('getMe')
    const { username } = (answer.ok ? answer.result : {}) as { username?: unknown }
    if (typeof username === 'string' && /^\w{3,64}$/.test(username)) known = username
    return known
  }
}
