import assert from 'node:assert/strict'
import type { Queryable } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { bringBackOrders } from '../../src/warehouse/shipments/reshipment.ts'
import {
  type Client,
  move,
  nameMergedGoods,
  type Order,
  ownBarcode,
  type Shipment,
  statusOf,
} from './model.ts'
import { changing } from './selling.ts'
import { unpick } from './shipping.ts'
import { type Actor, mostly, sample, type World } from './world.ts'

/** A marketplace did not find orders in a shipment that it scanned: they are here and must be brought again. */

type Units = Readonly<Record<string, number>>

export async function bringBack(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const isClosed = ({ closedAt }: Shipment) => closedAt !== undefined
  const shipment = mostly(random, client.shipments.values(), isClosed)
  if (shipment === undefined) return
  const inside = [...client.orders.values()].filter((order) => order.shipment === shipment.id)
  const any = [...client.orders.values()].filter(({ cabinet }) => cabinet === shipment.cabinet)
  const named = sample(random, inside.length > 0 && random.next() < 0.9 ? inside : any, 3)
  const supply = shipment.number
  const back = await perform(world.db, world.clock, { kind: 'service' }, async (work) => {
    const reported = named.map(({ number: externalId }) => ({ externalId, supply }))
    const numbers = await bringBackOrders(work, client.id, shipment.cabinet, reported)
    const orders = named.filter(({ number }) => numbers.includes(number))
    const returned = new Map<Order, Units>()
    for (const order of orders) {
      returned.set(order, await returnedUnits(work.tx, client.id, order.id, supply))
    }
    return returned
  })
  const numbers = [...back.keys()].map(({ number }) => number)
  world.trace.push(`bring back ${named.map(({ number }) => number)} of ${supply} -> ${numbers}`)
  if (world.alone) expectBack(client, named, supply, back)
  for (const [order, units] of back) comeBack(world, client, order, supply, units)
  world.tally.set('brought back', (world.tally.get('brought back') ?? 0) + back.size)
}

async function returnedUnits(
  tx: Queryable,
  client: string,
  order: string,
  supply: string,
): Promise<Units> {
  const rows = await tx<{ barcode: string; units: number }[]>`
    select m.barcode, sum(m.delta)::int as units
    from reshipments r
    join stock_movements m on m.client_id = r.client_id and m.order_id = r.order_id
      and m.shipment_id = r.shipment_id and m.kind = 'return' and m.return_id is null
    where r.client_id = ${client} and r.order_id = ${order} and r.supply = ${supply} group by 1`
  return Object.fromEntries(rows.map(({ barcode, units }) => [barcode, units]))
}

/** What must have come back if nobody else was working. */
function expectBack(
  client: Client,
  named: readonly Order[],
  supply: string,
  back: ReadonlyMap<Order, Units>,
): void {
  const expected = named.filter((order) => {
    const left = client.shipments.get(order.shipment ?? '')
    const isOpen = !['COMPLETED', 'CANCELLED'].includes(statusOf(client, order))
    return left?.closedAt !== undefined && isOpen && !order.sorted && !order.supplies.has(supply)
  })
  const numbers = (orders: Iterable<Order>) => [...orders].map(({ number }) => number).sort()
  assert.deepEqual(numbers(back.keys()), numbers(expected))
  for (const [order, units] of back) {
    const needed: Record<string, number> = {}
    for (const { barcode: named = '', units: count } of order.lines) {
      const barcode = ownBarcode(client, named)
      needed[barcode] = (needed[barcode] ?? 0) + count
    }
    if (client.shipments.get(order.shipment ?? '')?.mirrored === false) {
      const away = Object.fromEntries([...order.away].filter(([, count]) => count > 0))
      assert.deepEqual(units, away, order.number)
    }
    for (const [barcode, count] of Object.entries(units)) {
      assert.ok(count <= (needed[barcode] ?? 0), `${order.number}: ${count} of ${barcode}`)
    }
  }
}

function comeBack(world: World, client: Client, order: Order, supply: string, units: Units): void {
  for (const [barcode, count] of Object.entries(units)) move(client, barcode, count)
  for (const code of client.markingCodes.values()) {
    if (code.client !== client.id || code.order !== order.id || code.state !== 'shipped') continue
    code.state = 'stored'
    code.order = undefined
  }
  changing(client, order, () => {
    order.shipment = undefined
    order.reship = true
  })
  order.left = true
  order.away.clear()
  order.supplies.add(supply)
  unpick(world, client, order)
  nameMergedGoods(client, order)
}
