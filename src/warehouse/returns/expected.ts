import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { endStates, type ReturnKind, type ReturnState } from './state.ts'

/**
 * Expected returns: what marketplaces send back to the warehouse. The only writer of expected_returns.
 *
 * - A return is one row by its number in the cabinet, however often it is reported; a report that is older
 *   than the stored one changes nothing. No units move: they do when the goods arrive.
 * - A return that has ended is stored only if it was expected before, and is deleted after `keptMs`.
 * - Where a marketplace lists no returns, an order that is cancelled after its units left is expected for
 *   `expectedMs`.
 */
export interface ReportedReturn {
  /** Its number at the marketplace. */
  readonly externalId: string
  readonly kind: ReturnKind
  readonly state: ReturnState
  /** The marketplace's name of the state. */
  readonly remoteState: string | undefined
  /** The buyer's or the marketplace's reason. */
  readonly reason: string | undefined
  /** The number of the order that it belongs to. */
  readonly orderNumber: string | undefined
  /** The marketplace's number of the goods. */
  readonly itemId: number | undefined
  readonly article: string | undefined
  readonly name: string | undefined
  readonly units: number
  /** When the buyer or the marketplace sent it back. */
  readonly since: Instant | undefined
  readonly changedAt: Instant | undefined
  /** Where it lies, or where it goes. */
  readonly place: { readonly name: string | undefined; readonly address: string | undefined }
  readonly labelCode: string | undefined
  /** When the marketplace disposes of it, unless it is fetched. */
  readonly disposalAt: Instant | undefined
}

const keptMs = 30 * day
const expectedMs = 90 * day
const textMax = 500

/** Records a page of reported returns, of the work's moment. */
export async function recordReturns(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: readonly ReportedReturn[],
): Promise<void> {
  if (reported.length === 0) return
  const { tx } = work
  // Overlapping pages report a return twice: the last report counts.
  const rows = [...new Map(reported.map((one) => [one.externalId, rowOf(one)])).values()]
  await tx`
    insert into expected_returns (client_id, cabinet_id, id, external_id, kind, state, remote_state,
      reason, order_number, item_id, article, name, units, since, changed_at, place_name,
      place_address, label_code, disposal_at, order_id, created_at, synced_at)
    select ${clientId}, ${cabinetId}, r.*, o.id, ${work.at}, ${work.at}
    from jsonb_to_recordset(${tx.json(rows)}) as r
      (id uuid, external_id text, kind text, state text, remote_state text, reason text,
       order_number text, item_id bigint, article text, name text, units integer,
       since timestamptz, changed_at timestamptz, place_name text, place_address text,
       label_code text, disposal_at timestamptz)
    left join orders o on o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = r.order_number
    where not r.state = any(${[...endStates]}) or exists (
      select from expected_returns e
      where e.client_id = ${clientId} and e.cabinet_id = ${cabinetId}
        and e.external_id = r.external_id)
    order by r.external_id
    on conflict (client_id, cabinet_id, external_id) do update set
      kind = excluded.kind, state = excluded.state, remote_state = excluded.remote_state,
      reason = excluded.reason, order_number = excluded.order_number, order_id = excluded.order_id,
      item_id = excluded.item_id, article = excluded.article, name = excluded.name,
      units = excluded.units, since = excluded.since, changed_at = excluded.changed_at,
      place_name = excluded.place_name, place_address = excluded.place_address,
      label_code = excluded.label_code, disposal_at = excluded.disposal_at,
      synced_at = excluded.synced_at
    where expected_returns.synced_at <= excluded.synced_at`
}

function rowOf(reported: ReportedReturn) {
  const { place } = reported
  return {
    id: newId(),
    external_id: reported.externalId,
    kind: reported.kind,
    state: reported.state,
    remote_state: short(reported.remoteState),
    reason: short(reported.reason),
    order_number: short(reported.orderNumber),
    item_id: reported.itemId ?? null,
    article: short(reported.article),
    name: short(reported.name),
    units: reported.units,
    since: timeOrNull(reported.since),
    changed_at: timeOrNull(reported.changedAt),
    place_name: short(place.name),
    place_address: short(place.address),
    label_code: short(reported.labelCode),
    disposal_at: timeOrNull(reported.disposalAt),
  }
}

const short = (text: string | undefined) => text?.slice(0, textMax).toWellFormed() ?? null
const timeOrNull = (at: Instant | undefined) => (at === undefined ? null : toTimestamp(at))

/**
 * For a marketplace that lists no returns: expects the goods of orders that were cancelled after they left.
 * They are received once all that left came back, and not coming after `expectedMs`.
 */
export async function expectCancelledOrders(
  work: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  const { tx, at } = work
  const from = toTimestamp(work.now - expectedMs)
  const own = tx`e.client_id = ${clientId} and e.cabinet_id = ${cabinetId}`
  await tx`
    insert into expected_returns (client_id, cabinet_id, id, external_id, kind, state, remote_state,
      order_id, order_number, item_id, article, units, since, changed_at, created_at, synced_at)
    select o.client_id, o.cabinet_id, gen_random_uuid(), o.external_id,
      case when o.sorted then 'REFUSAL' else 'CANCELLATION' end, 'ON_THE_WAY', o.buyer_status,
      o.id, o.external_id, l.item_id, o.article, gone.units, o.status_changed_at,
      o.status_changed_at, ${at}, ${at}
    from orders o
    join ordered_lines l on l.client_id = o.client_id and l.order_id = o.id and l.line = 1
    cross join lateral (
      select (coalesce((
          select -sum(m.delta) from stock_movements m
          where m.client_id = o.client_id and m.order_id = o.id and m.shipment_id = o.shipment_id), 0)
        + coalesce((
          select sum(x.units) from shipment_shortages x
          where x.client_id = o.client_id and x.shipment_id = o.shipment_id and x.order_id = o.id), 0)
      )::integer as units
    ) gone
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and o.status = 'CANCELLED'
      and o.shipment_id is not null and o.status_changed_at >= ${from} and gone.units > 0
    order by o.external_id
    on conflict (client_id, cabinet_id, external_id) do nothing`
  await tx`
    update expected_returns e set state = 'RECEIVED', changed_at = ${at}
    where ${own} and not e.state = any(${[...endStates]}) and (
        select sum(m.delta) from stock_movements m
        where m.client_id = e.client_id and m.order_id = e.order_id
      ) = 0`
  await tx`
    update expected_returns e set state = 'NOT_COMING', changed_at = ${at}
    where ${own} and not e.state = any(${[...endStates]}) and e.since < ${from}`
}

/** Deletes the returns of a cabinet that ended long ago. */
export async function deleteEndedReturns(
  { tx, now }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    delete from expected_returns
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and state = any(${[...endStates]})
      and coalesce(changed_at, synced_at) < ${toTimestamp(now - keptMs)}`
}

/** Whether any return of the cabinet can be fetched. */
export async function isAnyReady(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<boolean> {
  const [row] = await db<[{ ready: boolean }]>`
    select exists (
      select from expected_returns
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'READY'
    ) as ready`
  return row.ready
}
