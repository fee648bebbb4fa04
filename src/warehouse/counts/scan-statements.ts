import type { SharedWork } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import type { Lot } from '../../platform/kernel/codes/lot.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { lockBalances } from '../stock/balances.ts'
import { storedUnits } from '../storage/excess.ts'
import { type CountPlace, countsPlaces, expectedInScope } from './expected.ts'
import { type CountName, countKey, type LockedCount, shareCounts } from './lock.ts'

/**
 * The statements that record scans of counts, any number of them at once, of any counts and clients. They lock
 * counts and then balances, each in the order of clients, and of ids and barcodes within one.
 */

export interface CountingScan extends CountPlace {
  /** Chosen by the handheld. A repeated id counts nothing. */
  readonly scanId: string
  readonly barcode: string
  readonly markingCode?: MarkingCode
  /** 0 says that none are there. */
  readonly units: number
  /** The lot of the units, of goods whose expiry dates are kept. */
  readonly lot?: Lot | undefined
  /** A manager accepts it after its time: whoever does so does not count. */
  readonly isLate?: boolean
}

/** A scan, the count that it is of, and who made it. */
export interface ReceivedCount extends CountingScan, CountName {
  readonly actor: Actor
}

/** What a scan is judged by. It stays so until the transaction ends, apart from `isRecorded`. */
export interface OpenedCountScan {
  readonly count: LockedCount
  /** Whether the client has the goods. */
  readonly isKnown: boolean
  /** Whether the count has a scan with this id. */
  readonly isRecorded: boolean
  /** Whether the goods have a line, with which counting them ended. */
  readonly isSettled: boolean
  /** Whether the count has a scan of this marking code. */
  readonly isCoded: boolean
  /** The location of the scanned box. */
  readonly boxLocationId: string | null
  /** Units of the goods in the scanned box, or loose at the scanned location. */
  readonly storedHere: number
}

/** Answers in the order of the scans; undefined where the client has no such count. */
export async function openCountScans(
  work: SharedWork,
  scans: readonly ReceivedCount[],
): Promise<(OpenedCountScan | undefined)[]> {
  const clients = [...Map.groupBy(scans, ({ clientId }) => clientId)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  // All are sent at once, in the order of their locks; what is read is read under these locks.
  const [counts, held, facts] = await Promise.all([
    shareCounts(work, scans),
    Promise.all(
      clients.map(async ([clientId, ofClient]) => {
        const balances = await lockBalances(work, clientId, barcodesOf(ofClient))
        return [clientId, balances] as const
      }),
    ),
    readFacts(work, scans),
  ])
  const balances = new Map(held)
  return scans.map((scan, n) => {
    const count = counts.get(countKey(scan))
    const fact = facts.get(n)
    const isKnown = balances.get(scan.clientId)?.has(scan.barcode) ?? false
    return count && fact && { ...fact, count, isKnown }
  })
}

type Facts = Omit<OpenedCountScan, 'count' | 'isKnown'>

/** It counts where `exists` would do, because the planner turns `exists` for many rows into a scan of the whole table. */
async function readFacts(
  { tx }: SharedWork,
  scans: readonly ReceivedCount[],
): Promise<ReadonlyMap<number, Facts>> {
  const rows = scans.map((scan, n) => ({
    n,
    client_id: scan.clientId,
    count_id: scan.countId,
    scan_id: scan.scanId,
    barcode: scan.barcode,
    identity: scan.markingCode?.identity,
    box_id: scan.boxId,
    location_id: scan.locationId,
  }))
  const facts = await tx<(Facts & { n: number })[]>`
    select q.n, (
        select count(*) from count_scans s
        where s.client_id = q.client_id and s.count_id = q.count_id and s.scan_id = q.scan_id
      ) > 0 as "isRecorded", (
        select count(*) from count_lines l
        where l.client_id = q.client_id and l.count_id = q.count_id and l.barcode = q.barcode
      ) > 0 as "isSettled", (
        select count(*) from count_scans s
        where s.client_id = q.client_id and s.count_id = q.count_id
          and s.marking_code = q.identity and s.undone_at is null
      ) > 0 as "isCoded", (
        select coalesce(b.location_id, p.location_id) from boxes b
        left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
        where b.client_id = q.client_id and b.id = q.box_id
      ) as "boxLocationId", coalesce((
        select c.quantity from box_contents c
        where c.client_id = q.client_id and c.box_id = q.box_id and c.barcode = q.barcode
      ), (
        select c.quantity from location_contents c
        where c.client_id = q.client_id and c.location_id = q.location_id and c.barcode = q.barcode
      ), 0) as "storedHere"
    from jsonb_to_recordset(${tx.json(rows)}) as q
      (n integer, client_id uuid, count_id uuid, scan_id text, barcode text, identity text,
       box_id uuid, location_id uuid)`
  return new Map(facts.map(({ n, ...fact }) => [n, fact]))
}

/** A scan that was allowed, and what it was judged by. */
export interface AllowedCount {
  readonly scan: ReceivedCount
  readonly opened: OpenedCountScan
}

/** A scan with the units that should be found. */
export interface ExpectedCount {
  readonly scan: ReceivedCount
  /** In all that is counted. */
  readonly expected: number
  /** In the scanned box, loose at the scanned location, or in neither. */
  readonly expectedHere: number
}

/** What the scans should find. The balances of their goods are locked. */
export async function expectUnitsOf(
  { tx }: SharedWork,
  allowed: readonly AllowedCount[],
): Promise<ExpectedCount[]> {
  const counts = Map.groupBy(allowed, ({ scan }) => scan.countId)
  const unplaced = Map.groupBy(
    allowed.filter(({ scan, opened }) => isUnplaced(scan) && !countsPlaces(opened.count)),
    ({ scan }) => scan.clientId,
  )
  const [scopes, places] = await Promise.all([
    Promise.all(
      [...counts].map(async ([countId, ofCount]) => {
        const [first] = ofCount
        if (first === undefined) throw new Error('a group without a scan')
        const scope = first.opened.count
        const barcodes = barcodesOf(ofCount.map(({ scan }) => scan))
        const rows = await tx<{ barcode: string; units: number }[]>`
          select e.barcode, e.units
          from (${expectedInScope(tx, first.scan.clientId, scope, barcodes)}) e`
        return [countId, new Map(rows.map(({ barcode, units }) => [barcode, units]))] as const
      }),
    ),
    Promise.all(
      [...unplaced].map(async ([clientId, ofClient]) => {
        const barcodes = barcodesOf(ofClient.map(({ scan }) => scan))
        return [clientId, await storedUnits({ tx }, clientId, barcodes)] as const
      }),
    ),
  ])
  const inScope = new Map(scopes)
  const stored = new Map(places)
  return allowed.map(({ scan, opened }) => {
    const expected = inScope.get(scan.countId)?.get(scan.barcode) ?? 0
    const inPlaces = stored.get(scan.clientId)?.get(scan.barcode) ?? 0
    return {
      scan,
      expected,
      expectedHere: isUnplaced(scan) ? expected - inPlaces : opened.storedHere,
    }
  })
}

const isUnplaced = ({ boxId, locationId }: CountPlace) =>
  boxId === undefined && locationId === undefined

const barcodesOf = (scans: readonly ReceivedCount[]) => [
  ...new Set(scans.map(({ barcode }) => barcode)),
]

/**
 * Records scans. A worker who made one in time is among those who count. Answers with the scans that no other
 * transaction has recorded.
 */
export async function recordCountScans(
  { tx, at }: SharedWork,
  counts: readonly ExpectedCount[],
): Promise<ReadonlySet<ReceivedCount>> {
  if (counts.length === 0) return new Set()
  const rows = counts.map(({ scan, expected, expectedHere }) => ({
    client_id: scan.clientId,
    count_id: scan.countId,
    scan_id: scan.scanId,
    barcode: scan.barcode,
    marking_code: scan.markingCode?.identity,
    box_id: scan.boxId,
    location_id: scan.locationId,
    units: scan.units,
    expected,
    expected_here: expectedHere,
    actor: actorText(scan.actor),
    is_late: scan.isLate ?? false,
  }))
  const recorded = await tx<CountScanName[]>`
    with scans as materialized (
      select * from jsonb_to_recordset(${tx.json(rows)}) as s
        (client_id uuid, count_id uuid, scan_id text, barcode text, marking_code text, box_id uuid,
         location_id uuid, units bigint, expected bigint, expected_here bigint, actor text, is_late boolean)
    ), recorded as (
      insert into count_scans (client_id, count_id, scan_id, barcode, marking_code, box_id, location_id,
        units, expected, expected_here, at, actor)
      select client_id, count_id, scan_id, barcode, marking_code, box_id, location_id, units, expected,
        expected_here, ${at}::timestamptz, actor
      from scans
      order by client_id, count_id, scan_id
      on conflict (client_id, count_id, scan_id) do nothing
      returning client_id, count_id, scan_id, barcode, units
    ), counting as (
      insert into count_workers as w (client_id, count_id, actor)
      select distinct client_id, count_id, s.actor
      from recorded join scans s using (client_id, count_id, scan_id) where not s.is_late
      order by client_id, count_id, actor
      on conflict (client_id, count_id, actor) do update set done_at = null where w.done_at is not null
      returning 1
    ), added as (
      insert into count_goods as g (client_id, count_id, barcode, units, scans)
      select client_id, count_id, barcode, sum(units), count(*) from recorded
      where (select count(*) from counting) >= 0 -- workers are held before goods
      group by client_id, count_id, barcode order by client_id, count_id, barcode
      on conflict (client_id, count_id, barcode) do update
      set units = g.units + excluded.units, scans = g.scans + excluded.scans
    )
    select client_id as "clientId", count_id as "countId", scan_id as "scanId" from recorded`
  const names = new Set(recorded.map(scanKey))
  return new Set(counts.map(({ scan }) => scan).filter((scan) => names.has(scanKey(scan))))
}

export interface CountScanName extends CountName {
  readonly scanId: string
}

/** Unique among the scans of all counts. */
export const scanKey = (name: CountScanName) => `${countKey(name)} ${name.scanId}`
