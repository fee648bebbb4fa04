import {
  decideAlone,
  resultOf,
  type Verdict,
  verdictOf,
  withoutRepeats,
} from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { unknownProduct } from '../stock/balances.ts'
import { noteCountedLots } from '../stock/counted-lots.ts'
import { countsPlaces } from './expected.ts'
import { allowCountVerb, countKey, shareCount, unknownCount } from './lock.ts'
import { findCountScans } from './queries.ts'
import {
  type AllowedCount,
  type CountingScan,
  expectUnitsOf,
  type OpenedCountScan,
  openCountScans,
  type ReceivedCount,
  recordCountScans,
} from './scan-statements.ts'
import type { CountScan } from './view.ts'
import { forgetIdleWorker, holdWorker } from './workers.ts'

/**
 * What workers count. Each scan keeps what was expected at its moment, under the lock of the product's balance:
 * work goes on meanwhile, and no movement becomes a difference.
 */

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
  const received = { ...scan, clientId, countId, actor: work.actor }
  const { repeated } = resultOf(await decideAlone(work, countTogether, received))
  return !repeated
}

/**
 * Counts units by scans of any counts and clients in one transaction, like countUnits, with a verdict on each.
 * Two scans with the same id, or of the same marking code, do not go together. What scans of the same
 * goods answer as counted includes those of their transaction.
 */
export async function countTogether(
  work: SharedWork,
  received: readonly ReceivedCount[],
): Promise<Verdict<CountScan>[]> {
  // Copies: a verdict belongs to one scan, even where the caller names an object twice.
  const scans = received.map((scan) => ({ ...scan }))
  const open = withoutRepeats(scans, namesOf)
  const opened = await openCountScans(work, open)
  const decided = await Promise.all(open.map((scan, n) => verdictOf(() => decide(scan, opened[n]))))
  const allowed = decided.flatMap((verdict) =>
    verdict.kind === 'done' && verdict.result !== undefined ? [verdict.result] : [],
  )
  const expected = allowed.length === 0 ? [] : await expectUnitsOf(work, allowed)
  const done = open.filter((_, n) => decided[n]?.kind === 'done')
  // Sent at once: what is read includes what is written.
  const [recorded, views] = await Promise.all([
    recordCountScans(work, expected),
    findCountScans(work.tx, done),
  ])
  await noteCountedLots(work, [...recorded])
  const results = new Map(
    done.map((scan, n) => {
      const view = views[n]
      if (view === undefined) throw new Error(`scan ${scan.scanId} vanished`)
      return [scan, { ...view, repeated: !recorded.has(scan) }] as const
    }),
  )
  const refusals = new Map(open.map((scan, n) => [scan, decided[n]] as const))
  return scans.map((scan): Verdict<CountScan> => {
    const result = results.get(scan)
    if (result !== undefined) return { kind: 'done', result }
    const refusal = refusals.get(scan)
    return refusal?.kind === 'refused' ? refusal : { kind: 'apart' }
  })
}

/** Scans that share one do not go together. */
function namesOf(scan: ReceivedCount): string[] {
  const { markingCode } = scan
  const code = markingCode === undefined ? [] : [`${countKey(scan)} code ${markingCode.identity}`]
  return [`${countKey(scan)} scan ${scan.scanId}`, ...code]
}

/** Undefined for a scan that was recorded before. Throws not_found, validation_error or conflict. */
function decide(
  scan: ReceivedCount,
  opened: OpenedCountScan | undefined,
): AllowedCount | undefined {
  if (opened === undefined) throw unknownCount()
  if (opened.isRecorded) return undefined
  allowCountVerb(opened.count, 'scan')
  refuseOutside(scan, opened)
  const { barcode } = scan
  if (!opened.isKnown) throw unknownProduct(barcode)
  if (opened.isCoded) throw conflict(`Товар ${barcode}: этот код маркировки уже посчитан`)
  return { scan, opened }
}

function refuseOutside(
  { barcode, boxId, locationId }: ReceivedCount,
  { count, isSettled, boxLocationId }: OpenedCountScan,
): void {
  if (count.barcodes.length > 0 && !count.barcodes.includes(barcode)) {
    throw conflict(`Товар ${barcode} не входит в этот пересчёт`)
  }
  if (isSettled) throw settledGoods(barcode)
  if (!countsPlaces(count)) return
  if (boxId === undefined && locationId === undefined) {
    throw conflict('Пересчёт по местам: отсканируйте короб или место, где лежит товар')
  }
  const inside =
    count.location_ids.includes((boxId === undefined ? locationId : boxLocationId) ?? '') ||
    (boxId !== undefined && count.box_ids.includes(boxId))
  if (!inside) throw conflict('Этот короб или место не входит в пересчёт')
}

function settledGoods(barcode: string): Error {
  return conflict(`Товар ${barcode} уже посчитан, заново считают другие товары`)
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
  const count = await shareCount(work, clientId, countId)
  const [scan] = await tx<{ barcode: string; actor: string; undone: boolean; settled: boolean }[]>`
    select s.barcode, s.actor, s.undone_at is not null as undone, exists (
      select from count_lines l
      where l.client_id = s.client_id and l.count_id = s.count_id and l.barcode = s.barcode) as settled
    from count_scans s
    where s.client_id = ${clientId} and s.count_id = ${countId} and s.scan_id = ${scanId}
    for no key update of s`
  if (scan === undefined) throw notFound('Скан не найден')
  if (scan.undone) return false
  allowCountVerb(count, 'scan')
  if (scan.settled) throw settledGoods(scan.barcode)
  await holdWorker(work, clientId, countId, scan.actor)
  await tx`
    with undone as (
      update count_scans set undone_at = ${at}, undone_by = ${actorText(actor)}
      where client_id = ${clientId} and count_id = ${countId} and scan_id = ${scanId}
      returning client_id, count_id, barcode, units
    )
    update count_goods g set units = g.units - u.units, scans = g.scans - 1 from undone u
    where g.client_id = u.client_id and g.count_id = u.count_id and g.barcode = u.barcode`
  await forgetIdleWorker(work, clientId, countId, scan.actor)
  return true
}
