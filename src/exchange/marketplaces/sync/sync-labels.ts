import { day, minute, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { addLabelCodes, type LabelCodes, noteLabelsAsked } from '../../../warehouse/orders/facts.ts'
import { ordersWithoutLabelCodes } from '../../../warehouse/orders/orders-to-ask.ts'
import { isFailure, isRejected } from '../calls/failure.ts'
import type { Connector } from '../connector.ts'
import { isPartDue, progressAt, type SyncContext, write, writeProgress } from './context.ts'

const everyMs = 10 * minute
/** In one sync run, the newest first. */
const ordersMax = 300
/** An order without a label is asked about again after so long. */
const againMs = day

/**
 * Learns what is on the labels of orders, so that a scanned label is known here wherever it was printed.
 * Labels that are printed here are known at once (coordination/labels.ts).
 */
export async function syncLabels(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt, db, intervalMs } = sync
  // Of an observed cabinet nothing is scanned here.
  if (connector.labelCodes === undefined || run.shipments === 'observe') return
  if (!isPartDue(sync, run.labelsAt, Math.min(everyMs, 5 * intervalMs))) return
  const { clientId, cabinetId } = run
  const askedBefore = toTimestamp(startedAt - againMs)
  const numbers = await ordersWithoutLabelCodes(db, run, askedBefore, ordersMax)
  if (numbers.length > 0) {
    const askedAt = connector.now()
    const codes = await codesOrNone(connector.labelCodes(numbers))
    await write(sync, askedAt, async (work) => {
      if (codes === undefined) return
      if (codes.size > 0) await addLabelCodes(work, clientId, cabinetId, codes)
      await noteLabelsAsked(work, clientId, cabinetId, numbers)
    })
  }
  await writeProgress(sync, { labels_at: progressAt(sync) })
}

/**
 * A failure costs the labels of these orders alone, and no attention of staff: all that matters was read before.
 * Undefined where the marketplace did not answer: it is asked again soon.
 */
async function codesOrNone(
  asked: ReturnType<NonNullable<Connector['labelCodes']>>,
): Promise<LabelCodes | undefined> {
  try {
    return await asked
  } catch (error) {
    if (!isFailure(error)) throw error
    return isRejected(error) ? new Map() : undefined
  }
}
