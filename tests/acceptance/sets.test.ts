import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Product } from '../../src/warehouse/catalogue/products.ts'
import type { GoodsItem } from '../../src/warehouse/stock/goods-list.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const service = await sharedService()
const { db } = service

/** Two cups and a saucer make a set, KIT. */
const tea = [
  { barcode: 'CUP', qty: 2 },
  { barcode: 'SAUCER', qty: 1 },
]

async function openSets(goods: Readonly<Record<string, number>> = { CUP: 5, SAUCER: 9 }) {
  const floor = await openFloor(service, goods)
  const { client, manager } = floor
  const path = (barcode: string) => `/clients/${client}/products/${barcode}`
  good(await manager.put(path('KIT'), { name: 'Чайный набор' }), 201)
  const put = (parts: unknown, barcode = 'KIT') => manager.put(`${path(barcode)}/parts`, { parts })
  const issued = good<{ key: string }>(
    await manager.post(`/clients/${client}/keys`, { name: '1C' }),
    201,
  )
  const seller = openClient(service.baseUrl, issued.key)
  const goodsOf = async (query = '') =>
    good<{ items: GoodsItem[]; total: number; next_cursor: string | null }>(
      await seller.get(`/v1/goods${query}`),
    )
  return { ...floor, path, put, seller, goodsOf }
}

test('a product becomes a set, and a seller reads what it is made of and how many its parts allow', async () => {
  const { put, goodsOf, manager, path, client, seller } = await openSets()
  const made = good<Product>(await put(tea))
  assert.deepEqual(
    made.parts?.map(({ barcode, qty }) => [barcode, qty]),
    [
      ['CUP', 2],
      ['SAUCER', 1],
    ],
  )
  assert.equal(made.parts_allow, 2)
  assert.equal(good<Product>(await manager.get(path('CUP'))).parts, undefined)
  const { items, total } = await goodsOf()
  assert.equal(total, 3)
  assert.deepEqual(
    items.map(({ barcode, is_set, parts, parts_allow }) => [
      ...[barcode, is_set, parts_allow],
      parts.map((part) => [part.barcode, part.quantity]),
    ]),
    [
      ['CUP', false, null, []],
      [
        'KIT',
        true,
        2,
        [
          ['CUP', 2],
          ['SAUCER', 1],
        ],
      ],
      ['SAUCER', false, null, []],
    ],
  )
  // The contract's figure stays what lies ready.
  const stock = good<{ quantity: number; available: number }>(await seller.get('/v1/stock/KIT'))
  assert.deepEqual([stock.quantity, stock.available], [0, 0])
  good(
    await manager.post(`/clients/${client}/in-question`, {
      barcode: 'CUP',
      qty: 2,
      reason: 'OTHER',
    }),
    201,
  )
  assert.equal(
    (await goodsOf('?is_set=true')).items[0]?.parts_allow,
    1,
    'units in question make no set',
  )
})

test('goods come in pages, and a filter tells sets from others', async () => {
  const { put, goodsOf } = await openSets()
  good(await put(tea))
  const first = await goodsOf('?limit=2')
  assert.equal(first.items.length, 2)
  const rest = await goodsOf(`?limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([rest.items.map(({ barcode }) => barcode), rest.next_cursor], [['SAUCER'], null])
  const sets = await goodsOf('?is_set=true')
  assert.deepEqual([sets.items.map(({ barcode }) => barcode), sets.total], [['KIT'], 1])
  assert.equal((await goodsOf('?is_set=false')).total, 2)
  assert.equal((await goodsOf('?barcode=CUP')).total, 1)
})

// Guarantee (catalogue): A set has goods of its own client only, and no other sets.
test('wrong parts are refused with a sentence, and nothing changes', async () => {
  const { put, manager, path } = await openSets()
  const other = await openSets({ FOREIGN: 1 })
  good(await put(tea))
  assertRefused(await put([{ barcode: 'FOREIGN', qty: 1 }]), 'validation_error', 'parts[0].barcode')
  assertRefused(await put([{ barcode: 'KIT', qty: 1 }]), 'validation_error', 'parts[0].barcode')
  assertRefused(await put([...tea, tea[0]]), 'validation_error', 'parts[2].barcode')
  assertRefused(await put([{ barcode: 'CUP', qty: 0 }]), 'validation_error', 'parts[0].qty')
  assertRefused(await put([{ barcode: 'CUP', qty: 1001 }]), 'validation_error', 'parts[0].qty')
  const many = Array.from({ length: 51 }, (_, n) => ({ barcode: `P${n}`, qty: 1 }))
  assertRefused(await put(many), 'validation_error', 'parts')
  assertRefused(await put([{ barcode: 'KIT', qty: 1 }], 'SAUCER'), 'conflict')
  good(await manager.put(path('BOX'), { name: 'Коробка' }), 201)
  assertRefused(await put([{ barcode: 'BOX', qty: 1 }], 'CUP'), 'conflict')
  assertRefused(await put(tea, 'NONE'), 'not_found')
  assert.equal(good<Product>(await manager.get(path('KIT'))).parts?.length, 2)
  assert.equal((await other.goodsOf('?is_set=true')).total, 0)
})

test('a composition changes and ends, with an entry in the journal for each change', async () => {
  const { put, client, goodsOf } = await openSets()
  good(await put(tea))
  good(await put([...tea].reverse()))
  good(await put([{ barcode: 'CUP', qty: 3 }]))
  assert.deepEqual((await goodsOf('?barcode=KIT')).items[0]?.parts_allow, 1)
  good(await put([]))
  assert.equal((await goodsOf('?barcode=KIT')).items[0]?.is_set, false)
  const journal = await db<{ after: { parts: { barcode: string; qty: number }[] } }[]>`
    select after from staff_journal where action = 'putProductParts' and client_id = ${client} order by id`
  assert.deepEqual(
    journal.map(({ after }) => after.parts.map(({ barcode, qty }) => `${barcode} ${qty}`)),
    [['CUP 2', 'SAUCER 1'], ['CUP 3'], []],
    'the same parts in another order are no change',
  )
})

// Guarantee (catalogue): A table of sets changes all of its sets, or none.
test('many sets are made by the table that was saved, looked at before, whole or not at all', async () => {
  const { put, client, manager, path, goodsOf } = await openSets()
  good(await put(tea))
  for (const barcode of ['PAIR', 'BOX'])
    good(await manager.put(path(barcode), { name: barcode }), 201)
  const form = openClient(service.baseUrl, manager.token, false)
  const at = `/staff/v1/clients/${client}/sets`
  const send = (table: string, to = '/import') =>
    form.call(`${at}${to}`, { body: table, headers: { 'Content-Type': 'text/csv' } })
  const saved = (await form.get(`${at}/table?format=csv`)).text
  assert.match(saved, /KIT;Чайный набор;CUP;[^;]*;2;2\r\nKIT;Чайный набор;SAUCER;[^;]*;1;2\r\n$/)
  assert.deepEqual((await send(saved)).body, { sets: 1, changed: 0 })
  const more = `${saved.replace(/SAUCER;(.*?);1/, 'SAUCER;$1;3')}PAIR;;CUP;;2;\r\n`
  const wrong = `${more}BOX;;KIT;;1;\r\n`
  assertRefused(await send(wrong), 'validation_error', 'столбец „Штрихкод части“ (C): это набор')
  const seen = (await send(wrong, '/import/check')).body as { problems: unknown }
  assert.deepEqual(seen.problems, [
    { row: 5, column: 'C', rule: 'это набор: назовите вместо него его части' },
  ])
  const look = (await send(more, '/import/check')).body as Record<string, unknown>
  assert.deepEqual([look.sets, look.changed, look.problems], [2, 2, []])
  const changes = look.changes as {
    barcode: string
    is_new: boolean
    parts: { qty: number }[]
  }[]
  assert.deepEqual(
    changes.map(({ barcode, is_new, parts }) => [barcode, is_new, ...parts.map(({ qty }) => qty)]),
    [
      ['KIT', false, 2, 3],
      ['PAIR', true, 2],
    ],
  )
  assert.equal((await goodsOf('?is_set=true')).total, 1, 'nothing is written so far')
  assert.deepEqual((await send(more)).body, { sets: 2, changed: 2 })
  assert.deepEqual((await send(more)).body, { sets: 2, changed: 0 })
  const { items } = await goodsOf('?is_set=true')
  assert.deepEqual(
    items.map(({ barcode, parts }) => [barcode, ...parts.map(({ quantity }) => quantity)]),
    [
      ['KIT', 2, 3],
      ['PAIR', 2],
    ],
  )
  const only = 'Набор;Часть;Шт\r\nKIT;CUP;1\r\n'
  assert.deepEqual((await send(only)).body, { sets: 1, changed: 1 }, 'parts that are not named go')
  const entries = await db`
    select from staff_journal where action = 'importSets' and client_id = ${client}`
  assert.equal(entries.length, 2, 'a table that changes nothing is no change')
  const other = await openSets({ FOREIGN: 1 })
  assertRefused(
    await send('Набор;Часть;Шт\r\nKIT;FOREIGN;1\r\n'),
    'validation_error',
    'товара FOREIGN у клиента нет',
  )
  assert.equal((await other.goodsOf('?is_set=true')).total, 0)
})

interface Made {
  readonly id: string
  readonly parts: readonly { barcode: string; qty: number }[]
  readonly undone_at: string | null
}

// Guarantee (stock): Putting sets together or taking them apart moves the units of all parts, or none.
test('parts become sets that lie ready, and sets become parts again', async () => {
  const { put, worker, client, stock, goodsOf } = await openSets()
  good(await put(tea))
  const path = `/clients/${client}/assemblies`
  const draft = { kind: 'ASSEMBLE', barcode: 'KIT', qty: 2, entry_id: 'evening' }
  const made = good<Made>(await worker.post(path, draft), 201)
  assert.deepEqual(
    made.parts.map(({ barcode, qty }) => [barcode, qty]),
    [
      ['CUP', 4],
      ['SAUCER', 2],
    ],
  )
  assert.equal(good<Made>(await worker.post(path, draft)).id, made.id, 'a repeat makes no other')
  const units = async () => [await stock('KIT'), await stock('CUP'), await stock('SAUCER')]
  assert.deepEqual(await units(), [
    [2, 0],
    [1, 0],
    [7, 0],
  ])
  assert.equal((await goodsOf('?barcode=KIT')).items[0]?.parts_allow, 0)
  assertRefused(await worker.post(path, { ...draft, qty: 1, entry_id: 'more' }), 'conflict')
  assert.deepEqual(
    await units(),
    [
      [2, 0],
      [1, 0],
      [7, 0],
    ],
    'nothing moves by half',
  )
  good(await worker.post(path, { kind: 'TAKE_APART', barcode: 'KIT', qty: 1 }), 201)
  assert.deepEqual(await units(), [
    [1, 0],
    [3, 0],
    [8, 0],
  ])
  assertRefused(await worker.post(path, { kind: 'ASSEMBLE', barcode: 'CUP', qty: 1 }), 'conflict')
  assertRefused(
    await worker.post(path, { ...draft, barcode: 'NONE', entry_id: 'x' }),
    'validation_error',
  )
  const { items, total } = good<{ items: Made[]; total: number }>(
    await worker.get(`${path}?barcode=KIT`),
  )
  assert.deepEqual([items.length, total, items[1]?.id], [2, 2, made.id])
})

test('an assembly is undone once, by what it moved and not by the parts of today', async () => {
  const { put, worker, client, stock } = await openSets()
  const other = await openSets()
  good(await put(tea))
  const path = `/clients/${client}/assemblies`
  const made = good<Made>(
    await worker.post(path, { kind: 'ASSEMBLE', barcode: 'KIT', qty: 1 }),
    201,
  )
  good(await put([{ barcode: 'SAUCER', qty: 5 }]))
  assertRefused(
    await worker.post(`/clients/${other.client}/assemblies/${made.id}/undo`),
    'not_found',
  )
  const undone = good<Made>(await worker.post(`${path}/${made.id}/undo`))
  assert.ok(undone.undone_at)
  assert.equal(undone.parts.length, 2)
  good(await worker.post(`${path}/${made.id}/undo`))
  assert.deepEqual(
    [await stock('KIT'), await stock('CUP'), await stock('SAUCER')],
    [
      [0, 0],
      [5, 0],
      [9, 0],
    ],
  )
  const again = good<Made>(
    await worker.post(path, { kind: 'ASSEMBLE', barcode: 'KIT', qty: 1 }),
    201,
  )
  good(await worker.post(path, { kind: 'TAKE_APART', barcode: 'KIT', qty: 1 }), 201)
  assertRefused(await worker.post(`${path}/${again.id}/undo`), 'conflict')
})

test('of two assemblies at once of the last parts one is refused', async () => {
  const { put, worker, client, stock } = await openSets({ CUP: 3, SAUCER: 3 })
  good(await put(tea))
  const make = () =>
    worker.post(`/clients/${client}/assemblies`, { kind: 'ASSEMBLE', barcode: 'KIT', qty: 1 })
  const statuses = (await Promise.all([make(), make()])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 409])
  assert.deepEqual(await stock('KIT'), [1, 0])
})
