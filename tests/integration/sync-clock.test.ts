import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hour, minute, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { connectorHarnesses } from '../support/marketplaces/connector-harness.ts'
import type { Fake } from '../support/marketplaces/fake.ts'
import { cabinetState, makeDue, openScene, ordersOf } from '../support/sync-scene.ts'

/** More than a run overlaps with the one before passes between a clock that is wrong and one that was set right. */
const runApartMs = 20 * minute
const restMs = 90 * minute

for (const [how, wrongMs] of [
  ['ahead', 2 * hour],
  ['behind', -2 * hour],
] as const) {
  // Guarantee (marketplaces): A wrong clock, and setting it right, delay no order and no status.
  test(`a clock that is two hours ${how}, and then set right, keeps no order and no status back`, async () => {
    let passedMs = 0
    let ownMs = wrongMs
    const remoteNow = () => Date.now() + passedMs
    const clock = { now: () => remoteNow() + ownMs }
    const scene = await openScene({ clock, remoteNow })
    const places = []
    for (const fake of [scene.wb, scene.ozon]) places.push(await openPlace(scene, fake, remoteNow))
    for (const aheadMs of [wrongMs, 0, wrongMs, 0]) {
      ownMs = aheadMs
      for (let run = 0; run < 5; run += 1) {
        passedMs += runApartMs
        for (const place of places) place.trade()
        // Nobody syncs for a while after the clock changed.
        if (run === 1) passedMs += restMs
        await runOnOrdersAlone(scene, remoteNow())
        for (const place of places) await place.check(`${aheadMs / hour} hours ahead, run ${run}`)
      }
    }
    assert.deepEqual(scene.logged(), [])
    const warnings = places.flatMap(({ marketplace }) =>
      [wrongMs, 0, wrongMs, 0].map((ms) => `${marketplace} ${ms / minute}`),
    )
    assert.deepEqual(scene.warned().map(aheadIn).toSorted(), warnings.toSorted())
  })
}

/** Access and cards were read hours ago: a run asks for orders first, by whatever clock it has. */
async function runOnOrdersAlone(scene: Scene, now: number): Promise<void> {
  const readAt = toTimestamp(now - 3 * hour)
  await scene.db`
    update cabinet_syncs set access_at = ${readAt}, cards_at = ${readAt} where cards_at is not null`
  await makeDue(scene.db)
  const runner = scene.syncing({ intervalMs: 3 * minute })
  await runner.runOnce()
  await runner.stop()
}

const aheadIn = (warning: unknown) => {
  const { marketplace, ahead_minutes } = warning as Record<string, unknown>
  return `${marketplace} ${ahead_minutes}`
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** A cabinet in which two orders arrive before every run; one moves on later, the other is cancelled at once. */
async function openPlace(scene: Scene, fake: Fake, remoteNow: () => number) {
  const { marketplace } = fake
  const { cabinetId, account } = await scene.connect(fake)
  const statuses = connectorHarnesses.find((one) => one.marketplace === marketplace)?.statuses
  assert.ok(statuses !== undefined)
  const card = fake.addCard(account)
  const figure = {
    itemId: card.itemId,
    warehouse: { id: Number(fake.ownWarehouse), name: 'Склад' },
    quantity: 3,
  }
  fake.setStock(account, figure)
  const expected = new Map<string, string>()
  let last: string | undefined
  return {
    marketplace,
    trade() {
      if (last !== undefined) {
        fake.setStatus(account, last, statuses.ASSEMBLING)
        expected.set(last, 'ASSEMBLING')
      }
      // WB lists orders up to the last full second.
      const createdAt = remoteNow() - minute
      last = fake.addOrder(account, { createdAt })
      expected.set(last, 'NEW')
      const cancelled = fake.addOrder(account, { createdAt })
      fake.setStatus(account, cancelled, statuses.CANCELLED)
      expected.set(cancelled, 'CANCELLED')
    },
    async check(when: string) {
      const what = `${marketplace}, ${when}`
      assert.equal((await cabinetState(scene.db, cabinetId)).sync_error, null, what)
      const shown = await ordersOf(scene.db, cabinetId)
      assert.deepEqual(
        new Map(shown.map(({ external_id, status }) => [external_id, status])),
        new Map([...expected].toSorted(([one], [other]) => (one < other ? -1 : 1))),
        what,
      )
      const stock = await scene.db`
        select from marketplace_stock where cabinet_id = ${cabinetId} and quantity > 0`
      assert.equal(stock.length, 1, what)
    },
  }
}
