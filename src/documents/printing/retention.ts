import type { Database } from '../../platform/db/connection.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/** Print jobs are kept this long, printed or not; a job that waited so long is no longer wanted. */
export const printJobDays = 14
const deletedAtOnce = 1_000

/** Deletes old jobs, a bounded number at once. */
export async function deleteOldPrintJobs(db: Database, now: Instant): Promise<void> {
  await db`
    delete from print_jobs where id in (
      select id from print_jobs where created_at < ${toTimestamp(now - printJobDays * day)}
        and (status <> 'PRINTING' or leased_until <= ${toTimestamp(now)})
      order by created_at, id limit ${deletedAtOnce} for update skip locked)`
}
