import assert from 'node:assert/strict'
import { servedSets, standAsOrdered, takeParts, wantsSet } from './composing.ts'
import {
  type Client,
  emptyShipment,
  free,
  isKnown,
  move,
  type Order,
  type OrderStatus,
  type Shipment,
  statusOf,
} from './model.ts'
import { changing, returnMarks } from './selling.ts'
import { type Actor, act, mostly, post, sample, some, type World } from './world.ts'

/** Actions on shipments that are made here. */

export async function open(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const cabinet = random.pick(client.cabinets.filter(({ mirrored }) => !mirrored))
  const known = random.next() < 0.1 ? some(random, client.shipments.values()) : undefined
  const number = known?.cabinet === cabinet.id ? known.number : newName('shipment')
  const isTaken = known?.number === number
  await act(world, {
    what: `open ${number}`,
    call: () => world.worker('/shipments', post({ cabinet_id: cabinet.id, external_id: number })),
    expect: () => (isTaken ? 409 : 201),
    apply: (body) => {
      const { id, picking_task_id: task } = body as { id: string; picking_task_id: string }
      const opened = { id, task, mirrored: false, number, cabinet: cabinet.id }
      client.shipments.set(id, { ...opened, ...emptyShipment() })
    },
  })
}

/** Whether this warehouse collects the order now. */
export const isAssembling = ({ status, mirrored }: Shipment) => status === 'ASSEMBLING' && !mirrored

export async function fill(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(random, client.shipments.values(), isAssembling)
  if (shipment === undefined) return
  const fitting = [...client.orders.values()].filter(
    (order) =>
      order.cabinet === shipment.cabinet &&
      order.shipment === undefined &&
      ['NEW', 'ASSEMBLING'].includes(statusOf(client, order)) &&
      order.lines.every(
        ({ barcode = '', units }) => free(client, barcode) >= units || isSet(client, barcode),
      ),
  )
  const any = fitting.length === 0 || random.next() < 0.1
  const orders = any ? sample(random, client.orders.values(), 3) : sample(random, fitting, 4)
  if (orders.length === 0) return
  await act(world, {
    what: `fill ${shipment.number} with ${orders.map(({ number }) => number)}`,
    call: () =>
      world.worker(
        `/shipments/${shipment.id}/orders`,
        post({ order_ids: orders.map(({ id }) => id) }),
      ),
    expect: () => (mayFill(client, shipment, orders) ? 200 : 409),
    apply: () => {
      const joining = orders.filter((order) => order.shipment !== shipment.id)
      if (world.alone) takeParts(client, servedSets(client, joining, false) ?? [])
      for (const order of orders) {
        changing(client, order, () => {
          order.shipment = shipment.id
          order.joined.add(shipment.id)
        })
      }
    },
  })
}

const isSet = ({ set }: Client, barcode: string) => set.parts.size > 0 && set.barcode === barcode

function mayFill(client: Client, shipment: Shipment, orders: readonly Order[]): boolean {
  if (!isAssembling(shipment)) return false
  const joining = orders.filter((order) => order.shipment !== shipment.id)
  const needs = new Map<string, number>()
  for (const order of joining) {
    if (order.cabinet !== shipment.cabinet || order.shipment !== undefined) return false
    if (!['NEW', 'ASSEMBLING'].includes(statusOf(client, order))) return false
    for (const { barcode, units } of order.lines) {
      if (barcode === undefined || !isKnown(client, barcode)) return false
      if (!isSet(client, barcode)) needs.set(barcode, (needs.get(barcode) ?? 0) + units)
    }
  }
  if (servedSets(client, joining, false) === undefined) return false
  return [...needs].every(([barcode, units]) => free(client, barcode) >= units)
}

export const ordersOf = (client: Client, { id }: Shipment) =>
  [...client.orders.values()].filter((order) => order.shipment === id)

export async function remove(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(random, client.shipments.values(), isAssembling)
  if (shipment === undefined) return
  const order =
    (random.next() < 0.9 ? some(random, ordersOf(client, shipment)) : undefined) ??
    some(random, client.orders.values())
  if (order === undefined) return
  await act(world, {
    what: `remove ${order.number} from ${shipment.number}`,
    call: () => world.worker(`/shipments/${shipment.id}/orders/${order.id}`, { method: 'DELETE' }),
    expect: () => (!isAssembling(shipment) ? 409 : order.shipment === shipment.id ? 204 : 404),
    apply: () => takeOut(world, client, order),
  })
}

/** The order leaves its shipment. */
export function takeOut(world: World, client: Client, order: Order): void {
  returnMarks(client, order)
  changing(client, order, () => {
    order.shipment = undefined
    order.left = true
  })
  unpick(world, client, order)
}

/** Nothing of an order that left its shipment is picked. */
export function unpick(world: World, client: Client, order: Order): void {
  order.packed = false
  order.checks.clear()
  for (const line of order.lines) line.picked = 0
  standAsOrdered(order)
  for (const { picks } of client.shipments.values()) {
    for (const pick of picks.values()) {
      if (pick.order !== order.id) continue
      pick.undoneAt ??= world.clock.now()
      pick.proof = undefined
    }
  }
}

export async function close(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const isReady = (shipment: Shipment) => {
    const orders = leaving(client, shipment)
    return isAssembling(shipment) && orders.length > 0 && orders.every(({ packed }) => packed)
  }
  const shipment = mostly(random, client.shipments.values(), isReady)
  if (shipment === undefined) return
  await act(world, {
    what: `close ${shipment.number}`,
    call: () => world.worker(`/shipments/${shipment.id}/close`, post()),
    expect: () => (isReady(shipment) ? 200 : 409),
    apply: (body) => {
      const { orders } = body as { orders: { id: string; status: OrderStatus }[] }
      const gone = orders.filter(({ status }) => status !== 'CANCELLED').map(({ id }) => id)
      if (world.alone) {
        assert.deepEqual(
          gone.toSorted(),
          leaving(client, shipment)
            .map(({ id }) => id)
            .sort(),
        )
      }
      handOver(world, client, shipment, gone)
    },
  })
}

const leaving = (client: Client, shipment: Shipment) =>
  ordersOf(client, shipment).filter(({ reported }) => reported !== 'CANCELLED')

function handOver(world: World, client: Client, shipment: Shipment, ids: readonly string[]): void {
  const orders = ids.flatMap((id) => client.orders.get(id) ?? [])
  const before = new Map(orders.map((order) => [order.id, statusOf(client, order)]))
  shipment.status = 'HANDED_OVER'
  shipment.closedAt = world.clock.now()
  for (const pick of shipment.picks.values()) pick.proof = undefined
  for (const order of orders) {
    order.reship = false
    order.away.clear()
    for (const { barcode = '', units } of order.lines) {
      if (units === 0) continue
      order.away.set(barcode, (order.away.get(barcode) ?? 0) + units)
    }
  }
  const units = new Map<string, number>()
  const known = world.alone ? orders : orders.filter((order) => !wantsSet(client, order))
  for (const order of orders) {
    if (!known.includes(order)) client.leftTogether.push({ shipment, order })
  }
  for (const { barcode = '', units: needed } of known.flatMap(({ lines }) => lines)) {
    if (needed === 0) continue
    units.set(barcode, (units.get(barcode) ?? 0) + needed)
  }
  for (const [barcode, count] of units) {
    move(client, barcode, -count)
    shipment.units += count
  }
  for (const code of client.markingCodes.values()) {
    if (code.state === 'picked' && ids.includes(code.order ?? '')) code.state = 'shipped'
  }
  for (const order of orders) {
    const was = before.get(order.id)
    const status = statusOf(client, order)
    if (was !== status) {
      client.events.push({ type: 'order.status_changed', object: order.id, before: was, status })
    }
  }
  client.events.push({
    type: 'shipment.status_changed',
    object: shipment.id,
    before: 'ASSEMBLING',
    status: 'HANDED_OVER',
  })
}

export async function accept(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(
    random,
    client.shipments.values(),
    ({ status }) => status === 'HANDED_OVER',
  )
  if (shipment === undefined) return
  await act(world, {
    what: `accept ${shipment.number}`,
    call: () => world.manager(`/shipments/${shipment.id}/accept`, post()),
    expect: () => (shipment.status === 'HANDED_OVER' ? 200 : 409),
    apply: () => {
      client.events.push({
        type: 'shipment.status_changed',
        object: shipment.id,
        before: 'HANDED_OVER',
        status: 'ACCEPTED',
      })
      shipment.status = 'ACCEPTED'
    },
  })
}
