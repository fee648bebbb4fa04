import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** `hang`: never says anything. `refuse`: knows no recipient. `busy`: asks to come later. `lose`: takes a letter and says nothing. */
export type MailMode = 'take' | 'hang' | 'refuse' | 'busy' | 'lose'

export interface MailServer {
  readonly url: string
  /** As they came, headers and all. */
  readonly letters: string[]
  mode: MailMode
}

/** A mail server on this machine that does as the test says, until the tests of the file end. */
export async function openMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const state: { letters: string[]; mode: MailMode } = { letters: [], mode: 'take' }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (state.mode !== 'hang') converse(socket, state)
  })
  after(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { url: `smtp://127.0.0.1:${port}` })
}

const refusals: Readonly<Partial<Record<MailMode, string>>> = {
  refuse: '550 no such mailbox',
  busy: '451 come later',
}

function converse(socket: Socket, state: { readonly letters: string[]; readonly mode: MailMode }) {
  let text = ''
  let isLetter = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  const takeLine = (line: string) => {
    if (/^(EHLO|HELO|MAIL|RSET)/i.test(line)) say('250 ok')
    else if (/^RCPT/i.test(line)) say(refusals[state.mode] ?? '250 ok')
    else if (/^DATA/i.test(line)) {
      isLetter = true
      say('354 go on')
    } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
    else say('500 what?')
  }
  say('220 test')
  socket.on('data', (bytes) => {
    text += bytes.toString()
    for (;;) {
      const end = text.indexOf(isLetter ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (isLetter ? 5 : 2))
      if (!isLetter) {
        takeLine(part)
        continue
      }
      isLetter = false
      state.letters.push(part)
      if (state.mode !== 'lose') say('250 taken')
    }
  })
}

/** The parts of a letter in words, the headers first. */
export function wordsOf(letter: string): { readonly headers: string; readonly bodies: string[] } {
  const [headers = ''] = letter.split('\r\n\r\n', 1)
  const parts = letter.matchAll(
    /Content-Transfer-Encoding: base64\r\n(?:[^\r]+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g,
  )
  return {
    headers: headers.replaceAll(/\r\n[ \t]+/g, ' '),
    bodies: [...parts].map(([, encoded = '']) => Buffer.from(encoded, 'base64').toString()),
  }
}
