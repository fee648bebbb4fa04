import { orderedLines } from './composing.ts'
import {
  type Cabinet,
  type Client,
  isOpen,
  isStepBack,
  type Order,
  type Reading,
  readings,
  statusOf,
} from './model.ts'
import { namedBy, scanned } from './naming.ts'
import { type Actor, act, mostly, post, some, type World } from './world.ts'

/** Actions of buyers and marketplaces: orders and their statuses. */

const dayMs = 24 * 60 * 60_000

interface OrderBody {
  readonly cabinet_id: string
  readonly external_id: string
  readonly created_at: string
  readonly lines: readonly { readonly barcode?: string; readonly qty: number }[]
  readonly marketplace_status?: { readonly supplier: string; readonly buyer: string }
}

/** A marketplace reports new and known orders. */
export async function takeIn(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const reported = Array.from({ length: random.int(1, 4) }, () => orderOf(actor, client))
  const orders = [...new Map(reported.map((each) => [each.body.external_id, each])).values()]
  const isNew = ({ body }: (typeof orders)[number]) => find(client, body.external_id) === undefined
  await act(world, {
    what: `orders ${JSON.stringify(orders.map(({ body }) => body))}`,
    call: () => world.manager(`/clients/${client.id}/orders`, post(orders.map(({ body }) => body))),
    expect: () => (orders.some(isNew) ? 201 : 200),
    apply: (body) => {
      const { items } = body as { items: { id: string; external_id: string }[] }
      const ids = new Map(items.map((item) => [item.external_id, item.id]))
      for (const { body: draft, cabinet, reading } of orders) {
        cabinet.historySince ??= world.clock.now()
        const known = find(client, draft.external_id)
        if (known === undefined) {
          const id = ids.get(draft.external_id) ?? ''
          const order = added(world, client, cabinet, { id, draft, reading })
          client.orders.set(order.id, order)
          continue
        }
        for (const [index, { barcode }] of draft.lines.entries()) {
          const line = known.lines[index]
          if (line !== undefined && line.replaced === undefined && barcode !== undefined)
            line.barcode ??= namedBy(client, barcode)
        }
        if (reading !== undefined) hear(world, client, known, reading)
      }
    },
  })
}

function find(client: Client, number: string): Order | undefined {
  return [...client.orders.values()].find((order) => order.number === number)
}

function orderOf(actor: Actor, client: Client) {
  const { world, random, newName } = actor
  const known = random.next() < 0.2 ? some(random, client.orders.values()) : undefined
  const cabinet =
    client.cabinets.find(({ id }) => id === known?.cabinet) ?? random.pick(client.cabinets)
  const isEarly = random.next() < 0.7
  const reading =
    random.next() < 0.1
      ? undefined
      : random.pick(readings[cabinet.marketplace].slice(0, isEarly ? 2 : undefined))
  const lines = Array.from(
    { length: cabinet.marketplace === 'OZON' ? random.int(1, 2) : 1 },
    () => {
      const goods = mostly(random, client.goods.values(), ({ quantity = 0 }) => quantity > 0)
      const named = random.next() < 0.95 && goods !== undefined
      return { ...(named ? { barcode: goods.barcode } : {}), qty: random.int(1, 2) }
    },
  )
  const age = random.pick([0, 0, 0, random.int(0, 3 * dayMs), random.int(0, 45 * dayMs)])
  const body: OrderBody = {
    cabinet_id: cabinet.id,
    external_id: known?.number ?? newName('order'),
    created_at: new Date(world.clock.now() - age).toISOString(),
    lines: (
      (known && orderedLines(known))?.map(({ barcode, units }, index) => ({
        ...(lines[index]?.barcode === undefined || barcode !== undefined
          ? { ...(barcode === undefined ? {} : { barcode }) }
          : { barcode: lines[index].barcode }),
        qty: units,
      })) ?? lines
    ).map(({ barcode, qty }) => ({
      ...(barcode === undefined ? {} : { barcode: scanned(actor, client, barcode) }),
      qty,
    })),
    ...(reading === undefined
      ? {}
      : { marketplace_status: { supplier: reading.supplier, buyer: reading.buyer } }),
  }
  return { body, cabinet, reading }
}

interface NewOrder {
  readonly id: string
  readonly draft: OrderBody
  readonly reading: Reading | undefined
}

function added(
  world: World,
  client: Client,
  cabinet: Cabinet,
  { id, draft, reading }: NewOrder,
): Order {
  const createdAt = Date.parse(draft.created_at)
  const seen = createdAt >= (cabinet.historySince ?? 0)
  return {
    id,
    number: draft.external_id,
    cabinet: cabinet.id,
    marketplace: cabinet.marketplace,
    createdAt,
    lines: draft.lines.map(({ barcode, qty }) => ({
      barcode: barcode === undefined ? undefined : namedBy(client, barcode),
      units: qty,
      picked: 0,
    })),
    pair: reading,
    reported: reading?.status ?? 'NEW',
    sorted: reading?.sorted ?? false,
    delivered: reading?.delivered ?? false,
    sortedAt: seen && reading?.sorted ? world.clock.now() : undefined,
    deliveredAt: seen && reading?.delivered ? world.clock.now() : undefined,
    shipment: undefined,
    packed: false,
    checks: new Map(),
    away: new Map(),
    reship: false,
    supplies: new Set(),
    readings: reading === undefined ? [] : [reading],
    settled: undefined,
    joined: new Set(),
    left: false,
  }
}

/** A marketplace reports the status of a known order. */
function hear(world: World, client: Client, order: Order, reading: Reading): void {
  order.readings.push(reading)
  order.pair = reading
  if (isStepBack(order.reported, reading.status)) return
  changing(client, order, () => {
    if (reading.status === 'CANCELLED' && isOpen(client, order)) returnMarks(client, order)
    if (reading.sorted && !order.sorted) order.sortedAt ??= world.clock.now()
    if (reading.delivered && !order.delivered) order.deliveredAt ??= world.clock.now()
    order.reported = reading.status
    if (['COMPLETED', 'CANCELLED'].includes(reading.status)) order.reship = false
    const wasSorted = order.sorted || order.sortedAt !== undefined
    order.sorted = reading.sorted || (reading.keepsSorted === true && wasSorted)
    order.delivered = reading.delivered
  })
}

/** Changes an order; subscribers get an event if its status changes. */
export function changing(client: Client, order: Order, change: () => void): void {
  const before = statusOf(client, order)
  change()
  const status = statusOf(client, order)
  if (status === before) return
  client.events.push({ type: 'order.status_changed', object: order.id, before, status })
}

export function returnMarks(client: Client, order: Order): void {
  for (const code of client.markingCodes.values()) {
    if (code.client !== client.id || code.order !== order.id || code.state !== 'picked') continue
    code.state = 'stored'
    code.order = undefined
  }
}

/** Prefers orders that are being collected. */
export async function reportStatus(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const collected = [...client.orders.values()].filter((order) => isOpen(client, order))
  const order =
    (random.next() < 0.4 ? some(random, collected) : undefined) ??
    some(random, client.orders.values())
  if (order === undefined) return
  const reading = random.pick(readings[order.marketplace])
  const { supplier, buyer } = reading
  await act(world, {
    what: `report ${order.number} ${supplier} ${buyer}`,
    call: () =>
      world.manager(`/orders/${order.id}`, {
        method: 'PATCH',
        body: { marketplace_status: { supplier, buyer } },
      }),
    expect: () => 200,
    apply: () => hear(world, client, order, reading),
  })
}
