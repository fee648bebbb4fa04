import type { Queryable } from '../../platform/db/connection.ts'
import { fromTimestamp, type Instant, type Timestamp } from '../../platform/kernel/moscow-time.ts'

/** The action of a backup in the journal of changes, which is how the service knows of it. */
export const backupAction = 'backup'

/** When the newest backup was written; undefined where the journal has none. */
export async function lastBackupAt(db: Queryable): Promise<Instant | undefined> {
  const [row] = await db<{ at: Timestamp }[]>`
    select at from staff_journal where actor = 'command-line' and action = ${backupAction}
    order by at desc, id desc limit 1`
  return row === undefined ? undefined : fromTimestamp(row.at)
}
