import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playChaos } from '../../scripts/chaos/run.ts'

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
