import type { Config } from '../config.ts'
import { deleteOldPrintJobs } from '../documents/printing/jobs.ts'
import { showAllHiddenRows } from '../exchange/marketplaces/cabinets/hidden-rows.ts'
import { forgetFullAccounts } from '../exchange/marketplaces/calls/account-buckets.ts'
import { deleteOldRecordedCalls } from '../exchange/marketplaces/recording/store.ts'
import { deleteOldLetters } from '../exchange/notices/letters.ts'
import { watchTime } from '../exchange/notices/watch.ts'
import { failDeliveriesOfDisabled } from '../exchange/webhooks/subscriptions.ts'
import { forgetFullBuckets } from '../identity/keys/admission.ts'
import { revokeUnseenKeys } from '../identity/keys/key-requests.ts'
import { sweepSellerSessions } from '../identity/sellers/sessions.ts'
import { sweepSignIns } from '../identity/staff/sign-in.ts'
import { openPoller, type Polling } from '../platform/concurrency/poller.ts'
import { type Database, inTransaction } from '../platform/db/connection.ts'
import { workAt } from '../platform/db/work.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import type { ErrorLog } from '../platform/kernel/log.ts'
import {
  day,
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../platform/kernel/moscow-time.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { computeDueCharges } from '../warehouse/billing/daily.ts'
import { deleteUnusedPictures } from '../warehouse/catalogue/pictures.ts'
import { deleteOldNews } from '../warehouse/events/news.ts'
import { rotateEvents } from '../warehouse/events/outbox.ts'
import { endUnusedRecordings } from '../warehouse/events/recording.ts'
import { rotateCallJournal } from '../warehouse/journal/calls.ts'
import { deleteOldRefusedReceipts } from '../warehouse/journal/refused-receipts.ts'
import { announceMissedOrders } from '../warehouse/orders/change.ts'
import { deleteOldPhotos } from '../warehouse/photos/photos.ts'
import { announceMissedReceipts } from '../warehouse/receipts/announce.ts'
import { announceMissedShipments } from '../warehouse/shipments/announce.ts'
import { questionExpired } from '../warehouse/stock/expired-lots.ts'

interface MaintenanceOptions {
  readonly db: Database
  readonly clock: Clock
  readonly sandbox: Pick<Sandbox, 'build' | 'sweep'>
  readonly config: Pick<Config, 'callJournalDays'> & {
    readonly webhooks: Pick<Config['webhooks'], 'retentionDays'>
  }
  readonly log: ErrorLog
}

const intervalMs = 60_000

/**
 * Maintenance runs once a minute. It restores the sandbox scenario, announces status changes that no verb announced,
 * and ends deliveries of disabled subscriptions. It tells what time alone brings about, computes charges, and deletes
 * what has expired. Each step is a bounded piece of work in short transactions, and a step that fails does not stop
 * the next. Several processes may run it at the same time.
 */
export function openMaintenance(options: MaintenanceOptions): Polling {
  const { db, clock, log } = options
  const onError = (error: unknown) => {
    if (!poller.isStopping) log.error({ err: error }, 'maintenance failed')
  }
  const poller = openPoller({ everyMs: intervalMs, look: runSteps, onError })

  async function runSteps(): Promise<void> {
    let reached: Promise<Instant> | undefined
    const retentionNow = () => (reached ??= moveRetentionClock(db, clock.now()))
    for (const step of steps) {
      if (!poller.isStopping) await step({ ...options, retentionNow }).catch(onError)
    }
  }

  return poller
}

interface MaintenanceRun extends MaintenanceOptions {
  /** By the retention clock; the same moment for all steps of a run. */
  readonly retentionNow: () => Promise<Instant>
}

const steps: readonly ((run: MaintenanceRun) => Promise<unknown>)[] = [
  // First, because the first call of a test key waits for it.
  ({ sandbox }) => sandbox.build(),
  ({ db, clock }) => reconcile(db, clock),
  ({ db }) => failDeliveriesOfDisabled(db),
  ({ db, clock }) => showAllHiddenRows(db, clock),
  ({ db, clock }) => questionExpired(db, clock),
  ({ db, clock }) => watchTime(db, clock),
  ({ db, clock }) => computeDueCharges(db, clock.now()),
  ({ sandbox }) => sandbox.sweep(),
  ({ db }) => forgetFullBuckets(db),
  ({ db }) => forgetFullAccounts(db),
  async ({ db, retentionNow }) => deleteOldRecordedCalls(db, await retentionNow()),
  ({ db, clock }) => sweepSignIns(db, clock),
  ({ db, clock }) => revokeUnseenKeys(db, clock),
  async ({ db, retentionNow }) => deleteOldPrintJobs(db, await retentionNow()),
  ({ db, clock }) => sweepSellerSessions(db, clock.now()),
  async ({ db, retentionNow }) => deleteOldRefusedReceipts(db, await retentionNow()),
  async ({ db, retentionNow }) => deleteOldNews(db, await retentionNow()),
  async ({ db, retentionNow }) => deleteOldLetters(db, await retentionNow()),
  async ({ db, retentionNow }) => deleteUnusedPictures(db, await retentionNow()),
  async ({ db, retentionNow }) => deleteOldPhotos(db, await retentionNow()),
  async ({ db, clock, config, retentionNow }) =>
    rotateCallJournal(db, clock.now(), config.callJournalDays, await retentionNow()),
  async ({ db, clock, config, retentionNow }) =>
    rotateEvents(db, clock.now(), config.webhooks.retentionDays, await retentionNow()),
  async ({ db, config, retentionNow }) =>
    endUnusedRecordings(db, (await retentionNow()) - config.webhooks.retentionDays * day),
]

/** Objects of one kind per transaction. */
const batch = 200

/**
 * Reconciliation: announces every object whose status differs from the one last announced. Verbs
 * announce their own changes, so it finds only statuses that somebody changed in the database by
 * hand. Returns how many objects it announced.
 */
export async function reconcile(db: Database, clock: Clock): Promise<number> {
  let announced = 0
  for (const step of [announceMissedReceipts, announceMissedShipments, announceMissedOrders]) {
    announced += await inTransaction(db, (tx) =>
      step(workAt(tx, clock.now(), { kind: 'service' }), batch),
    )
  }
  return announced
}

/**
 * Moves the retention clock and answers with it: the moment by which old data is dropped. It is never ahead of `now`,
 * and goes on by at most an hour with each call. Maintenance calls it once a minute. If the machine's clock jumps
 * ahead by a year, each process drops an hour more a minute. The oldest days of a retention go early then. What is
 * not sent yet stays for at least half a day, in which somebody can set the clock right. After a long stop, and in a
 * restored backup, it catches up in the same steps.
 */
export async function moveRetentionClock(db: Database, now: Instant): Promise<Instant> {
  const [{ reached }] = await db<[{ reached: Timestamp }]>`
    insert into retention_clock as c (reached) values (${toTimestamp(now)})
    on conflict (one) do update set reached = least(excluded.reached, c.reached + interval '1 hour')
    returning reached`
  return fromTimestamp(reached)
}
