import assert from 'node:assert/strict'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { ShownMiss } from '../../src/warehouse/picking/miss-view.ts'
import type { Receipt as ReceiptView, StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import type { Return } from '../../src/warehouse/returns/seller-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import type { StockItem } from '../../src/warehouse/stock/view.ts'
import type { Box as BoxView } from '../../src/warehouse/storage/view.ts'
import type { Answer } from '../support/client.ts'
import { compareLots } from './dating.ts'
import { isWaiting } from './missing.ts'
import { type Client, reserved, shownLines, statusOf } from './model.ts'
import { keyOfIdentity } from './naming.ts'
import type { World } from './world.ts'

/** Compares all that the service shows of a client's warehouse with the model. */
export async function compare(world: World, client: Client): Promise<void> {
  await compareStock(world, client)
  await compareReceipts(world, client)
  await compareOrders(world, client)
  await compareShipments(world, client)
  await compareMisses(world, client)
  await compareBoxes(world, client)
  await compareLots(world, client)
  await compareLocations(world, client)
  await compareReturns(world, client)
  await compareMarkingCodes(world)
  await compareProofs(world, client)
}

/** Goods that were not found and wait for a manager. */
async function compareMisses(world: World, client: Client): Promise<void> {
  const path = `/misses?client_id=${client.id}&status=OPEN`
  const shown = await all<ShownMiss>((page) => world.manager(page), path, 3)
  const expected = [...client.shipments.values()].flatMap((shipment) =>
    shipment.misses.filter((miss) => isWaiting(client, shipment, miss)),
  )
  assert.deepEqual(
    shown.map((miss) => `${miss.order_id} ${miss.barcode} ${miss.qty} ${miss.reason}`).sort(),
    expected.map((miss) => `${miss.order} ${miss.barcode} ${miss.units} ${miss.reason}`).sort(),
  )
}

async function compareReturns(world: World, client: Client): Promise<void> {
  const shown = await all<Return>((path) => world.seller(client, path), '/returns', 20)
  const expected = [...client.returns.values()].map(({ id, isOpen, scans }) => {
    const live = [...scans.values()].filter(({ undone }) => !undone)
    const question = live.filter((scan) => scan.question > 0).length
    return [id, isOpen ? 'OPEN' : 'FINISHED', live.length, question].join(' ')
  })
  assert.deepEqual(
    shown.map((one) => [one.id, one.status, one.qty, one.in_question_qty].join(' ')).sort(),
    expected.sort(),
  )
}

type Read = (path: string) => Promise<Answer>

/** Reads all items of a list, page by page, and checks its total. */
export async function all<Item>(read: Read, path: string, limit: number): Promise<Item[]> {
  const items: Item[] = []
  let cursor = ''
  for (;;) {
    const separator = path.includes('?') ? '&' : '?'
    const answer = await read(`${path}${separator}limit=${limit}${cursor}`)
    assert.equal(answer.status, 200, answer.text)
    const page = answer.body as { items: Item[]; total: number; next_cursor: string | null }
    items.push(...page.items)
    if (page.next_cursor === null) {
      assert.equal(page.total, items.length, path)
      return items
    }
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

async function compareStock(world: World, client: Client): Promise<void> {
  const shown = await all<StockItem>((path) => world.seller(client, path), '/stock', 3)
  const boxes = [...client.boxes.values()]
  const expected = [...client.goods.values()]
    .filter(({ quantity }) => quantity !== undefined)
    .map(({ barcode, quantity = 0, question }) => {
      const holding = boxes.filter(({ contents }) => contents.has(barcode))
      return {
        barcode,
        quantity,
        available: quantity - question,
        in_question: question,
        reserved: reserved(client, barcode),
        boxes: holding.length,
        pallets: new Set(holding.flatMap(({ pallet }) => pallet ?? [])).size,
      }
    })
  assert.deepEqual(
    shown.map(({ barcode, quantity, available, in_question, reserved, boxes, pallets }) => ({
      barcode,
      quantity,
      available,
      in_question,
      reserved,
      boxes,
      pallets,
    })),
    expected.sort((a, b) => (a.barcode < b.barcode ? -1 : 1)),
  )
}

/** Workers who act at once add lines in any order. */
const byBarcode = (a: { barcode: string }, b: { barcode: string }) =>
  a.barcode < b.barcode ? -1 : 1

async function compareReceipts(world: World, client: Client): Promise<void> {
  const shown = await all<ReceiptView>((path) => world.seller(client, path), '/receipts', 7)
  assert.deepEqual(shown.map(({ id }) => id).sort(), [...client.receipts.keys()].sort())
  assert.equal(new Set(shown.map(({ number }) => number)).size, shown.length)
  for (const receipt of client.receipts.values()) {
    const answer = await world.manager(`/receipts/${receipt.id}`)
    const { status, accepted_qty, items = [] } = answer.body as StaffReceipt
    assert.equal(status, receipt.status, receipt.id)
    const lines = shownLines(receipt)
    assert.equal(
      accepted_qty,
      lines.reduce((sum, line) => sum + line.accepted, 0),
      receipt.id,
    )
    const over = receipt.completedAt !== undefined
    const order = world.alone ? () => 0 : byBarcode
    assert.deepEqual(
      items
        .toSorted(order)
        .map((item) => [item.barcode, item.expected_qty, item.accepted_qty, item.discrepancy_qty]),
      lines
        .toSorted(order)
        .map(({ barcode, expected, accepted }) => [
          barcode,
          expected,
          accepted,
          over ? Math.max(0, expected - accepted) : 0,
        ]),
      receipt.id,
    )
  }
}

async function compareOrders(world: World, client: Client): Promise<void> {
  const path = `/orders?client_id=${client.id}`
  const shown = await all<StaffOrder>((each) => world.manager(each), path, 40)
  assert.equal(shown.length, client.orders.size)
  for (const order of shown) {
    const expected = client.orders.get(order.id)
    assert.ok(expected, `an order that nobody made: ${order.external_id}`)
    const { supplier, buyer } = order.marketplace_status
    assert.deepEqual(
      {
        status: order.status,
        pair: [supplier, buyer],
        shipment: order.shipment_id,
        packed: order.packed_at !== null,
        lines: order.lines.map(({ barcode, qty, picked }) => [barcode, qty, picked]),
      },
      {
        status: statusOf(client, expected),
        pair: [expected.pair?.supplier, expected.pair?.buyer],
        shipment: expected.shipment ?? null,
        packed: expected.packed,
        lines: expected.lines
          .filter(({ replaced }) => replaced === undefined)
          .map(({ barcode, units, picked }) => [barcode, units, picked]),
      },
      `order ${order.external_id}`,
    )
  }
}

async function compareShipments(world: World, client: Client): Promise<void> {
  const path = `/shipments?client_id=${client.id}`
  const shown = await all<StaffShipment>((each) => world.worker(each), path, 10)
  assert.equal(shown.length, client.shipments.size)
  for (const shipment of shown) {
    const expected = client.shipments.get(shipment.id)
    assert.ok(expected, `a shipment that nobody made: ${shipment.external_id}`)
    const orders = [...client.orders.values()].filter((order) => order.shipment === shipment.id)
    assert.deepEqual(
      [shipment.status, shipment.orders_count, shipment.picking_task_id],
      [expected.status, orders.length, expected.task ?? null],
      shipment.external_id,
    )
  }
}

async function compareBoxes(world: World, client: Client): Promise<void> {
  for (const box of client.boxes.values()) {
    const answer = await world.worker(`/boxes/${box.id}`)
    const { pallet_id, contents = [] } = answer.body as BoxView
    assert.equal(pallet_id, box.pallet ?? null, box.id)
    assert.deepEqual(
      contents.map(({ barcode, qty }) => [barcode, qty]),
      [...box.contents].sort(([a], [b]) => (a < b ? -1 : 1)),
      box.id,
    )
  }
}

async function compareLocations(world: World, client: Client): Promise<void> {
  for (const place of client.places.values()) {
    const answer = await world.worker(`/locations/${place.id}`)
    const { contents } = answer.body as {
      contents: { client_id: string; barcode: string; qty: number }[]
    }
    assert.deepEqual(
      contents
        .filter((each) => each.client_id === client.id)
        .map(({ barcode, qty }) => [barcode, qty]),
      [...place.contents].sort(([a], [b]) => (a < b ? -1 : 1)),
      place.id,
    )
  }
}

/** A mark that the marketplace has taken and does not show may be lost, and is sent again. */
async function compareProofs({ db }: World, client: Client): Promise<void> {
  const rows = await db<{ scan: string; state: string }[]>`
    select scan_id as scan, state from mark_proofs where client_id = ${client.id}`
  const shown = new Map(rows.map(({ scan, state }) => [scan, state]))
  const picks = [...client.shipments.values()].flatMap((shipment) => [...shipment.picks])
  const expected = picks.flatMap(([scan, { proof }]) => {
    if (proof === undefined) return []
    const isSeen = proof !== 'unseen'
    return [[scan, isSeen || shown.get(scan) !== 'unsent' ? (isSeen ? proof : 'sent') : 'unsent']]
  })
  assert.deepEqual([...shown].sort(), expected.sort())
}

/** Reads marking codes from the database: no route lists them. */
async function compareMarkingCodes({ db, markingCodes }: World): Promise<void> {
  const shown = await db<
    {
      client_id: string
      barcode: string
      identity: string
      state: string
      order_id: string | null
    }[]
  >`
    select client_id, barcode, identity, state, order_id from marking_codes`
  const text = (...parts: readonly unknown[]) => parts.join(' ')
  assert.deepEqual(
    shown
      .map((row) =>
        text(
          keyOfIdentity(row.identity),
          row.client_id,
          row.barcode,
          row.state,
          row.order_id ?? 'none',
        ),
      )
      .sort(),
    [...markingCodes]
      .map(([key, code]) => text(key, code.client, code.barcode, code.state, code.order ?? 'none'))
      .sort(),
  )
}
