import type { Queryable } from '../../platform/db/connection.ts'

/** Figures of printing over all warehouses, for the operator. */
export interface PrintFigures {
  /** Jobs that no station has taken. */
  readonly queued: number
  /** How long the oldest of them waits; 0 if none does. */
  readonly oldestQueuedMs: number
}

export async function printFigures(db: Queryable): Promise<PrintFigures> {
  const [row] = await db<[PrintFigures]>`
    select count(*)::int as queued,
      coalesce(greatest(0, extract(epoch from now() - min(created_at)) * 1000), 0)::int8 as "oldestQueuedMs"
    from print_jobs j where status = 'QUEUED'
      and not exists (select from warehouses w where w.code = j.warehouse_code and w.mode = 'moved')`
  return row
}
