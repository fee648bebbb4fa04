/**
 * The interface between statements and connections. Tags and fragments compose an `Executable`; a pool, a transaction or
 * a reserved connection executes it.
 */

/** A parameter as it goes to the server: text, the bytes of a `bytea`, or NULL. */
export type Encoded = string | Buffer | null

/** A statement that is ready to be sent. */
export interface Executable {
  /** With placeholders `$1`, `$2` and so on. */
  readonly text: string
  /** Identifies the text, for prepared statements; undefined for text that is never to be prepared. */
  readonly name: string | undefined
  readonly values: readonly Encoded[]
  /** One plan serves all values, so that the statement is not planned again for each. */
  readonly planOnce?: boolean
  /** Of a `COPY … FROM STDIN`, which has no values: its rows in COPY's text format. */
  readonly copied?: string
}

export interface Executed {
  /** What the server did, such as `SELECT` or `COMMIT`. */
  readonly command: string
  readonly rows: readonly unknown[]
  /** Rows inserted, changed or deleted; of a query, its rows. */
  readonly affected: number
}

export interface Executor {
  /** Statements given to one connection run in the order in which they were given. */
  execute(statement: Executable): Promise<Executed>
}
