import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService, startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { type Fields, fieldsOf } from './staff-answers.ts'

const service = await sharedService()
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')

const client = String(fieldsOf(await manager.post('/clients', { name: 'ООО «Ромашка»' })).id)
await manager.post(`/clients/${client}/cabinets`, { marketplace: 'WB', name: 'WB' })

async function issue(draft: Fields = { name: '1С' }): Promise<{ id: string; key: string }> {
  const answer = await manager.post(`/clients/${client}/keys`, draft)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as { id: string; key: string }
}

const line = { barcode: 'B-1', name: 'Товар', qty: 1, honest_mark: false }

test('a new key is shown once, works, and is listed without its value', async () => {
  const issued = await issue({ name: 'Учётная система', receipts_enabled: true })
  const { key, ...shown } = issued
  assert.match(key, /^svc_live_/)
  assert.deepEqual(Object.keys(shown), [
    'id',
    'client_id',
    'name',
    'preview',
    'receipts_enabled',
    'created_at',
    'last_used_at',
    'revoked_at',
  ])
  const seller = openClient(service.baseUrl, key)
  const me = fieldsOf(await seller.get('/v1/me')) as { key: Fields; client: Fields }
  assert.deepEqual([me.client.id, me.key.id], [client, issued.id])
  assert.equal((await seller.post('/v1/receipts', { items: [line] })).status, 201)
  const list = await manager.get(`/clients/${client}/keys`)
  const journal = await administrator.get(`/journal/staff?object_id=${issued.id}`)
  assert.equal((list.body as { items: Fields[] }).items[0]?.id, issued.id)
  for (const { text } of [list, journal]) assert.ok(!text.includes(key.slice(9, -4)), text)
  assert.doesNotMatch(journal.text, /hash/)
})

test('a changed right of a key applies from the next request on', async () => {
  const { id, key } = await issue()
  const seller = openClient(service.baseUrl, key)
  const ask = () => seller.post('/v1/receipts', { items: [line] })
  assertRefused(await ask(), 'write_disabled')
  const patched = await manager.patch(`/keys/${id}`, { receipts_enabled: true, name: 'Новое' })
  assert.deepEqual([fieldsOf(patched).receipts_enabled, fieldsOf(patched).name], [true, 'Новое'])
  assert.equal((await ask()).status, 201)
  await manager.patch(`/keys/${id}`, { receipts_enabled: false })
  assertRefused(await ask(), 'write_disabled')
})

// Guarantee (keys): Every process refuses a revoked key from the next request on.
test('a revoked key is refused from the next request on, by another process too', async () => {
  const { id, key } = await issue()
  const other = await startService({}, 'api', async () => service.db)
  const sellers = [openClient(service.baseUrl, key), openClient(other.baseUrl, key)]
  for (const seller of sellers) assert.equal((await seller.get('/v1/me')).status, 200)
  const revoked = await manager.post(`/keys/${id}/revoke`)
  assert.notEqual(fieldsOf(revoked).revoked_at, null)
  for (const seller of sellers) assertRefused(await seller.get('/v1/me'), 'key_revoked')
  // The journal writes last_used_at with a delay.
  const again = fieldsOf(await manager.post(`/keys/${id}/revoke`))
  assert.deepEqual(
    { ...again, last_used_at: undefined },
    { ...fieldsOf(revoked), last_used_at: undefined },
  )
  assertRefused(await manager.patch(`/keys/${id}`, { name: 'x' }), 'conflict', 'отозван')
  const journal = await administrator.get(`/journal/staff?object_id=${id}`)
  const actions = (journal.body as { items: Fields[] }).items.map(({ action }) => action)
  assert.deepEqual(actions, ['revokeKey', 'issueKey'])
})

test('of many concurrent revocations exactly one revokes the key', async () => {
  const { id } = await issue()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => manager.post(`/keys/${id}/revoke`)),
  )
  assert.equal(new Set(answers.map((answer) => fieldsOf(answer).revoked_at)).size, 1)
  const { total } = fieldsOf(await administrator.get(`/journal/staff?object_id=${id}`))
  assert.equal(total, 2)
})

test('bad fields of a key are refused, and an unknown id is not found', async () => {
  const { id } = await issue()
  const bad: readonly (readonly [string, readonly unknown[]])[] = [
    ['name', ['', 'x'.repeat(501), 1, '\u0000']],
    ['receipts_enabled', ['true', 1]],
  ]
  for (const [field, values] of bad) {
    for (const value of values) {
      const body = { name: 'x', [field]: value }
      assertRefused(await manager.post(`/clients/${client}/keys`, body), 'validation_error', field)
      assertRefused(await manager.patch(`/keys/${id}`, body), 'validation_error', field)
    }
  }
  assertRefused(await manager.patch(`/keys/${id}`, { key: 'x' }), 'bad_request', 'key')
  for (const none of ['01a1fcc9-0000-7000-8000-000000000000', 'x', '%00', client]) {
    assertRefused(await manager.patch(`/keys/${none}`, { name: 'x' }), 'not_found')
    assertRefused(await manager.post(`/keys/${none}/revoke`), 'not_found')
  }
})
