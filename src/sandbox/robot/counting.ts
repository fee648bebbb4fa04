import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import {
  fromTimestamp,
  type Instant,
  minute,
  type Timestamp,
} from '../../platform/kernel/moscow-time.ts'
import { closeCount } from '../../warehouse/counts/verbs.ts'
import { countGoods } from '../counting.ts'

/** Every half hour the robot counts one shelf, the one that nobody has counted for the longest, and finds what lies there. */
const countEveryMs = 30 * minute

/** Whether a shelf is to be counted. */
export async function isCountDue(db: Queryable, clientId: string, now: Instant): Promise<boolean> {
  const [last] = await db<{ at: Timestamp }[]>`
    select greatest(copied_at, (
        select max(created_at) from stock_counts where client_id = ${clientId})) as at
    from sandboxes where client_id = ${clientId} and copied_at is not null`
  return last !== undefined && now - fromTimestamp(last.at) >= countEveryMs
}

/** Counts the shelf that is due, if any. */
export async function takeCountStep(work: Work, clientId: string): Promise<void> {
  if (!(await isCountDue(work.tx, clientId, work.now))) return
  const lying = await goodsOfNextShelf(work.tx, clientId)
  const [first] = lying
  if (first === undefined) return
  const { locationId } = first
  const scope = { barcodes: [], box_ids: [], location_ids: [locationId] }
  const scans = lying.map((goods) => ({ ...goods, scanId: `robot-${goods.barcode}` }))
  const id = await countGoods(work, clientId, scope, scans)
  await closeCount(work, clientId, id)
}

interface ShelvedGoods {
  readonly locationId: string
  readonly barcode: string
  readonly units: number
}

function goodsOfNextShelf(db: Queryable, clientId: string): Promise<ShelvedGoods[]> {
  return db<ShelvedGoods[]>`
    select location_id as "locationId", barcode, quantity as units from location_contents
    where client_id = ${clientId} and location_id = (
      select l.location_id from (
        select distinct location_id from location_contents where client_id = ${clientId}
      ) l
      left join stock_counts k on k.client_id = ${clientId} and l.location_id = any(k.location_ids)
      group by l.location_id order by max(k.created_at) nulls first, l.location_id limit 1)
    order by barcode`
}
