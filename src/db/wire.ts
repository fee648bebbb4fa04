/**
 * The connection below the driver. Rows that somebody wants as bytes are taken from the stream before the driver makes
 * strings of them; everything else goes to the driver unchanged.
 */

import { EventEmitter } from 'node:events'
import pg from 'pg'

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
    stream.on('data', split)
    stream.on('end', () => rest.emit('end'))
    super.attachListeners(rest)
  }
}

/** The connection that a statement was submitted on. */
export function wireOf(connection: pg.Connection): WireConnection {
  if (connection instanceof WireConnection) return connection
  throw new TypeError('a connection that was not opened here')
}

const dataRow = 'D'.charCodeAt(0)
/** A message is its kind (one byte), its length without the kind (int32), and the rest. */
const headerBytes = 5

/**
 * Splits a stream of messages. Who takes rows is asked anew after every message that is no row, when `rest` has
 * received it: it may be the end of a statement.
 */
function splitRows(
  takerNow: () => RowTaker | undefined,
  rest: (bytes: Buffer) => void,
): (chunk: Buffer) => void {
  let kept: Buffer[] = []
  let keptBytes = 0
  /** Bytes that the message which has begun needs to be whole. */
  let wanted = 0
  return (chunk) => {
    kept.push(chunk)
    keptBytes += chunk.length
    if (keptBytes < wanted) return
    const bytes = kept.length === 1 ? chunk : Buffer.concat(kept)
    wanted = headerBytes
    let from = 0
    let at = 0
    let endsWithRow = false
    while (at + headerBytes <= bytes.length) {
      const next = at + 1 + bytes.readUInt32BE(at + 1)
      wanted = next - at
      if (next > bytes.length) break
      wanted = headerBytes
      const isRow = bytes[at] === dataRow
      if (isRow && !endsWithRow && from < at) {
        rest(bytes.subarray(from, at))
        from = at
      }
      const taker = isRow ? takerNow() : undefined
      if (taker !== undefined) {
        taker.take(bytes, at + headerBytes)
        from = next
      }
      endsWithRow = isRow
      at = next
    }
    if (from < at) rest(bytes.subarray(from, at))
    kept = at === bytes.length ? [] : [bytes.subarray(at)]
    keptBytes = bytes.length - at
  }
}
