import assert from 'node:assert/strict'
import type { Random } from '../../src/platform/kernel/random.ts'
import type { Metrics } from '../../src/warehouse/metrics/view.ts'
import type { Order as OrderView } from '../../src/warehouse/orders/view.ts'
import type { Receipt as ReceiptView } from '../../src/warehouse/receipts/view.ts'
import type { Shipment as ShipmentView } from '../../src/warehouse/shipments/view.ts'
import { all } from './compare.ts'
import type { Client } from './model.ts'
import type { World } from './world.ts'

/** Compares the metrics of random periods with the lists and the model. */
export async function compareFigures(
  world: World,
  client: Client,
  random: Random,
  periods: number,
): Promise<void> {
  const read = (path: string) => world.seller(client, path)
  const receipts = await all<ReceiptView>(read, '/receipts', 50)
  const orders = await all<OrderView>(read, '/orders', 100)
  const shipments = await all<ShipmentView>(read, '/shipments', 50)
  const moments = momentsOf(world, client, orders)
  for (let n = 0; n < periods; n++) {
    const [from, to] = periodOf(random, moments)
    const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
    const answer = await read(`/metrics?${query}`)
    assert.equal(answer.status, 200, answer.text)
    const within = (time: string | number | null | undefined) => {
      const at = typeof time === 'string' ? Date.parse(time) : time
      return at !== null && at !== undefined && at >= from && at < to
    }
    const shown = answer.body as Metrics
    const lists = { receipts, orders, shipments }
    assert.deepEqual(shownFigures(shown), expectedFigures(client, lists, within, from), query)
  }
}

interface Lists {
  readonly receipts: readonly ReceiptView[]
  readonly orders: readonly OrderView[]
  readonly shipments: readonly ShipmentView[]
}

/** The moments of events, and the milliseconds before and after them. */
function momentsOf({ clock }: World, client: Client, orders: readonly OrderView[]): number[] {
  const facts = [
    ...orders.map((order) => Date.parse(order.created_at)),
    ...[...client.receipts.values()].flatMap(({ scans, completedAt }) => [
      ...[...scans.values()].flatMap(({ at, undoneAt }) => [at, undoneAt ?? at]),
      ...(completedAt === undefined ? [] : [completedAt]),
    ]),
    ...[...client.shipments.values()].flatMap(({ closedAt }) => closedAt ?? []),
    clock.now(),
  ]
  return facts.flatMap((at) => [at, at + 1])
}

const spanMaxMs = 366 * 24 * 60 * 60_000

function periodOf(random: Random, moments: readonly number[]): [from: number, to: number] {
  const [a, b] = [random.pick(moments), random.pick(moments)]
  const from = Math.max(Math.min(a, b), Math.max(a, b) - spanMaxMs)
  return [from, Math.max(a, b, from + 1)]
}

type Counts = Record<string, number>

const counted = <Row extends { readonly count: number }>(
  rows: readonly Row[],
  name: (row: Row) => string,
): Counts =>
  Object.fromEntries(rows.flatMap((row) => (row.count === 0 ? [] : [[name(row), row.count]])))

function shownFigures({ funnel, storage, receiving, shipments }: Metrics) {
  const { shortages_by_reason, fill_rate: _, ...received } = receiving
  const { orders_by_status, not_found_by_reason, ...shipped } = shipments
  return {
    funnel,
    storage,
    received: {
      ...received,
      reasons: counted(shortages_by_reason, ({ reason }) => reason),
    },
    shipped: {
      ...shipped,
      statuses: counted(orders_by_status, ({ status }) => status),
      reasons: counted(not_found_by_reason, ({ reason }) => reason),
    },
  }
}

type Within = (time: string | number | null | undefined) => boolean

function expectedFigures(client: Client, lists: Lists, within: Within, from: number) {
  const accepted = acceptedUnits(client, within)
  const units = sum([...client.goods.values()].map(({ quantity = 0 }) => quantity))
  const history = Math.max(...client.cabinets.map(({ historySince }) => historySince ?? -1))
  const byCurrentStatus = history < 0 || history > from
  const own = [...client.orders.values()]
  const created = own.filter(({ createdAt }) => within(createdAt))
  const closed = lists.shipments.filter(({ closed_at }) => within(closed_at))
  const shipped = sum(closed.map(({ id }) => client.shipments.get(id)?.units ?? 0))
  const full = [...client.boxes.values()].filter(({ contents }) => contents.size > 0)
  return {
    funnel: {
      accepted,
      in_storage: units,
      shipped,
      sorted_by_marketplace: byCurrentStatus
        ? created.filter(({ sorted }) => sorted).length
        : own.filter((order) => within(order.sortedAt) || within(order.deliveredAt)).length,
      delivered: byCurrentStatus
        ? created.filter(({ delivered }) => delivered).length
        : own.filter(({ deliveredAt }) => within(deliveredAt)).length,
      by_current_status: byCurrentStatus,
    },
    storage: {
      units,
      in_question: sum([...client.goods.values()].map(({ question }) => question)),
      sku_count: [...client.goods.values()].filter(({ quantity = 0 }) => quantity > 0).length,
      boxes: full.length,
      pallets: new Set(full.flatMap(({ pallet }) => pallet ?? [])).size,
      received: accepted,
      shipped,
    },
    received: receivedFigures(client, lists, within),
    shipped: shippedFigures(client, lists, within, { closed: closed.length, shipped }),
  }
}

function acceptedUnits(client: Client, within: Within): number {
  let units = 0
  for (const { scans } of client.receipts.values()) {
    for (const scan of scans.values()) {
      if (within(scan.at)) units += scan.units
      if (within(scan.undoneAt)) units -= scan.units
    }
  }
  return units
}

function receivedFigures(client: Client, lists: Lists, within: Within) {
  const done = lists.receipts.filter(
    ({ id, completed_at }) => within(completed_at) && !client.receipts.get(id)?.cancelled,
  )
  const reasons: Counts = {}
  for (const { id } of done) {
    for (const { expected, accepted, reason } of client.receipts.get(id)?.lines.values() ?? []) {
      if (accepted < expected) add(reasons, reason ?? 'none', expected - accepted)
    }
  }
  return {
    receipts: done.length,
    expected_units: sum(done.map(({ expected_qty }) => expected_qty)),
    accepted_units: sum(done.map(({ accepted_qty }) => accepted_qty)),
    discrepancy_units: sum(Object.values(reasons)),
    reasons,
  }
}

function shippedFigures(
  client: Client,
  lists: Lists,
  within: Within,
  { closed, shipped }: { closed: number; shipped: number },
) {
  const created = lists.orders.filter(({ created_at }) => within(created_at))
  const statuses: Counts = {}
  for (const { status } of created) add(statuses, status, 1)
  const reasons: Counts = {}
  for (const { misses } of client.shipments.values()) {
    for (const { at, reason, units } of misses) if (within(at)) add(reasons, reason, units)
  }
  return {
    orders_total: created.length,
    shipments_closed: closed,
    units_shipped: shipped,
    cancelled: statuses.CANCELLED ?? 0,
    not_found: sum(Object.values(reasons)),
    statuses,
    reasons,
  }
}

function add(counts: Counts, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
