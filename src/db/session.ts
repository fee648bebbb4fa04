/**
 * One connection's statements, one after the other. Inside a transaction, prepared statements that are asked for at the
 * same time (`Promise.all`) travel together.
 *
 * - When the connection is lost, the statement that runs and those that wait are rejected, and so is each later one.
 *   None of them ever runs on another connection.
 * - A statement that is to be planned once travels behind the setting for it, which ends with it.
 * - A cancelled or failed statement leaves the connection usable.
 * - Statements are prepared by name when they run for the first time, as many as `preparedMax`; others are parsed each
 *   time. Where a change of the schema has made a prepared statement useless, it runs once more unprepared, unless it is
 *   inside a transaction; the connection is replaced afterwards.
 */

import pg, { type ClientBase, type QueryResult } from 'pg'
import { CopyRows } from './copy-rows.ts'
import { ConnectionError, connectionLoss, endsSession } from './errors.ts'
import type { Executable, Executed, Executor } from './executor.ts'
import { PreparedFlight } from './prepared-flight.ts'
import { type KnownRows, PreparedQuery } from './prepared-query.ts'

interface Waiting {
  readonly statement: Executable
  resolve(executed: Executed): void
  reject(error: unknown): void
}

/** What the server works at. */
export interface Running {
  readonly texts: readonly string[]
  /** When it was sent, or the server was last seen at work at it. */
  seenAt: number
}

interface Named extends Waiting {
  /** Empty for a statement that is not prepared. */
  readonly name: string
}

const preparedMax = 1_000
/** Few enough that neither side waits for the other to read. */
const flightMax = 16

/**
 * Until the end of the transaction, which is that of the flight. A plan that is made while a table is small and kept while it
 * grows must not read the whole table.
 */
const planOnce: Executable = {
  name: 'plan_once',
  text: "select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)",
  values: [],
}

const featureNotSupported = '0A000'
const noSuchPreparedStatement = '26000'

export class Session implements Executor {
  readonly #client: ClientBase
  readonly #prepares: boolean
  readonly #prepared = new Set<string>()
  readonly #knownRows: KnownRows = new Map()
  readonly #waiting: Waiting[] = []
  #running: Running | undefined
  #outdated = false
  #lost: ConnectionError | undefined
  /** Is called when the connection is lost. */
  onlost: ((error: ConnectionError) => void) | undefined

  constructor(client: ClientBase, prepares: boolean) {
    this.#client = client
    this.#prepares = prepares
    // Without a listener a lost connection would end the process.
    client.on('error', (error) => this.lose(connectionLoss(error)))
    client.on('end', () => this.lose(new ConnectionError('CONNECTION_CLOSED', 'it was closed')))
  }

  /** Whether the connection can serve others: it is there, between transactions, and knows no outdated statement. */
  get isReusable(): boolean {
    const free = this.#client.getTransactionStatus() === 'I'
    return free && this.#lost === undefined && !this.#outdated
  }

  /** The statement that runs, or those that travel together; undefined while none runs. */
  get running(): Running | undefined {
    return this.#running
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  execute(statement: Executable): Promise<Executed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject })
      // What the caller asks for besides joins the flight.
      if (this.#isInTransaction) queueMicrotask(() => this.#runNext())
      else this.#runNext()
    })
  }

  /**
   * Of a connection that nobody else uses, between transactions: the statements are one. Rejects where the server has
   * refused it; a statement whose rows this side cannot read fails alone, because all of them are committed.
   */
  async executeTogether(
    statements: readonly Executable[],
  ): Promise<readonly PromiseSettledResult<Executed>[]> {
    if (this.#lost !== undefined) throw this.#lost
    const results = statements.map(() => Promise.withResolvers<Executed>())
    this.#runTogether(
      statements.map((statement, index) => ({
        ...(results[index] as PromiseWithResolvers<Executed>),
        statement,
        name: this.#nameFor(statement) ?? '',
      })),
    )
    const outcomes = await Promise.allSettled(results.map(({ promise }) => promise))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && isOfServer(outcome.reason)) throw outcome.reason
    }
    return outcomes
  }

  get #isInTransaction(): boolean {
    return this.#client.getTransactionStatus() === 'T'
  }

  #runNext(): void {
    if (this.#running !== undefined) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    if (this.#lost !== undefined) {
      next.reject(this.#lost)
      this.#runNext()
      return
    }
    const name = this.#nameFor(next.statement)
    const together = name === undefined ? [] : this.#joining({ ...next, name })
    if (together.length > 1) this.#runTogether(together)
    else this.#run(next, name)
  }

  /** The named statement and those that wait behind it, as far as they may travel with it. */
  #joining(first: Named): readonly Named[] {
    const together = [first]
    while (this.#isInTransaction && together.length < flightMax) {
      const [next] = this.#waiting
      const name = next && this.#nameFor(next.statement)
      if (next === undefined || name === undefined) break
      this.#waiting.shift()
      together.push({ ...next, name })
    }
    return together
  }

  #runTogether(together: readonly Named[]): void {
    let open = together.length
    const queries = together.map(({ statement, name, resolve, reject }) => {
      const done = (error: Error | null, executed: Executed) => {
        if (error === null) resolve(executed)
        else {
          // Inside a transaction nothing runs again.
          this.#outdated ||= isOfPreparedStatement(error)
          reject(this.#failureOf(error))
        }
        open -= 1
        if (open > 0) return
        this.#running = undefined
        this.#runNext()
      }
      return new PreparedQuery({ ...statement, name }, this.#knownRows, done)
    })
    this.#note(together.map(({ statement }) => statement))
    this.#client.query(new PreparedFlight(queries))
  }

  #run(waiting: Waiting, name: string | undefined): void {
    const { statement } = waiting
    const done = (error: Error | null, executed: Executed) => {
      this.#running = undefined
      if (error === null) waiting.resolve(executed)
      else if (name !== undefined && this.#isOutdated(error)) this.#run(waiting, undefined)
      else waiting.reject(this.#failureOf(error))
      this.#runNext()
    }
    this.#note([statement])
    if (statement.copied !== undefined) {
      this.#client.query(new CopyRows(statement.text, statement.copied, done))
    } else if (name === undefined && !statement.bytesOf !== undefined) {
      const query = { text: statement.text, values: [...statement.values] }
      this.#client.query(query, (error: Error | null, result) => done(error, lastOf(result)))
    } else {
      const query = new PreparedQuery({ ...statement, name }, this.#knownRows, done)
      this.#client.query(
        name !== undefined && statement.planOnce ? this.#plannedOnce(query) : query,
      )
    }
  }

  #note(statements: readonly Executable[]): void {
    this.#running = { texts: statements.map(({ text }) => text), seenAt: performance.now() }
  }

  /** A transaction has the setting for all of its statements, or for none. */
  #plannedOnce(query: PreparedQuery): PreparedQuery | PreparedFlight {
    if (this.#isInTransaction) return query
    return new PreparedFlight([new PreparedQuery(planOnce, this.#knownRows, () => {}), query])
  }

  #nameFor({ name }: Executable): string | undefined {
    if (!this.#prepares || this.#outdated || name === undefined) return undefined
    if (!this.#prepared.has(name)) {
      if (this.#prepared.size === preparedMax) return undefined
      this.#prepared.add(name)
    }
    return name
  }

  /** Notes that prepared statements are of no use any more, and tells whether this one may run again. */
  #isOutdated(error: Error): boolean {
    if (!isOfPreparedStatement(error)) return false
    this.#outdated = true
    return this.#client.getTransactionStatus() === 'I'
  }

  #failureOf(error: Error): Error {
    if (error instanceof pg.DatabaseError) {
      if (endsSession(error)) this.lose(connectionLoss(error))
      return error
    }
    // What could not be read or written on this side is no matter of the connection.
    return this.#lost === undefined ? error : this.#lost
  }

  /** Rejects all that waits now or is asked for later. */
  lose(error: ConnectionError): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
    this.onlost?.(error)
  }
}

function isOfServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof ConnectionError
}

function isOfPreparedStatement(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const { code, routine } = error
  const changed = code === featureNotSupported && routine === 'RevalidateCachedQuery'
  return changed || code === noSuchPreparedStatement
}

/** Text of several statements has a result for each. */
function lastOf(result: QueryResult | QueryResult[] | undefined): Executed {
  const last = Array.isArray(result) ? result.at(-1) : result
  return { command: last?.command ?? '', rows: last?.rows ?? [], affected: last?.rowCount ?? 0 }
}
