import { day, hour } from '../../../platform/kernel/moscow-time.ts'
import {
  deleteEndedReturns,
  expectCancelledOrders,
  isAnyReady,
  recordReturns,
} from '../../../warehouse/returns/expected.ts'
import { isFailure } from '../calls/failure.ts'
import { ownReturns } from '../own-orders.ts'
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
 * expected. A marketplace that refuses to list returns, to this key or to all, does not disturb the rest of
 * the cabinet.
 */
export async function syncReturns(sync: SyncContext): Promise<void> {
  const { run, startedAt, intervalMs, log } = sync
  if (!isPartDue(sync, run.returnsAt, Math.min(everyMs, 20 * intervalMs))) return
  const { clientId, cabinetId } = run
  let giveoutCode: string | undefined
  try {
    giveoutCode = await readReturns(sync)
  } catch (error) {
    if (!isFailure(error, 'credentials', 'rejected')) throw error
    log.warn({ cabinet: cabinetId, err: error }, 'the returns of a cabinet are not listed')
  }
  await write(sync, startedAt, async (work) => {
    await deleteEndedReturns(work, clientId, cabinetId)
    await recordProgress(work.tx, run, {
      returns_at: progressAt(sync),
      ...(giveoutCode === undefined ? {} : { giveout_code: giveoutCode }),
    })
  })
}

/** Returns the code by which returns are fetched, where some are ready and the marketplace has one. */
async function readReturns(sync: SyncContext): Promise<string | undefined> {
  const { run, connector, startedAt, db } = sync
  const { clientId, cabinetId, returnsAt } = run
  if (connector.returns === undefined) {
    await write(sync, startedAt, (work) => expectCancelledOrders(work, clientId, cabinetId))
    return undefined
  }
  const since = returnsAt === null ? undefined : continuedFrom(sync, returnsAt, overlapMs)
  await writePages(sync, connector.returns(since), async (work, { items }) => {
    const own = await ownReturns(work, clientId, cabinetId, items)
    return recordReturns(work, clientId, cabinetId, own)
  })
  if (!(await isAnyReady(db, clientId, cabinetId))) return undefined
  return connector.giveoutCode?.()
}
