import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { productNames } from '../catalogue/product-names.ts'
import { tell } from '../events/news.ts'
import type { ReturnScanName } from './return-scans.ts'
import type { ReturnedUnit } from './returned-unit.ts'
import type { ReturnCondition } from './state.ts'

/**
 * Writes new rows of `return_scans`. Each scan stands at the line of its batch and at the return of the marketplace
 * that waited for its unit.
 */

export interface NewReturnScan extends ReturnScanName {
  /** It named no batch. */
  readonly ofDay: boolean
  readonly code: string
  readonly condition: ReturnCondition
  readonly reason: string | undefined
  readonly actor: Actor
  /** The marketplace's return that the code names. */
  readonly expectedReturnId: string | undefined
  readonly unit: ReturnedUnit
}

/**
 * Records scans of different orders. The caller has locked their batches, orders and balances. Returns those that no
 * other transaction has recorded.
 */
export async function recordReturnScans<Scan extends NewReturnScan>(
  work: SharedWork,
  scans: readonly Scan[],
): Promise<Scan[]> {
  if (scans.length === 0) return []
  const { tx, at } = work
  const places = await placesOf(tx, scans)
  const rows = scans.map((scan, n) => ({ ...places[n], ...rowOf(scan) }))
  const recorded = await tx<{ client_id: string; return_id: string; scan_id: string }[]>`
    insert into return_scans (at, client_id, return_id, scan_id, of_day, code, line,
      expected_return_id, order_id, shipment_id, pick_scan_id, barcode, marking_code, new_code,
      condition, reason, actor)
    select ${at}::timestamptz, s.*
    from jsonb_to_recordset(${tx.json(rows)}) as s
      (client_id uuid, return_id uuid, scan_id text, of_day boolean, code text, line integer,
       expected_return_id uuid, order_id uuid, shipment_id uuid, pick_scan_id text, barcode text,
       marking_code text, new_code boolean, condition text, reason text, actor text)
    order by client_id, return_id, scan_id
    on conflict do nothing
    returning client_id, return_id, scan_id`
  const known = new Set(recorded.map((row) => keyOf(row.client_id, row.return_id, row.scan_id)))
  const added = scans.filter(({ clientId, returnId, scanId }) =>
    known.has(keyOf(clientId, returnId, scanId)),
  )
  await tellOfDamaged(work, added)
  return added
}

async function tellOfDamaged(work: SharedWork, added: readonly NewReturnScan[]): Promise<void> {
  const damaged = added.filter(({ condition }) => condition === 'damaged')
  const goods = damaged.map(({ clientId, unit: { barcode } }) => ({ client_id: clientId, barcode }))
  const nameOf = await productNames(work.tx, goods)
  const news = damaged.map(({ clientId, returnId, scanId, unit: { barcode } }) => {
    const subject = nameOf(clientId, barcode) ?? barcode
    const key = keyOf(returnId, scanId)
    return { clientId, kind: 'return_damaged', key, objectId: returnId, subject } as const
  })
  await tell(work, news)
}

const keyOf = (...parts: readonly string[]) => parts.join(' ')

function rowOf({ unit, actor, ...scan }: NewReturnScan) {
  return {
    client_id: scan.clientId,
    return_id: scan.returnId,
    scan_id: scan.scanId,
    of_day: scan.ofDay,
    code: scan.code,
    order_id: unit.order?.id,
    shipment_id: unit.order?.shipmentId,
    pick_scan_id: unit.pickScanId,
    barcode: unit.barcode,
    marking_code: unit.newCode?.identity ?? unit.identity,
    new_code: unit.newCode !== undefined,
    condition: scan.condition,
    reason: scan.reason,
    actor: actorText(actor),
  }
}

/** Where a scan belongs. Null: nobody expected the unit. */
interface Place {
  readonly line: number | null
  readonly expected_return_id: string | null
}

/** Lines are given in the order of the scans: what one takes the next does not find. */
async function placesOf(db: Queryable, scans: readonly NewReturnScan[]): Promise<Place[]> {
  const waiting = await expectationsOf(db, scans)
  const left = new Map<string, number>()
  return scans.map(({ clientId, returnId }, n) => {
    const { expectation = null, lines = [] } = waiting.get(n) ?? {}
    const keyOfLine = (line: number) => keyOf(clientId, returnId, `${line}`)
    const free = lines.find(({ line, units }) => (left.get(keyOfLine(line)) ?? units) > 0)
    if (free !== undefined) {
      const key = keyOfLine(free.line)
      left.set(key, (left.get(key) ?? free.units) - 1)
    }
    return { line: free?.line ?? null, expected_return_id: expectation }
  })
}

interface Expectation {
  readonly expectation: string | null
  /** Lines of the batch that still wait for units, the best one first. */
  readonly lines: readonly { readonly line: number; readonly units: number }[]
}

async function expectationsOf(
  db: Queryable,
  scans: readonly NewReturnScan[],
): Promise<ReadonlyMap<number, Expectation>> {
  const asked = scans.map(({ clientId, returnId, expectedReturnId, unit }, n) => ({
    n,
    client_id: clientId,
    return_id: returnId,
    named: expectedReturnId,
    order_id: unit.order?.id,
    barcode: unit.barcode,
  }))
  const rows = await db<(Expectation & { n: number })[]>`
    select q.n, e.id as expectation, p.lines
    from jsonb_to_recordset(${db.json(asked)}) as q
      (n integer, client_id uuid, return_id uuid, named uuid, order_id uuid, barcode text)
    left join lateral (
      select w.id from (
        select e.client_id, e.id, e.created_at, e.units from expected_returns e
        where e.client_id = q.client_id and e.id = q.named
        union all
        select e.client_id, e.id, e.created_at, e.units from expected_returns e
        where q.named is null and e.client_id = q.client_id and e.order_id = q.order_id
          and e.state <> 'NOT_COMING'
      ) w
      where w.units > (
        select count(*) from return_scans s
        where s.client_id = w.client_id and s.expected_return_id = w.id and s.undone_at is null)
      order by w.created_at, w.id limit 1
    ) e on true
    cross join lateral (
      select coalesce(json_agg(json_build_object('line', w.line, 'units', w.units)
        order by w.is_expected desc nulls last, w.line), '[]') as lines
      from (
        select l.line, l.expected_return_id = e.id as is_expected, l.units - (
            select count(*) from return_scans s
            where s.client_id = l.client_id and s.return_id = l.return_id and s.line = l.line
              and s.undone_at is null) as units
        from return_lines l
        where l.client_id = q.client_id and l.return_id = q.return_id
          and coalesce(l.barcode, q.barcode) = q.barcode
          and (l.order_id = q.order_id or l.order_id is null
            and (l.expected_return_id = e.id or l.barcode is not null))
      ) w
      where w.units > 0
    ) p`
  return new Map(rows.map((row) => [row.n, row]))
}
