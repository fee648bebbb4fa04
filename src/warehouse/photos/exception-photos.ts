import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { PhotoSubject } from './kinds.ts'
import { batchOfException, lockPhotos, photosOfObjectMax } from './photos.ts'

/**
 * Photos of a unit that came back by a scan that named no batch. If the scan became an exception, they belong to the
 * exception. Once a manager accepts it they go to the batch of the unit.
 */

/** The object that a photo with this scan shows. Warehouse codes, if any, restrict the clients. Throws not_found. */
export async function subjectOfReturnScan(
  db: Queryable,
  scanId: string,
  warehouses: readonly string[],
): Promise<PhotoSubject> {
  const rows = await db<PhotoSubject[]>`
    select q.* from (
      select client_id as "clientId", 'return' as kind, return_id as "objectId" from return_scans
      where scan_id = ${scanId} and of_day
      union all
      select client_id, 'scan_exception', id from scan_exceptions x
      where scan_id = ${scanId} and kind = 'return_scan_of_day' and not exists (
        select from return_scans s where s.client_id = x.client_id and s.scan_id = x.scan_id and s.of_day)
    ) q
    ${ofWarehouses(db, warehouses)}
    limit 2`
  const [row] = rows
  // Callers number their scans as they like: what two clients have is nobody's.
  if (row === undefined || rows.length > 1)
    throw notFound('Скан возврата не принят: фото не к чему приложить')
  return row
}

function ofWarehouses(db: Queryable, warehouses: readonly string[]): Fragment {
  if (warehouses.length === 0) return db``
  return db`join clients c on c.id = q."clientId" and c.warehouse_code = any(${[...warehouses]})`
}

/** An exception was accepted: its photos go to the batch that has the unit now. Those beyond the batch's bound stay. */
export async function followUnit(work: Work, clientId: string, exceptionId: string): Promise<void> {
  const { tx } = work
  const returnId = await batchOfException(tx, clientId, exceptionId)
  if (returnId === undefined) return
  await lockPhotos(work, clientId)
  await tx`
    with there as materialized (
      select hash from photos where client_id = ${clientId} and kind = 'return' and object_id = ${returnId}
    )
    update photos p set kind = 'return', object_id = ${returnId}
    where p.client_id = ${clientId} and p.id in (
      select e.id from photos e
      where e.client_id = ${clientId} and e.kind = 'scan_exception' and e.object_id = ${exceptionId}
        and e.hash not in (select hash from there)
      order by e.taken_at, e.id
      limit greatest(0, ${photosOfObjectMax} - (select count(*) from there))
    )`
}
