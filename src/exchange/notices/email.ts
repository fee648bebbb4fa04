import { createTransport } from 'nodemailer'
import { namesOwnNetwork } from '../webhooks/addresses.ts'
import { type Lookup, lookupFor, openSocket, type Route } from '../webhooks/checked-socket.ts'
import { type Channel, type Letter, linesOfLetter, noticesPage } from './channel.ts'
import { type LetterText, textOfCode, textOfNotices } from './letter-text.ts'
import type { LetterOutcome } from './letters.ts'
import { codeOf } from './people.ts'
import type { SmtpServer } from './smtp-server.ts'
import type { Unsubscribing } from './unsubscribe.ts'

export interface EmailParts {
  readonly server: SmtpServer
  /** The address that letters come from. */
  readonly from: string
  readonly baseUrl: string
  /** Make the codes that confirm addresses; the first one is used. */
  readonly keys: readonly Buffer[]
  readonly unsubscribing: Unsubscribing
  /** Of an attempt, from the look-up to the server's last answer; 25 seconds unless given. */
  readonly timeoutMs?: number
  /** Replaces DNS in tests. */
  readonly lookup?: Lookup
}

/**
 * Letters by SMTP. A connection goes to an address that was checked when it was looked up. A server inside of the
 * operator's network must be named as such; a public name never leads there. Outside of it TLS is demanded.
 */
export function openEmail(parts: EmailParts): Channel {
  const { server, from, timeoutMs = 25_000 } = parts
  const route = routeTo(server.host, parts.lookup)
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: route.privateTargets === 'deny',
    ...(server.user === undefined ? {} : { auth: { user: server.user, pass: server.password } }),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, callback) => {
      connect(server, route, timeoutMs).then(
        (connection) => callback(null, { connection }),
        (error) => callback(error),
      )
    },
  })
  return {
    async send(letter) {
      const made = messageOf(parts, letter)
      if (made === undefined) return { kind: 'dropped' }
      const late = AbortSignal.timeout(timeoutMs)
      const sender = { name: 'Sklad', address: from }
      return transport
        .sendMail({ ...made, from: sender, textEncoding: 'base64', signal: late })
        .then(
          (): LetterOutcome => ({ kind: 'sent' }),
          (error: unknown) => outcomeOfError(error, late.aborted),
        )
    },
  }
}

function routeTo(host: string, lookup: Lookup | undefined): Route {
  const privateTargets = namesOwnNetwork(host) ? 'allow' : 'deny'
  return { privateTargets, lookup: lookup ?? lookupFor(privateTargets) }
}

function connect({ host, port }: SmtpServer, route: Route, timeoutMs: number) {
  const target = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  return openSocket(target, 'live', route, AbortSignal.timeout(timeoutMs))
}

/** Undefined where the user has ended letters meanwhile. */
function messageOf(parts: EmailParts, letter: Letter) {
  const { claimed, person } = letter
  const isCode = claimed.pace === 'code'
  const to = isCode ? person.email_asked : person.email
  const text =
    to === null ? undefined : isCode ? codeText(parts, letter) : noticeText(parts, letter)
  if (to === null || text === undefined) return undefined
  return {
    ...text,
    to,
    // The same at each attempt: a mail server that got it already may know it again.
    messageId: `<${claimed.id}@${new URL(parts.baseUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...(isCode ? {} : listHeaders(parts, letter)) },
  }
}

function listHeaders({ unsubscribing }: EmailParts, { claimed }: Letter) {
  return {
    'List-Unsubscribe': `<${unsubscribing.linkOf(claimed.userId)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function codeText(
  { keys: [key] }: EmailParts,
  { claimed, person }: Letter,
): LetterText | undefined {
  const { email_asked: email, email_asked_at: askedAt } = person
  if (key === undefined || email === null || askedAt === null) return undefined
  return textOfCode(codeOf(key, claimed.userId, email, askedAt))
}

function noticeText({ baseUrl, unsubscribing }: EmailParts, letter: Letter): LetterText {
  return textOfNotices(linesOfLetter(letter, baseUrl), {
    settings: noticesPage(letter, baseUrl),
    unsubscribe: unsubscribing.linkOf(letter.claimed.userId),
  })
}

/** A refusal of the recipient lasts; everything else may pass. */
function outcomeOfError(error: unknown, isLate: boolean): LetterOutcome {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  if (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) {
    return { kind: 'refused', problem: `Почтовый сервер не принял письмо (код ${responseCode})` }
  }
  return { kind: 'later', problem: problemOf(responseCode, isLate) }
}

function problemOf(responseCode: number, isLate: boolean): string {
  if (responseCode > 0) return `Почтовый сервер отказал (код ${responseCode})`
  return isLate ? 'Почтовый сервер не ответил вовремя' : 'Почтовый сервер недоступен'
}
