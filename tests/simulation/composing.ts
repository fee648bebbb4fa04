import assert from 'node:assert/strict'
import type { GoodsItem } from '../../src/warehouse/stock/goods-list.ts'
import { all } from './compare.ts'
import { type Client, free, isKnown, move, type Order } from './model.ts'
import { type Actor, act, mostly, post, type World } from './world.ts'

/**
 * Sets. One of the plain goods of a client is made of two others, of more or fewer, and now and then of none. Only where one acts
 * at a time: which order took which parts depends on who was first.
 */

/** Changes what the set is made of. */
export async function compose({ world, random }: Actor, client: Client): Promise<void> {
  if (!world.alone) return
  const { set } = client
  const parts =
    random.next() < 0.15
      ? []
      : set.possible
          .filter(() => random.next() < 0.8)
          .map((barcode) => ({ barcode, qty: random.int(1, 2) }))
  await act(world, {
    what: `compose ${set.barcode} ${JSON.stringify(parts)}`,
    call: () =>
      world.manager(`/clients/${client.id}/products/${set.barcode}/parts`, {
        method: 'PUT',
        body: { parts },
      }),
    expect: () => {
      if (!isKnown(client, set.barcode)) return 404
      return parts.every(({ barcode }) => isKnown(client, barcode)) ? 200 : 400
    },
    apply: () => {
      set.parts = new Map(parts.map(({ barcode, qty }) => [barcode, qty]))
    },
  })
}

/** Puts sets together beforehand, or takes them apart. */
export async function assemble({ world, random }: Actor, client: Client): Promise<void> {
  const { set } = client
  if (!world.alone) return
  const kind = mostly(random, ['ASSEMBLE', 'TAKE_APART'] as const, (each) => each === 'ASSEMBLE')
  const units = random.int(1, 2)
  const sign = kind === 'ASSEMBLE' ? 1 : -1
  const body = { kind, barcode: set.barcode, qty: units }
  const moves = () => [
    [set.barcode, sign * units] as const,
    ...[...set.parts].map(([barcode, qty]) => [barcode, -sign * units * qty] as const),
  ]
  await act(world, {
    what: `assemble ${JSON.stringify(body)}`,
    call: () => world.worker(`/clients/${client.id}/assemblies`, post(body)),
    expect: () => {
      if (!isKnown(client, set.barcode)) return 400
      if (set.parts.size === 0) return 409
      return moves().every(([barcode, delta]) => free(client, barcode) + delta >= 0 || delta > 0)
        ? 201
        : 409
    },
    apply: () => {
      for (const [barcode, delta] of moves()) move(client, barcode, delta)
    },
  })
}

interface ServedSet {
  readonly order: Order
  readonly index: number
  readonly ready: number
  readonly rest: number
}

/** How the sets of these orders are served, or undefined where parts lack and `mayLack` is false. */
export function servedSets(
  client: Client,
  orders: readonly Order[],
  mayLack: boolean,
): ServedSet[] | undefined {
  const { set } = client
  if (set.parts.size === 0) return []
  const left = new Map([...client.goods.keys()].map((each) => [each, free(client, each)]))
  const take = (barcode: string, units: number) =>
    left.set(barcode, (left.get(barcode) ?? 0) - units)
  const sorted = orders.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const lines = sorted.flatMap((order) =>
    order.lines.map((line, index) => ({ order, line, index })),
  )
  for (const { line } of lines) {
    if (line.barcode !== undefined && line.barcode !== set.barcode) take(line.barcode, line.units)
  }
  const served: ServedSet[] = []
  for (const { order, line, index } of lines) {
    if (line.barcode !== set.barcode) continue
    const ready = Math.min(line.units, Math.max(0, left.get(set.barcode) ?? 0))
    take(set.barcode, ready)
    const rest = line.units - ready
    for (const [part, qty] of set.parts) {
      if (!mayLack && (left.get(part) ?? 0) < rest * qty) return undefined
      take(part, rest * qty)
    }
    if (rest > 0) served.push({ order, index, ready, rest })
  }
  return served
}

/** Lets parts stand for sets among the lines of their orders: a line keeps its place, and what stands for it comes last. */
export function takeParts(client: Client, served: readonly ServedSet[]): void {
  for (const { order, index, ready, rest } of served) {
    const line = order.lines[index]
    assert.ok(line)
    line.replaced = { barcode: client.set.barcode, units: line.units }
    line.barcode = undefined
    line.units = 0
    const add = (barcode: string, units: number) =>
      order.lines.push({ barcode, units, picked: 0, stands: true })
    if (ready > 0) add(client.set.barcode, ready)
    for (const [part, qty] of [...client.set.parts].sort()) add(part, rest * qty)
  }
}

/** The order wants the sets that were ordered. */
export function standAsOrdered(order: Order): void {
  const kept = order.lines.filter(({ stands }) => !stands)
  order.lines.splice(0, order.lines.length, ...kept)
  for (const line of order.lines) {
    if (line.replaced === undefined) continue
    line.barcode = line.replaced.barcode
    line.units = line.replaced.units
    line.replaced = undefined
  }
}

/** What a marketplace ordered: sets, whatever stands for them. */
export const orderedLines = ({ lines }: Order) =>
  lines.filter(({ stands }) => !stands).map((line) => line.replaced ?? line)

/** What sellers read of their sets. */
export async function compareSets(world: World, client: Client): Promise<void> {
  const shown = await all<GoodsItem>((path) => world.seller(client, path), '/goods', 3)
  const { set } = client
  const allowed = [...set.parts].map(([barcode, qty]) => {
    return Math.floor(Math.max(0, free(client, barcode)) / qty)
  })
  assert.deepEqual(
    shown
      .filter(({ is_set }) => is_set)
      .map(({ barcode, parts_allow, parts }) => [
        barcode,
        parts_allow,
        parts.map((part) => [part.barcode, part.quantity]),
      ]),
    set.parts.size === 0 ? [] : [[set.barcode, Math.min(...allowed), [...set.parts].sort()]],
  )
}
