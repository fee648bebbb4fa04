import type { Socket } from 'node:net'

/**
 * Servers may send interim answers (1xx) that nobody asked for, and a client ignores them (RFC 9110, 15.2). Undici
 * ignores all but `100 Continue`, on which it closes the connection. So such an answer is given to it as another interim one.
 *
 *     start of an answer --the status is interim--> in its head --empty line--> start of an answer
 *     start of an answer --the status is final--> passed, until the next request
 */
export class InterimAnswers {
  #state: 'start' | 'head' | 'passed' = 'passed'
  /** What of the status line has come. */
  #line = ''
  /** Characters of the empty line that have come. */
  #matched = 0

  constructor(socket: Socket) {
    const push = socket.push.bind(socket)
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (Buffer.isBuffer(chunk)) this.#read(chunk)
      return push(chunk, encoding)
    }
  }

  /** A request is written next, so an answer comes next. */
  expect(): void {
    this.#state = 'start'
    this.#line = ''
  }

  #read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#state !== 'passed'; at += 1) {
      const character = String.fromCharCode(chunk[at] ?? 0)
      if (this.#state === 'head') this.#readHead(character)
      else if (this.#readStart(character)) chunk.write('3', at, 'latin1')
    }
  }

  /** Whether this character ends the status 100. */
  #readStart(character: string): boolean {
    if (this.#line === '' && /[\r\n]/.test(character)) return false
    this.#line += character
    if (this.#line.length < statusEnd) return false
    const [, status] = /^HTTP\/\d\.\d (1\d\d)$/.exec(this.#line) ?? []
    this.#state = status === undefined ? 'passed' : 'head'
    this.#line = ''
    this.#matched = 0
    return status === '100'
  }

  #readHead(character: string): void {
    const isNext = character === emptyLine[this.#matched]
    this.#matched = isNext ? this.#matched + 1 : Number(character === emptyLine[0])
    if (this.#matched === emptyLine.length) this.#state = 'start'
  }
}

const emptyLine = '\r\n\r\n'
const statusEnd = 'HTTP/1.1 100'.length
