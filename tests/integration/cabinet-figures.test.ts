import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabinetFigures } from '../../src/exchange/marketplaces/sync/figures.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient } from '../support/warehouse.ts'

test('figures tell cabinets that are late from those that fail and those whose key is refused', async () => {
  const { db } = await testDatabase()
  assert.deepEqual(await cabinetFigures(db), { enabled: true, cabinets: [] })
  const { id, cabinets } = await makeClient(db, ['WB', 'OZON', 'WB', 'OZON', 'WB'])
  // By the server's clock: how far off the next run is, failures in a row, and whether the key is refused.
  const states = [
    ['1 minute', 0, false],
    ['-9 minutes', 0, false],
    ['-11 minutes', 0, false],
    ['-11 minutes', 2, false],
    ['-11 minutes', 2, true],
  ] as const
  for (const [index, [next, failures, refused]] of states.entries()) {
    await db`
      insert into cabinet_syncs (client_id, cabinet_id, connected_at, next_at, failures, credentials_refused)
      values (${id}, ${cabinets[index] ?? ''}, now(), now() + ${next}::interval, ${failures}, ${refused})`
  }
  await setSwitch(db, 'marketplaces', false)
  const figures = await cabinetFigures(db)
  assert.equal(figures.enabled, false)
  assert.deepEqual(
    new Map(figures.cabinets.map(({ state, count }) => [state, count])),
    new Map([
      ['synced', 2],
      ['late', 1],
      ['failing', 1],
      ['refused', 1],
    ]),
  )
})
