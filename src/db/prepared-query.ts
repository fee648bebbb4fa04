/**
 * A statement that the driver sends by the name under which the server prepared it. The server describes the rows only
 * the first time on a connection, where the driver's own query asks again with each call.
 *
 * The driver hands the server's messages to the `handle…` methods.
 */

import type { Connection, Submittable } from 'pg'
import type { Encoded, Executed } from './executor.ts'
import { parserOf } from './results.ts'

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

export class PreparedQuery implements Submittable {
  readonly name: string
  readonly text: string
  readonly values: Encoded[]
  readonly callback: Done
  readonly #knownRows: KnownRows
  #format: RowFormat
  #rows: unknown[] = []
  #command = ''
  #affected = 0
  #unreadable: Error | undefined

  constructor(
    statement: { readonly name: string; readonly text: string; readonly values: Encoded[] },
    knownRows: KnownRows,
    callback: Done,
  ) {
    this.name = statement.name
    this.text = statement.text
    this.values = statement.values
    this.callback = callback
    this.#knownRows = knownRows
    this.#format = knownRows.get(statement.name) ?? noColumns
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    this.send(connection)
    connection.sync()
    connection.stream.uncork()
  }

  /** Sends the statement without the end of a flight (sync). */
  send(connection: Connection): void {
    const { name, text, values } = this
    const isKnown = this.#knownRows.has(name)
    if (!isKnown) {
      // A first try that failed after it was parsed has left the name behind.
      connection.close({ type: 'S', name }, true)
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
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#unreadable !== undefined) return
    try {
      this.#rows.push(readRow(this.#format, fields))
    } catch (error) {
      // The server's remaining messages are still to come.
      this.#unreadable = error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [, command = '', affected = '0'] = commandTag.exec(text) ?? []
    this.#command = command
    this.#affected = Number(affected)
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#knownRows.set(this.name, this.#format)
    const executed = { command: this.#command, rows: this.#rows, affected: this.#affected }
    this.callback(this.#unreadable ?? null, executed)
  }

  handleError(error: Error): void {
    this.callback(error, nothing)
  }
}

function readRow({ names, parsers }: RowFormat, fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < fields.length; index += 1) {
    const text = fields[index] as string | null
    row[names[index] as string] = text === null ? null : parsers[index]?.(text)
  }
  return row
}
