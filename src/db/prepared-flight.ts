import type { Connection, Submittable } from 'pg'
import type { PreparedQuery } from './prepared-query.ts'

/**
 * Prepared statements of one transaction that travel together: one message there, one back. The server runs them in
 * order. After the first that fails it skips the rest, which fail with the same error; the transaction has failed then
 * anyway.
 */
export class PreparedFlight implements Submittable {
  readonly #queries: readonly PreparedQuery[]
  #connection: Connection | undefined
  #completed = 0

  constructor(queries: readonly PreparedQuery[]) {
    this.#queries = queries
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    for (const query of this.#queries) query.send(connection)
    connection.sync()
    connection.stream.uncork()
    this.#connection = connection
    this.#queries[0]?.expectRows(connection)
  }

  handleRowDescription(message: Parameters<PreparedQuery['handleRowDescription']>[0]): void {
    this.#queries[this.#completed]?.handleRowDescription(message)
  }

  handleCommandComplete(message: Parameters<PreparedQuery['handleCommandComplete']>[0]): void {
    this.#queries[this.#completed]?.handleCommandComplete(message)
    this.#passOn()
  }

  handleEmptyQuery(): void {
    this.#passOn()
  }

  #passOn(): void {
    this.#completed += 1
    if (this.#connection !== undefined) this.#queries[this.#completed]?.expectRows(this.#connection)
  }

  handleReadyForQuery(): void {
    for (const query of this.#queries) query.handleReadyForQuery()
  }

  handleError(error: Error): void {
    for (const [index, query] of this.#queries.entries()) {
      if (index < this.#completed) query.handleReadyForQuery()
      else query.handleError(error)
    }
  }
}
