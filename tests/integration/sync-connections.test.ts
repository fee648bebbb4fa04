import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { eventually, hold } from '../support/faults.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { makeClient } from '../support/warehouse.ts'

test('sync runs that wait for the database hold four connections at most, and leave the others to requests', async () => {
  const wb = await startFakeWildberries()
  after(() => wb.close())
  const service = await startService(
    { WB_BASE_URL: wb.baseUrl, WB_CONTENT_BASE_URL: wb.baseUrl, SYNC_INTERVAL: '1h' },
    'all',
  )
  const { db } = service
  const manager = await staffClient(service, 'manager')
  await setSwitch(db, 'marketplaces', false)
  const count = 6
  for (let made = 0; made < count; made += 1) {
    const { cabinets } = await makeClient(db, ['WB'])
    const account = wb.account()
    wb.addOrder(account)
    const draft = { credentials: account.credentials, shipments: 'mirrored' }
    good(await manager.patch(`/cabinets/${cabinets[0]}`, draft))
  }
  const held = await hold(db, { table: 'orders', on: 'insert' })
  await setSwitch(db, 'marketplaces', true)
  const waiting = async () => {
    const rows = await db`
      select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
    return rows.length
  }
  await eventually('runs wait', async () => (await waiting()) >= 4)
  for (let asked = 0; asked < 3; asked += 1) {
    assert.equal((await manager.get('/cabinets')).status, 200)
  }
  assert.equal(await waiting(), 4)
  await held.release()
})
