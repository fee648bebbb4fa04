import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { ExportRow, ExportTable } from '../../src/documents/exports/table.ts'
import { xlsxOf } from '../../src/documents/exports/xlsx.ts'
import type { Cell } from '../../src/documents/imports/cell.ts'
import { openArchive } from '../../src/documents/imports/xlsx/archive.ts'
import { xlsxSheets } from '../../src/documents/imports/xlsx/xlsx.ts'
import { orderSorts } from '../../src/warehouse/orders/staff-queries.ts'
import { receiptSorts } from '../../src/warehouse/receipts/staff-queries.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, nobody, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'

// Managers take the lists of the warehouse along as files.

const service = await startService()
const { db } = service
const floor = await openFloor(service, { A: 5 })
const { manager, worker, client } = floor
const formula = '=HYPERLINK("http://x")'

async function file(list: string, query: string, by: StaffClient = manager) {
  const answer = await fetch(`${service.baseUrl}/staff/v1/exports/${list}?${query}`, {
    headers: { Authorization: `Bearer ${by.token}` },
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return {
    bytes: Buffer.from(await answer.arrayBuffer()),
    name: answer.headers.get('Content-Disposition') ?? '',
  }
}

async function csv(list: string, query: string, by?: StaffClient): Promise<string[][]> {
  const { bytes } = await file(list, `format=csv&${query}`, by)
  return parse(bytes, { bom: true, delimiter: ';' })
}

const shownCellOf = (cell: Cell | undefined) =>
  cell?.kind === 'text'
    ? cell.text
    : cell?.kind === 'number'
      ? String(cell.value)
      : (cell?.kind ?? '')

async function cellsOf(bytes: Buffer): Promise<string[][]> {
  const cells: string[][] = []
  for await (const rows of (await xlsxSheets(bytes))[0]?.rows() ?? []) {
    for (const row of rows) cells.push(row.cells.map(shownCellOf))
  }
  return cells
}

test('every list is exported with Russian headings, as CSV and as a book with the same rows', async () => {
  const [left] = await floor.orders({ 'export-1': 'A' })
  assert.ok(left)
  await floor.filled([left])
  good(await worker.post('/returns', { client_id: client }), 201)
  const scope = { barcodes: ['A'] }
  good(await manager.post('/counts', { client_id: client, scope }), 201)
  const holds = {
    stock: 'A',
    orders: 'export-1',
    receipts: 'Принята',
    shipments: 'WB-GI-',
    movements: 'Приёмка',
    returns: 'RT-',
    counts: 'Подготовлен',
  }
  for (const [list, text] of Object.entries(holds)) {
    const [head = [], first = [], ...others] = await csv(list, `client_id=${client}`)
    assert.equal(head[0], 'Клиент')
    assert.equal(first[0], 'ООО «Проверка»', list)
    assert.ok(
      first.some((cell) => cell.includes(text)),
      `${list}: ${first.join(' | ')}`,
    )
    assert.deepEqual(others, [], list)
    const { bytes, name } = await file(list, `client_id=${client}`)
    assert.match(name, new RegExp(`^attachment; filename="${list}-\\d{4}-\\d\\d-\\d\\d\\.xlsx"$`))
    const book = await cellsOf(bytes)
    assert.deepEqual(book[0], head)
    assert.equal(book.length, 2)
  }
})

// Guarantee (exports): No text of a seller becomes a formula in an export.
test('an export has all rows, page after page, and no formula of a seller', async () => {
  const { client: many } = await openFloor(service, { B: 1 })
  await db`
    insert into products (client_id, barcode, name, name_folded, created_at)
    select ${many}, 'P-' || n, case n when 7 then ${formula} else 'Товар ' || n end, '', now()
    from generate_series(1, 1203) n`
  await db`
    insert into stock_balances (client_id, barcode, updated_at)
    select client_id, barcode, created_at from products
    where client_id = ${many} on conflict do nothing`
  const [, ...rows] = await csv('stock', `client_id=${many}`)
  assert.equal(rows.length, 1204)
  assert.equal(new Set(rows.map(([, barcode]) => barcode)).size, 1204)
  assert.ok(rows.some((row) => row[3] === `'${formula}`))
  const { bytes } = await file('stock', `client_id=${many}`)
  const book = await cellsOf(bytes)
  assert.equal(book.length, 1205)
  assert.ok(
    book.some((row) => row[3] === formula),
    'a text in a book is never evaluated',
  )
  const archive = await openArchive(bytes)
  let xml = ''
  for await (const part of archive.part('xl/worksheets/sheet1.xml')) xml += part
  assert.doesNotMatch(xml, /<f[ >]/)
  const all = await csv('stock', '')
  assert.ok(all.length > 1205, 'without a client all are exported')
})

test('filters are those of the list, and another filter is an error', async () => {
  assert.equal((await csv('stock', `client_id=${client}&barcode=A`)).length, 2)
  assert.equal((await csv('stock', `client_id=${client}&barcode=none`)).length, 1)
  assert.equal((await csv('movements', `client_id=${client}&kind=write_off`)).length, 1)
  assert.equal((await csv('receipts', `client_id=${client}&created_from=2020-01-01`)).length, 2)
  assert.equal((await csv('orders', `client_id=${client}&marketplace=OZON`)).length, 1)
  const [head, ...goods] = await csv('products', `client_id=${client}`)
  assert.deepEqual(head?.slice(0, 3), ['Клиент', 'Штрихкод', 'Артикул'])
  assert.ok(goods.length > 0)
  assert.equal((await csv('products', `client_id=${client}&search=нет-такого`)).length, 1)
  assert.equal((await csv('misses', `client_id=${client}&status=OPEN`)).length, 1)
  for (const [path, names] of [
    ['stock?marketplace=WB', 'marketplace'],
    ['orders?status=NONE', 'status'],
    ['orders?created_from=2026-02-01&created_to=2026-01-01', 'created_from'],
    ['orders?format=pdf', 'format'],
    ['orders?client_id=x', 'client_id'],
    [`orders?client_id=${nobody}`, 'client_id'],
  ] as const) {
    assertRefused(await manager.get(`/exports/${path}`), 'bad_request', names)
  }
  assertRefused(await manager.get('/exports/passports'), 'not_found')
  assertRefused(await worker.get('/exports/orders'), 'forbidden')
})

// Guarantee (exports): The file of a list has its rows, with its filters and in its order.
test('a file has the rows of its list in each of its orders, of all clients together', async () => {
  const other = await openFloor(service, { B: 3 })
  const added = [
    await floor.orders({ 'sorted-2': 'A' }),
    await other.orders({ 'sorted-1': 'B' }),
    await floor.orders({ 'sorted-4': 'A' }),
    await other.orders({ 'sorted-3': 'B' }),
  ]
  await db`
    update orders set deadline_at = now() + substr(external_id, 8)::int * interval '1 hour',
      created_at = now() - (7 * substr(external_id, 8)::int % 5) * interval '1 hour'
    where id = any(${added.flat().map(({ id }) => id)}::uuid[])`
  const numberOf = { orders: ['external_id', 'Заказ'], receipts: ['number', 'Приёмка'] } as const
  for (const [list, [field, title]] of Object.entries(numberOf)) {
    const keys = list === 'orders' ? orderSorts : receiptSorts
    for (const sort of ['', ...keys.flatMap((key) => [key, `-${key}`])]) {
      const query = sort === '' ? '' : `&sort=${sort}`
      const { items } = good(await manager.get(`/${list}?limit=1000${query}`)) as {
        items: Record<string, string>[]
      }
      const [head = [], ...rows] = await csv(list, query)
      const clients = new Set(items.map(({ client_id }) => client_id))
      assert.ok(sort !== '' || clients.size > 1, 'of several clients')
      assert.deepEqual(
        rows.map((row) => row[head.indexOf(title)]),
        items.map((item) => item[field]),
        `${list} by ${sort || 'default'}`,
      )
    }
  }
})

const ofClient = (list: string) => [list, 'client_id'] as const

test('files of money and of letters are only for those who see them, and a file of one object names it', async () => {
  const money = `charges?client_id=${client}&period=2026-11-01`
  assertRefused(await manager.get(`/exports/${money}`), 'forbidden')
  assertRefused(await manager.get(`/exports/acts?client_id=${client}`), 'forbidden')
  assertRefused(await manager.get(`/exports/billing-periods?client_id=${client}`), 'forbidden')
  assertRefused(await manager.get('/exports/letters'), 'forbidden')
  const administrator = await staffClient(service, 'administrator')
  for (const path of [money, `acts?client_id=${client}`, 'letters?']) {
    const [list = '', query = ''] = path.split('?')
    assert.ok((await csv(list, query, administrator)).length > 0, path)
  }
  for (const [list, parameter] of [
    ...['keys', 'key-requests', 'client-users', 'invitations', 'webhooks'].map(ofClient),
    ['commands', 'cabinet_id'],
    ['cabinet-calls', 'cabinet_id'],
    ['observation', 'cabinet_id'],
    ['receipt-scans', 'receipt_id'],
    ['receipt-lines', 'receipt_id'],
    ['picking-lines', 'picking_task_id'],
    ['shortages', 'shipment_id'],
    ['return-lines', 'return_id'],
    ['return-scans', 'return_id'],
    ['contents', 'pallet_id'],
    ['count-lines', 'count_id'],
    ['attempts', 'webhook_id'],
  ] as const) {
    assertRefused(await manager.get(`/exports/${list}`), 'bad_request', parameter)
    for (const id of ['x', nobody]) {
      assertRefused(
        await manager.get(`/exports/${list}?${parameter}=${id}`),
        'bad_request',
        parameter,
      )
    }
  }
})

test('the rows of a receipt, a shipment, a task, a return, a box and a shift are saved', async () => {
  const [order] = await floor.orders({ 'rows-1': 'A' })
  assert.ok(order)
  const shipment = await floor.filled([order])
  const box = good<{ id: string; sscc: string }>(
    await worker.post('/boxes', { client_id: client }),
    201,
  )
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: 'A', qty: 2 }))
  const pick = { scan_id: 'rows-1', order_id: order.id, barcode: 'A' }
  good(await floor.pick(shipment.picking_task_id, pick))
  good(await manager.post(`/shipments/${shipment.id}/close`))
  const batch = good<{ id: string }>(await worker.post('/returns', { client_id: client }), 201)
  good(
    await worker.post(`/returns/${batch.id}/scans`, {
      scan_id: 'rows-1',
      code: 'rows-1',
      condition: 'damaged',
    }),
  )
  const [{ receipt }] = await db<[{ receipt: string }]>`
    select receipt_id as receipt from receipt_items where client_id = ${client} limit 1`
  for (const [list, query, shown] of [
    ['receipt-lines', `receipt_id=${receipt}`, { Штрихкод: 'A', Принято: '5' }],
    ['orders', `shipment_id=${shipment.id}`, { Заказ: 'rows-1' }],
    [
      'picking-lines',
      `picking_task_id=${shipment.picking_task_id}`,
      { Заказ: 'rows-1', Нужно: '1', Собрано: '1' },
    ],
    ['return-scans', `return_id=${batch.id}`, { Штрихкод: 'A', Состояние: 'повреждён' }],
    ['contents', `box_id=${box.id}`, { Клиент: 'ООО «Проверка»', Штрихкод: 'A', Единиц: '2' }],
    ['contents', `box_id=${box.sscc}`, { Единиц: '2' }],
  ] as const) {
    const [head = [], ...rows] = await csv(list, query)
    assert.equal(rows.length, 1, `${list}: ${rows.join(' | ')}`)
    for (const [title, cell] of Object.entries(shown)) {
      assert.equal(rows[0]?.[head.indexOf(title)], cell, `${list}: ${title}`)
    }
  }
  const [head = [], ...shifts] = await csv('shifts', '')
  const own = shifts.find((row) => row[head.indexOf('Логин')] === worker.login)
  assert.ok(Number(own?.[head.indexOf('Сканов возвратов')]) > 0, shifts.join(' | '))
  assertRefused(
    await manager.get('/exports/shifts?from=2026-01-01&to=2026-03-01'),
    'bad_request',
    'from',
  )
})

test('a manager of another warehouse exports nothing of this one', async () => {
  const administrator = await staffClient(service, 'administrator')
  good(await administrator.post('/warehouses', { code: 'EXPORT2', name: 'Второй склад' }), 201)
  const stranger = await staffClient(service, 'manager')
  const codes = { warehouse_codes: ['EXPORT2'] }
  good(await administrator.put(`/users/${stranger.userId}/warehouses`, codes))
  assert.equal((await csv('stock', '', stranger)).length, 1)
  assertRefused(
    await stranger.get(`/exports/stock?client_id=${client}`),
    'bad_request',
    'client_id',
  )
  const [{ cabinet }] = await db<[{ cabinet: string }]>`
    select id as cabinet from cabinets where client_id = ${client} limit 1`
  const [{ receipt }] = await db<[{ receipt: string }]>`
    select id as receipt from receipts where client_id = ${client} limit 1`
  for (const [list, parameter, id] of [
    ['keys', 'client_id', client],
    ['commands', 'cabinet_id', cabinet],
    ['cabinet-calls', 'cabinet_id', cabinet],
    ['receipt-scans', 'receipt_id', receipt],
    ['receipt-lines', 'receipt_id', receipt],
    ['observation', 'cabinet_id', cabinet],
    ['webhooks', 'client_id', client],
    ['invitations', 'client_id', client],
  ] as const) {
    const path = `/exports/${list}?${parameter}=${id}`
    assertRefused(await stranger.get(path), 'bad_request', parameter)
    await csv(list, `${parameter}=${id}`)
  }
  const whole = [
    'clients',
    'cabinets',
    'orders',
    'receipts',
    'movements',
    'boxes',
    'pallets',
    'changes',
    'calls',
  ]
  for (const list of whole) {
    assert.equal((await csv(list, '', stranger)).length, 1, list)
  }
})

test('what one sheet cannot hold goes on in the next, each with its headings', async () => {
  const rows = (from: number, count: number): ExportRow[] =>
    Array.from({ length: count }, (_, n) => [`Товар ${from + n}`])
  for (const [batches, sizes] of [
    [[rows(1, 7)], [3, 3, 1]],
    [
      [rows(1, 2), rows(3, 2), rows(5, 2)],
      [3, 3],
    ],
    [[], [0]],
  ] as const) {
    const table: ExportTable = {
      title: 'Проба',
      columns: [{ title: 'Товар', kind: 'text' }],
      batches: (async function* () {
        yield* batches
      })(),
    }
    const parts: Buffer[] = []
    for await (const part of xlsxOf(table, new Date(), 3)) parts.push(part as Buffer)
    const archive = await openArchive(Buffer.concat(parts))
    const found: number[] = []
    for (const [n] of sizes.entries()) {
      let xml = ''
      for await (const part of archive.part(`xl/worksheets/sheet${n + 1}.xml`)) xml += part
      found.push((xml.match(/<row /g) ?? []).length - 1)
    }
    assert.deepEqual(found, sizes)
    assert.ok(!archive.has(`xl/worksheets/sheet${sizes.length + 1}.xml`))
  }
})
