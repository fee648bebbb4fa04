import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { changeHandOver } from './change.ts'
import type { LatenessCost, OrderFacts } from './fact-kinds.ts'
import { isReportedLater, type LockedOrder, lockOrderBook, lockOrdersOfCabinet } from './lock.ts'

/** The only writer of `order_facts`. */

export interface FactsOfOrder {
  readonly orderId: string
  readonly facts: OrderFacts
}

/** The moment as it is shown. */
export type StoredLatenessCost = Omit<LatenessCost, 'until'> & { readonly until: Timestamp | null }

export interface StoredFacts {
  readonly order_id: string
  /** Both columns are in `orders`, where lists find them. */
  readonly remote_warehouse_id: string | null
  readonly reported_deadline_at: Timestamp | null
  readonly deadline_without_delay_at: Timestamp | null
  readonly lateness_costs: readonly StoredLatenessCost[] | null
  readonly warehouse_name: string | null
  readonly scheme: string | null
  readonly cargo_type: string | null
  readonly cross_border_type: string | null
  readonly comment: string | null
  readonly cancel_reason: string | null
  readonly cancelled_by: string | null
  readonly cancellable: boolean | null
  readonly label_codes: readonly string[]
  readonly parent_number: string | null
  readonly related_numbers: readonly string[]
  readonly boxes: number | null
  readonly needs_boxes: boolean | null
  readonly listed: string | null
  readonly details_of: string | null
}

export const nothingKnown: Omit<StoredFacts, 'order_id'> = {
  remote_warehouse_id: null,
  reported_deadline_at: null,
  deadline_without_delay_at: null,
  lateness_costs: null,
  warehouse_name: null,
  scheme: null,
  cargo_type: null,
  cross_border_type: null,
  comment: null,
  cancel_reason: null,
  cancelled_by: null,
  cancellable: null,
  label_codes: [],
  parent_number: null,
  related_numbers: [],
  boxes: null,
  needs_boxes: null,
  listed: null,
  details_of: null,
}

/** Merges reported facts into stored ones. Undefined if nothing changes. */
export function mergeFacts(stored: StoredFacts, facts: OrderFacts): StoredFacts | undefined {
  const merged = {
    ...stored,
    ...reportedColumns(facts),
    label_codes: mergeLabelCodes(facts.labelCodes ?? [], stored.label_codes),
  }
  return isDeepStrictEqual(merged, stored) ? undefined : merged
}

/** Codes of an order that are kept, the latest first. */
const labelCodesMax = 20

/** A label that was printed keeps its codes, whatever a later report names. */
function mergeLabelCodes(reported: readonly string[], stored: readonly string[]): string[] {
  return [...new Set([...reported, ...stored])].slice(0, labelCodesMax)
}

/** The columns that a report has a value for, null included. */
function reportedColumns(facts: OrderFacts): Partial<StoredFacts> {
  const columns = {
    remote_warehouse_id: facts.warehouseId,
    reported_deadline_at: shownTime(facts.deadline),
    deadline_without_delay_at: shownTime(facts.deadlineWithoutDelay),
    lateness_costs: storedCosts(facts.latenessCosts),
    warehouse_name: facts.warehouseName,
    scheme: facts.scheme,
    cargo_type: facts.cargoType,
    cross_border_type: facts.crossBorderType,
    comment: facts.comment,
    cancel_reason: facts.cancelReason,
    cancelled_by: facts.cancelledBy,
    cancellable: facts.cancellable,
    parent_number: facts.parentNumber,
    related_numbers: facts.relatedNumbers,
    boxes: facts.boxes,
    needs_boxes: facts.needsBoxes,
    listed: facts.listed,
    details_of: facts.detailsOf,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function shownTime(instant: Instant | null | undefined): Timestamp | null | undefined {
  return instant == null ? instant : toTimestamp(instant)
}

function storedCosts(
  costs: readonly LatenessCost[] | null | undefined,
): readonly StoredLatenessCost[] | null | undefined {
  if (costs == null) return costs
  return costs.map((cost) => ({ ...cost, until: shownTime(cost.until) ?? null }))
}

/** Stores what a report says of new orders. Their warehouse and deadline are in their rows. */
export async function insertFacts(
  work: Work,
  clientId: string,
  orders: readonly FactsOfOrder[],
): Promise<void> {
  const rows = orders.flatMap(
    ({ orderId, facts }) => mergeFacts({ order_id: orderId, ...nothingKnown }, facts) ?? [],
  )
  await writeFacts(work, clientId, rows)
}

/** The reported facts of those orders that were not reported later. */
export function latestFacts(
  work: Work,
  orders: readonly LockedOrder[],
  reported: ReadonlyMap<string, { readonly facts?: OrderFacts }>,
): FactsOfOrder[] {
  return orders.flatMap((order) => {
    const { facts } = reported.get(order.external_id) ?? {}
    return facts === undefined || isReportedLater(work, order) ? [] : [{ orderId: order.id, facts }]
  })
}

/** Applies the facts of a report to orders that the caller has locked. */
export async function updateFacts(
  work: Work,
  clientId: string,
  orders: readonly FactsOfOrder[],
): Promise<void> {
  if (orders.length === 0) return
  const stored = await storedFacts(
    work,
    clientId,
    orders.map(({ orderId }) => orderId),
  )
  const changed = orders.flatMap(({ orderId, facts }) => {
    const known = stored.get(orderId)
    return (known && mergeFacts(known, facts)) ?? []
  })
  await writeFacts(work, clientId, changed)
  await changeHandOver(
    work,
    clientId,
    changed.filter((facts) => {
      const known = stored.get(facts.order_id)
      return (
        facts.remote_warehouse_id !== known?.remote_warehouse_id ||
        facts.reported_deadline_at !== known.reported_deadline_at
      )
    }),
  )
}

async function storedFacts(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, StoredFacts>> {
  const rows = await tx<StoredFacts[]>`
    select o.id as order_id, o.remote_warehouse_id, f.reported_deadline_at,
      f.deadline_without_delay_at, f.lateness_costs, f.warehouse_name, f.scheme, f.cargo_type, f.cross_border_type,
      f.comment, f.cancel_reason, f.cancelled_by, f.cancellable,
      coalesce(f.label_codes, '{}') as label_codes, f.parent_number,
      coalesce(f.related_numbers, '{}') as related_numbers, f.boxes, f.needs_boxes, f.listed,
      f.details_of
    from orders o left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and o.id = any(${orderIds as string[]}::uuid[])`
  return new Map(rows.map((row) => [row.order_id, row]))
}

/** The code that is most likely printed on the label of an order; undefined where none is known. */
export async function labelCodeOf(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<string | undefined> {
  const [row] = await db<{ code: string | null }[]>`
    select label_codes[1] as code from order_facts
    where client_id = ${clientId} and order_id = ${orderId}`
  return row?.code ?? undefined
}

/** Codes on the labels of orders, by the order's number in its cabinet. */
export type LabelCodes = ReadonlyMap<string, readonly string[]>

/** Adds codes to those that are known already. */
export async function addLabelCodes(
  work: Work,
  clientId: string,
  cabinetId: string,
  codes: LabelCodes,
): Promise<void> {
  await lockOrderBook(work, clientId)
  const orders = await lockOrdersOfCabinet(work, clientId, cabinetId, [...codes.keys()])
  const facts = orders.map(({ id, external_id: number }) => ({
    orderId: id,
    facts: { labelCodes: codes.get(number) },
  }))
  await updateFacts(work, clientId, facts)
}

/** Notes when the marketplace was asked for the codes of these orders, so that it is not asked in each run. */
export async function noteLabelsAsked(
  { tx, at }: Work,
  clientId: string,
  cabinetId: string,
  numbers: readonly string[],
): Promise<void> {
  await tx`
    insert into order_facts (client_id, order_id, label_asked_at)
    select o.client_id, o.id, ${at} from orders o
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = any(${[...numbers]})
    on conflict (client_id, order_id) do update set label_asked_at = excluded.label_asked_at`
}

/** Those of the given codes that no order of the number has yet. */
export async function unknownLabelCodes(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  codes: LabelCodes,
): Promise<LabelCodes> {
  const rows = await db<{ number: string; label_codes: string[] }[]>`
    select o.external_id as number, f.label_codes
    from orders o join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = any(${[...codes.keys()]})`
  const known = new Map(rows.map(({ number, label_codes }) => [number, new Set(label_codes)]))
  return new Map(
    [...codes].filter(([number, own]) => own.some((code) => !known.get(number)?.has(code))),
  )
}

async function writeFacts(
  { tx }: Work,
  clientId: string,
  rows: readonly StoredFacts[],
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into order_facts (client_id, order_id, reported_deadline_at, deadline_without_delay_at,
      lateness_costs, warehouse_name, scheme, cargo_type, cross_border_type, comment, cancel_reason, cancelled_by,
      cancellable, label_codes, parent_number, related_numbers, boxes,
      needs_boxes, listed, details_of)
    select ${clientId}, f.*
    from jsonb_to_recordset(${tx.json(rows.map((row) => ({ ...row })))}) as f
      (order_id uuid, reported_deadline_at timestamptz, deadline_without_delay_at timestamptz,
       lateness_costs jsonb, warehouse_name text, scheme text, cargo_type text, cross_border_type text, comment text,
       cancel_reason text, cancelled_by text, cancellable boolean, label_codes text[],
       parent_number text, related_numbers text[], boxes integer, needs_boxes boolean, listed text,
       details_of text)
    on conflict (client_id, order_id) do update set
      reported_deadline_at = excluded.reported_deadline_at,
      deadline_without_delay_at = excluded.deadline_without_delay_at,
      lateness_costs = excluded.lateness_costs,
      warehouse_name = excluded.warehouse_name, scheme = excluded.scheme,
      cargo_type = excluded.cargo_type, cross_border_type = excluded.cross_border_type,
      comment = excluded.comment, cancel_reason = excluded.cancel_reason,
      cancelled_by = excluded.cancelled_by, cancellable = excluded.cancellable,
      label_codes = excluded.label_codes, parent_number = excluded.parent_number,
      related_numbers = excluded.related_numbers, boxes = excluded.boxes,
      needs_boxes = excluded.needs_boxes, listed = excluded.listed,
      details_of = excluded.details_of`
}
