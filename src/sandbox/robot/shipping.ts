import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import {
  fromTimestamp,
  type Instant,
  minute,
  type Timestamp,
} from '../../platform/kernel/moscow-time.ts'
import {
  acceptShipment,
  addOrders,
  closeShipment,
  openShipment,
} from '../../warehouse/shipments/verbs.ts'
import { pickNext } from './picking.ts'
import { pollCabinet } from './poll.ts'

/**
 * Plays the WB cabinet of a sandbox: polls it every three minutes, and ships one shipment at a time:
 *
 *   opened for a new order --orders join, are picked--> closed after 30 min --10 min--> accepted
 *
 * An order may join for 20 minutes, while a unit of its goods is free. The first shipment is the one that the scenario
 * left open; its times count from the copy. Nothing happens in the first three minutes of a copy, so that who has just
 * got a key reads the same thing twice. The robot touches no other order or shipment of the scenario, and no cabinet
 * whose sync fails.
 */

const quietMs = 3 * minute
const pollMs = 3 * minute
const joinMs = 20 * minute
const closeMs = 30 * minute
const acceptMs = 10 * minute
const pickMs = 2 * minute

/** The facts that decide the next step. */
export interface RobotShipping {
  readonly cabinetId: string
  readonly copiedAt: Instant
  /** The last poll since the copy, or the copy itself. */
  readonly polledAt: Instant
  /** The oldest new order with a free unit of its goods. */
  readonly waiting: string | undefined
  readonly open:
    | {
        readonly id: string
        readonly since: Instant
        /** Without cancelled ones. */
        readonly orders: number
        readonly unpacked: number
        readonly pickedAt: Instant
      }
    | undefined
  /** A shipment that was handed over since the copy and is not accepted yet. */
  readonly handedOver: { readonly id: string; readonly since: Instant } | undefined
}

export type ShippingStep =
  | { readonly kind: 'poll' | 'open' }
  | { readonly kind: 'add'; readonly shipmentId: string; readonly orderId: string }
  | { readonly kind: 'pick' | 'close' | 'accept'; readonly shipmentId: string }

/** The step that is due at a moment, if any. */
export function nextShippingStep(state: RobotShipping, now: Instant): ShippingStep | undefined {
  const { copiedAt, polledAt, waiting, open, handedOver } = state
  if (now - copiedAt < quietMs) return undefined
  if (now - polledAt >= pollMs) return { kind: 'poll' }
  if (handedOver !== undefined && now - handedOver.since >= acceptMs) {
    return { kind: 'accept', shipmentId: handedOver.id }
  }
  if (open === undefined) return waiting === undefined ? undefined : { kind: 'open' }
  const shipmentId = open.id
  const age = now - open.since
  if (waiting !== undefined && (age < joinMs || open.orders === 0)) {
    return { kind: 'add', shipmentId, orderId: waiting }
  }
  if (open.unpacked > 0) {
    return now - open.pickedAt >= pickMs ? { kind: 'pick', shipmentId } : undefined
  }
  return open.orders > 0 && age >= closeMs ? { kind: 'close', shipmentId } : undefined
}

export async function takeShippingStep(
  work: Work,
  clientId: string,
  state: RobotShipping,
  step: ShippingStep,
): Promise<void> {
  switch (step.kind) {
    case 'poll':
      return pollCabinet(work, clientId, state)
    case 'open': {
      const number = String(Math.floor(work.now / minute))
      const externalId = `WB-GI-${number}`
      const name = `Поставка ${number.slice(-4)}`
      await openShipment(work, clientId, { cabinetId: state.cabinetId, externalId, name })
      return
    }
    case 'add':
      await addOrders(work, clientId, step.shipmentId, [step.orderId])
      return
    case 'pick':
      await pickNext(work, clientId, step.shipmentId)
      return
    case 'close':
      return closeShipment(work, clientId, step.shipmentId)
    case 'accept':
      return acceptShipment(work, clientId, step.shipmentId)
  }
}

interface ShippingRow {
  copied_at: Timestamp
  cabinet_id: string
  synced_at: Timestamp | null
  waiting: string | null
  open_id: string | null
  opened_at: Timestamp
  orders: number
  unpacked: number
  picked_at: Timestamp | null
  handed_id: string | null
  closed_at: Timestamp
}

/** Undefined where there is no copy, or no WB cabinet whose sync succeeds. */
export async function readShipping(
  db: Queryable,
  clientId: string,
): Promise<RobotShipping | undefined> {
  const [row] = await db<ShippingRow[]>`
    select b.copied_at, k.id as cabinet_id, k.synced_at, waiting.id as waiting, open.*, handed.*
    from sandboxes b
    join cabinets k on k.client_id = b.client_id and k.marketplace = 'WB' and k.active
      and k.sync_error is null
    left join lateral (
      select o.id from orders o
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      join stock_balances s on s.client_id = l.client_id and s.barcode = l.barcode
      where o.client_id = k.client_id and o.cabinet_id = k.id and o.status = 'NEW'
        and not o.observed and o.created_at > b.copied_at
        and s.quantity - s.in_question - s.reserved >= l.quantity
      order by o.created_at limit 1
    ) waiting on true
    left join lateral (
      select s.id as open_id, s.created_at as opened_at, count(o.id)::int as orders,
        count(o.id) filter (where o.packed_at is null)::int as unpacked,
        max(o.packed_at) as picked_at
      from shipments s
      left join orders o on o.client_id = s.client_id and o.shipment_id = s.id
        and o.status <> 'CANCELLED'
      where s.client_id = k.client_id and s.cabinet_id = k.id and s.status = 'ASSEMBLING'
        and not s.observed
      group by s.client_id, s.id order by s.created_at limit 1
    ) open on true
    left join lateral (
      select s.id as handed_id, s.closed_at from shipments s
      where s.client_id = k.client_id and s.cabinet_id = k.id and s.status = 'HANDED_OVER'
        and not s.observed and s.closed_at > b.copied_at
      order by s.closed_at limit 1
    ) handed on true
    where b.client_id = ${clientId} and b.copied_at is not null
    order by k.created_at limit 1`
  return row && shippingOf(row)
}

function shippingOf(row: ShippingRow): RobotShipping {
  const copiedAt = fromTimestamp(row.copied_at)
  const sinceCopy = (at: Timestamp | null) =>
    at === null ? copiedAt : Math.max(copiedAt, fromTimestamp(at))
  return {
    cabinetId: row.cabinet_id,
    copiedAt,
    polledAt: sinceCopy(row.synced_at),
    waiting: row.waiting ?? undefined,
    open:
      row.open_id === null
        ? undefined
        : {
            id: row.open_id,
            since: sinceCopy(row.opened_at),
            orders: row.orders,
            unpacked: row.unpacked,
            pickedAt: sinceCopy(row.picked_at),
          },
    handedOver:
      row.handed_id === null
        ? undefined
        : { id: row.handed_id, since: fromTimestamp(row.closed_at) },
  }
}
