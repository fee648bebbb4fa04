import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabinetFigures } from '../../src/exchange/marketplaces/sync/figures.ts'
import { hour } from '../../src/platform/kernel/moscow-time.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient } from '../support/warehouse.ts'

test('figures tell cabinets that are late from those that fail and those whose key is refused', async () => {
  const { db } = await testDatabase()
  assert.deepEqual(await cabinetFigures(db), {
    enabled: true,
    cabinets: [],
    oldestSyncMs: new Map(),
  })
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
      values (${id}, ${cabinets[index] ?? ''}, now() - ${`${index} hours`}::interval, now() + ${next}::interval, ${failures}, ${refused})`
  }
  await setSwitch(db, 'marketplaces', false)
  const figures = await cabinetFigures(db)
  assert.equal(figures.enabled, false)
  assert.deepEqual(
    new Set(
      figures.cabinets.map(({ marketplace, state, count }) => `${marketplace} ${state} ${count}`),
    ),
    new Set(['WB synced 1', 'OZON synced 1', 'WB late 1', 'OZON failing 1', 'WB refused 1']),
  )
  const hours = [...figures.oldestSyncMs].map(([name, ms]) => [name, Math.round(ms / hour)])
  assert.deepEqual(
    new Map(hours as [string, number][]),
    new Map([
      ['WB', 2],
      ['OZON', 3],
    ]),
  )
})
