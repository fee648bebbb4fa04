import { hour } from '../../../platform/kernel/moscow-time.ts'
import { PartlyMalformed } from '../calls/failure.ts'
import { storeCards } from './card-store.ts'
import { isPartDue, progressAt, type SyncContext, writePages, writeProgress } from './context.ts'
import { recordProgress } from './sync-runs.ts'

/** Cards are read this often, or every so many sync runs, whichever is more frequent. */
const cardsEveryMs = 6 * hour
const cardsEveryRuns = 120
/** The same, while orders name goods that have no card yet. */
const newCardsEveryMs = 10 * 60_000
const newCardsEveryRuns = 3

/** Fails on every run as long as the last reading of the cards met unreadable ones. */
export async function syncCards(sync: SyncContext): Promise<void> {
  const everyMs = Math.min(cardsEveryMs, cardsEveryRuns * sync.intervalMs)
  const { cardsAt, cardsFailure } = sync.run
  if (isPartDue(sync, cardsAt, everyMs)) await readCards(sync)
  else if (cardsFailure !== null) throw new PartlyMalformed(cardsFailure)
}

/** Reads cards ahead of time, because orders of this run name goods that have no card. */
export async function syncNewCards(sync: SyncContext): Promise<void> {
  const { run, found } = sync
  const everyMs = Math.min(newCardsEveryMs, newCardsEveryRuns * sync.intervalMs)
  const wanted = found.unknownGoods && !found.cardsRead
  if (wanted && isPartDue(sync, run.cardsAt, everyMs)) await readCards(sync)
}

async function readCards(sync: SyncContext): Promise<void> {
  const { run, connector } = sync
  const { clientId, cabinetId } = run
  const pages = connector.cards(run.cardsCursor ?? undefined)
  try {
    await writePages(sync, pages, async (work, { items, cursor }) => {
      await storeCards(work, clientId, cabinetId, items)
      await recordProgress(work.tx, run, { cards_cursor: cursor })
    })
  } catch (error) {
    if (error instanceof PartlyMalformed) await recordReading(sync, error.message)
    throw error
  }
  await recordReading(sync, null)
}

/** The last page was read; `failure`: some cards on the way were unreadable. */
async function recordReading(sync: SyncContext, failure: string | null): Promise<void> {
  sync.found.cardsRead = true
  await writeProgress(sync, { cards_at: progressAt(sync), cards_failure: failure })
}
