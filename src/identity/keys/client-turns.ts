import { availableParallelism } from 'node:os'
import { Turns } from '../../platform/concurrency/turns.ts'
import { isLockWait } from '../../platform/db/connections/errors.ts'
import type { TransactionMode } from '../../platform/db/transaction.ts'
import type { InTurn } from '../../platform/db/work.ts'
import { rateLimited } from '../../platform/kernel/errors.ts'
import type { Mode } from '../../platform/kernel/mode.ts'

/**
 * How much of the database one client may hold, whatever its keys ask for at once. Calls of one client wait for the locks of that
 * client, so without a bound those that wait would hold all connections, and every other client would wait for one.
 *
 * - Changes of a client run one at a time in a process; the others wait for their turn without a connection. Receipt requests of live
 *   clients share transactions instead, and take turns where such a transaction fails.
 * - Sandboxes are open to everybody. Together they hold a fifth of the connections for changes, and fewer where the machine has few cores:
 *   one stays free for live clients. As many read the event feed. One that meets a lock of another process gives its connection back and
 *   tries again.
 * - What waits for too long, or behind too many, is answered with rate_limited, and has changed nothing.
 */
export interface ClientTurns {
  /** For changes. Throws rate_limited. */
  of(client: TurnClient): InTurn
  /** Runs a read of a feed. Calls that wait to read the same share one. Throws rate_limited. */
  read<T>(client: TurnClient, as: string, read: (mode: TransactionMode) => Promise<T>): Promise<T>
}

interface TurnClient {
  readonly clientId: string
  readonly mode: Mode
}

/** Twice the calls that a key makes at once from a full bucket. */
const waitingMax = 40
/** With the work itself, and a first call that makes the sandbox's copy, this stays below ten seconds. */
const patienceMs = 3_000
const retryAfterSeconds = 2
/** Longer than a step of the robot takes. */
const lockWaitMsMax = 300

/** @param poolSize connections of the process to the database */
export function openClientTurns(poolSize: number): ClientTurns {
  const sandboxesMax = Math.max(1, Math.min(Math.floor(poolSize / 5), availableParallelism() - 1))
  const rules = { waitingMax, patienceMs, refusal: () => rateLimited(retryAfterSeconds) }
  const ofLive = () => new Turns({ ...rules, atOnceMax: Number.POSITIVE_INFINITY })
  const ofSandboxes = () =>
    new Turns({ ...rules, atOnceMax: sandboxesMax, longAtOnceMax: 1, isBlocked: isLockWait })
  const changes = { live: ofLive(), test: ofSandboxes() }
  const reads = { live: ofLive(), test: ofSandboxes() }
  return {
    of:
      ({ clientId, mode }) =>
      (change, options) =>
        changes[mode].run(clientId, () => change(waitsOf(mode)), options),
    read: ({ clientId, mode }, as, read) =>
      reads[mode].run(clientId, () => read(waitsOf(mode)), { as }),
  }
}

const waitsOf = (mode: Mode): TransactionMode => (mode === 'test' ? { lockWaitMsMax } : {})
