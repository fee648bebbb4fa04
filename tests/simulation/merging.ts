import assert from 'node:assert/strict'
import type { MergingPlan } from '../../src/warehouse/merging/plan.ts'
import {
  type Client,
  type Goods,
  isHere,
  isKnown,
  nameMergedGoods,
  type Order,
  ownBarcode,
  putInto,
  type Receipt,
  type ReceiptLine,
  reserved,
} from './model.ts'
import { type Actor, act, goodsNumbered, mostly, some, type World } from './world.ts'

/**
 * Two goods of a client turn out to be one. The units, and all that is under way, are from then on of the goods that stay; what is over
 * keeps its barcode. For goods that went others come, so that there is always something to merge.
 */

export async function merge(actor: Actor, client: Client): Promise<void> {
  const { world } = actor
  const [into, from] = choosePair(actor, client)
  const isOfSet = [into, from].includes(client.set.barcode)
  if (isOfSet && (!world.alone || refusedMerging(client, into, from) === 200)) return
  const path = `/clients/${client.id}/products/${into}/merged/${from}`
  if (world.alone) await comparePlan(world, client, into, from, path)
  await act(world, {
    what: `merge ${from} into ${into}`,
    call: () => world.manager(path, { method: 'PUT' }),
    expect: () => refusedMerging(client, into, from),
    apply: () => mergeGoods(world, client, ownBarcode(client, into), from),
  })
}

/** Mostly two that may be merged. */
function choosePair({ random }: Actor, client: Client): [into: string, from: string] {
  const own = [...client.goods.values()].filter(({ barcode }) => barcode !== client.set.barcode)
  const isThere = ({ quantity }: Goods) => quantity !== undefined
  const stays = mostly(random, own, isThere) ?? random.pick(own)
  const alike = own.filter(
    (each) =>
      isThere(each) && each !== stays && each.marked === stays.marked && each.question === 0,
  )
  const ofAnother = `PLAIN-${(client.index + 1) % 3}-3`
  const any = [...client.goods.keys(), ...client.merged.keys(), ofAnother]
  const goes = random.next() < 0.8 ? some(random, alike)?.barcode : undefined
  return [random.next() < 0.95 ? stays.barcode : random.pick(any), goes ?? random.pick(any)]
}

const wasKnown = (client: Client, barcode: string) =>
  client.merged.has(barcode) || (client.goods.has(barcode) && isKnown(client, barcode))

const barcodesMax = 50

function refusedMerging(client: Client, into: string, from: string): 200 | 404 | 409 {
  if (client.merged.get(from) === into) return 200
  if (!wasKnown(client, into) || !wasKnown(client, from)) return 404
  const [kept, gone] = [client.goods.get(into), client.goods.get(from)]
  if (kept === gone || kept === undefined || gone === undefined) return 409
  if (kept.marked !== gone.marked || gone.question > 0) return 409
  if (isOfSets(client, into) || isOfSets(client, from)) return 409
  if (kept.others.size + gone.others.size + 1 > barcodesMax) return 409
  const hides = openReceipts(client).some((receipt) => hidesSurplus(receipt, into, from))
  return hides ? 409 : 200
}

/** A set, now or in what was assembled or ordered, or a part of one. */
function isOfSets({ set, orders }: Client, barcode: string): boolean {
  if (set.parts.size > 0 && (barcode === set.barcode || set.parts.has(barcode))) return true
  if (barcode !== set.barcode) return false
  const stands = [...orders.values()].some(({ lines }) =>
    lines.some(({ replaced }) => replaced !== undefined),
  )
  return set.assemblies.size > 0 || stands
}

const openReceipts = ({ receipts }: Client) =>
  [...receipts.values()].filter(({ completedAt }) => completedAt === undefined)

/** Units beyond the one line, which the other line lacks. */
function hidesSurplus({ lines }: Receipt, into: string, from: string): boolean {
  const gone = lines.get(from)
  if (gone === undefined) return false
  const surplus = (expected: number, accepted: number) => Math.max(0, accepted - expected)
  const { expected = 0, accepted = 0 } = lines.get(into) ?? {}
  const apart = surplus(expected, accepted) + surplus(gone.expected, gone.accepted)
  return apart !== surplus(expected + gone.expected, accepted + gone.accepted)
}

async function comparePlan(
  world: World,
  client: Client,
  into: string,
  from: string,
  path: string,
): Promise<void> {
  const answer = await world.manager(path)
  const known = wasKnown(client, into) && wasKnown(client, from)
  assert.equal(answer.status, known ? 200 : 404, answer.text)
  const gone = client.goods.get(from)
  if (!known || gone === undefined) return
  const { name: _, refusal, ...plan } = answer.body as MergingPlan
  assert.equal(refusal === undefined, refusedMerging(client, into, from) === 200, `${refusal}`)
  const holding = (all: Iterable<{ readonly contents: Map<string, number> }>) =>
    [...all].filter(({ contents }) => contents.has(from)).length
  assert.deepEqual(plan, {
    barcode: from,
    into,
    units: gone.quantity,
    reserved: reserved(client, from),
    boxes: holding(client.boxes.values()),
    locations: holding(client.places.values()),
    barcodes: gone.others.size + 1,
    orders: [...client.orders.values()].filter(
      (order) => isHere(client, order) && order.lines.some(({ barcode }) => barcode === from),
    ).length,
    receipts: openReceipts(client).filter(({ lines }) => lines.has(from)).length,
  })
}

function mergeGoods(world: World, client: Client, into: string, from: string): void {
  const [kept, gone] = [client.goods.get(into), client.goods.get(from)]
  // It was merged before, and nothing changes.
  if (kept === undefined || gone === undefined) return
  if (!world.alone) client.mergedTogether = true
  client.goods.delete(from)
  client.merged.set(from, into)
  for (const [barcode, now] of client.merged) if (now === from) client.merged.set(barcode, into)
  join(world, kept, gone)
  for (const place of [...client.boxes.values(), ...client.places.values()]) {
    const units = place.contents.get(from) ?? 0
    place.contents.delete(from)
    if (units > 0) putInto(place, into, units)
  }
  for (const order of client.orders.values()) mergeInOrder(client, order, into, from)
  for (const receipt of openReceipts(client)) mergeInReceipt(receipt, into, from)
  for (const code of client.markingCodes.values()) {
    if (code.client === client.id && code.barcode === from) code.barcode = into
  }
  const number = client.goods.size + client.merged.size + 1
  const fresh = goodsNumbered(client.index, gone.marked, number)
  client.goods.set(fresh.barcode, fresh)
}

/** Dates are kept of goods that stay if they were of either; what was measured or pictured is taken over where they have nothing. */
function join({ alone }: World, kept: Goods, gone: Goods): void {
  for (const barcode of [gone.barcode, ...gone.others]) kept.others.add(barcode)
  kept.quantity = (kept.quantity ?? 0) + (gone.quantity ?? 0)
  kept.question += gone.question
  if (gone.dated !== undefined) kept.dated ??= new Map()
  for (const [day, units] of gone.dated ?? []) {
    kept.dated?.set(day, (kept.dated.get(day) ?? 0) + units)
  }
  // Of goods that were measured at once with the merging nobody knows which was first.
  if (kept.weights.length === 0 || !alone) kept.weights.unshift(...gone.weights)
  if (kept.pictures.length === 0 || !alone) kept.pictures.unshift(...gone.pictures)
}

function mergeInOrder(client: Client, order: Order, into: string, from: string): void {
  const away = order.away.get(from)
  order.away.delete(from)
  if (away !== undefined) order.away.set(into, (order.away.get(into) ?? 0) + away)
  if (!isHere(client, order)) return
  nameMergedGoods(client, order)
  for (const { picks, misses } of client.shipments.values()) {
    for (const pick of picks.values()) {
      if (pick.order === order.id && pick.barcode === from) pick.barcode = into
    }
    const waiting = misses.filter((miss) => miss.order === order.id && miss.isOpen)
    const waitsForBoth = waiting.some(({ barcode }) => barcode === into)
    for (const miss of waiting) {
      if (miss.barcode !== from) continue
      if (waitsForBoth) miss.isOpen = false
      else miss.barcode = into
    }
  }
}

/** Two lines become one, in the place of the one that stays. */
function mergeInReceipt(receipt: Receipt, into: string, from: string): void {
  for (const scan of receipt.scans.values()) if (scan.barcode === from) scan.barcode = into
  const [kept, gone] = [receipt.lines.get(into), receipt.lines.get(from)]
  if (gone === undefined) return
  const lines: ReceiptLine[] = []
  for (const line of receipt.lines.values()) {
    if (line === kept) {
      const { expected, accepted } = line
      lines.push({
        ...line,
        expected: expected + gone.expected,
        accepted: accepted + gone.accepted,
      })
    } else if (line !== gone) lines.push(line)
    else if (kept === undefined) lines.push({ ...line, barcode: into })
  }
  receipt.lines = new Map(lines.map((line) => [line.barcode, line]))
}
