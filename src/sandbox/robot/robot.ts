import { openPoller, type Polling } from '../../platform/concurrency/poller.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { ErrorLog } from '../../platform/kernel/log.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { dueSteps } from './steps.ts'

export interface RobotOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: ErrorLog
}

const tickMs = 3_000
const idleAfterMs = 15 * 60 * 1000
const sandboxesMax = 100

/**
 * The robot plays the warehouse and the marketplace in sandboxes, through the verbs of live work.
 *
 * - It is stateless: each tick reads the database, and a pure function of what it read and the moment
 *   names the step that is due. The step is decided again in its own transaction, which locks the
 *   sandbox's row and skips a sandbox that somebody else has locked. So any number of processes may
 *   run a robot, no step is done twice, and a reset happens before or after a step, never during one.
 * - It never locks the client's counters, which a reset locks before the sandbox's row.
 * - Work is bounded: a tick visits only sandboxes with recent requests, a limited number of them, and
 *   takes a limited number of steps in each. After a pause the next ticks catch up step by step.
 */
export function openRobot({ db, clock, log }: RobotOptions): Polling {
  /** The last sandbox of a tick that did not visit all; the next tick continues after it. */
  let reached: string | undefined
  /** A failed step is logged, and the others are taken. */
  const onError = (error: unknown) => log.error({ err: error }, 'sandbox robot failed')
  const poller = openPoller({ everyMs: tickMs, look: tick, onError })

  async function tick(): Promise<void> {
    const sandboxes = await sandboxesInUse(db, clock, reached)
    reached = sandboxes.length === sandboxesMax ? sandboxes.at(-1) : undefined
    for (const clientId of sandboxes) {
      if (poller.isStopping) return
      for (const step of await dueSteps({ db, clock }, clientId)) await step().catch(onError)
    }
  }

  return poller
}

async function sandboxesInUse(
  db: Database,
  clock: Clock,
  after: string | undefined,
): Promise<string[]> {
  const rows = await db<{ client_id: string }[]>`
    select client_id from sandboxes
    where copied_at is not null and last_request_at > ${toTimestamp(clock.now() - idleAfterMs)}
      ${after === undefined ? db`` : db`and client_id > ${after}`}
    order by client_id limit ${sandboxesMax}`
  return rows.map((row) => row.client_id)
}
