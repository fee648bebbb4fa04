/**
 * The connection below the driver. Rows that somebody wants as bytes are taken from the stream before the driver makes
 * strings of them; everything else goes to the driver unchanged.
 */

import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import pg from 'pg'
import { endOfMessage, headerBytes, wholeMessages } from './whole-messages.ts'

declare module 'pg' {
  interface Connection {
    /** Begins to read messages; not part of the driver's documented interface. */
    attachListeners(stream: Pick<EventEmitter, 'on'>): void
  }
  interface ClientConfig {
    /** Instead of one that the driver makes; not part of its documented interface. */
    connection?: Connection
  }
}

/** Takes the rows of a statement as the server sends them. */
export interface RowTaker {
  /**
   * @param bytes are reused after the call
   * @param at where the row begins: the number of its columns (int16), then of each its length (int32, -1 for NULL) and
   *   its text
   */
  take(bytes: Buffer, at: number): void
}

export class WireConnection extends pg.Connection {
  /** Takes the rows of the statement whose answer comes next. */
  taker: RowTaker | undefined

  override attachListeners(stream: Pick<EventEmitter, 'on'>): void {
    const rest = new EventEmitter()
    const split = splitRows(
      () => this.taker,
      (bytes) => rest.emit('data', bytes),
    )
    const read = wholeMessages(split)
    if (stream instanceof ReadingSocket) stream.onbytes = read
    else stream.on('data', read)
    stream.on('end', () => rest.emit('end'))
    super.attachListeners(rest)
  }
}

/** The connection that a statement was submitted on. */
export function wireOf(connection: pg.Connection): WireConnection {
  if (connection instanceof WireConnection) return connection
  throw new TypeError('a connection that was not opened here')
}

/** What all these sockets read into, one after the other. Node reads as much into the memory that it makes itself. */
const readInto = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * A socket that hands on what it reads and makes no memory for it, unlike a stream: pieces of a few kilobytes, as the
 * server sends them, would fill malloc's heap until the collector runs (decision 0056).
 */
export class ReadingSocket extends Socket {
  /** @param bytes are reused after the call */
  onbytes: (bytes: Buffer) => void = () => {}

  constructor() {
    const callback = (length: number) => {
      this.onbytes(readInto.subarray(0, length))
      return true
    }
    super({ onread: { buffer: readInto, callback } })
  }
}

const dataRow = 'D'.charCodeAt(0)

/**
 * Splits messages. Who takes rows is asked anew after every message that is no row, when `rest` has received it: it may
 * be the end of a statement.
 */
function splitRows(
  takerNow: () => RowTaker | undefined,
  rest: (bytes: Buffer) => void,
): (messages: Buffer) => void {
  return (messages) => {
    let from = 0
    let at = 0
    let endsWithRow = false
    while (at < messages.length) {
      const next = endOfMessage(messages, at)
      const isRow = messages[at] === dataRow
      if (isRow && !endsWithRow && from < at) {
        rest(messages.subarray(from, at))
        from = at
      }
      const taker = isRow ? takerNow() : undefined
      if (taker !== undefined) {
        taker.take(messages, at + headerBytes)
        from = next
      }
      endsWithRow = isRow
      at = next
    }
    if (from < at) rest(messages.subarray(from, at))
  }
}
