/**
 * Transactions.
 *
 * - Statements of one transaction run on one connection, in the order in which they are awaited; those of a `Promise.all`
 *   travel together.
 * - A failed statement fails the transaction even if its error is caught. Use `savepoint` to continue after an error.
 * - When the connection is lost, the transaction is rejected at once, though its work may still run. All later statements
 *   of that work are rejected, as they are after the end of the transaction.
 */

import { idleInTransactionMsMax } from './connections/client.ts'
import { ended, sqlStateOf } from './connections/errors.ts'
import type { Lease, Pool } from './connections/pool.ts'
import { command, planningOnce } from './connections/session.ts'
import type { Executable, Executed, Executor } from './statements/executor.ts'
import { type Tag, tagOf } from './statements/tag.ts'

/** The tag for statements inside one transaction. */
export interface TransactionTag extends Tag {
  /**
   * Runs a part of the transaction that may fail: then only this part is rolled back, and its error is thrown. Nothing
   * else of the transaction may run meanwhile.
   */
  savepoint<T>(part: (tx: TransactionTag) => Promise<T>): Promise<T>
}

const inFailedTransaction = '25P02'

export interface TransactionMode {
  /** Such as `isolation level repeatable read`. */
  readonly mode?: string
  /** A statement that waits for a lock for longer fails. */
  readonly lockWaitMsMax?: number
  /** Statements are planned once for a connection, for values of any kind, and not again for each array. */
  readonly planOnce?: boolean
}

/**
 * Runs `work` in one transaction of the given mode.
 *
 * @throws what `work` throws, or the first error of a statement in it; then the transaction is rolled back
 */
export async function begin<T>(
  pool: Pool,
  mode: TransactionMode,
  work: (tx: TransactionTag) => Promise<T>,
): Promise<T> {
  const lease = await pool.acquire()
  const scope = new Scope(lease)
  try {
    await scope.command(beginning(pool, mode))
    const result = await untilLost(lease, () => scope.run(work))
    const { command } = await scope.command('commit')
    if (command !== 'COMMIT') throw new Error(`the server answered a commit with ${command}`)
    return result
  } catch (error) {
    await scope.command('rollback').catch(() => {})
    throw error
  } finally {
    lease.release()
  }
}

/** Without prepared statements there may be a pooler, through which settings of a session do not come. */
function beginning(
  { settings }: Pool,
  { mode = '', lockWaitMsMax, planOnce = false }: TransactionMode,
): string {
  const idle = settings.prepared
    ? ''
    : `; set local idle_in_transaction_session_timeout = ${idleInTransactionMsMax}`
  const locks = lockWaitMsMax === undefined ? '' : `; set local lock_timeout = ${lockWaitMsMax}`
  const plans = planOnce ? `; ${planningOnce}` : ''
  return `begin ${mode}${idle}${locks}${plans}`
}

/** Runs `work` so that no statement of the transaction runs longer than `timeoutMs`, or waits for a lock longer than `lockMs`. */
export async function inTime<T>(
  tx: TransactionTag,
  timeoutMs: number,
  work: () => Promise<T>,
  lockMs = timeoutMs,
): Promise<T> {
  await tx`
    select set_config('lock_timeout', ${`${lockMs}ms`}, true),
      set_config('statement_timeout', ${`${timeoutMs}ms`}, true)`
  return work()
}

/** Settles as the work does, or rejects as soon as the connection is lost. */
function untilLost<T>({ session }: Lease, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    session.onlost = reject
    work().then(resolve, reject)
  })
}

/** A transaction, or the part of one between a savepoint and its release. */
class Scope implements Executor {
  readonly #lease: Lease
  readonly #depth: number
  #failure: { readonly error: unknown } | undefined
  #ended = false

  constructor(lease: Lease, depth = 0) {
    this.#lease = lease
    this.#depth = depth
  }

  /** Runs the work with a tag of this scope, which is of no use afterwards. */
  async run<T>(work: (tx: TransactionTag) => Promise<T>): Promise<T> {
    const tag = tagOf(this)
    const savepoint = <R>(part: (tx: TransactionTag) => Promise<R>) => this.#savepoint(part)
    try {
      const result = await work(Object.assign(tag, { savepoint }))
      if (this.#failure !== undefined) throw this.#failure.error
      return result
    } catch (error) {
      throw this.#reasonOf(error)
    } finally {
      this.#ended = true
    }
  }

  async execute(statement: Executable): Promise<Executed> {
    if (this.#ended) throw ended('the transaction')
    try {
      return await this.#lease.session.execute(statement)
    } catch (error) {
      this.#failure ??= { error }
      throw this.#reasonOf(error)
    }
  }

  /** That the transaction has failed already says nothing of the reason. */
  #reasonOf(error: unknown): unknown {
    const isConsequence = sqlStateOf(error) === inFailedTransaction
    return isConsequence && this.#failure !== undefined ? this.#failure.error : error
  }

  command(text: string): Promise<Executed> {
    return this.#lease.session.execute(command(text))
  }

  async #savepoint<T>(part: (tx: TransactionTag) => Promise<T>): Promise<T> {
    if (this.#ended) throw ended('the transaction')
    const name = `level_${this.#depth + 1}`
    const scope = new Scope(this.#lease, this.#depth + 1)
    await this.execute(command(`savepoint ${name}`))
    try {
      const result = await scope.run(part)
      await this.command(`release savepoint ${name}`)
      return result
    } catch (error) {
      await this.execute(command(`rollback to savepoint ${name}`))
      throw error
    }
  }
}
