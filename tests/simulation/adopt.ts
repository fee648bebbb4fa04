import assert from 'node:assert/strict'
import { fromTimestamp, type Timestamp } from '../../src/platform/kernel/moscow-time.ts'
import { compareLeft, orderedLines, wasSaid } from './composing.ts'
import {
  type Client,
  goodsOf,
  isStepBack,
  type MarkingCode,
  move,
  type Order,
  type OrderLine,
  type OrderStatus,
  ownBarcode,
  type Pick,
  type ReceiptLine,
  type Shipment,
} from './model.ts'
import { keyOfIdentity } from './naming.ts'
import type { World } from './world.ts'

/**
 * After concurrent actions: what does not depend on their order stays as the model has it and is compared.
 * All else must have been requested by some action, and the model takes it over from the service.
 */
export async function adopt(world: World, client: Client): Promise<void> {
  await adoptParts(world, client)
  await adoptOrders(world, client)
  await adoptLeft(world, client)
  await adoptPicks(world, client)
  await adoptAway(world, client)
  await adoptBoxes(world, client)
  await adoptMarkingCodes(world)
  if (client.mergedTogether) await adoptReceipts(world, client)
  if (client.approvedTogether) await adoptQuestions(world, client)
}

async function adoptQuestions({ db }: World, client: Client): Promise<void> {
  const rows = await db<{ barcode: string; in_question: number }[]>`
    select barcode, in_question from stock_balances where client_id = ${client.id}`
  for (const { barcode, in_question } of rows) {
    const goods = goodsOf(client, barcode)
    if (goods !== undefined) goods.question = in_question
  }
  client.approvedTogether = false
}

/**
 * Receipts that were over when their goods were merged have a line for each of both, others one for both. In either case the units
 * are those that the model has.
 */
async function adoptReceipts({ db }: World, client: Client): Promise<void> {
  const rows = await db<(ReceiptLine & { receipt: string })[]>`
    select receipt_id as receipt, barcode, expected_qty as expected, accepted_qty as accepted, shortage_reason as reason
    from receipt_items where client_id = ${client.id} order by receipt_id, line`
  const byReceipt = Map.groupBy(rows, ({ receipt }) => receipt)
  for (const receipt of client.receipts.values()) {
    const lines = byReceipt.get(receipt.id) ?? []
    assert.deepEqual(unitsOf(client, lines), unitsOf(client, receipt.lines.values()), receipt.id)
    receipt.lines = new Map(
      lines.map(({ receipt: _, reason, ...line }) => [
        line.barcode,
        { ...line, reason: reason ?? undefined },
      ]),
    )
  }
  client.mergedTogether = false
}

/** By the goods as they are now. */
function unitsOf(client: Client, lines: Iterable<ReceiptLine>) {
  const sums = new Map<string, readonly [expected: number, accepted: number]>()
  for (const { barcode, expected, accepted } of lines) {
    if (expected === 0 && accepted === 0) continue
    const [wanted, taken] = sums.get(ownBarcode(client, barcode)) ?? [0, 0]
    sums.set(ownBarcode(client, barcode), [wanted + expected, taken + accepted])
  }
  return [...sums].sort()
}

interface OrderRow {
  id: string
  shipment_id: string | null
  reported: OrderStatus
  supplier: string | null
  buyer: string | null
  sorted: boolean
  delivered: boolean
  sorted_at: Timestamp | null
  delivered_at: Timestamp | null
  packed: boolean
  reship: boolean
  supplies: string[]
  lines: LineRow[]
  sets: SetRow[]
}

/** Numbered from 0. */
interface LineRow {
  line: number
  barcode: string | null
  units: number
  picked: number
  /** The line of the set that it stands for. */
  set: number | null
}

interface SetRow {
  line: number
  barcode: string
  units: number
  fromParts: number
}

async function adoptOrders({ db }: World, client: Client): Promise<void> {
  const rows = await db<OrderRow[]>`
    select o.id, o.shipment_id, o.marketplace_status as reported, o.supplier_status as supplier,
      o.buyer_status as buyer, o.sorted, o.delivered, o.sorted_at, o.delivered_at,
      o.packed_at is not null as packed, o.reship_since is not null as reship, array(
        select r.supply from reshipments r where r.client_id = o.client_id and r.order_id = o.id
      ) as supplies, (
        select json_agg(json_build_object('line', l.line - 1, 'barcode', l.barcode, 'units', l.quantity,
          'picked', l.picked, 'set', l.set_line - 1) order by l.line)
        from order_lines l where l.client_id = o.client_id and l.order_id = o.id
      ) as lines, (
        select coalesce(json_agg(json_build_object('line', s.line - 1, 'barcode', s.barcode, 'units', s.quantity,
          'fromParts', s.from_parts)), '[]')
        from order_sets s where s.client_id = o.client_id and s.order_id = o.id
      ) as sets
    from orders o where o.client_id = ${client.id}`
  for (const row of rows) {
    const order = client.orders.get(row.id)
    assert.ok(order, `order ${row.id} was answered to nobody`)
    checkMembership(order, row)
    checkReported(order, row)
    order.shipment = row.shipment_id ?? undefined
    order.settled = order.shipment
    order.joined.clear()
    order.left = false
    order.packed = row.packed
    order.reship = row.reship
    for (const supply of row.supplies) order.supplies.add(supply)
    adoptLines(client, order, row)
  }
}

/** Lines are as they were ordered, but for sets that parts stand for: as many, and of what somebody said. */
function adoptLines(client: Client, order: Order, { lines, sets, shipment_id }: OrderRow): void {
  const ordered = [...lines.filter(({ set }) => set === null), ...sets]
  assert.deepEqual(
    ordered.toSorted((a, b) => a.line - b.line).map(({ units }) => units),
    orderedLines(order).map(({ units }) => units),
    order.number,
  )
  assert.ok(
    sets.length === 0 || shipment_id !== null,
    `${order.number} keeps parts without a shipment`,
  )
  for (const { line, barcode, units, fromParts } of sets) {
    assert.equal(barcode, client.set.barcode, order.number)
    const instead = lines.filter(({ set }) => set === line)
    const isReady = (each: LineRow) => each.barcode === barcode
    const ready = instead.filter(isReady).reduce((sum, each) => sum + each.units, 0)
    assert.equal(ready + fromParts, units, order.number)
    const parts = instead.filter((each) => !isReady(each))
    const composition = new Map(parts.map((each) => [each.barcode ?? '', each.units / fromParts]))
    assert.ok(wasSaid(client, composition), `${order.number}: ${JSON.stringify(instead)}`)
  }
  const adopted: OrderLine[] = []
  for (const { line, barcode, units, picked, set } of lines) {
    adopted[line] = {
      ...{ barcode: barcode ?? undefined, units, picked },
      ...(set === null ? {} : { stands: true as const }),
    }
  }
  for (const { line, barcode, units } of sets) {
    adopted[line] = { barcode: undefined, units: 0, picked: 0, replaced: { barcode, units } }
  }
  order.lines.splice(0, order.lines.length, ...adopted)
}

async function adoptParts({ db }: World, client: Client): Promise<void> {
  const { set } = client
  const rows = await db<{ barcode: string; units: number }[]>`
    select barcode, units from set_parts where client_id = ${client.id} and set_barcode = ${set.barcode}`
  const parts = new Map(rows.map(({ barcode, units }) => [barcode, units]))
  assert.ok(parts.size === 0 || wasSaid(client, parts), `${set.barcode} is made of ${[...parts]}`)
  set.parts = parts
}

/** Orders of sets that left with a shipment made here. */
async function adoptLeft({ db }: World, client: Client): Promise<void> {
  for (const { shipment, order } of client.leftTogether.splice(0)) {
    const rows = await db<{ barcode: string; units: number }[]>`
      select barcode, -sum(delta)::int as units from stock_movements
      where client_id = ${client.id} and order_id = ${order.id} and shipment_id = ${shipment.id} and kind = 'shipment'
      group by 1`
    const left = new Map<string, number>()
    for (const { barcode: named, units } of rows) {
      const barcode = ownBarcode(client, named)
      left.set(barcode, (left.get(barcode) ?? 0) + units)
      move(client, barcode, -units)
      shipment.units += units
    }
    compareLeft(client, order, left)
  }
}

/** What left with shipments made here and did not come back, whoever was faster. */
async function adoptAway({ db }: World, client: Client): Promise<void> {
  const rows = await db<{ order: string; barcode: string; units: number }[]>`
    select m.order_id as order, m.barcode, -sum(m.delta)::int as units
    from stock_movements m
    join shipments s on s.client_id = m.client_id and s.id = m.shipment_id and not s.mirrored
    where m.client_id = ${client.id} and m.kind in ('shipment', 'return') group by 1, 2`
  for (const order of client.orders.values()) order.away.clear()
  for (const { order, barcode: named, units } of rows) {
    const away = client.orders.get(order)?.away
    const barcode = ownBarcode(client, named)
    away?.set(barcode, (away.get(barcode) ?? 0) + units)
  }
}

function checkMembership(order: Order, { shipment_id }: OrderRow): void {
  const now = shipment_id ?? undefined
  if (order.left && now === undefined) return
  const possible: (string | undefined)[] = [...order.joined]
  // An order of a shipment may be added to it again; an order of none that was added is in one.
  if (order.joined.size === 0 || order.left || order.settled !== undefined)
    possible.push(order.settled)
  assert.ok(
    possible.includes(now),
    `order ${order.number} is in ${now}, requested were ${possible}`,
  )
}

function checkReported(order: Order, row: OrderRow): void {
  if (row.supplier === null || row.buyer === null) {
    assert.equal(order.readings.length, 0, order.number)
    return
  }
  const reading = order.readings.find(({ supplier, buyer }) => {
    return supplier === row.supplier && buyer === row.buyer
  })
  assert.ok(reading, `no report of ${row.supplier} ${row.buyer} for ${order.number}`)
  for (const { status } of order.readings) {
    assert.ok(!isStepBack(status, row.reported), `${order.number} went back to ${row.reported}`)
  }
  order.pair = reading
  order.reported = row.reported
  order.sorted = row.sorted
  order.delivered = row.delivered
  order.sortedAt = row.sorted_at === null ? undefined : fromTimestamp(row.sorted_at)
  order.deliveredAt = row.delivered_at === null ? undefined : fromTimestamp(row.delivered_at)
}

interface PickRow {
  scan_id: string
  undone_at: Timestamp | null
  line: number
  barcode: string
  identity: string | null
  proof: Exclude<Pick['proof'], undefined> | null
}

async function adoptChecks({ db }: World, client: Client, shipment: Shipment): Promise<void> {
  const checks = await db<{ scan_id: string; order: string; line: number; undone: boolean }[]>`
    select scan_id, order_id as order, line - 1 as line, undone_at is not null as undone
    from pack_checks where client_id = ${client.id} and task_id = ${shipment.task ?? null}`
  assert.deepEqual(checks.map(({ scan_id }) => scan_id).sort(), [...shipment.checks].sort())
  for (const order of client.orders.values()) {
    const own = checks.filter((check) => check.order === order.id)
    for (const { line, undone } of own) {
      if (!undone) order.checks.set(line, (order.checks.get(line) ?? 0) + 1)
    }
  }
}

async function adoptClaim({ db, workerId }: World, client: Client, shipment: Shipment) {
  const [row] = await db<{ by: string; at: Timestamp }[]>`
    select claimed_by as by, claimed_at as at from picking_tasks
    where client_id = ${client.id} and id = ${shipment.task ?? null} and claimed_by is not null`
  shipment.claim = row && {
    user: row.by === workerId ? 'worker' : 'manager',
    at: fromTimestamp(row.at),
  }
}

async function adoptPicks(world: World, client: Client): Promise<void> {
  const { db } = world
  for (const order of client.orders.values()) order.checks.clear()
  for (const shipment of client.shipments.values()) {
    if (shipment.task === undefined) continue
    const picks = await db<PickRow[]>`
      select scan_id, undone_at, line - 1 as line, barcode, marking_code as identity, state as proof
      from picks left join mark_proofs using (client_id, task_id, scan_id)
      where client_id = ${client.id} and task_id = ${shipment.task}`
    assert.deepEqual(
      picks.map(({ scan_id }) => scan_id).sort(),
      [...shipment.picks.keys()].sort(),
      `picks of ${shipment.number}`,
    )
    for (const { scan_id, undone_at, line, barcode, identity, proof } of picks) {
      const pick = shipment.picks.get(scan_id)
      if (pick !== undefined) {
        pick.undoneAt = undone_at === null ? undefined : fromTimestamp(undone_at)
        pick.line = line
        assert.equal(ownBarcode(client, barcode), ownBarcode(client, pick.barcode), scan_id)
        pick.barcode = barcode
        pick.code = identity === null ? undefined : keyOfIdentity(identity)
        pick.proof = proof ?? undefined
      }
    }
    await adoptChecks(world, client, shipment)
    await adoptClaim(world, client, shipment)
    const misses = await db<
      {
        order: string
        barcode: string
        units: number
        reason: string
        at: Timestamp
        scan_id: string | null
        isOpen: boolean
      }[]
    >`
      select order_id as order, barcode, units, reason, at, scan_id, outcome is null as "isOpen"
      from pick_misses
      where client_id = ${client.id} and task_id = ${shipment.task} order by at, outcome is null, id`
    shipment.misses.splice(0, Number.POSITIVE_INFINITY)
    for (const { scan_id, at, ...miss } of misses) {
      shipment.misses.push({ ...miss, at: fromTimestamp(at) })
      if (scan_id !== null) shipment.reports.add(scan_id)
    }
  }
}

async function adoptBoxes({ db }: World, client: Client): Promise<void> {
  const rows = await db<{ id: string; pallet_id: string | null }[]>`
    select id, pallet_id from boxes where client_id = ${client.id}`
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...client.boxes.keys()].sort())
  for (const { id, pallet_id } of rows) {
    const box = client.boxes.get(id)
    if (box === undefined) continue
    box.pallet = pallet_id ?? undefined
    box.contents.clear()
  }
  for (const { contents } of client.places.values()) contents.clear()
  const located = await db<{ location_id: string; barcode: string; quantity: number }[]>`
    select location_id, barcode, quantity from location_contents where client_id = ${client.id}`
  for (const { location_id, barcode, quantity } of located) {
    client.places.get(location_id)?.contents.set(barcode, quantity)
  }
  const contents = await db<{ box_id: string; barcode: string; quantity: number }[]>`
    select box_id, barcode, quantity from box_contents where client_id = ${client.id}`
  for (const { box_id, barcode, quantity } of contents) {
    client.boxes.get(box_id)?.contents.set(barcode, quantity)
  }
}

async function adoptMarkingCodes({ db, markingCodes }: World): Promise<void> {
  const rows = await db<(Omit<MarkingCode, 'client'> & { client: string; identity: string })[]>`
    select client_id as client, barcode, identity, state,
      receipt_id as receipt, order_id as "order"
    from marking_codes`
  markingCodes.clear()
  for (const { identity, receipt, order, ...code } of rows) {
    markingCodes.set(keyOfIdentity(identity), {
      ...code,
      receipt: receipt ?? undefined,
      order: order ?? undefined,
    })
  }
}
