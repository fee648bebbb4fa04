import type { Work } from '../../../platform/db/work.ts'
import { updateFacts } from '../../../warehouse/orders/facts.ts'
import { takeInOrders } from '../../../warehouse/orders/intake.ts'
import {
  ordersWithUnreadDetails,
  type UnreadOrder,
} from '../../../warehouse/orders/orders-to-ask.ts'
import { chunksOf } from '../calls/chunks.ts'
import { type SyncContext, write } from './context.ts'
import { withBarcodes } from './line-barcodes.ts'

/** In one sync run, so that a backlog delays neither other parts nor other cabinets. */
const ordersMax = 400
const ordersPerPage = 40

/**
 * Reads orders alone, where lists leave something out that is needed before the hand-over: once, and again
 * when the list shows other goods or requirements.
 */
export async function syncDetails(sync: SyncContext): Promise<void> {
  const { run, connector, db } = sync
  const { clientId, cabinetId } = run
  // Of a mirrored cabinet nothing is handed over here.
  if (connector.details === undefined || run.shipments === 'mirrored') return
  const unread = await ordersWithUnreadDetails(db, clientId, cabinetId, ordersMax)
  for (const orders of chunksOf(unread, ordersPerPage)) {
    const page = await connector.details(orders.map(({ externalId }) => externalId))
    const { drafts } = await withBarcodes(db, clientId, cabinetId, page.items)
    const listed = new Map(orders.map((order) => [order.externalId, order.listed]))
    await write(sync, page.requestedAt, async (work) => {
      const read = drafts.map((draft) => ({
        ...draft,
        facts: { ...draft.facts, detailsOf: listed.get(draft.externalId) },
      }))
      await takeInOrders(work, clientId, cabinetId, read, true)
      const found = new Set(drafts.map(({ externalId }) => externalId))
      await skipUntilChanged(
        work,
        clientId,
        orders.filter(({ externalId }) => !found.has(externalId)),
      )
    })
  }
}

/** The marketplace does not show these orders alone: it is not asked again for the same. */
async function skipUntilChanged(
  work: Work,
  clientId: string,
  orders: readonly UnreadOrder[],
): Promise<void> {
  const known = orders.map(({ id, listed }) => ({ orderId: id, facts: { detailsOf: listed } }))
  await updateFacts(work, clientId, known)
}
