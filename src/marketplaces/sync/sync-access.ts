import { day, toTimestamp } from '../../kernel/moscow-time.ts'
import { isPartDue, type SyncContext, writeProgress } from './context.ts'

const accessEveryMs = day

/** Checks the credentials once a day, and when they have changed. */
export async function syncAccess(sync: SyncContext): Promise<void> {
  if (!isPartDue(sync, sync.run.accessAt, accessEveryMs)) return
  const { expiresAt } = await sync.connector.access()
  await writeProgress(sync, {
    access_at: toTimestamp(sync.startedAt),
    credentials_expire_at: expiresAt === undefined ? null : toTimestamp(expiresAt),
  })
}
