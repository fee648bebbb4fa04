import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isCallTo, type RecordedAnswer } from './recorded.ts'

/** Answers by call. Of several answers each serves once, and the last one from then on. */
export type Answers = Readonly<Record<string, RecordedAnswer | readonly RecordedAnswer[]>>

export interface Sent {
  readonly call: string
  readonly body: unknown
}

/** A server on loopback that answers with recorded answers. */
export interface RecordedServer {
  readonly baseUrl: string
  /** Forgets what was sent before. */
  play(answers: Answers): void
  /** All requests since `play`. */
  sent(): readonly Sent[]
  /** Requests since `play` for which there is no answer. */
  unanswered(): readonly string[]
  close(): void
}

export async function serveRecorded(): Promise<RecordedServer> {
  let answers: [call: string, left: RecordedAnswer[]][] = []
  let sent: Sent[] = []
  let unanswered: string[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname } = new URL(url, 'http://recorded')
    const text = (await buffer(request)).toString()
    sent.push({ call: `${method} ${pathname}`, body: text === '' ? undefined : JSON.parse(text) })
    const left = answers.find(([call]) => isCallTo(call, method, pathname))?.[1]
    const answer = left !== undefined && left.length > 1 ? left.shift() : left?.[0]
    if (answer === undefined) unanswered.push(`${method} ${pathname}`)
    send(response, answer ?? { status: 418, body: { message: 'no recorded answer' } }, baseUrl)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    play(next) {
      const listed = (one: Answers[string]): RecordedAnswer[] =>
        'status' in one ? [one as RecordedAnswer] : [...(one as readonly RecordedAnswer[])]
      answers = Object.entries(next).map(([call, one]) => [call, listed(one)])
      sent = []
      unanswered = []
    },
    sent: () => sent,
    unanswered: () => unanswered,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Hosts of files that OZON's answers name. Their files come from this server, too. */
const fileHosts = /https:\/\/[\w.-]*\bozone?\.ru\b/g

function send(
  response: ServerResponse,
  { status, headers, body }: RecordedAnswer,
  baseUrl: string,
): void {
  const all = { 'content-type': 'application/json', ...headers }
  response.writeHead(status, all)
  const isText = typeof body === 'string' && !/\bjson\b/.test(all['content-type'])
  if (body === null) response.end()
  else if (isText) response.end(Buffer.from(body, 'latin1'))
  else response.end(JSON.stringify(body).replaceAll(fileHosts, baseUrl))
}
