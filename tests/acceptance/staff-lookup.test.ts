import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CodeLookup, LookupMatch } from '../../src/warehouse/lookup/view.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { makeClient, stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const goods = ean13('460555000001')
const floor = await openFloor(service, { [goods]: 9, OWN: 1 })
const other = await makeClient(db)
await stockUp(db, other.id, { [goods]: 2 })

async function lookUp(code: string): Promise<LookupMatch[]> {
  const answer = good<CodeLookup>(
    await floor.worker.get(`/lookup?code=${encodeURIComponent(code)}`),
  )
  assert.equal(answer.code, code)
  return answer.matches
}

/** The only match of a code. */
async function only(code: string): Promise<LookupMatch> {
  const matches = await lookUp(code)
  assert.equal(matches.length, 1, JSON.stringify(matches))
  return matches[0] as LookupMatch
}

test('goods are found with all their clients and where they lie', async () => {
  const { worker, manager, client, warehouse_code } = floor
  good(await manager.post('/locations', { warehouse_code, code: 'LOOK-1', zone: 'Б' }), 201)
  const box = good<{ id: string; sscc: string }>(
    await worker.post('/boxes', { client_id: client }),
    201,
  )
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: goods, qty: 4 }))
  good(await worker.post(`/boxes/${box.id}/place`, { location_id: 'LOOK-1' }))
  const put = { scan_id: '1', client_id: client, barcode: goods, qty: 3 }
  good(await worker.post('/locations/LOOK-1/put', put))
  const found = await lookUp(`]E0${goods}\r`)
  assert.deepEqual(
    found.map(({ kind, client_id, quantity }) => [kind, client_id, quantity]).sort(),
    [
      ['goods', client, 9],
      ['goods', other.id, 2],
    ].sort(),
  )
  const own = found.find(({ client_id }) => client_id === client)
  assert.equal(own?.loose, 2, 'the rest can be put away')
  assert.deepEqual(
    own?.places?.map(({ location_code, sscc, qty }) => [location_code, sscc, qty]),
    [
      ['LOOK-1', box.sscc, 4],
      ['LOOK-1', null, 3],
    ],
  )
  for (const code of [box.id, box.sscc, `(00)${box.sscc}`]) {
    const { kind, id, units, location_code } = await only(code)
    assert.deepEqual([kind, id, units, location_code], ['box', box.id, 4, 'LOOK-1'])
  }
  const pallet = good<{ id: string; sscc: string }>(
    await worker.post('/pallets', { client_id: client }),
    201,
  )
  assert.deepEqual((await only(pallet.sscc)).id, pallet.id)
  const location = await only('look-1')
  assert.deepEqual([location.kind, location.client_id], ['location', null])
  assert.match(location.title, /LOOK-1, Б/)
})

test('orders, shipments, receipts, marking codes and returns are found by what is on them', async () => {
  const { client, cabinet } = floor
  const [order] = await floor.orders({ 'LOOK-ORDER-1': 'OWN' })
  assert.ok(order)
  await db`
    insert into order_facts (client_id, order_id, label_codes)
    values (${client}, ${order.id}, array['*LABEL1'])
    on conflict (client_id, order_id) do update set label_codes = excluded.label_codes`
  for (const code of ['LOOK-ORDER-1', order.id, '*LABEL1']) {
    const { kind, id, title } = await only(code)
    assert.deepEqual([kind, id], ['order', order.id])
    assert.match(title, /LOOK-ORDER-1/)
  }
  const shipment = await floor.open('WB-GI-LOOK')
  assert.deepEqual((await only('WB-GI-LOOK')).id, shipment.id)
  const [receipt] = await db<{ id: string; number: string }[]>`
    select id, number from receipts where client_id = ${client}`
  assert.ok(receipt)
  assert.deepEqual((await only(receipt.id)).kind, 'receipt')
  const sameNumber = await lookUp(receipt.number)
  assert.ok(sameNumber.some(({ kind, id }) => kind === 'receipt' && id === receipt.id))
  const code = markingCode(goods, 7)
  await db`
    insert into marking_codes (identity, code, client_id, barcode, state, changed_at)
    values (${`${goods.padStart(14, '0')}u000000000007`}, ${code}, ${client}, ${goods}, 'stored', now())`
  const marked = (await lookUp(code)).filter(({ kind }) => kind === 'marking_code')
  assert.deepEqual(
    marked.map(({ barcode, status }) => [barcode, status]),
    [[goods, 'stored']],
  )
  await db`
    insert into expected_returns (client_id, id, cabinet_id, external_id, kind, state, units, label_code,
      created_at, synced_at)
    values (${client}, gen_random_uuid(), ${cabinet}, 'LOOK-RETURN', 'REFUSAL', 'READY', 1, 'LOOK-LABEL',
      now(), now())`
  for (const each of ['LOOK-RETURN', 'LOOK-LABEL']) assert.equal((await only(each)).kind, 'return')
})

test('a code typed or scanned in the Russian layout of the keyboard is found', async () => {
  const { warehouse_code } = floor
  good(await floor.manager.post('/locations', { warehouse_code, code: 'KEY.1' }), 201)
  assert.equal((await only('лунЮ1')).location_code, 'KEY.1')
  assert.equal((await only('ЩЦТ')).barcode, 'OWN')
  const number = 'К-000012'
  await db`update receipts set number = 'R-000012' where client_id = ${floor.client}`
  assert.deepEqual(
    (await lookUp(number)).map(({ kind, title }) => [kind, title]),
    [['receipt', 'Приёмка R-000012']],
  )
})

test('a request that nobody has confirmed is found by managers, not by workers', async () => {
  const { client, manager, worker } = floor
  const items = [{ barcode: 'REQUESTED', name: 'Плед', qty: 1 }]
  const { id } = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  await db`update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${id}`
  const kindsFor = async (staff: typeof manager) =>
    good<CodeLookup>(await staff.get(`/lookup?code=${id}`)).matches.map(({ kind }) => kind)
  assert.deepEqual(await kindsFor(manager), ['receipt'])
  assert.deepEqual(await kindsFor(worker), [])
})

test('an unknown code has no match, and a code that no scanner sends is refused', async () => {
  assert.deepEqual(await lookUp('нет такого'), [])
  assert.deepEqual(good<CodeLookup>(await floor.worker.get('/lookup')).matches, [])
  assertRefused(await floor.worker.get(`/lookup?code=${'1'.repeat(501)}`), 'bad_request', 'code')
})

test('who works in another warehouse finds nothing of this one', async () => {
  const { manager, client } = floor
  await db`
    insert into warehouses (code, name, created_at) values ('LOOK-W', 'Другой', now())`
  const stranger = await staffClient(service, 'manager')
  const administrator = await staffClient(service, 'administrator')
  good(
    await administrator.put(`/users/${stranger.userId}/warehouses`, {
      warehouse_codes: ['LOOK-W'],
    }),
  )
  const draft = { client_id: client, scope: {} }
  const { id } = good<{ id: string }>(await manager.post('/counts', draft), 201)
  for (const code of [goods, 'LOOK-1', 'WB-GI-LOOK', 'LOOK-ORDER-1']) {
    const answer = await stranger.get(`/lookup?code=${encodeURIComponent(code)}`)
    assert.deepEqual(good<CodeLookup>(answer).matches, [], code)
  }
  for (const path of [`/counts/${id}`, '/locations/LOOK-1']) {
    assertRefused(await stranger.get(path), 'not_found')
  }
  assert.deepEqual(good<{ items: unknown[] }>(await stranger.get('/counts')).items, [])
})

test('managers find goods of any client by beginnings of words, those of their warehouses alone', async () => {
  const { manager, client } = floor
  const put = async (owner: string, barcode: string, name: string) =>
    good(await manager.put(`/clients/${owner}/products/${barcode}`, { name }), 201)
  await put(client, 'NAME-1', 'Ёлка-игрушка керамическая, 350 мл')
  await put(other.id, 'NAME-2', 'Ёлка пластиковая')
  const find = async (user: typeof manager, name: string) => {
    const { items } = good<{ items: { barcode: string; client_id: string }[] }>(
      await user.get(`/goods?name=${encodeURIComponent(name)}`),
    )
    return items.map(({ barcode }) => barcode).filter((barcode) => barcode.startsWith('NAME-'))
  }
  assert.deepEqual((await find(manager, 'ЕЛК')).sort(), ['NAME-1', 'NAME-2'])
  assert.deepEqual(await find(manager, 'игруш 350'), ['NAME-1'])
  for (const none of ['лка', 'елка стеклянная', '', " ':& !<-> "]) {
    assert.deepEqual(await find(manager, none), [], none)
  }
  assert.deepEqual(await find(manager, "елка' & !(пласт:*"), ['NAME-2'])
  const elsewhere = await staffClient(service, 'manager')
  const administrator = await staffClient(service, 'administrator')
  const draft = { code: 'NAME-W', name: 'Другой склад' }
  good(await administrator.post('/warehouses', draft), 201)
  const codes = { warehouse_codes: [draft.code] }
  good(await administrator.put(`/users/${elsewhere.userId}/warehouses`, codes))
  assert.deepEqual(await find(elsewhere, 'елка'), [])
  const long = 'е'.repeat(201)
  assertRefused(await manager.get(`/goods?name=${encodeURIComponent(long)}`), 'bad_request', 'name')
})
