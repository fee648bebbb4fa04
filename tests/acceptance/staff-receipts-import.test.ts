import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { GoodsFileCheck } from '../../src/documents/imports/check.ts'
import { xlsxSheets } from '../../src/documents/imports/xlsx/xlsx.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { bookWithInstruction, inlineRow, xlsxOf } from '../support/xlsx-file.ts'

const service = await sharedService()
const { db, baseUrl } = service
const manager = await staffClient(service, 'manager')
const calls = openClient(baseUrl, manager.token, false)
const workers = openClient(baseUrl, (await staffClient(service, 'worker')).token, false)

const seller = await perform(db, systemClock, { kind: 'service' }, async (work) => {
  const id = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
  return { id, cabinet: await addCabinet(work, id, { marketplace: 'WB', name: 'Север' }) }
})

const importTo = (
  body: string | Uint8Array,
  { type = 'text/csv', query = '', client = seller.id, as = calls } = {},
) =>
  as.call(`/staff/v1/clients/${client}/receipts/import${query}`, {
    body,
    headers: { 'Content-Type': type },
  })

const csv = 'Штрихкод;Название;Артикул;Количество\r\nI-1;Плед;P-1;5\r\nI-2;Кружка;;3\r\n'

function assertMade(receipt: StaffReceipt): void {
  assert.equal(receipt.source, 'file')
  assert.equal(receipt.status, 'EXPECTED')
  assert.equal(receipt.cabinet_id, seller.cabinet)
  assert.deepEqual(
    receipt.items?.map((item) => [item.barcode, item.name, item.article, item.expected_qty]),
    [
      ['I-1', 'Плед', 'P-1', 5],
      ['I-2', 'Кружка', undefined, 3],
    ],
  )
}

async function receiptsMade(): Promise<number> {
  const [row] = await db<[{ made: number }]>`select count(*) as made from receipts
    where client_id = ${seller.id}`
  return row.made
}

test('CSV and XLSX files become receipts, sent as the body or in a form', async () => {
  const query = `?cabinet_id=${seller.cabinet}&external_ref=N17&planned_date=2026-11-25`
  const raw = await importTo(csv, { query })
  assert.equal(raw.status, 201, raw.text)
  const made = raw.body as StaffReceipt
  assertMade(made)
  assert.equal(made.external_ref, 'N17')
  assert.equal(made.planned_date, '2026-11-25T00:00:00.000+03:00')

  const sheet = xlsxOf({
    rows:
      inlineRow('barcode', 'name', 'article', 'qty') +
      inlineRow('I-1', 'Плед', 'P-1', '5') +
      inlineRow('I-2', 'Кружка', '', '3'),
  })
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  assertMade((await importTo(sheet, { type })).body as StaffReceipt)

  const form = new FormData()
  form.set('file', new File([csv], 'поставка.csv', { type: 'text/csv' }))
  const request = new Request('http://form', { method: 'POST', body: form })
  const multipart = await importTo(new Uint8Array(await request.arrayBuffer()), {
    type: request.headers.get('Content-Type') ?? '',
    query: '?cabinet_id=&external_ref=',
  })
  assert.equal(multipart.status, 201, multipart.text)
  assertMade(multipart.body as StaffReceipt)
})

/** Sends the form as a browser does. */
async function importForm(texts: Readonly<Record<string, string>>, query = '', files = 1) {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.set(name, text)
  for (let n = 0; n < files; n++) form.append(n === 0 ? 'file' : 'photo', new File([csv], 'п.csv'))
  const request = new Request('http://form', { method: 'POST', body: form })
  const type = request.headers.get('Content-Type') ?? ''
  return importTo(new Uint8Array(await request.arrayBuffer()), { type, query })
}

test('form fields set the document number, and the query has precedence', async () => {
  const texts = { external_ref: 'Н+17 %', cabinet_id: seller.cabinet, planned_date: '2026-11-25' }
  const imported = (await importForm(texts, '?planned_date=2026-11-26')).body as StaffReceipt
  assert.deepEqual(
    [imported.external_ref, imported.cabinet_id, imported.planned_date],
    ['Н+17 %', seller.cabinet, '2026-11-26T00:00:00.000+03:00'],
  )
  for (const [bad, code, names] of [
    [{ external_ref: 'x'.repeat(65) }, 'bad_request', 'external_ref'],
    [{ cabinet_id: randomUUID() }, 'validation_error', 'cabinet_id'],
    [{ planned_date: 'soon' }, 'validation_error', 'planned_date'],
  ] as const) {
    assertRefused(await importForm(bad), code, names)
  }
  assertRefused(await importForm({}, '', 2), 'bad_request', 'несколько файлов')
})

test('the product decides whether goods are marked when the cell is empty', async () => {
  const card = { name: 'Кеды', honest_mark: true }
  const { status } = await manager.put(`/clients/${seller.id}/products/M-1`, card)
  assert.ok(status < 300)
  const answer = await importTo('barcode,name,qty,honest_mark\nM-1,Кеды,1,\n')
  const { items } = answer.body as StaffReceipt
  assert.deepEqual([items?.[0]?.honest_mark, items?.[0]?.card_honest_mark], [undefined, true])
})

test('a bad file is refused with row and column, and nothing is created', async () => {
  const before = await receiptsMade()
  for (const [body, code, names] of [
    ['barcode,qty\nX-1,0\n', 'validation_error', /строка 2.*qty/],
    ['barcode,qty\nI-1,1\nX-2,2\n', 'validation_error', /строка 3, столбец name.*X-2/],
    ['barcode,name,qty\nX-1,A,1\nX-1,A,1\n', 'validation_error', /строка 3/],
    [
      'barcode,name,qty,honest_mark\nX-1,A,1,да\nX-2,B,1,нет\n',
      'mixed_marking',
      /строка 2, X-1.*строка 3, X-2/,
    ],
    ['', 'bad_request', 'пуст'],
    ['name\nA\n', 'validation_error', 'barcode'],
  ] as const) {
    assertRefused(await importTo(body), code, names)
  }
  for (const [query, code, names] of [
    [`?cabinet_id=${randomUUID()}`, 'validation_error', 'cabinet_id'],
    ['?planned_date=soon', 'validation_error', 'planned_date'],
    [`?external_ref=${'x'.repeat(65)}`, 'bad_request', 'external_ref'],
    ['?external_ref=%00', 'bad_request', 'external_ref'],
  ] as const) {
    assertRefused(await importTo(csv, { query }), code, names)
  }
  assertRefused(await importTo(csv, { client: randomUUID() }), 'not_found', 'Клиент')
  assertRefused(await importTo(csv, { as: workers }), 'forbidden')
  assertRefused(await importTo('--x', { type: 'multipart/form-data; boundary=x' }), 'bad_request')
  const huge = await importTo('x'.repeat(11 * 1024 * 1024))
  assertRefused(huge, 'bad_request', `не больше ${10 * 1024 * 1024 + 64 * 1024} байт`)
  assert.equal(await receiptsMade(), before)
  const known = await db`select from products where client_id = ${seller.id} and barcode like 'X%'`
  assert.equal(known.length, 0)
})

test('a file is checked cell by cell, and nothing is created', async () => {
  const before = await receiptsMade()
  const lines = ['barcode;name;qty', 'C-1;Плед;5', 'C-2;Кружка;пять', 'C-3;;2', 'C-1;Плед;1;лишнее']
  const check = await calls.call(`/staff/v1/clients/${seller.id}/receipts/import/check`, {
    body: `${lines.join('\r\n')}\r\n`,
    headers: { 'Content-Type': 'text/csv' },
  })
  assert.equal(check.status, 200, check.text)
  const { columns, rows, problems, ...sums } = check.body as GoodsFileCheck
  assert.deepEqual(columns, [
    { letter: 'A', field: 'barcode' },
    { letter: 'B', field: 'name' },
    { letter: 'C', field: 'qty' },
  ])
  assert.deepEqual(rows[1], { row: 3, cells: ['C-2', 'Кружка', 'пять'] })
  assert.deepEqual(
    problems.map(({ row, column }) => [row, column]),
    [
      [3, 'C'],
      [4, 'B'],
      [5, 'D'],
    ],
  )
  assert.deepEqual(sums, { sheet: null, rows_count: 4, units: 7 })
  assert.equal(await receiptsMade(), before)
  const refused = await calls.call(`/staff/v1/clients/${seller.id}/receipts/import/check`, {
    body: 'нет заголовков',
    headers: { 'Content-Type': 'text/csv' },
  })
  assertRefused(refused, 'validation_error', 'barcode')
})

test('of a book with several sheets the one with goods is read, and the answer names it', async () => {
  const bytes = bookWithInstruction(
    inlineRow('barcode', 'name', 'qty') + inlineRow('S-1', 'Плед', '5'),
  )
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const made = await importTo(bytes, { type })
  assert.equal(made.status, 201, made.text)
  assert.equal(decodeURIComponent(made.headers.get('X-Sheet-Read') ?? ''), 'Товары')
  const check = await calls.call(`/staff/v1/clients/${seller.id}/receipts/import/check`, {
    body: bytes,
    headers: { 'Content-Type': type },
  })
  assert.equal((check.body as GoodsFileCheck).sheet, 'Товары')
  assert.equal((await importTo(csv)).headers.get('X-Sheet-Read'), null)
})

test('the template is a table that is read back when it is filled in', async () => {
  const template = (format: string) =>
    fetch(`${baseUrl}/staff/v1/receipts/import/template?format=${format}`, {
      headers: { Authorization: `Bearer ${manager.token}` },
    })
  const csv = await template('csv')
  assert.match(csv.headers.get('Content-Disposition') ?? '', /filename="goods-.*\.csv"/)
  const made = await importTo(`${await csv.text()}T-1;Плед;P-1;5;нет\r\n`)
  assert.equal(made.status, 201, made.text)
  const [item] = (made.body as StaffReceipt).items ?? []
  assert.deepEqual(
    [item?.barcode, item?.name, item?.article, item?.expected_qty, item?.honest_mark],
    ['T-1', 'Плед', 'P-1', 5, false],
  )
  const book = Buffer.from(await (await template('xlsx')).arrayBuffer())
  const [sheet] = await xlsxSheets(book)
  const rows = []
  for await (const chunk of sheet?.rows() ?? []) rows.push(...chunk)
  const titles = ['Штрихкод', 'Название', 'Артикул', 'Количество', 'Честный знак (да/нет)']
  assert.deepEqual(rows, [{ row: 1, cells: titles.map((text) => ({ kind: 'text', text })) }])
})

test('a new product has the digits of its barcode, a known one its own spelling', async () => {
  const put = (barcode: string) =>
    manager.put(`/clients/${seller.id}/products/${encodeURIComponent(barcode)}`, { name: 'Плед' })
  const made = (await put('4600000000015\u200b')).body as { barcode: string }
  assert.equal(made.barcode, '4600000000015')
  assertRefused(await put('#N/A'), 'validation_error', 'barcode')
})

test('ten thousand rows are accepted, one more is refused', async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => `R-${n},Товар ${n},${(n % 9) + 1}`)
  const file = (lines: readonly string[]) => `barcode,name,qty\n${lines.join('\n')}\n`
  const made = await importTo(file(rows))
  assert.equal(made.status, 201, made.text.slice(0, 300))
  assert.equal((made.body as StaffReceipt).items?.length, 10_000)
  assertRefused(await importTo(file([...rows, 'R-X,A,1'])), 'validation_error', '10000')
})
