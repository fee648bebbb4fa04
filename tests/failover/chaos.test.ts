import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../../scripts/chaos/check.ts'
import { clockLibrary } from '../../scripts/chaos/clock.ts'
import { type Acknowledged, startLoad } from '../../scripts/chaos/load.ts'
import { playChaos } from '../../scripts/chaos/run.ts'
import { openShift } from '../../scripts/chaos/scene.ts'
import { openWarehouse } from '../../scripts/chaos/warehouse.ts'
import { hasDebianServer } from '../support/debian-server.ts'
import { eventually } from '../support/faults.ts'

/** Two short plays that have all faults but an orderly end; `npm run chaos` plays as many others as one likes. */
for (const seed of ['1', '93']) {
  // Guarantee (db): Everything acknowledged survives any order of kills and stops of the service and its database.
  test(`nothing acknowledged is lost while the service and its database are killed and stopped, seed ${seed}`, async () => {
    const plan = { seed, runs: 1, faults: 5, disk: undefined, setsClock: false, given: false }
    for await (const report of playChaos(plan)) {
      assert.deepEqual(report.problems, [], report.faults.join(', '))
      assert.equal(report.faults.length, 5)
      assert.ok(report.acknowledged > 50)
    }
  })
}

const skip =
  (clockLibrary === undefined && 'Debian’s libfaketime is not installed') ||
  (!hasDebianServer && 'Debian’s PostgreSQL 15 is not installed')

test('nothing acknowledged is lost while the clocks of the service and its database step, seed 15', {
  skip,
}, async () => {
  const plan = {
    seed: '15',
    runs: 1,
    faults: 5,
    disk: undefined,
    setsClock: true,
    given: true,
  }
  for await (const report of playChaos(plan)) {
    assert.deepEqual(report.problems, [], report.faults.join(', '))
    const steps = report.faults.filter((fault) => fault.startsWith('clock'))
    assert.ok(steps.length > 1, report.faults.join(', '))
  }
})

/** Each acknowledges one thing that is not there. */
const untrue: Readonly<Record<string, (acknowledged: Acknowledged) => void>> = {
  'a count': (known) => {
    known.counts += 1
  },
  'a dated unit': ({ handled }) => {
    for (const [date, units] of handled.dated) handled.dated.set(date, units + 1)
  },
  'a unit that was found': ({ handled }) => {
    for (const [name, units] of handled.found) handled.found.set(name, units + 1)
  },
  'a merging': ({ handled }) => handled.merged.add('another'),
  'a set': ({ handled }) => {
    handled.assembled += 1
  },
  'a pick': ({ shifts: [work] }) => {
    if (work !== undefined) work.picks += 1
  },
  'a return': ({ shifts: [work] }) => {
    if (work !== undefined) work.returns += 1
  },
  'a photo': ({ shifts: [work] }) => work?.photos.push('another'),
  'a receipt': ({ receipts }) => receipts.set('another', 'another'),
}

test('the check of a play names whatever is missing', async (t) => {
  await using warehouse = await openWarehouse({ disk: undefined, setsClock: false, given: false })
  const { scene, acknowledged, received } = warehouse
  const size = { toPick: 2, setsToPick: 2, toAssemble: 2, away: 2 }
  const shift = await openShift(scene, 'shift', size)
  const load = startLoad(scene, shift, acknowledged)
  const { handled } = acknowledged
  const isDone = () => handled.merged.size === 1 && handled.assembled === size.toAssemble
  await eventually('goods are merged and sets assembled', async () => isDone())
  await load.stop()
  assert.deepEqual(await check(scene, acknowledged, received), [])
  for (const [what, claim] of Object.entries(untrue)) {
    await t.test(what, async () => {
      const known = structuredClone(acknowledged)
      claim(known)
      assert.notDeepEqual(await check(scene, known, received), [])
    })
  }
})
