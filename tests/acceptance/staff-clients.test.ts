import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, newSandbox, openClient } from '../support/client.ts'
import { emptySandbox, startService } from '../support/service.ts'
import { nobody } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { type Fields, fieldsOf, itemsOf, made, staffScene } from './staff-answers.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')

const { lastChange, newClient } = staffScene(administrator, manager)

const line = { barcode: 'B-1', name: 'Товар', qty: 1, honest_mark: false }

suite('warehouses', () => {
  test('a warehouse is added once and listed by code', async () => {
    const draft = { code: 'MSK1', name: 'Москва' }
    const warehouse = await made(administrator.post('/warehouses', draft))
    assert.deepEqual(Object.keys(warehouse), ['code', 'name', 'intake_open', 'created_at'])
    assert.equal(warehouse.intake_open, true)
    assertRefused(await administrator.post('/warehouses', draft), 'conflict', 'MSK1')
    await made(administrator.post('/warehouses', { code: 'Екб-2', name: 'Урал' }))
    const first = await administrator.get('/warehouses?limit=1')
    assert.deepEqual(
      itemsOf(first).map(({ code }) => code),
      ['MSK1'],
    )
    const { total, next_cursor } = fieldsOf(first)
    assert.equal(total, 2)
    const rest = await administrator.get(`/warehouses?limit=5&cursor=${next_cursor}`)
    assert.deepEqual(
      itemsOf(rest).map(({ code }) => code),
      ['Екб-2'],
    )
    assert.equal((await lastChange('MSK1')).action, 'createWarehouse')
  })

  test('a bad code of a warehouse is refused', async () => {
    for (const code of [
      '',
      ' ',
      'a b',
      'a/b',
      '-1',
      'x'.repeat(33),
      1,
      null,
      'a\u0000',
      '\ud800',
    ]) {
      assertRefused(
        await administrator.post('/warehouses', { code, name: 'x' }),
        'validation_error',
        'code',
      )
    }
    const more = { code: 'X', name: 'x', mode: 'test' }
    assertRefused(await administrator.post('/warehouses', more), 'bad_request', 'mode')
  })

  test('a closed warehouse refuses receipt requests, and takes them once it is open again', async () => {
    await made(administrator.post('/warehouses', { code: 'SPB1', name: 'Петербург' }))
    const { id } = await newClient({ warehouse_code: 'SPB1' })
    const cabinet = { marketplace: 'WB', name: 'WB' }
    await made(manager.post(`/clients/${id}/cabinets`, cabinet))
    const key = { name: '1С', receipts_enabled: true }
    const issued = await made(manager.post(`/clients/${id}/keys`, key))
    const seller = openClient(service.baseUrl, String(issued.key))

    const closed = await manager.put('/warehouses/SPB1/intake', { open: false })
    assert.equal(fieldsOf(closed).intake_open, false)
    assertRefused(await seller.post('/v1/receipts', { items: [line] }), 'warehouse_unavailable')
    assert.equal(fieldsOf(await seller.get('/v1/receipts')).total, 0)
    await manager.put('/warehouses/SPB1/intake', { open: true })
    assert.equal((await seller.post('/v1/receipts', { items: [line] })).status, 201)

    const { before, after, action } = await lastChange('SPB1')
    assert.equal(action, 'switchIntake')
    assert.equal((before as Fields).intake_open, false)
    assert.equal((after as Fields).intake_open, true)
    await manager.put('/warehouses/SPB1/intake', { open: true })
    const { total } = fieldsOf(await administrator.get('/journal/staff?object_id=SPB1'))
    assert.equal(total, 3, 'a switch that changes nothing is journalled')
  })

  test('the warehouse of sandboxes and an unknown one cannot be closed', async () => {
    for (const code of ['DEMO', 'NONE', '%00', 'x'.repeat(300)]) {
      assertRefused(await manager.put(`/warehouses/${code}/intake`, { open: false }), 'not_found')
    }
  })
})

test('the switch turns webhooks off and on', async () => {
  const { id } = await newClient()
  const issued = await made(manager.post(`/clients/${id}/keys`, { name: 'x' }))
  const seller = openClient(service.baseUrl, String(issued.key))
  const set = (enabled: boolean) => administrator.put('/webhooks-service', { enabled })
  assert.deepEqual((await set(false)).body, { enabled: false })
  assertRefused(await seller.get('/v1/webhooks'), 'webhooks_unavailable')
  assert.deepEqual((await administrator.get('/webhooks-service')).body, { enabled: false })
  assert.deepEqual((await set(true)).body, { enabled: true })
  assert.equal((await seller.get('/v1/webhooks')).status, 200)
  await set(true)
  const { total } = fieldsOf(await administrator.get('/journal/staff?object_id=webhooks-service'))
  assert.equal(total, 2)
})

suite('clients', () => {
  test('a client is created, changed and shown', async () => {
    const draft = { name: 'ООО «Ромашка»', inn: '7701234560', warehouse_code: 'MSK1' }
    const client = await made(manager.post('/clients', draft))
    assert.deepEqual(Object.keys(client), [
      ...['id', 'name', 'inn', 'warehouse_code', 'account_receipts', 'created_at'],
    ])
    assert.deepEqual((await manager.get(`/clients/${client.id}`)).body, client)
    const patch = { inn: null, name: 'ИП Роза', warehouse_code: null }
    const patched = await manager.patch(`/clients/${client.id}`, patch)
    assert.deepEqual(patched.body, { ...client, inn: null, name: 'ИП Роза' })
    const entry = await lastChange(client.id)
    assert.deepEqual([entry.login, entry.action], [manager.login, 'changeClient'])
    assert.deepEqual([entry.before, entry.after], [client, patched.body])
    assert.equal(entry.client_id, client.id)
    const same = await manager.patch(`/clients/${client.id}`, { name: 'ИП Роза' })
    assert.deepEqual(same.body, patched.body)
    assert.equal((await lastChange(client.id)).id, entry.id)
  })

  test('concurrent changes of a client write one journal entry each', async () => {
    const { id } = await newClient()
    const patches = Array.from({ length: 8 }, (_, n) =>
      manager.patch(`/clients/${id}`, { name: `Имя ${n}` }),
    )
    for (const { status } of await Promise.all(patches)) assert.equal(status, 200)
    // They began within a millisecond: their numbers say in which order they changed the client.
    const entries = itemsOf(await administrator.get(`/journal/staff?object_id=${id}`)).toSorted(
      (one, other) => Number(one.id) - Number(other.id),
    )
    assert.equal(entries.length, 9)
    for (const [at, { before }] of entries.entries()) {
      assert.deepEqual(before, at === 0 ? null : entries[at - 1]?.after)
    }
  })

  test('an INN whose check digits differ is named together with the other wrong fields', async () => {
    const draft = { name: '', inn: '7707083894' }
    const { id } = await newClient()
    for (const refused of [
      await manager.post('/clients', draft),
      await manager.patch(`/clients/${id}`, draft),
    ]) {
      assertRefused(refused, 'validation_error', 'Поле name: ')
      assertRefused(refused, 'validation_error', /Поле inn: контрольные цифры не сходятся/)
    }
    const person = await manager.patch(`/clients/${id}`, { inn: '770987654348' })
    assertRefused(person, 'validation_error', /Поле inn: контрольные цифры не сходятся/)
  })

  // Guarantee (clients): A legal entity has one client in a warehouse, unless a manager asks for another.
  test('a legal entity has one client in a warehouse, unless the manager says that it needs two', async () => {
    const inn = '5402030100'
    const draft = { name: 'ООО «Дважды»', inn, warehouse_code: 'MSK1' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => manager.post('/clients', draft)),
    )
    const [first, ...others] = answers.toSorted((a, b) => a.status - b.status)
    assert.equal(first?.status, 201)
    for (const other of others) assertRefused(other, 'validation_error', 'allow_duplicate_inn')
    const second = await made(manager.post('/clients', { ...draft, allow_duplicate_inn: true }))
    assert.equal(second.inn, inn)
    const elsewhere = await made(manager.post('/clients', { ...draft, warehouse_code: 'Екб-2' }))

    const move = { warehouse_code: 'MSK1' }
    const change = (id: string, patch: Fields) => manager.patch(`/clients/${id}`, patch)
    assertRefused(await change(elsewhere.id, move), 'validation_error', 'inn')
    const allowed = await change(elsewhere.id, { ...move, allow_duplicate_inn: true })
    assert.equal(fieldsOf(allowed).warehouse_code, 'MSK1')
    const third = await newClient()
    assertRefused(await change(third.id, { inn }), 'validation_error', 'inn')
    assert.equal((await change(second.id, { name: 'ООО «Второе»' })).status, 200)
  })

  test('a client without a warehouse gets the oldest one', async () => {
    assert.equal((await newClient()).warehouse_code, 'MSK1')
  })

  test('a client is found by part of the name in any letter case, and by INN', async () => {
    const { id } = await newClient({ name: 'ООО «Ёлочка-Ягодка»', inn: '770987654347' })
    for (const search of ['ёЛОЧКА', 'ягодка»', 'елочка ооо', '770987654347', '9876543']) {
      const found = await manager.get(`/clients?search=${encodeURIComponent(search)}`)
      assert.deepEqual(
        itemsOf(found).map((each) => each.id),
        [id],
        search,
      )
      assert.equal(fieldsOf(found).total, 1)
    }
    assert.equal(fieldsOf(await manager.get('/clients?search=%25')).total, 0)
    const renamed = { name: 'ООО «Вишенка»' }
    await manager.patch(`/clients/${id}`, renamed)
    assert.equal(fieldsOf(await manager.get('/clients?search=ягодка')).total, 0)
    assert.equal(fieldsOf(await manager.get('/clients?search=ВИШЕНКА')).total, 1)
  })

  test('clients are listed page by page, newest first, without sandboxes', async () => {
    await newSandbox(service)
    const ids = [await newClient(), await newClient(), await newClient()].map(({ id }) => id)
    const seen: unknown[] = []
    let path = '/clients?limit=2'
    for (;;) {
      const page = await manager.get(path)
      seen.push(...itemsOf(page).map(({ id }) => id))
      const { next_cursor, total } = fieldsOf(page)
      if (next_cursor === null) {
        assert.equal(seen.length, total)
        break
      }
      path = `/clients?limit=2&cursor=${next_cursor}`
    }
    assert.deepEqual(seen.slice(0, 3), ids.reverse())
    assert.equal(new Set(seen).size, seen.length)
    const { next_cursor } = fieldsOf(await manager.get('/clients?limit=1'))
    assertRefused(await manager.get(`/clients?search=x&cursor=${next_cursor}`), 'bad_cursor')
  })

  test('a bad name, INN or warehouse of a client is refused', async () => {
    const { id } = await newClient()
    const bad: readonly (readonly [string, readonly unknown[]])[] = [
      ['name', ['', 'x'.repeat(501), 1, 'a\u0000', '\udfff', []]],
      ['inn', ['', '123', '77012345678', '77O1234567', 7701234567, true, '７７０１２３４５６７']],
      ['inn', ['7701234567', '770987654346', '770987654357']],
      ['warehouse_code', ['', 'NONE', 'DEMO', 1, {}]],
    ]
    for (const [field, values] of bad) {
      for (const value of values) {
        const body = { name: 'x', [field]: value }
        assertRefused(await manager.post('/clients', body), 'validation_error', field)
        assertRefused(await manager.patch(`/clients/${id}`, body), 'validation_error', field)
      }
    }
    assertRefused(await manager.post('/clients', { inn: '7701234560' }), 'validation_error', 'name')
    assertRefused(
      await manager.post('/clients', { name: 'x', mode: 'test' }),
      'bad_request',
      'mode',
    )
    assertRefused(await manager.post('/clients', { name: null }), 'validation_error', 'name')
    assertRefused(await manager.post('/clients', '{'), 'bad_request')
    assertRefused(await manager.post('/clients', []), 'bad_request')
  })

  test('a sandbox is not found among clients', async () => {
    const sandbox = await emptySandbox(service)
    const { client } = fieldsOf(await sandbox.get('/v1/me')) as { client: { id: string } }
    for (const id of [client.id, nobody, 'x', '%00']) {
      assertRefused(await manager.get(`/clients/${id}`), 'not_found')
      assertRefused(await manager.patch(`/clients/${id}`, { name: 'x' }), 'not_found')
      assertRefused(await manager.post(`/clients/${id}/keys`, { name: 'x' }), 'not_found')
      const cabinet = { marketplace: 'WB', name: 'x' }
      assertRefused(await manager.post(`/clients/${id}/cabinets`, cabinet), 'not_found')
    }
  })
})
