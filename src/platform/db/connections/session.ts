/**
 * One connection's statements, in the order in which they are asked for. Those that are asked for at the same time
 * (`Promise.all`) travel together: the driver sends each at once and takes the answers in turn.
 *
 * - When the connection is lost, all statements without an answer are rejected, and so is each later one. None of them
 *   ever runs on another connection.
 * - A statement that is to be planned once travels between the settings for it and their end. It is a transaction of its own: once
 *   the server has begun it, it carries it out, whatever becomes of this process.
 * - A cancelled or failed statement leaves the connection usable.
 * - Statements are prepared by name when they run for the first time, as many as `preparedMax`; others are parsed each
 *   time. Where a change of the schema has made a prepared statement useless, it runs once more unprepared, unless it is
 *   inside a transaction; the connection is replaced afterwards.
 */

import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import pg, { type QueryResult } from 'pg'
import { from } from 'pg-copy-streams'
import type { Executable, Executed, Executor } from '../statements/executor.ts'
import { ConnectionError, connectionLoss, endsSession } from './errors.ts'
import type { Address } from './hosts.ts'

/** What the server works at. */
export interface Running {
  readonly text: string
  /** When it was the server's turn, or the server was last seen at work at it. */
  seenAt: number
}

const preparedMax = 1_000

/**
 * Until the end of the transaction. A plan that is made while a table is small and kept while it grows must not read the
 * whole table.
 */
export const planningOnce =
  'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off'
const planningOnceBegins = planningOnce.replaceAll('set local', 'set')
const planningOnceEnds = 'reset plan_cache_mode; reset enable_seqscan'

const featureNotSupported = '0A000'
const noSuchPreparedStatement = '26000'

export class Session implements Executor {
  readonly client: pg.Client
  /** The server that it connects to. */
  readonly address: Address
  /** Resolves when the connection is closed, or could not be made. */
  readonly closed: Promise<void>
  /** Of its backend; undefined until it is greeted, and behind a pooler, which gives it another one each time. */
  backendId: number | undefined
  /** Given to the driver; with TLS it carries what is encrypted. */
  readonly #socket: Socket
  readonly #prepares: boolean
  readonly #prepared = new Set<string>()
  /** Sent and not answered, in the order of their answers. */
  readonly #running: Running[] = []
  #isCorked = false
  #outdated = false
  #lost: ConnectionError | undefined
  /** Is called when the connection is lost. */
  onlost: ((error: ConnectionError) => void) | undefined

  constructor(client: pg.Client, socket: Socket, address: Address, prepares: boolean) {
    this.client = client
    this.#socket = socket
    this.address = address
    this.#prepares = prepares
    const closed = Promise.withResolvers<void>()
    this.closed = closed.promise
    // Without a listener a lost connection would end the process.
    client.on('error', (error) => this.#lose(connectionLoss(error)))
    client.on('end', () => {
      this.#lose(new ConnectionError('CONNECTION_CLOSED', 'it was closed'))
      closed.resolve()
    })
  }

  /** Whether the connection can serve others: it is there, between transactions, and knows no outdated statement. */
  get isReusable(): boolean {
    return this.#isBetweenTransactions && this.#lost === undefined && !this.#outdated
  }

  /** The statement that the server works at; undefined where all are answered. */
  get running(): Running | undefined {
    return this.#running[0]
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** How many bytes came and went: they stand still on a connection that is silent. */
  get bytesMoved(): number {
    const { bytesRead, bytesWritten, writableLength } = this.#socket
    return bytesRead + bytesWritten - writableLength
  }

  /** Ends the connection at once; all its statements fail with the reason. */
  destroy(reason: ConnectionError): void {
    this.#lose(reason)
    this.#socket.destroy()
  }

  async execute(statement: Executable): Promise<Executed> {
    const name = this.#nameFor(statement)
    const named = { ...statement, name }
    if (name === undefined) return this.#send(named)
    try {
      return await (statement.planOnce && this.#isBetweenTransactions
        ? this.#sendPlannedOnce(named)
        : this.#send(named))
    } catch (error) {
      if (!isOfPreparedStatement(error)) throw error
      this.#outdated = true
      if (!this.#isBetweenTransactions) throw error
      return this.#send({ ...statement, name: undefined })
    }
  }

  get #isBetweenTransactions(): boolean {
    return this.client.getTransactionStatus() === 'I'
  }

  #nameFor({ name }: Executable): string | undefined {
    if (!this.#prepares || this.#outdated || name === undefined) return undefined
    if (!this.#prepared.has(name)) {
      if (this.#prepared.size === preparedMax) return undefined
      this.#prepared.add(name)
    }
    return name
  }

  async #sendPlannedOnce(statement: Executable): Promise<Executed> {
    const [begun, executed, ended] = await Promise.allSettled([
      this.#send(command(planningOnceBegins)),
      this.#send(statement),
      this.#send(command(planningOnceEnds)),
    ])
    // The settings may still be there.
    if (ended.status === 'rejected') this.#outdated = true
    for (const each of [begun, executed]) if (each.status === 'rejected') throw each.reason
    return (executed as PromiseFulfilledResult<Executed>).value
  }

  async #send(statement: Executable): Promise<Executed> {
    if (this.#lost !== undefined) throw this.#lost
    const running = { text: statement.text, seenAt: performance.now() }
    this.#running.push(running)
    try {
      if (statement.copied !== undefined) return await this.#copy(statement.text, statement.copied)
      this.#cork()
      return await this.#query(statement)
    } catch (error) {
      throw this.#failureOf(error as Error)
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1)
      const [next] = this.#running
      if (next !== undefined) next.seenAt = performance.now()
    }
  }

  /** By callback: the rows of a promise of the driver outlive young collections, and a page costs a quarter more. */
  #query({ text, name, values }: Executable): Promise<Executed> {
    const config = { text, name, values: values as Value[] }
    return new Promise((resolve, reject) => {
      void this.client.query(config, (error, result) =>
        error ? reject(error) : resolve(lastOf(result)),
      )
    })
  }

  async #copy(text: string, rows: string): Promise<Executed> {
    const stream = this.client.query(from(text))
    stream.end(rows)
    await finished(stream)
    return { command: 'COPY', rows: [], affected: stream.rowCount }
  }

  /**
   * All that is sent until the next tick of the process leaves in one message. With TLS each statement is encrypted as
   * it is sent, and leaves at once.
   */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#socket.cork()
    process.nextTick(() => {
      this.#isCorked = false
      this.#socket.uncork()
    })
  }

  #failureOf(error: Error): Error {
    if (error instanceof pg.DatabaseError) {
      if (endsSession(error)) this.#lose(connectionLoss(error))
      return error
    }
    // A value that could not be read or written on this side says nothing of the connection.
    return this.#lost === undefined ? error : this.#lost
  }

  #lose(error: ConnectionError): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    this.onlost?.(error)
  }
}

type Value = Executable['values'][number]

/** Text that is never prepared, and may hold several statements. */
export function command(text: string): Executable {
  return { text, name: undefined, values: [] }
}

function isOfPreparedStatement(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const { code, routine } = error
  const changed = code === featureNotSupported && routine === 'RevalidateCachedQuery'
  return changed || code === noSuchPreparedStatement
}

/** Text of several statements has a result for each. */
function lastOf(result: QueryResult | QueryResult[]): Executed {
  const last = Array.isArray(result) ? result.at(-1) : result
  return { command: last?.command ?? '', rows: last?.rows ?? [], affected: last?.rowCount ?? 0 }
}
