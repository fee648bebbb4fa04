import type { Work } from '../../../platform/db/work.ts'
import { findCabinet } from '../../../warehouse/clients/cabinet-queries.ts'
import { chooseOnlyWarehouse } from '../../../warehouse/clients/cabinets.ts'
import { recordStaffChanges } from '../../../warehouse/journal/staff.ts'
import { mayBeChosen } from '../cabinets/seller-warehouses.ts'
import { rejection } from '../calls/failure.ts'
import { readAgain } from '../connecting/sync-requests.ts'
import { type SyncContext, write } from './context.ts'
import type { SyncRun } from './sync-runs.ts'

/**
 * Connecting is one step: credentials, then the warehouses that the marketplace names, then the first orders. The only
 * warehouse of a seller is chosen here; of several a manager chooses, and until then no order is taken in.
 *
 *   no choice --one FBS warehouse--> chosen --> all is read
 *             --several------------> waits for a manager (cabinets/change-cabinet.ts), without an error
 *             --none---------------> fails with words for the seller
 */
export async function syncWarehouses(sync: SyncContext): Promise<void> {
  const { run, connector } = sync
  if (run.hasChoice) return
  const askedAt = connector.now()
  const [first, ...others] = (await connector.warehouses()).filter(mayBeChosen)
  if (first === undefined) {
    throw rejection(
      `В кабинете ${connector.marketplace} нет склада FBS, поэтому заказы не загружаются: создайте ` +
        'такой склад в кабинете',
    )
  }
  // Of a warehouse whose scheme is unknown nobody can say that it is the one.
  if (others.length > 0 || first.scheme !== 'fbs') return
  if (!(await write(sync, askedAt, (work) => choose(work, run, first.id)))) return
  const unread = { ordersFrom: null, shipmentsFrom: null, returnsAt: null, stockAt: null }
  sync.run = { ...run, ...unread, hasChoice: true }
}

/** With an entry in the journal of changes, by the service. */
async function choose(work: Work, run: SyncRun, warehouse: string): Promise<boolean> {
  const { clientId, cabinetId, credentials } = run
  const before = await findCabinet(work.tx, clientId, cabinetId, true)
  if (!(await chooseOnlyWarehouse(work, clientId, cabinetId, warehouse, credentials))) return false
  await readAgain(work.tx, clientId, cabinetId, 'all')
  const after = await findCabinet(work.tx, clientId, cabinetId)
  const change = { action: 'changeCabinet', login: null, objectId: cabinetId, before, after }
  await recordStaffChanges(work, [{ ...change, clientId, actor: { kind: 'service' } }])
  return true
}
