import { day, hour } from '../../../platform/kernel/moscow-time.ts'
import {
  deleteEndedReturns,
  expectCancelledOrders,
  isAnyReady,
  recordReturns,
} from '../../../warehouse/returns/expected.ts'
import { isFailure } from '../calls/failure.ts'
import { ownReturns } from '../intake/own-orders.ts'
import {
  continuedFrom,
  isPartDue,
  progressAt,
  type SyncContext,
  write,
  writePages,
} from './context.ts'
import { recordProgress } from './sync-runs.ts'

const everyMs = hour
/** A change may become visible this late. */
const overlapMs = day

/**
 * Reads what the marketplace sends back; where it lists no returns, cancelled orders whose units left are
 * expected.
 */
export async function syncReturns(sync: SyncContext): Promise<void> {
  const { run, startedAt, intervalMs } = sync
  if (!isPartDue(sync, run.returnsAt, Math.min(everyMs, 20 * intervalMs))) return
  const { clientId, cabinetId } = run
  await readReturns(sync)
  const giveoutCode = await readGiveoutCode(sync)
  await write(sync, startedAt, async (work) => {
    await deleteEndedReturns(work, clientId, cabinetId)
    await recordProgress(work.tx, run, {
      returns_at: progressAt(sync),
      ...(giveoutCode === undefined ? {} : { giveout_code: giveoutCode }),
    })
  })
}

async function readReturns(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt } = sync
  const { clientId, cabinetId, returnsAt } = run
  if (connector.returns === undefined) {
    await write(sync, startedAt, (work) => expectCancelledOrders(work, clientId, cabinetId))
    return
  }
  const since = returnsAt === null ? undefined : continuedFrom(sync, returnsAt, overlapMs)
  await writePages(sync, connector.returns(since), async (work, { items }) => {
    const own = await ownReturns(work, clientId, cabinetId, items)
    return recordReturns(work, clientId, cabinetId, own)
  })
}

/** The code by which returns are fetched, where some are ready and the marketplace has one. The list is complete without it. */
async function readGiveoutCode({
  run: { clientId, cabinetId },
  connector,
  db,
  log,
}: SyncContext): Promise<string | undefined> {
  if (!(await isAnyReady(db, clientId, cabinetId))) return undefined
  try {
    return await connector.giveoutCode?.()
  } catch (error) {
    if (!isFailure(error, 'credentials', 'rejected')) throw error
    log.warn({ cabinet: cabinetId, err: error }, 'the code to fetch returns was refused')
    return undefined
  }
}
