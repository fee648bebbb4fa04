import type { Work } from '../../../platform/db/work.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import { firstNames } from '../../../platform/kernel/sentences.ts'
import { type CabinetChanges, changeCabinet } from '../../../warehouse/clients/cabinets.ts'
import { lockOrderBook } from '../../../warehouse/orders/lock.ts'
import { openShipmentNumbers } from '../../../warehouse/shipments/cabinet-shipments.ts'
import { connectionOf } from '../connecting/connected-cabinet.ts'
import { endLease, requestSyncRun } from '../connecting/sync-requests.ts'

/**
 * An observed cabinet (`shipments: observe`) is read completely, and nothing else happens: nothing changes
 * at the marketplace, no units move here, and only staff see its orders, shipments and figures.
 *
 *   ours | mirrored --observe, no open shipment--> observe --ours | mirrored--> hidden rows --> ours | mirrored
 *
 * Rows are marked when they are added. What sellers saw before stays visible. When observing ends, the
 * cabinet changes at once and its marked rows stay hidden; `showHiddenRows` (hidden-rows.ts) makes all of
 * them ordinary in one transaction, without events, as if they were just taken in. That takes seconds where they are many,
 * and holds up nobody: not the client's other orders, whose lock it does not take, and not sellers, who see
 * all or nothing. A process that is killed meanwhile has shown nothing; the cabinet's next sync run or
 * maintenance does it. What left before the end moves no units later either (`cabinets.observed_until`).
 */

/**
 * Changes a cabinet, and the orders and shipments of one whose observing begins or ends. Returns false where
 * nothing differs. Where observing ends, `showHiddenRows` must follow the commit. Throws validation_error,
 * not_found, and conflict where shipments are open or rows are still hidden.
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
  const begins = before?.shipments !== 'observe' && patch.shipments === 'observe'
  const ends = before?.shipments === 'observe' && patch.shipments !== 'observe'
  if (begins) await refuseWhileHidden(work, clientId, id)
  const changed = await changeCabinet(work, box, clientId, id, patch)
  if (begins) await refuseUnfinished(work, clientId, id)
  if (begins || ends) {
    // A sync run that began under the former setting must not continue.
    await endLease(work.tx, clientId, id)
    await requestSyncRun(work.tx, clientId, id)
  }
  return changed
}

async function refuseWhileHidden({ tx }: Work, clientId: string, id: string): Promise<void> {
  const hidden = await tx`
    select id from cabinets
    where client_id = ${clientId} and id = ${id} and has_hidden_rows for no key update`
  if (hidden.length === 0) return
  throw conflict(
    'Прошлое наблюдение кабинета ещё заканчивается, его заказы вот-вот увидит продавец: повторите через минуту',
  )
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
