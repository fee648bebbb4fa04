import assert from 'node:assert/strict'
import type { GoodsLot, StockLot } from '../../src/warehouse/stock/lot-queries.ts'
import { all } from './compare.ts'
import { type Client, type Goods, goodsOf, isKnown } from './model.ts'
import { type Actor, act, mostly, post, some, type World } from './world.ts'

/**
 * Expiry dates. The model knows of which goods lots are kept, how many units ever got a date, and that the lots of
 * goods sum to their quantity. Which of them leave with a movement that names no lot is the service's choice.
 */

const dates = ['2027-03-31', '2027-06-30', '2028-01-15'] as const

/** Keeps lots of goods from now on, or of those that have them no longer. */
export async function keepDates({ world, random }: Actor, client: Client): Promise<void> {
  const goods = mostly(random, client.goods.values(), ({ dated }) => dated === undefined)
  if (goods === undefined) return
  const { barcode } = goods
  const path = `/clients/${client.id}/products/${barcode}/lots`
  const ends = world.alone && goods.dated !== undefined && random.next() < 0.5
  await act(world, {
    what: `${ends ? 'forget' : 'keep'} dates of ${barcode}`,
    call: () =>
      world.manager(
        path,
        ends ? { method: 'DELETE' } : { method: 'PUT', body: { warn_days: random.int(0, 60) } },
      ),
    expect: () => (isKnown(client, barcode) ? 200 : 404),
    apply: () => {
      const now = goodsOf(client, barcode)
      if (now === undefined) return
      if (ends) delete now.dated
      else now.dated ??= new Map()
    },
  })
}

/** A date for the units of a scan, sometimes; of goods without lots it counts for nothing. */
export function dateOfScan({ random }: Actor): { expires_on?: string } {
  return random.next() < 0.5 ? { expires_on: random.pick(dates) } : {}
}

/** Units got a date. */
export function date(goods: Goods | undefined, day: string | undefined, units: number): void {
  if (day !== undefined) goods?.dated?.set(day, (goods.dated.get(day) ?? 0) + units)
}

/** Units of one lot turn out to have another date. */
export async function redate({ world, random, newName }: Actor, client: Client): Promise<void> {
  const goods = some(
    random,
    [...client.goods.values()].filter(({ dated }) => dated !== undefined),
  )
  if (goods === undefined) return
  const path = `/clients/${client.id}/products/${goods.barcode}/lots`
  const before = linesOf((await world.worker(path)).body)
  const from = random.next() < 0.5 ? null : random.pick(dates)
  const to = random.pick(dates)
  const qty = random.int(1, 3)
  const there = before.get(`${from}`) ?? { quantity: 0, picked: 0 }
  await act(world, {
    what: `redate ${goods.barcode} ${from} to ${to} ${qty}`,
    call: () =>
      world.worker(
        `${path}/changes`,
        post({ entry_id: newName('date'), expires_on: from, to_expires_on: to, qty }),
      ),
    expect: () => (there.quantity - there.picked < qty ? 409 : 200),
    apply: (body) => {
      date(goodsOf(client, goods.barcode), to, qty)
      if (!world.alone) return
      const after = linesOf(body)
      const moved = from === to ? 0 : qty
      const units = (lots: Lines, day: string | null) => lots.get(`${day}`)?.quantity ?? 0
      assert.equal(units(after, to), units(before, to) + moved)
      assert.equal(units(after, from), units(before, from) - moved)
    },
  })
}

type Lines = ReadonlyMap<string, Pick<StockLot, 'quantity' | 'picked'>>

function linesOf(body: unknown): Lines {
  return new Map((body as { items: StockLot[] }).items.map((lot) => [`${lot.expires_on}`, lot]))
}

/** What sellers read of their lots. */
export async function compareLots(world: World, client: Client): Promise<void> {
  const shown = await all<GoodsLot>((path) => world.seller(client, path), '/lots', 3)
  const byGoods = Map.groupBy(shown, ({ barcode }) => barcode)
  for (const { barcode, dated, quantity = 0 } of client.goods.values()) {
    const lots = byGoods.get(barcode) ?? []
    const sum = lots.reduce((units, lot) => units + lot.quantity, 0)
    assert.equal(sum, dated === undefined ? 0 : quantity, `lots of ${barcode}`)
    for (const { expires_on: day, quantity: units, picked } of lots) {
      assert.ok(picked <= units, `picked of ${barcode}`)
      if (day === null) continue
      const got = dated?.get(day) ?? 0
      assert.ok(units <= got, `${units} of ${barcode} until ${day}, ${got} ever got that date`)
    }
  }
}
