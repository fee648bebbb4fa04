import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListView } from '../../src/identity/staff/list-views.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good, nobody } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

const service = await sharedService()
const admin = await staffClient(service, 'administrator')
for (const code of ['VIEWS-1', 'VIEWS-2']) {
  good(await admin.post('/warehouses', { code, name: code }), 201)
}

async function managerOf(code: string) {
  const manager = await staffClient(service, 'manager')
  good(await admin.put(`/users/${manager.userId}/warehouses`, { warehouse_codes: [code] }))
  const names = async () =>
    good<{ items: ListView[] }>(await manager.get('/list-views?list=orders')).items.map(
      ({ name, query, own }) => [name, query, own],
    )
  return { ...manager, names }
}

// Guarantee (staff): Colleagues of the same warehouses see a saved view; only who saved it changes it.
test('managers share views of lists with the colleagues of their warehouses', async () => {
  const mine = await managerOf('VIEWS-1')
  const colleague = await managerOf('VIEWS-1')
  const stranger = await managerOf('VIEWS-2')
  const draft = { list: 'orders', name: 'Горит', query: 'status=NEW&sort=deadline' }
  const saved = good<ListView>(await mine.post('/list-views', draft))
  const query = 'status=NEW'
  assert.equal(good<ListView>(await mine.post('/list-views', { ...draft, query })).id, saved.id)
  assert.deepEqual(await mine.names(), [['Горит', query, true]])
  assert.deepEqual(await colleague.names(), [['Горит', query, false]])
  assert.deepEqual(await stranger.names(), [])
  // One's own view of the same name does not touch that of the colleague.
  good(await colleague.post('/list-views', draft))
  assert.deepEqual(await mine.names(), [
    ['Горит', query, true],
    ['Горит', draft.query, false],
  ])
  assertRefused(await stranger.delete(`/list-views/${saved.id}`), 'not_found')
  assertRefused(await colleague.delete(`/list-views/${saved.id}`), 'forbidden')
  good(await mine.delete(`/list-views/${saved.id}`), 204)
  assertRefused(await mine.delete(`/list-views/${saved.id}`), 'not_found')
  assertRefused(await mine.delete(`/list-views/${nobody}`), 'not_found')
  assert.deepEqual(await mine.names(), [['Горит', draft.query, false]])
  assertRefused(await mine.post('/list-views', { ...draft, name: '' }), 'validation_error', 'name')
  const journal = good<{ items: { action: string }[] }>(
    await admin.get(`/journal/staff?object_id=${saved.id}`),
  )
  assert.deepEqual(
    journal.items.map(({ action }) => action),
    ['deleteListView', 'saveListView', 'saveListView'],
  )
})
