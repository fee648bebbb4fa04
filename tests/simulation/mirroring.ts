import assert from 'node:assert/strict'
import type { Queryable } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import type { Timestamp } from '../../src/platform/kernel/moscow-time.ts'
import { mirrorShipment } from '../../src/warehouse/shipments/mirror.ts'
import { servedSets, takeParts } from './composing.ts'
import {
  type Client,
  emptyShipment,
  free,
  move,
  nameMergedGoods,
  type Order,
  ownBarcode,
  type Shipment,
  type ShipmentStatus,
  statusOf,
} from './model.ts'
import { changing } from './selling.ts'
import { ordersOf } from './shipping.ts'
import { type Actor, some, type World } from './world.ts'

/** Mirrored shipments: sellers make them in the cabinet, and a sync reports them. */

interface Row {
  readonly id: string
  readonly status: ShipmentStatus
  readonly closed_at: Timestamp | null
  readonly moved: Record<string, number> | null
}

export async function mirror(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const cabinet = client.cabinets.find(({ mirrored }) => mirrored)
  if (cabinet === undefined) return
  const orders = [...client.orders.values()].filter((order) => order.cabinet === cabinet.id)
  const open = [...client.shipments.values()].filter(
    ({ mirrored, status }) => mirrored && status === 'ASSEMBLING',
  )
  const known = random.next() < 0.7 ? some(random, open) : undefined
  const now = world.clock.now()
  const closes = random.next() < 0.35
  const isPast = known === undefined && closes && random.next() < 0.3
  const members = random.shuffle(orders).slice(0, random.int(0, 5))
  const reported = {
    externalId: known?.number ?? newName('mirrored'),
    name: undefined,
    createdAt: now,
    closedAt: closes ? now : undefined,
    acceptedAt: undefined,
    // With several workers nobody knows whether a deletion came before another report.
    cancelled: world.alone && !closes && random.next() < 0.1,
    orders: members.map(({ number }) => number),
  }
  const connectedAt = isPast ? now + 1 : 0
  const row = await perform(world.db, world.clock, { kind: 'service' }, async (work) => {
    await mirrorShipment(work, client.id, cabinet.id, reported, {
      connectedAt,
      adds: true,
      ordersAsOf: now,
      mayRemove: () => Promise.resolve(true),
    })
    return readShipment(work.tx, client.id, reported.externalId)
  })
  world.trace.push(`mirror ${JSON.stringify({ ...reported, isPast })} -> ${JSON.stringify(row)}`)
  if (world.alone) expectMirrored(client, known, { ...reported, isPast }, row)
  const sighting = { known, members, number: reported.externalId, cabinet: cabinet.id, isPast }
  follow(world, client, sighting, row)
}

async function readShipment(
  tx: Queryable,
  client: string,
  number: string,
): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select s.id, s.status, s.closed_at, (
      select json_object_agg(barcode, units) from (
        select m.barcode, -sum(m.delta) as units from stock_movements m
        where m.client_id = s.client_id and m.shipment_id = s.id and m.kind = 'shipment' group by 1
      ) u
    ) as moved
    from shipments s where s.client_id = ${client} and s.external_id = ${number}`
  return row
}

interface ReportedShipment {
  readonly cancelled: boolean
  readonly closedAt: number | undefined
  readonly orders: readonly string[]
  readonly isPast: boolean
}

/** The result that the report must have had if nobody else was working. */
function expectMirrored(
  client: Client,
  known: Shipment | undefined,
  reported: ReportedShipment,
  row: Row | undefined,
): void {
  if (reported.cancelled) {
    assert.equal(row, undefined)
    return
  }
  assert.ok(row)
  assert.equal(row.status, reported.closedAt === undefined ? 'ASSEMBLING' : 'HANDED_OVER')
  const departing =
    reported.closedAt === undefined || reported.isPast
      ? []
      : [...client.orders.values()].filter(
          (order) =>
            reported.orders.includes(order.number) &&
            order.reported !== 'CANCELLED' &&
            mayJoin(client, order, known),
        )
  assert.deepEqual(row.moved ?? {}, shareOut(client, departing))
}

/** An order that this warehouse collects or has handed over stays in its shipment. */
function mayJoin(client: Client, order: Order, shipment: Shipment | undefined): boolean {
  const present = order.shipment === undefined ? undefined : client.shipments.get(order.shipment)
  if (present === undefined || present === shipment) return true
  return present.mirrored && present.status === 'ASSEMBLING'
}

/** Gives free units to the lines, one line after the other, until none are left. */
function shareOut(client: Client, orders: readonly Order[]): Record<string, number> {
  const moved: Record<string, number> = {}
  const served = servedSets(client, orders, true) ?? []
  const parts = served.map(({ rest }) =>
    [...client.set.parts].map(([barcode, qty]) => ({ barcode, units: rest * qty })),
  )
  for (const lines of [...orders.map((order) => order.lines), ...parts]) {
    for (const { barcode: named, units } of lines) {
      if (named === undefined) continue
      const barcode = ownBarcode(client, named)
      const left = Math.min(units, Math.max(0, free(client, barcode) - (moved[barcode] ?? 0)))
      if (left > 0) moved[barcode] = (moved[barcode] ?? 0) + left
    }
  }
  return moved
}

interface Sighting {
  readonly known: Shipment | undefined
  readonly members: readonly Order[]
  readonly number: string
  readonly cabinet: string
  /** The shipment was closed before the cabinet was connected. */
  readonly isPast: boolean
}

function follow(world: World, client: Client, sighting: Sighting, row: Row | undefined): void {
  const { known, members, number, cabinet, isPast } = sighting
  // Which report came first is unknown, and so is which orders left again.
  const cabinets = [...client.orders.values()].filter((order) => order.cabinet === cabinet)
  if (!world.alone) for (const order of cabinets) order.left = true
  const shipment = known ?? (row && added(row, number, cabinet))
  if (shipment === undefined) return
  client.shipments.set(shipment.id, shipment)
  if (!world.alone) for (const order of members) order.joined.add(shipment.id)
  const present = ordersOf(client, shipment)
  const joining =
    row === undefined
      ? []
      : members.filter((each) => mayJoin(client, each, shipment) && !(isPast && each.reship))
  const leaving = present.filter((order) => !joining.includes(order))
  const changed = (orders: readonly Order[], id: string | undefined) => {
    for (const order of orders) {
      changing(client, order, () => {
        order.shipment = id
      })
      if (id !== undefined) order.joined.add(id)
    }
  }
  if (isPast && row !== undefined) {
    shipment.status = 'HANDED_OVER'
    shipment.closedAt = world.clock.now()
  }
  changed(leaving, undefined)
  changed(joining, shipment.id)
  if (shipment.status === 'ASSEMBLING') for (const order of joining) nameMergedGoods(client, order)
  if (row === undefined) {
    client.shipments.delete(shipment.id)
    return
  }
  if (row.closed_at !== null && shipment.status === 'ASSEMBLING') {
    handOver(world, client, shipment, row.moved ?? {})
  }
}

function handOver(
  world: World,
  client: Client,
  shipment: Shipment,
  moved: Readonly<Record<string, number>>,
): void {
  const departing = ordersOf(client, shipment).map(
    (order) => [order, statusOf(client, order)] as const,
  )
  const leaving = departing.map(([order]) => order)
  const collected = leaving.filter(({ reported }) => reported !== 'CANCELLED')
  if (world.alone) takeParts(client, servedSets(client, collected, true) ?? [])
  shipment.status = 'HANDED_OVER'
  shipment.closedAt = world.clock.now()
  for (const [order] of departing) order.reship = false
  for (const [barcode, units] of Object.entries(moved)) {
    move(client, barcode, -units)
    shipment.units += units
  }
  for (const [order, before] of departing) {
    const status = statusOf(client, order)
    if (status === before) continue
    client.events.push({ type: 'order.status_changed', object: order.id, before, status })
  }
  client.events.push({
    type: 'shipment.status_changed',
    object: shipment.id,
    before: 'ASSEMBLING',
    status: 'HANDED_OVER',
  })
}

function added(row: Row, number: string, cabinet: string): Shipment {
  return { id: row.id, task: undefined, mirrored: true, number, cabinet, ...emptyShipment() }
}
