import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { forgetFullBuckets } from './clients/admission.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connection.ts'
import { deleteOldCalls } from './journal/retention.ts'
import type { Clock } from './kernel/clock.ts'
import { forgetFullAccounts } from './marketplaces/calls/account-buckets.ts'
import { reconcile } from './reconcile.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { sweepSignIns } from './staff/sign-in.ts'
import { deleteOldEvents } from './webhooks/retention.ts'
import { failStranded } from './webhooks/stranded.ts'

/**
 * Housekeeping in the background: builds the sandbox scenario, deletes idle copies, forgets full
 * buckets, old calls, old events and old sessions, announces what was not announced. Each round does
 * a bounded piece of work in short transactions; several processes may do it at once.
 */
export interface Maintenance {
  start(): void
  /** Ends after the round that is under way; one that takes long is cut off and rolled back. */
  stop(): Promise<void>
}

interface MaintenanceOptions {
  readonly db: Database
  readonly clock: Clock
  readonly sandbox: Sandbox
  readonly config: Config
  readonly log: FastifyBaseLogger
}

const roundMs = 60_000
const stopMsMax = 1_000
const dayMs = 24 * 60 * 60 * 1000

export function openMaintenance(options: MaintenanceOptions): Maintenance {
  const { log } = options
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  async function round(): Promise<void> {
    for (const step of steps) {
      try {
        if (!stopping) await step(options)
      } catch (error) {
        if (!stopping) log.error({ err: error }, 'maintenance failed')
      }
    }
  }
  const run = () => {
    underWay = underWay.then(round)
  }
  return {
    start() {
      run()
      timer = setInterval(run, roundMs)
      timer.unref()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await Promise.race([underWay, sleep(stopMsMax, undefined, { ref: false })])
    },
  }
}

/** What a round does, each by itself: one that fails holds up no other. */
const steps: readonly ((options: MaintenanceOptions) => Promise<unknown>)[] = [
  ({ db, clock }) => reconcile(db, clock),
  ({ db }) => failStranded(db),
  ({ sandbox }) => sandbox.build(),
  ({ sandbox }) => sandbox.sweep(),
  ({ db }) => forgetFullBuckets(db),
  ({ db }) => forgetFullAccounts(db),
  ({ db, clock }) => sweepSignIns(db, clock),
  ({ db, clock, config }) => deleteOldCalls(db, clock.now() - config.callJournalDays * dayMs),
  ({ db, clock, config }) =>
    deleteOldEvents(db, clock.now() - config.webhooks.retentionDays * dayMs),
]
