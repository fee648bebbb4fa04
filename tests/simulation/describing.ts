import assert from 'node:assert/strict'
import type { Product } from '../../src/warehouse/catalogue/products.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { type Client, type Goods, goodsOf, isKnown } from './model.ts'
import { type Actor, act, mostly, post, type World } from './world.ts'

/** What goods weigh and look like: a worker weighs them, a manager takes their picture. */

const sides = { length_cm: 12.5, width_cm: 10, height_cm: 8 }

export async function describe(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const goods = mostly(random, client.goods.values(), ({ quantity }) => quantity !== undefined)
  if (goods === undefined) return
  const { barcode } = goods
  const path = `/clients/${client.id}/products/${barcode}`
  const expect = () => (isKnown(client, barcode) ? 200 : 404)
  if (random.next() < 0.5) {
    const weight = random.int(1, 900)
    await act(world, {
      what: `weigh ${barcode} ${weight}`,
      call: () => world.worker(`${path}/measures`, post({ ...sides, weight_g: weight })),
      expect,
      apply: () => goodsOf(client, barcode)?.weights.push(weight),
    })
    return
  }
  const picture = fakePicture(newName('picture'))
  await act(world, {
    what: `picture ${barcode}`,
    call: () => world.manager(`${path}/picture`, { method: 'PUT', body: picture }),
    expect,
    apply: (body) => goodsOf(client, barcode)?.pictures.push((body as Product).picture ?? 'none'),
  })
}

/** What goods show must be the last that was said of them, or what they took over. */
export async function compareDescriptions(world: World, client: Client): Promise<void> {
  for (const goods of client.goods.values()) {
    if (goods.weights.length === 0 && goods.pictures.length === 0) continue
    const path = `/clients/${client.id}/products/${goods.barcode}`
    const { items } = (await world.worker(`${path}/measures`)).body as {
      items: { weight_g: number }[]
    }
    const { picture } = (await world.manager(path)).body as Product
    goods.weights = knownOf(world, goods, goods.weights, items[0]?.weight_g)
    goods.pictures = knownOf(world, goods, goods.pictures, picture)
  }
}

function knownOf<T>(world: World, { barcode }: Goods, said: T[], shown: T | undefined): T[] {
  if (world.alone || shown === undefined) assert.equal(shown, said.at(-1), barcode)
  else assert.ok(said.includes(shown), `${barcode} shows ${shown}, said was ${said}`)
  return shown === undefined ? [] : [shown]
}
