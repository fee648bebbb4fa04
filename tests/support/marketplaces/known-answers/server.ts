import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isCallTo, type KnownAnswer } from './format.ts'

/**
 * Answers by call. Of several answers each serves once, and the last one from then on. A function
 * makes the answer to each request.
 */
export type Answers = Readonly<Record<string, OneAnswer | readonly KnownAnswer[]>>
type OneAnswer = KnownAnswer | ((request: Asked) => KnownAnswer)

export interface Sent {
  /** Method and path. */
  readonly call: string
  readonly body: unknown
}

export interface Asked extends Sent {
  readonly query: Readonly<Record<string, string>>
}

/** A server on loopback that answers with known answers. */
export interface AnsweringServer {
  readonly baseUrl: string
  /** Forgets what was sent before. */
  play(answers: Answers): void
  /** All requests since `play`. */
  sent(): readonly Sent[]
  /** Requests since `play` for which there is no answer. */
  unanswered(): readonly string[]
  close(): void
}

export async function serveKnownAnswers(): Promise<AnsweringServer> {
  let answers: [call: string, left: OneAnswer[]][] = []
  let sent: Sent[] = []
  let unanswered: string[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    const text = (await buffer(request)).toString()
    const call = `${method} ${pathname}`
    const body = text === '' ? undefined : JSON.parse(text)
    sent.push({ call, body })
    const left = answers.find(([known]) => isCallTo(known, method, pathname))?.[1]
    const next = left !== undefined && left.length > 1 ? left.shift() : left?.[0]
    const query = Object.fromEntries(searchParams)
    const answer = typeof next === 'function' ? next({ call, body, query }) : next
    if (answer === undefined) unanswered.push(`${method} ${pathname}`)
    send(response, answer ?? { status: 418, body: { message: 'no known answer' } }, baseUrl)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    play(next) {
      const listed = (one: Answers[string]) => (isList(one) ? [...one] : [one])
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

const isList = (one: Answers[string]): one is readonly KnownAnswer[] => Array.isArray(one)

/** Hosts of files that OZON's answers name. Their files come from this server, too. */
const fileHosts = /https:\/\/[\w.-]*\bozone?\.ru\b/g

function send(
  response: ServerResponse,
  { status, headers, body }: KnownAnswer,
  baseUrl: string,
): void {
  const all = { 'content-type': 'application/json', ...headers }
  response.writeHead(status, all)
  const isText = typeof body === 'string' && !/\bjson\b/.test(all['content-type'])
  if (body === null) response.end()
  else if (isText) response.end(Buffer.from(body, 'latin1'))
  else response.end(JSON.stringify(body).replaceAll(fileHosts, baseUrl))
}
