import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { nobody } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { type Fields, fieldsOf, made, staffScene } from './staff-answers.ts'

const service = await sharedService()
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')

const { lastChange, newClient } = staffScene(administrator, manager)

const line = { barcode: 'B-1', name: 'Товар', qty: 1, honest_mark: false }

suite('cabinets', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.e30.c2VjcmV0LXRva2Vu'
  const ozon = { client_id: '1234567', api_key: '0e4f6c1a-secret-key' }

  // Guarantee (marketplaces): Credentials of cabinets are readable nowhere.
  test('credentials are sealed in the database and shown nowhere', async () => {
    const { id: client } = await newClient()
    const path = `/clients/${client}/cabinets`
    const draft = { marketplace: 'WB', name: 'WB', credentials: { token } }
    const wb = await made(manager.post(path, draft))
    assert.equal(wb.has_credentials, true)
    assert.equal(wb.shipments, 'mirrored')
    const plain = await made(manager.post(path, { marketplace: 'OZON', name: 'OZON' }))
    assert.deepEqual([plain.has_credentials, plain.shipments], [false, 'ours'])
    const given = await manager.patch(`/cabinets/${plain.id}`, { credentials: ozon })
    assert.deepEqual([fieldsOf(given).has_credentials, fieldsOf(given).shipments], [true, 'ours'])
    const shown = [
      wb,
      given.body,
      (await manager.get(path)).body,
      (await manager.get(`/cabinets/${wb.id}`)).body,
      (await administrator.get(`/journal/staff?client_id=${client}`)).body,
      (await administrator.get('/journal/calls')).body,
    ]
    assert.doesNotMatch(JSON.stringify(shown), /c2VjcmV0|secret-key/)
    const rows = await service.db<{ credentials: Buffer }[]>`
      select credentials from cabinets where client_id = ${client}`
    for (const { credentials } of rows) assert.doesNotMatch(String(credentials), /c2Vj|secret/)

    const taken = await manager.patch(`/cabinets/${wb.id}`, { credentials: null })
    assert.deepEqual(
      [fieldsOf(taken).has_credentials, fieldsOf(taken).credentials_at],
      [false, null],
    )
    const { before, after } = await lastChange(wb.id)
    assert.deepEqual(
      [(before as Fields).has_credentials, (after as Fields).has_credentials],
      [true, false],
    )
  })

  test('credentials of another marketplace and incomplete ones are refused', async () => {
    const { id: client } = await newClient()
    const { id } = await made(
      manager.post(`/clients/${client}/cabinets`, { marketplace: 'WB', name: 'x' }),
    )
    const bad: readonly (readonly ['WB' | 'OZON', unknown, string])[] = [
      ['WB', {}, 'credentials.token'],
      ['WB', { token: '' }, 'credentials.token'],
      ['WB', { token: 'a b' }, 'credentials.token'],
      ['WB', { token: 'a\n' }, 'credentials.token'],
      ['WB', { token: 'ключ' }, 'credentials.token'],
      ['WB', { token: 'x'.repeat(4097) }, 'credentials.token'],
      ['WB', { token: 1 }, 'credentials.token'],
      ['WB', { token, api_key: 'x' }, 'credentials.api_key'],
      ['WB', ozon, 'credentials.token'],
      ['OZON', { client_id: '1' }, 'credentials.api_key'],
      ['OZON', { token }, 'credentials.client_id'],
      ['OZON', 'x', 'credentials'],
      ['OZON', [], 'credentials'],
    ]
    for (const [marketplace, credentials, field] of bad) {
      const body = { marketplace, name: 'x', credentials }
      const refused = await manager.post(`/clients/${client}/cabinets`, body)
      assertRefused(refused, 'validation_error', field)
      if (marketplace !== 'WB') continue
      assertRefused(
        await manager.patch(`/cabinets/${id}`, { credentials }),
        'validation_error',
        field,
      )
    }
    const unknown = { marketplace: 'WB', name: 'x', credentials: { token, secret: 'x' } }
    assertRefused(
      await manager.post(`/clients/${client}/cabinets`, unknown),
      'bad_request',
      'secret',
    )
    for (const marketplace of ['wb', 'EBAY', null]) {
      const body = { marketplace, name: 'x' }
      const refused = await manager.post(`/clients/${client}/cabinets`, body)
      assertRefused(refused, 'validation_error', 'marketplace')
    }
    const moved = await manager.patch(`/cabinets/${id}`, { marketplace: 'OZON' })
    assertRefused(moved, 'bad_request', 'marketplace')
    const { total } = fieldsOf(await manager.get(`/clients/${client}/cabinets`))
    assert.equal(total, 1)
  })

  test('the seller sees that a cabinet is inactive, and receipt requests may still name it', async () => {
    const { id: client } = await newClient()
    const cabinet = { marketplace: 'WB', name: 'Северный' }
    const { id } = await made(manager.post(`/clients/${client}/cabinets`, cabinet))
    const key = { name: 'x', receipts_enabled: true }
    const issued = await made(manager.post(`/clients/${client}/keys`, key))
    const seller = openClient(service.baseUrl, String(issued.key))
    const patch = { active: false, name: 'Южный', shipments: 'mirrored' }
    const patched = fieldsOf(await manager.patch(`/cabinets/${id}`, patch))
    assert.deepEqual({ ...patched, ...patch }, patched)
    const { cabinets } = fieldsOf(await seller.get('/v1/me')) as { cabinets: Fields[] }
    assert.deepEqual(
      cabinets.map(({ name, active }) => [name, active]),
      [['Южный', false]],
    )
    assert.equal((await seller.post('/v1/receipts', { items: [line] })).status, 201)
  })

  test('an unknown cabinet is not found', async () => {
    for (const id of [nobody, 'x', '%00']) {
      assertRefused(await manager.get(`/cabinets/${id}`), 'not_found')
      assertRefused(await manager.patch(`/cabinets/${id}`, { name: 'x' }), 'not_found')
    }
  })
})
