import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyMax, recordedBody } from './recorded-body.ts'
import { parseExactly, redactBody, redactHeaders, redactPath, redactQuery } from './redaction.ts'
import posting from './redaction-posting.json' with { type: 'json' }

const secrets = ['eyJhbGciOi.eyJzaWQi.c2ln', '1234567', 'a-key-of-the-seller']
const redacted = (body: unknown, path = '/v4/posting/fbs/list') =>
  redactBody(body, { path, secrets })

test('buyers of an OZON posting are removed, and what parsers read stays', () => {
  const { given, kept } = posting
  assert.deepEqual(redacted({ postings: [given] }), { postings: [kept] })
})

test('buyers of WB orders are removed, WB points and names of supplies stay', () => {
  const path = '/api/v3/orders'
  const order = {
    id: 13833711,
    article: 'ЛАМПА',
    orderUid: '165918930_629fbc924b98461',
    address: { fullAddress: 'Тверь, Советская, 1', latitude: 56.85 },
    offices: ['Тверь'],
    comment: 'Позвоните',
    skus: ['4600000000017'],
    options: { isB2B: true },
  }
  assert.deepEqual(redacted({ next: 1, orders: [order] }, path), {
    next: 1,
    orders: [
      {
        ...order,
        orderUid: 'removed',
        address: { fullAddress: 'removed', latitude: 0 },
        offices: ['removed'],
        comment: 'removed',
      },
    ],
  })
  const client = { orderID: 134567, firstName: 'Иван', phone: 79991234567, phoneCode: '7747' }
  assert.deepEqual(redacted({ orders: [client] }, '/api/v3/orders/client'), {
    orders: [{ orderID: 134567, firstName: 'removed', phone: 0, phoneCode: '0000' }],
  })
  const point = { id: 5, name: 'СЦ Тверь', address: 'Тверь, Индустриальная, 1', city: 'Тверь' }
  const points = { shippingPoints: [point] }
  assert.deepEqual(redacted(points, '/api/marketplace/v3/fbs/shipping-points'), points)
  const supply = { id: 'WB-GI-1', name: 'Поставка от 22.11' }
  assert.deepEqual(redacted(supply, '/api/v3/supplies/WB-GI-1'), supply)
})

test('of OZON returns the place stays, and the code by which they are fetched does not', () => {
  const place = { id: 7, name: 'САНКТ-ПЕТЕРБУРГ_7', address: 'Ладожская, 3' }
  const product = { sku: 1, offer_id: 'PL-1', name: 'Плед', quantity: 1 }
  const visual = { status: { id: 30, sys_name: 'ArrivedAtReturnPlace' } }
  const row = { id: 7, schema: 'Fbs', posting_number: '1-1-1', place, product, visual }
  assert.deepEqual(redacted({ returns: [row] }, '/v1/returns/list'), { returns: [row] })
  assert.deepEqual(redacted({ barcode: '%303%24276' }, '/v1/return/giveout/barcode'), {
    barcode: 'removed',
  })
})

test('no body, path, query or header keeps a credential', () => {
  const body = {
    code: 'a-key-of-the-seller',
    message: `Client-Id 1234567 with key ${secrets[2]} and token ${secrets[0]} is not known`,
    id: 1234567,
    posting_number: '91234567-0001-1',
    details: ['Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln'],
  }
  assert.deepEqual(redacted(body), {
    code: 'removed',
    message: '… removed with key removed and token removed is not known',
    id: 0,
    posting_number: '91234567-0001-1',
    details: ['… removed'],
  })
  assert.deepEqual(redactQuery({ limit: 10, next: 0, token: 'secret', a: undefined }, secrets), {
    limit: '10',
    next: '0',
    token: 'removed',
  })
  const headers = { 'x-ratelimit-remaining': '7', 'set-cookie': 'x', authorization: secrets[0] }
  assert.deepEqual(redactHeaders(headers, secrets), { 'x-ratelimit-remaining': '7' })
  assert.equal(redactPath('/v3/file/1234567?sign=abc', secrets), '/v3/file/removed')
  assert.equal(redactPath('/labels/secret-name.pdf?sign=abc', secrets), '/file')
})

test('texts of refusals stay without phones, mails and tax numbers', () => {
  const message = 'Заказ 5632423: покупатель +7 (999) 123-45-67, a.b@mail.ru, ИНН 7701234567'
  assert.deepEqual(redacted({ message }), {
    message: '… 5632423: покупатель +0 (000) 000-00-00, removed, … 0000000000',
  })
})

test('texts of refusals name nobody, and keep codes and numbers', () => {
  const texts = [
    ['Получатель Иван Петров-Водкин отказался', '… … … отказался'],
    ['Иванов не найден', '… не найден'],
    ['order 5 of O’Neil: POSTING_ALREADY_CANCELLED', 'order 5 of …: POSTING_ALREADY_CANCELLED'],
  ]
  for (const [text, kept] of texts) {
    assert.deepEqual(redacted({ error: { details: [text] } }), { error: { details: [kept] } })
  }
})

test('a secret with ten digits in a row is removed, not its digits alone', () => {
  const key = 'ab12-1234567890-cd34'
  const kept = redactBody(
    { message: `key ${key}`, offer_id: `x ${key}` },
    { path: '/v1/x', secrets: [key] },
  )
  assert.deepEqual(kept, { message: 'key removed', offer_id: 'x removed' })
})

test('a label keeps the type of its file alone, in its encoding', () => {
  const svg = Buffer.from('<svg>Иван Петров</svg>').toString('base64')
  const pdf = Buffer.from('%PDF-1.7 Иван Петров').toString('base64')
  const stickers = [
    { orderId: 5, file: svg },
    { orderId: 6, file: '<svg>Иван</svg>' },
  ]
  const kept = redacted({ stickers, file_content: pdf }) as {
    stickers: { file: string }[]
    file_content: string
  }
  const [first, second] = kept.stickers
  assert.equal(Buffer.from(first?.file ?? '', 'base64').toString(), '<svg/>')
  assert.equal(second?.file, '<svg/>')
  assert.equal(Buffer.from(kept.file_content, 'base64').toString(), '%PDF-1.4')
})

test('the address of a file stays an address, without what opens the file', () => {
  const task = {
    file_url: 'https://u:p@cdn1.ozone.ru/labels/ivan.pdf?sign=abc',
    mail: 'mailto:a@b.ru',
  }
  const kept = { file_url: 'https://cdn1.ozone.ru/removed', mail: 'removed' }
  assert.deepEqual(redacted(task), kept)
})

test('numbers beyond 2^53 keep their digits where they may be kept', () => {
  const text = '{"id":12345678901234567890,"secret_number":12345678901234567890}'
  const kept = JSON.stringify(redactBody(parseExactly(text), { path: '/v1/x', secrets }))
  assert.equal(kept, '{"id":12345678901234567890,"secret_number":0}')
})

test('a key that is no name of a field is removed, at any depth', () => {
  assert.deepEqual(redacted({ '+79991234567': 1, buyer: { 'Иван Петров': true } }), {
    removed: 0,
    buyer: { removed: true },
  })
})

test('a large list loses its last items, a file and what is no JSON is left out', () => {
  const redaction = { path: '/api/v3/orders', secrets }
  const orders = Array.from({ length: 5_000 }, (_, id) => ({ id, article: 'x'.repeat(100) }))
  const list = recordedBody(Buffer.from(JSON.stringify({ orders })), 'application/json', redaction)
  assert.equal(list.note, 'shortened')
  assert.ok((list.text ?? '').length <= bodyMax)
  assert.equal((JSON.parse(list.text ?? '') as { orders: unknown[] }).orders.length, 100)
  const omitted = { text: null, note: 'omitted' }
  assert.deepEqual(recordedBody(Buffer.from('%PDF-1.4'), 'application/pdf', redaction), omitted)
  assert.deepEqual(recordedBody(Buffer.from('<html>'), 'application/json', redaction), omitted)
  assert.deepEqual(recordedBody(Buffer.alloc(0), 'application/json', redaction), {
    text: null,
    note: null,
  })
})
