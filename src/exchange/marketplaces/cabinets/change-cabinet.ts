import type { Work } from '../../../platform/db/work.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import type { CabinetChanges } from '../../../warehouse/clients/cabinets.ts'
import { credentialsOf, isSealedSeller } from '../../../warehouse/clients/credentials.ts'
import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'
import { applyDeadlineRule } from '../../../warehouse/orders/change.ts'
import { lockOrderBook } from '../../../warehouse/orders/lock.ts'
import { namedAccount } from '../connecting/known-accounts.ts'
import { endLease, readAgain, requestSyncRun } from '../connecting/sync-requests.ts'
import { forgetLeftOut, type OwnWarehouses } from '../intake/own-orders.ts'
import { changeCabinetAndPlace } from './observe-cabinet.ts'

interface CabinetBefore {
  readonly marketplace: Marketplace
  readonly own: OwnWarehouses
  readonly credentials: Buffer | null
  readonly seller: Buffer | null
}

/**
 * Changes a cabinet, with all that follows from it for its orders. `checkedWith` are the sealed
 * credentials with which the marketplace named the chosen warehouses. Returns false where nothing differs.
 * Throws validation_error, not_found and conflict.
 */
export async function changeCabinetAndOrders(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
  patch: CabinetChanges,
  checkedWith?: Buffer,
): Promise<boolean> {
  // Verbs of orders lock the client before the cabinet.
  await lockOrderBook(work, clientId)
  const [before] = await work.tx<CabinetBefore[]>`
    select marketplace, own_warehouses as own, credentials, seller from cabinets
    where client_id = ${clientId} and id = ${id} for no key update`
  if (patch.warehouses && checkedWith && !before?.credentials?.equals(checkedWith)) {
    throw conflict('Ключи кабинета только что сменились: откройте список складов ещё раз')
  }
  const isOther = before !== undefined && isOtherAccount(box, id, before, patch)
  const warehouses = isOther ? null : patch.warehouses && [...new Set(patch.warehouses)].toSorted()
  const effective = { ...patch, warehouses }
  const changed = await changeCabinetAndPlace(work, box, clientId, id, effective)
  if (patch.deadline_hours !== undefined) await applyDeadlineRule(work, clientId, id)
  if (before !== undefined && warehouses !== undefined) {
    await followChoice(work, clientId, id, before.own, warehouses)
  }
  return changed
}

/** Whether new credentials may belong to another account: then its warehouses are others, too. */
function isOtherAccount(
  box: SecretBox,
  id: string,
  { marketplace, seller }: CabinetBefore,
  { credentials }: CabinetChanges,
): boolean {
  if (credentials == null) return false
  const named = namedAccount(credentialsOf(marketplace, credentials))
  return seller === null || named === undefined || !isSealedSeller(box, id, seller, named)
}

/** A choice that grows lets all be read again, as far as the marketplace keeps it; stock is read again after any change. */
async function followChoice(
  work: Work,
  clientId: string,
  id: string,
  before: OwnWarehouses,
  after: OwnWarehouses,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const grows = after?.some((warehouse) => !before?.includes(warehouse)) ?? false
  // A sync run that began under the former choice must not continue.
  await endLease(work.tx, clientId, id)
  if (grows || after === null) await forgetLeftOut(work, clientId, id, after)
  await readAgain(work.tx, clientId, id, grows ? 'all' : 'stock')
  await requestSyncRun(work.tx, clientId, id)
}
