import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { MarkingCode } from '../kernel/marking-code.ts'
import { lockBalances, unknownProduct } from '../stock/balances.ts'
import { type CountPlace, countsPlaces, expectedHere, expectedInScope } from './expected.ts'
import { allowCountVerb, type LockedCount, readCount } from './lock.ts'

/**
 * What workers count. Each scan keeps what was expected at its moment, under the lock of the product's balance:
 * work goes on meanwhile, and no movement becomes a difference.
 */

export interface CountingScan extends CountPlace {
  /** Chosen by the handheld. A repeated id counts nothing. */
  readonly scanId: string
  readonly barcode: string
  readonly markingCode?: MarkingCode
  /** 0 says that none are there. */
  readonly units: number
}

/**
 * Counts units. Returns false for a scan that was recorded before. Throws not_found, validation_error, and
 * conflict for goods or places outside of the count.
 */
export async function countUnits(
  work: Work,
  clientId: string,
  countId: string,
  scan: CountingScan,
): Promise<boolean> {
  const { tx } = work
  const count = await readCount(work, clientId, countId, 'share')
  if (await isRecorded(work, clientId, countId, scan.scanId)) return false
  allowCountVerb(count, 'scan')
  await refuseOutside(work, clientId, countId, count, scan)
  const { barcode } = scan
  if (!(await lockBalances(work, clientId, [barcode])).has(barcode)) throw unknownProduct(barcode)
  if (scan.markingCode !== undefined) await refuseCounted(work, clientId, countId, scan)
  const [expected] = await tx<{ units: number }[]>`
    select e.units from (${expectedInScope(tx, clientId, count, [barcode])}) e`
  const here = await expectedHere(tx, clientId, barcode, scan)
  const recorded = await tx`
    insert into count_scans (client_id, count_id, scan_id, barcode, marking_code, box_id, location_id,
      units, expected, expected_here, at, actor)
    values (${clientId}, ${countId}, ${scan.scanId}, ${barcode}, ${scan.markingCode?.identity ?? null},
      ${scan.boxId ?? null}, ${scan.locationId ?? null}, ${scan.units}, ${expected?.units ?? 0}, ${here},
      ${work.at}, ${actorText(work.actor)})
    on conflict (client_id, count_id, scan_id) do nothing returning scan_id`
  return recorded.length > 0
}

async function isRecorded(
  { tx }: Work,
  clientId: string,
  countId: string,
  scanId: string,
): Promise<boolean> {
  const rows = await tx`
    select from count_scans
    where client_id = ${clientId} and count_id = ${countId} and scan_id = ${scanId}`
  return rows.length > 0
}

async function refuseOutside(
  { tx }: Work,
  clientId: string,
  countId: string,
  count: LockedCount,
  { barcode, boxId, locationId }: CountingScan,
): Promise<void> {
  if (count.barcodes.length > 0 && !count.barcodes.includes(barcode)) {
    throw conflict(`Товар ${barcode} не входит в этот пересчёт`)
  }
  const settled = await tx`
    select from count_lines
    where client_id = ${clientId} and count_id = ${countId} and barcode = ${barcode}`
  if (settled.length > 0) throw settledGoods(barcode)
  if (!countsPlaces(count)) return
  if (boxId === undefined && locationId === undefined) {
    throw conflict('Пересчёт по местам: отсканируйте короб или место, где лежит товар')
  }
  const inside =
    boxId === undefined
      ? count.location_ids.includes(locationId ?? '')
      : count.box_ids.includes(boxId) ||
        (
          await tx`
            select from boxes b
            left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
            where b.client_id = ${clientId} and b.id = ${boxId}
              and coalesce(b.location_id, p.location_id) = any(${[...count.location_ids]}::uuid[])`
        ).length > 0
  if (!inside) throw conflict('Этот короб или место не входит в пересчёт')
}

function settledGoods(barcode: string): Error {
  return conflict(`Товар ${barcode} уже посчитан, заново считают другие товары`)
}

async function refuseCounted(
  { tx }: Work,
  clientId: string,
  countId: string,
  { barcode, markingCode }: CountingScan,
): Promise<void> {
  const rows = await tx`
    select from count_scans
    where client_id = ${clientId} and count_id = ${countId} and undone_at is null
      and marking_code = ${markingCode?.identity ?? ''}`
  if (rows.length > 0) throw conflict(`Товар ${barcode}: этот код маркировки уже посчитан`)
}

/**
 * Takes a scan back. Returns false for one that was taken back before. Throws not_found, and conflict once its
 * goods are settled.
 */
export async function undoCountScan(
  work: Work,
  clientId: string,
  countId: string,
  scanId: string,
): Promise<boolean> {
  const { tx, at, actor } = work
  const count = await readCount(work, clientId, countId, 'share')
  const [scan] = await tx<{ barcode: string; undone: boolean; settled: boolean }[]>`
    select s.barcode, s.undone_at is not null as undone, exists (
      select from count_lines l
      where l.client_id = s.client_id and l.count_id = s.count_id and l.barcode = s.barcode) as settled
    from count_scans s
    where s.client_id = ${clientId} and s.count_id = ${countId} and s.scan_id = ${scanId}
    for no key update of s`
  if (scan === undefined) throw notFound('Скан не найден')
  if (scan.undone) return false
  allowCountVerb(count, 'scan')
  if (scan.settled) throw settledGoods(scan.barcode)
  await tx`
    update count_scans set undone_at = ${at}, undone_by = ${actorText(actor)}
    where client_id = ${clientId} and count_id = ${countId} and scan_id = ${scanId}`
  return true
}
