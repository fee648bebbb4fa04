import { type CabinetChanges, changeCabinet } from '../clients/cabinets.ts'
import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { showObservedOrders } from '../orders/change.ts'
import { lockOrderBook } from '../orders/lock.ts'
import { openShipmentNumbers, showObservedShipments } from '../shipments/observed.ts'
import { connectionOf } from './connected-cabinet.ts'
import { firstNames } from './first-names.ts'
import { requestSyncRun } from './request-sync-run.ts'
import { endLease } from './sync/lease-end.ts'

/**
 * An observed cabinet (`shipments: observe`) is read completely, and nothing else happens: nothing changes
 * at the marketplace, no units move here, and only staff see its orders, shipments and figures.
 *
 *   ours | mirrored --observe, no open shipment--> observe --ours | mirrored--> ours | mirrored
 *
 * Rows are marked when they are added. What sellers saw before stays visible. When observing ends, all
 * marked rows become ordinary in one transaction, without events, as if they were just taken in. What left
 * before that moves no units later either (`cabinets.observed_until`).
 */

/**
 * Changes a cabinet, and the orders and shipments of one whose observing begins or ends. Returns false where
 * nothing differs. Throws validation_error, not_found, and conflict where shipments are open.
 */
export async function changeCabinetAndPlace(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
  patch: CabinetChanges,
): Promise<boolean> {
  if (patch.shipments === undefined) return changeCabinet(work, box, clientId, id, patch)
  await lockOrderBook(work, clientId)
  const before = await connectionOf(work.tx, clientId, id)
  const changed = await changeCabinet(work, box, clientId, id, patch)
  const begins = before?.shipments !== 'observe' && patch.shipments === 'observe'
  const ends = before?.shipments === 'observe' && patch.shipments !== 'observe'
  if (begins) await refuseUnfinished(work, clientId, id)
  if (ends) {
    // Shipments take their orders along.
    await showObservedShipments(work, clientId, id)
    await showObservedOrders(work, clientId, id)
  }
  if (begins || ends) {
    // A sync run that began under the former setting must not continue.
    await endLease(work.tx, clientId, id)
    await requestSyncRun(work.tx, clientId, id)
  }
  return changed
}

/** The cabinet is locked by its change, so no command and no shipment begins meanwhile. */
async function refuseUnfinished(work: Work, clientId: string, cabinetId: string): Promise<void> {
  const open = await openShipmentNumbers(work, clientId, cabinetId)
  if (open.length > 0) {
    const numbers = firstNames(open)
    throw conflict(
      `В кабинете есть открытые отгрузки (${numbers}): закройте их, потом переключите на наблюдение`,
    )
  }
  const commands = await work.tx`
    select id from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'requested' limit 1`
  if (commands.length > 0) {
    throw conflict('Маркетплейс ещё выполняет поручение кабинета: повторите через минуту')
  }
}
