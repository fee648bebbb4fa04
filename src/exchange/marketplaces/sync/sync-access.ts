import { inTransaction } from '../../../platform/db/connection.ts'
import { day, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { recordTokenType } from '../../../warehouse/clients/cabinets.ts'
import { openCredentials } from '../../../warehouse/clients/credentials.ts'
import { refuseProvedAccount } from '../connecting/known-accounts.ts'
import { isPartDue, type SyncContext } from './context.ts'
import { holdLease, recordProgress } from './sync-runs.ts'

const accessEveryMs = day

/**
 * Checks the credentials once a day, and when they have changed. Those that were stored unchecked are
 * compared with the accounts of all other cabinets as soon as the marketplace has accepted them, before
 * anything else is read with them.
 */
export async function syncAccess(sync: SyncContext): Promise<void> {
  const { run, db, box, clock, connector } = sync
  if (!isPartDue(sync, run.accessAt, accessEveryMs)) return
  // By our clock, which also gave the time of new credentials.
  const askedAt = clock.now()
  const { expiresAt, tokenType } = await connector.access()
  const { clientId, cabinetId } = run
  await inTransaction(db, async (tx) => {
    if (!run.isChecked) {
      // Before the lease: who connects an account locks in this order.
      const credentials = openCredentials(box, cabinetId, run.credentials)
      await refuseProvedAccount(tx, box, { clientId, cabinetId, credentials })
    }
    await holdLease(tx, run)
    if (tokenType !== undefined) await recordTokenType(tx, clientId, cabinetId, tokenType)
    await recordProgress(tx, run, {
      access_at: toTimestamp(askedAt),
      credentials_expire_at: expiresAt === undefined ? null : toTimestamp(expiresAt),
    })
  })
}
