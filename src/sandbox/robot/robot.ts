import type { Database } from '../../db/connection.ts'
import { perform, type Work } from '../../db/work.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ErrorLog } from '../../kernel/log.ts'
import { toTimestamp } from '../../kernel/moscow-time.ts'
import { nextReceiptStep, ownReceipts, takeReceiptStep } from './receiving.ts'
import { nextShippingStep, readShipping, takeShippingStep } from './shipping.ts'

/**
 * The robot that plays the warehouse and the marketplace for sandboxes, through the verbs of live.
 *
 * - It keeps nothing in mind: each round reads what there is, and a pure function of that and the
 *   moment tells the step that is due. A step is decided again and done in a transaction of its own
 *   that holds the sandbox's row, passing over a row that is held: so any number of processes may
 *   run a robot, none does a step twice, and a reset comes before or after a step, never within.
 * - It never locks the client's counters, which a reset locks before the sandbox's row.
 * - Work is bounded: only sandboxes that were asked lately, so many of them a round, and so many
 *   steps of each. After a pause the rest follows in the next rounds, one step after the other.
 */
export interface Robot {
  start(): void
  /** One round. For tests. */
  runOnce(): Promise<void>
  /** Ends after the steps of the sandbox that it is at. */
  stop(): Promise<void>
}

export interface RobotOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: ErrorLog
}

const roundMs = 3_000
const idleAfterMs = 15 * 60 * 1000
const sandboxesMax = 100
const receiptStepsMax = 20

export function openRobot({ db, clock, log }: RobotOptions): Robot {
  let underWay: Promise<void> | undefined
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  /** The last sandbox of a round that could not reach all; the next goes on after it. */
  let reached: string | undefined

  /** One step that fails keeps none of the others from being done. */
  const report = (error: unknown) => log.error({ err: error }, 'sandbox robot failed')

  async function round(): Promise<void> {
    const sandboxes = await sandboxesInUse(db, clock, reached)
    reached = sandboxes.length === sandboxesMax ? sandboxes.at(-1) : undefined
    for (const clientId of sandboxes) {
      if (stopping) return
      for (const step of await dueSteps(clientId)) await step().catch(report)
    }
  }

  async function dueSteps(clientId: string): Promise<(() => Promise<void>)[]> {
    const receipts = await ownReceipts(db, clientId)
    const due = receipts.filter((receipt) => nextReceiptStep(receipt, clock.now()) !== undefined)
    const steps = due.slice(0, receiptStepsMax).map(
      ({ id }) =>
        () =>
          advanceReceipt(clientId, id),
    )
    const shipping = await readShipping(db, clientId)
    if (shipping !== undefined && nextShippingStep(shipping, clock.now()) !== undefined) {
      steps.push(() => advanceShipping(clientId))
    }
    return steps
  }

  function advanceReceipt(clientId: string, id: string): Promise<void> {
    return inSandbox(clientId, async (work) => {
      const [receipt] = await ownReceipts(work.tx, clientId, id)
      const step = receipt && nextReceiptStep(receipt, work.now)
      if (step !== undefined) await takeReceiptStep(work, clientId, id, step)
    })
  }

  function advanceShipping(clientId: string): Promise<void> {
    return inSandbox(clientId, async (work) => {
      const shipping = await readShipping(work.tx, clientId)
      if (shipping === undefined) return
      const step = nextShippingStep(shipping, work.now)
      if (step !== undefined) await takeShippingStep(work, clientId, shipping, step)
    })
  }

  /** Does nothing where the copy is gone, or somebody else is at it. */
  function inSandbox(clientId: string, act: (work: Work) => Promise<void>): Promise<void> {
    return perform(db, clock, 'robot', async (work) => {
      const held = await work.tx`
        select from sandboxes where client_id = ${clientId} and copied_at is not null
        for no key update skip locked`
      if (held.length > 0) await act(work)
    })
  }

  /** A round that is late is not made up for. */
  function begin(): void {
    underWay ??= round()
      .catch(report)
      .finally(() => {
        underWay = undefined
      })
  }

  return {
    start() {
      timer = setInterval(begin, roundMs)
      timer.unref()
    },
    runOnce: round,
    async stop() {
      stopping = true
      clearInterval(timer)
      await underWay
    },
  }
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
