/**
 * A statement that the driver sends by the name under which the server prepared it. The server describes the rows only
 * the first time on a connection, where the driver's own query asks again with each call. A statement without a name is
 * parsed and described each time.
 *
 * The driver hands the server's messages to the `handle…` methods.
 */

import type { Connection, Submittable } from 'pg'
import type { Encoded, Executable, Executed } from './executor.ts'
import { parserOf } from './results.ts'
import { type RowTaker, type WireConnection, wireOf } from './wire.ts'

/** What rows of a prepared statement consist of. The server refuses the statement once they would look otherwise. */
interface RowFormat {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
}

/** What one connection knows of the statements that it has prepared, by their names. */
export type KnownRows = Map<string, RowFormat>

interface FieldDescription {
  readonly name: string
  readonly dataTypeID: number
}

type Done = (error: Error | null, executed: Executed) => void

const nothing: Executed = { command: '', rows: [], affected: 0 }
const noColumns: RowFormat = { names: [], parsers: [] }
const commandTag = /^([A-Z]+)(?: \d+)??(?: (\d+))?$/

export class PreparedQuery implements Submittable, RowTaker {
  readonly name: string
  readonly text: string
  readonly values: Encoded[]
  readonly callback: Done
  readonly #knownRows: KnownRows
  readonly #bytesOf: string | undefined
  #wire: WireConnection | undefined
  #format: RowFormat
  #rows: unknown[] = []
  #command = ''
  #affected = 0
  #unreadable: Error | undefined

  constructor(statement: Executable, knownRows: KnownRows, callback: Done) {
    this.name = statement.name ?? ''
    this.text = statement.text
    this.values = [...statement.values]
    this.callback = callback
    this.#knownRows = knownRows
    this.#bytesOf = statement.bytesOf
    this.#format = knownRows.get(this.name) ?? noColumns
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    this.send(connection)
    connection.sync()
    connection.stream.uncork()
    this.expectRows(connection)
  }

  /** The server's next rows are of this statement. */
  expectRows(connection: Connection): void {
    this.#wire = wireOf(connection)
    this.#takeRows()
  }

  /** Sends the statement without the end of a flight (sync). */
  send(connection: Connection): void {
    const { name, text, values } = this
    const isKnown = this.#knownRows.has(name)
    if (!isKnown) {
      // A first try that failed after it was parsed has left the name behind.
      if (name !== '') connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values }, true)
    if (!isKnown) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({ portal: '' }, true)
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    this.#format = {
      names: fields.map((field) => field.name),
      parsers: fields.map((field) => parserOf(field.dataTypeID)),
    }
    this.#takeRows()
  }

  /** Takes the rows as bytes as soon as their columns are known. */
  #takeRows(): void {
    if (this.#wire === undefined) return
    this.#wire.taker = this.#format === noColumns ? undefined : this
  }

  take(bytes: Buffer, at: number): void {
    if (this.#unreadable !== undefined) return
    try {
      this.#rows.push(readRow(this.#format, this.#bytesOf, bytes, at))
    } catch (error) {
      // The server's remaining messages are still to come.
      this.#unreadable = error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [, command = '', affected = '0'] = commandTag.exec(text) ?? []
    this.#command = command
    this.#affected = Number(affected)
    this.#leaveRows()
  }

  #leaveRows(): void {
    if (this.#wire?.taker === this) this.#wire.taker = undefined
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    if (this.name !== '') this.#knownRows.set(this.name, this.#format)
    const executed = { command: this.#command, rows: this.#rows, affected: this.#affected }
    this.callback(this.#unreadable ?? null, executed)
  }

  handleError(error: Error): void {
    this.#leaveRows()
    this.callback(error, nothing)
  }
}

/** Reads a row as the server sends it (`RowTaker`). */
function readRow(
  { names, parsers }: RowFormat,
  bytesOf: string | undefined,
  bytes: Buffer,
  at: number,
): object {
  const row: Record<string, unknown> = {}
  let from = at + 2
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string
    const length = bytes.readInt32BE(from)
    from += 4
    const to = from + Math.max(0, length)
    if (length < 0) row[name] = null
    else if (name === bytesOf) row[name] = Buffer.from(bytes.subarray(from, to))
    else row[name] = parsers[index]?.(bytes.toString('utf8', from, to))
    from = to
  }
  return row
}
