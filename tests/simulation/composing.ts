import assert from 'node:assert/strict'
import type { Assembly } from '../../src/warehouse/stock/assembly-list.ts'
import type { GoodsItem } from '../../src/warehouse/stock/goods-list.ts'
import { all } from './compare.ts'
import {
  type Client,
  free,
  isKnown,
  learn,
  type Assembly as ModelAssembly,
  move,
  type Order,
  ownBarcode,
} from './model.ts'
import { type Actor, act, mostly, post, some, type World } from './world.ts'

/**
 * Sets. One of the plain goods of a client is made of two others, of more or fewer, and now and then of none. Which order took which
 * parts where several act at once depends on who was first: adopt.ts reads it, and compares what must be so whoever was.
 */

/** A day begins with a set, and with parts of it. */
export async function beginWithSet(world: World, client: Client): Promise<void> {
  const { set } = client
  for (const barcode of [...set.possible, set.barcode]) {
    const call = { method: 'PUT', body: { name: `Товар ${barcode}` } }
    await act(world, {
      what: `put ${barcode}`,
      call: () => world.manager(`/clients/${client.id}/products/${barcode}`, call),
      expect: () => 201,
      apply: () => learn(client, [barcode]),
    })
  }
  const parts = set.possible.map((barcode) => ({ barcode, qty: 1 }))
  await act(world, {
    what: `compose ${set.barcode}`,
    call: () =>
      world.manager(`/clients/${client.id}/products/${set.barcode}/parts`, {
        method: 'PUT',
        body: { parts },
      }),
    expect: () => 200,
    apply: () => {
      set.parts = new Map(set.possible.map((barcode) => [barcode, 1]))
      set.said.push(set.parts)
    },
  })
  for (const barcode of set.possible) {
    const units = 12
    await act(world, {
      what: `find ${units} of ${barcode}`,
      call: () =>
        world.manager(
          `/clients/${client.id}/corrections`,
          post({ barcode, delta: units, reason: 'FOUND' }),
        ),
      expect: () => 201,
      apply: () => move(client, barcode, units),
    })
  }
}

/** Changes what the set is made of. */
export async function compose({ world, random }: Actor, client: Client): Promise<void> {
  const { set } = client
  const parts =
    random.next() < 0.15
      ? []
      : set.possible
          .filter(() => random.next() < 0.8)
          .map((barcode) => ({ barcode, qty: random.int(1, 2) }))
  const own = () => parts.map(({ barcode }) => ownBarcode(client, barcode))
  const composition = () =>
    new Map(parts.map(({ barcode, qty }) => [ownBarcode(client, barcode), qty]))
  // An order may take them before the answer is here.
  set.said.push(composition())
  await act(world, {
    what: `compose ${set.barcode} ${JSON.stringify(parts)}`,
    call: () =>
      world.manager(`/clients/${client.id}/products/${set.barcode}/parts`, {
        method: 'PUT',
        body: { parts },
      }),
    expect: () => {
      if (!isKnown(client, set.barcode)) return 404
      const isRight = own().every((barcode) => isKnown(client, barcode))
      return isRight && new Set(own()).size === parts.length ? 200 : 400
    },
    apply: () => {
      set.parts = composition()
    },
  })
}

/** Puts sets together beforehand, or takes them apart; now and then what was done is undone. */
export async function assemble(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const { set } = client
  const made = random.next() < 0.25 ? some(random, set.assemblies) : undefined
  if (made !== undefined) return undoAssembly(actor, client, ...made)
  const kind = mostly(random, ['ASSEMBLE', 'TAKE_APART'] as const, (each) => each === 'ASSEMBLE')
  const units = random.int(1, 2)
  const sign = kind === 'ASSEMBLE' ? 1 : -1
  const body = { kind, barcode: set.barcode, qty: units }
  const moves = (parts: ReadonlyMap<string, number>) => [
    [set.barcode, sign * units] as const,
    ...[...parts].map(([barcode, qty]) => [barcode, -sign * units * qty] as const),
  ]
  await act(world, {
    what: `assemble ${JSON.stringify(body)}`,
    call: () => world.worker(`/clients/${client.id}/assemblies`, post(body)),
    expect: () => {
      if (!isKnown(client, set.barcode)) return 400
      if (set.parts.size === 0) return 409
      return mayMove(client, moves(set.parts)) ? 201 : 409
    },
    apply: (body) => {
      const { id, parts: shown } = body as Assembly
      const parts = new Map(shown.map(({ barcode, qty }) => [barcode, qty / units]))
      if (world.alone) assert.equal(textOf(client, parts), textOf(client, set.parts))
      assert.ok(wasSaid(client, parts), `nobody said ${set.barcode} is made of ${[...parts]}`)
      set.assemblies.set(id, { moves: moves(parts), undone: false })
      for (const [barcode, delta] of moves(parts)) move(client, barcode, delta)
    },
  })
}

type Moves = ModelAssembly['moves']

/** Parts that were merged meanwhile come back, or go, as the goods that they became. */
const mayMove = (client: Client, moves: Moves) =>
  [...Map.groupBy(moves, ([barcode]) => ownBarcode(client, barcode))].every(([barcode, all]) => {
    const delta = all.reduce((sum, [, units]) => sum + units, 0)
    return delta >= 0 || free(client, barcode) + delta >= 0
  })

async function undoAssembly(
  { world }: Actor,
  client: Client,
  id: string,
  made: ModelAssembly,
): Promise<void> {
  const back = made.moves.map(([barcode, units]) => [barcode, -units] as const)
  await act(world, {
    what: `undo-assembly ${id}`,
    call: () => world.worker(`/clients/${client.id}/assemblies/${id}/undo`, post()),
    expect: () => (made.undone || mayMove(client, back) ? 200 : 409),
    apply: () => {
      if (made.undone) return
      made.undone = true
      for (const [barcode, units] of back) move(client, barcode, units)
    },
  })
}

const textOf = (client: Client, parts: ReadonlyMap<string, number>) =>
  `${[...parts].map(([barcode, units]) => `${ownBarcode(client, barcode)} ${units}`).sort()}`

/** Whether somebody said that the set is made of these parts. */
export const wasSaid = (client: Client, parts: ReadonlyMap<string, number>) =>
  client.set.said.some((said) => textOf(client, said) === textOf(client, parts))

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
    if (line.barcode !== undefined && line.barcode !== set.barcode)
      take(ownBarcode(client, line.barcode), line.units)
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

/** Whether a marketplace ordered the set. */
export const wantsSet = ({ set }: Client, order: Order) =>
  orderedLines(order).some(({ barcode }) => barcode === set.barcode)

/** What left with an order of sets: goods as they were ordered, and sets ready or in parts that somebody named. */
export function compareLeft(client: Client, order: Order, left: ReadonlyMap<string, number>): void {
  const { set } = client
  const rest = new Map(left)
  let sets = 0
  for (const { barcode = '', units } of orderedLines(order)) {
    if (barcode === set.barcode) sets += units
    else {
      const own = ownBarcode(client, barcode)
      rest.set(own, (rest.get(own) ?? 0) - units)
    }
  }
  const fromParts = sets - (left.get(set.barcode) ?? 0)
  rest.delete(set.barcode)
  const parts = [...rest].filter(([, units]) => units !== 0)
  const shown = `${order.number}: ${sets} sets left as ${JSON.stringify([...left])}`
  assert.ok(fromParts >= 0, shown)
  if (fromParts === 0) assert.deepEqual(parts, [], shown)
  else {
    const composition = new Map(parts.map(([barcode, units]) => [barcode, units / fromParts]))
    assert.ok(wasSaid(client, composition), shown)
  }
}

/** What sellers read of their sets. */
export async function compareSets(world: World, client: Client): Promise<void> {
  const shown = await all<GoodsItem>((path) => world.seller(client, path), '/goods', 3)
  const { set } = client
  for (const barcode of client.goods.keys()) assert.ok(free(client, barcode) >= 0, barcode)
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
