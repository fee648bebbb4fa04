import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { mergedInto } from '../catalogue/merged-products.ts'
import { applyCountedLots, type CountedLot } from '../stock/counted-lots.ts'
import { noPlace } from '../stock/lots.ts'
import { type CountScope, expectedInScope } from './expected.ts'
import { advanceCount } from './lock.ts'
import { refusalOfDecided } from './state.ts'

/** The life of a count: opened, started, reviewed, counted again, closed or cancelled. */

export interface NewCount extends CountScope {
  readonly blind: boolean
  /** The client wished it, and is charged for it. */
  readonly for_client?: boolean
}

export async function openCount(work: Work, clientId: string, draft: NewCount): Promise<string> {
  const { tx, at, actor } = work
  const id = newId()
  const barcodes = await keptApart(work, clientId, draft.barcodes)
  await tx`
    insert into stock_counts
      (client_id, id, status, blind, for_client, barcodes, box_ids, location_ids, created_at, created_by)
    values (${clientId}, ${id}, 'DRAFT', ${draft.blind}, ${draft.for_client ?? false}, ${[...barcodes]}::text[],
      ${[...draft.box_ids]}::uuid[], ${[...draft.location_ids]}::uuid[], ${at}, ${actorText(actor)})`
  return id
}

/**
 * Keeps the goods of a scope from being merged, and answers with their barcodes. Goods that were merged since the scope
 * was read count as the product that they became.
 */
async function keptApart(
  { tx }: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlySet<string>> {
  await tx`
    select from products where client_id = ${clientId} and barcode = any(${[...barcodes]})
    order by barcode for key share`
  const merged = await mergedInto(tx, clientId, barcodes)
  return new Set(barcodes.map((barcode) => merged.get(barcode) ?? barcode))
}

export async function startCount(work: Work, clientId: string, id: string): Promise<void> {
  await advanceCount(work, clientId, id, 'start')
}

/**
 * Ends counting: every product that was counted or expected gets a line. What nobody scanned was counted as 0
 * and is compared with what is expected now.
 */
export async function reviewCount(work: Work, clientId: string, id: string): Promise<void> {
  const { tx } = work
  const scope = await advanceCount(work, clientId, id, 'review')
  await tx`
    insert into count_lines (client_id, count_id, barcode, counted, expected_min, expected_max)
    select ${clientId}, ${id}, coalesce(s.barcode, e.barcode), coalesce(s.counted, 0),
      coalesce(s.expected_min, e.units), coalesce(s.expected_max, e.units)
    from (
      select barcode, sum(units)::bigint as counted, min(expected) as expected_min,
        max(expected) as expected_max
      from count_scans
      where client_id = ${clientId} and count_id = ${id} and undone_at is null
      group by barcode
    ) s
    full join (
      select * from (${expectedInScope(tx, clientId, scope)}) e
      where e.units > 0
        ${scope.barcodes.length === 0 ? tx`` : tx`or e.barcode = any(${[...scope.barcodes]})`}
    ) e on e.barcode = s.barcode
    on conflict (client_id, count_id, barcode) do nothing`
}

/**
 * Sends goods of a reviewed count back to be counted again: their scans no longer count, and nobody is done. Throws
 * validation_error for goods without a line, and conflict for those that were decided on.
 */
export async function recountLines(
  work: Work,
  clientId: string,
  id: string,
  barcodes: readonly string[],
): Promise<void> {
  const { tx, at, actor } = work
  await advanceCount(work, clientId, id, 'recount')
  const named = [...new Set(barcodes)]
  const lines = await tx<{ barcode: string; outcome: string | null }[]>`
    select barcode, outcome from count_lines
    where client_id = ${clientId} and count_id = ${id} and barcode = any(${named})`
  for (const [n, barcode] of named.entries()) {
    const line = lines.find((each) => each.barcode === barcode)
    if (line === undefined) {
      throw invalidField(`barcodes[${n}]`, `товара ${barcode} в этом пересчёте нет`)
    }
    if (line.outcome !== null) throw conflict(`По товару ${barcode} уже решено`)
  }
  await tx`
    update count_scans set undone_at = ${at}, undone_by = ${actorText(actor)}
    where client_id = ${clientId} and count_id = ${id} and barcode = any(${named})
      and undone_at is null`
  await tx`
    delete from count_goods
    where client_id = ${clientId} and count_id = ${id} and barcode = any(${named})`
  await tx`
    delete from count_lines
    where client_id = ${clientId} and count_id = ${id} and barcode = any(${named})`
  await tx`delete from count_workers where client_id = ${clientId} and count_id = ${id}`
}

/** Throws conflict while a line that differs is undecided. */
export async function closeCount(work: Work, clientId: string, id: string): Promise<void> {
  await advanceCount(work, clientId, id, 'close')
  const open = await work.tx<{ barcode: string }[]>`
    select barcode from count_lines
    where client_id = ${clientId} and count_id = ${id} and outcome is null
      and counted not between expected_min and expected_max
    order by barcode`
  if (open.length > 0) {
    throw conflict(
      `Не решено строк с расхождением: ${open.length}, например товар ${open[0]?.barcode}`,
    )
  }
  await applyCountedLots(work, clientId, await countedLots(work, clientId, id))
}

/** Units of each lot that workers saw at each place. */
function countedLots({ tx }: Work, clientId: string, id: string): Promise<CountedLot[]> {
  return tx<CountedLot[]>`
    select s.barcode, case when s.box_id is not null then 'box' when s.location_id is not null then 'location'
        else 'loose' end as place,
      coalesce(s.box_id, s.location_id, ${noPlace}::uuid) as "placeId",
      l.expires_on::text as "expiresOn", l.number, sum(s.units)::bigint as units
    from count_scans s
    join scan_lots l on l.client_id = s.client_id and l.kind = 'count' and l.object_id = s.count_id
      and l.scan_id = s.scan_id
    where s.client_id = ${clientId} and s.count_id = ${id} and s.undone_at is null
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`
}

/** Throws conflict once a line was decided on. */
export async function cancelCount(work: Work, clientId: string, id: string): Promise<void> {
  await advanceCount(work, clientId, id, 'cancel')
  const [decided] = await work.tx<{ barcode: string }[]>`
    select barcode from count_lines
    where client_id = ${clientId} and count_id = ${id} and outcome is not null
    order by barcode limit 1`
  if (decided !== undefined) throw conflict(refusalOfDecided(decided.barcode))
}

/** The error for a line that a count does not have. */
export function unknownCountLine(barcode: string): Error {
  return notFound(`Товара ${barcode} в этом пересчёте нет`)
}
