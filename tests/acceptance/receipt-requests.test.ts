import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, assertRefused } from '../support/client.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import {
  meShape,
  type ReceiptWithItems,
  receiptShape,
  receiptWithItems,
  stockShape,
} from './resources.ts'

const target = await openTarget()
const sandbox = await target.sandbox()
const { cabinets } = read(meShape, (await sandbox.get('/v1/me')).body)
const cabinetId = cabinets[0]?.id ?? ''
const goods = await readAll(sandbox, '/v1/stock', {}, stockShape)
const known = goods[0]?.barcode ?? ''

interface Line {
  readonly [field: string]: unknown
}

function line(changes: Line = {}): Line {
  return { barcode: 'НОВ-1', name: 'Новый товар', qty: 1, honest_mark: false, ...changes }
}

function draft(changes: Line = {}): Line {
  return { cabinet_id: cabinetId, items: [line()], ...changes }
}

function post(body: unknown, client = sandbox): Promise<Answer> {
  return client.post('/v1/receipts', body)
}

async function create(body: unknown, client = sandbox): Promise<ReceiptWithItems> {
  const answer = await post(body, client)
  assert.equal(answer.status, 201, answer.text.slice(0, 300))
  return read(receiptWithItems, answer.body)
}

let made = 0
const newRef = () => `УПД-${Date.now()}-${made++}`

suite('a new request', { concurrency: true }, () => {
  test('is answered with the pending receipt and all requested fields', async () => {
    const items = [
      line({ barcode: 'А-1', name: 'Плед', article: 'PLD', qty: 100_000, honest_mark: true }),
      line({ barcode: 'А-2', name: 'Свеча', qty: 7, honest_mark: true }),
    ]
    const ref = newRef()
    const asked = Date.now()
    const receipt = await create(
      draft({ external_ref: ref, comment: 'К воротам 3', planned_date: '2027-01-15', items }),
    )
    assert.ok(receipt.id && receipt.number)
    assert.equal(receipt.status, 'PENDING_CONFIRMATION')
    assert.equal(receipt.source, 'api')
    assert.equal(receipt.external_ref, ref)
    assert.equal(receipt.comment, 'К воротам 3')
    assert.equal(receipt.planned_date, '2027-01-15T00:00:00.000+03:00')
    assert.equal(receipt.confirmed_at, null)
    assert.equal(receipt.completed_at, null)
    assert.equal(receipt.expected_qty, 100_007)
    assert.equal(receipt.accepted_qty, 0)
    assert.equal(receipt.discrepancy_qty, 0)
    const none = { accepted_qty: 0, discrepancy_qty: 0 }
    assert.deepEqual(receipt.items, [
      {
        barcode: 'А-1',
        article: 'PLD',
        name: 'Плед',
        honest_mark: true,
        expected_qty: 100_000,
        ...none,
      },
      { barcode: 'А-2', name: 'Свеча', honest_mark: true, expected_qty: 7, ...none },
    ])
    if (!target.own) return
    const created = Date.parse(receipt.created_at)
    assert.ok(asked <= created && created <= Date.now(), receipt.created_at)
  })

  test('needs only its items', async () => {
    const receipt = await create(draft())
    assert.equal(receipt.external_ref, undefined)
    assert.equal(receipt.comment, undefined)
    assert.equal(receipt.planned_date, null)
  })

  test('reads back as answered, and is first in the list', async () => {
    const client = await target.sandbox()
    const me = read(meShape, (await client.get('/v1/me')).body)
    const receipt = await create(draft({ cabinet_id: me.cabinets[1]?.id }), client)
    const again = read(receiptWithItems, (await client.get(`/v1/receipts/${receipt.id}`)).body)
    assert.deepEqual(again, receipt)
    const { items, ...listed } = receipt
    assert.deepEqual((await readAll(client, '/v1/receipts', {}, receiptShape))[0], listed)
    assert.equal(items.length, 1)
  })

  test('takes the names of registered products', async () => {
    const receipt = await create(draft({ items: [line({ barcode: known, name: undefined })] }))
    assert.equal(receipt.items[0]?.name, goods[0]?.name)
  })

  test('does not change the stock', async () => {
    await create(draft())
    assert.deepEqual(await readAll(sandbox, '/v1/stock', {}, stockShape), goods)
  })

  test('may be as large as allowed', async () => {
    const items = Array.from({ length: 500 }, (_, at) =>
      line({
        barcode: `${at}`.padStart(64, 'ю'),
        name: 'ж'.repeat(500),
        article: 'я'.repeat(500),
        qty: 100_000,
      }),
    )
    const receipt = await create(draft({ items, comment: '😀'.repeat(500) }))
    assert.equal(receipt.expected_qty, 50_000_000)
    assert.equal(receipt.items.length, 500)
    assert.deepEqual(
      receipt.items.map((item) => item.barcode),
      items.map((item) => item.barcode),
    )
  })

  test('keeps all texts unchanged', async () => {
    const comment = ' \u00a0é\u0301 <b>"\\\' -- ; drop table\n\t\u2028😀 ٪ '
    const ref = ` ${newRef()} №1\u0301 `
    const receipt = await create(draft({ comment, external_ref: ref }))
    assert.equal(receipt.comment, comment)
    assert.equal(receipt.external_ref, ref)
    const again = read(receiptWithItems, (await sandbox.get(`/v1/receipts/${receipt.id}`)).body)
    assert.equal(again.comment, comment)
  })

  test('counts null and empty texts in optional fields as absent', async () => {
    for (const none of [null, '']) {
      const receipt = await create(
        draft({
          external_ref: none,
          comment: none,
          planned_date: none,
          items: [line({ article: none }), line({ barcode: known, name: none, article: none })],
        }),
      )
      assert.equal(receipt.external_ref, undefined)
      assert.equal(receipt.comment, undefined)
      assert.equal(receipt.planned_date, null)
      const [fresh, stored] = receipt.items
      assert.equal(fresh?.article, undefined)
      assert.equal(stored?.name, goods[0]?.name)
      assert.equal(stored?.article, goods[0]?.article)
      assertRefused(await post(draft({ cabinet_id: none })), 'cabinet_required')
    }
  })

  test('takes white space off barcode, name and article, and off nothing else', async () => {
    const ref = ` ${newRef()} `
    const item = line({ barcode: ` ${known}\t`, name: '\u00a0Плед \n', article: ' PLD  1 ' })
    const receipt = await create(draft({ external_ref: ref, comment: ' ворота ', items: [item] }))
    assert.equal(receipt.external_ref, ref)
    assert.equal(receipt.comment, ' ворота ')
    const [shown] = receipt.items
    assert.deepEqual([shown?.barcode, shown?.name, shown?.article], [known, 'Плед', 'PLD  1'])
    await create(draft({ items: [line({ barcode: ` ${'x'.repeat(64)} ` })] }))
  })

  test('belongs to the only cabinet by default', async (t) => {
    if (target.live === undefined) return t.skip('no live keys')
    await create({ items: [line()] }, target.client(target.live.writing))
  })
})

suite('planned_date', { concurrency: true }, () => {
  const forms: [string, string][] = [
    ['2027-03-01', '2027-03-01'],
    ['2020-02-29', '2020-02-29'],
    ['2027-03-01T00:00:00+03:00', '2027-03-01'],
    ['2027-03-01T23:59:59.999+03:00', '2027-03-01'],
    ['2027-03-01T21:00:00Z', '2027-03-02'],
    ['2027-03-01T20:59:59Z', '2027-03-01'],
    ['2027-03-01T01:00:00+05:00', '2027-02-28'],
    ['2016-12-31T23:59:60Z', '2017-01-01'],
  ]
  for (const [given, shown] of forms) {
    test(`${given} is ${shown} in Moscow`, async () => {
      const receipt = await create(draft({ planned_date: given }))
      assert.equal(receipt.planned_date, `${shown}T00:00:00.000+03:00`)
    })
  }

  test('without an offset is refused with the remedy', async () => {
    const answer = await post(draft({ planned_date: '2027-03-01T10:00:00' }))
    assertRefused(answer, 'validation_error', /planned_date: .*\+03:00/)
  })

  test('is named together with the other wrong fields', async () => {
    const wrong = draft({ planned_date: 'завтра', items: [line({ qty: 0 })] })
    assertRefused(await post(wrong), 'validation_error', /planned_date: .*items\[0\]\.qty: /)
  })

  test('must be a date that exists', async () => {
    const values = [
      ' ',
      '2027-02-29',
      '2027-13-01',
      '01.03.2027',
      'завтра',
      '2027-03-01T10:00:00',
      '2027-3-1',
      20270301,
      true,
      [],
      '2027-03-01 10:00:00+03:00',
      '0000-01-01',
    ]
    for (const value of values) {
      assertRefused(await post(draft({ planned_date: value })), 'validation_error', 'planned_date')
    }
  })
})

suite('the message names the field that breaks its rule', { concurrency: true }, () => {
  const fields: Readonly<Record<string, readonly unknown[]>> = {
    external_ref: ['x'.repeat(65), '😀'.repeat(65), 1, {}, [], true],
    comment: ['x'.repeat(501), '😀'.repeat(501), 5, ['x'], false],
    cabinet_id: ['x', ' ', 7, '00000000-0000-0000-0000-000000000000', `${cabinetId} `],
    items: [
      undefined,
      null,
      [],
      {},
      'x',
      1,
      Array.from({ length: 501 }, (_, at) => line({ barcode: `${at}` })),
    ],
  }
  for (const [field, values] of Object.entries(fields)) {
    test(field, async () => {
      for (const value of values) {
        assertRefused(await post(draft({ [field]: value })), 'validation_error', field)
      }
    })
  }

  const itemFields: Readonly<Record<string, readonly unknown[]>> = {
    barcode: [undefined, null, '', ' \t\u00a0', 'x'.repeat(65), '😀'.repeat(65), 460_000, {}, []],
    name: [null, '', ' ', 'x'.repeat(501), 1, true, []],
    article: ['x'.repeat(501), 1, {}],
    qty: [undefined, null, 0, -1, 100_001, 1.5, '5', '', true, [], {}, 2 ** 60, 1e21],
    honest_mark: [undefined, null, 0, 1, 'true', '', []],
  }
  for (const [field, values] of Object.entries(itemFields)) {
    test(`items[1].${field}`, async () => {
      for (const value of values) {
        const items = [line(), line({ barcode: 'НОВ-2', [field]: value })]
        assertRefused(await post(draft({ items })), 'validation_error', `items[1].${field}`)
      }
    })
  }

  test('an element of items that is not an object', async () => {
    for (const value of [null, 1, 'x', [], true]) {
      assertRefused(await post(draft({ items: [line(), value] })), 'validation_error', 'items[1]')
    }
  })

  test('numbers beyond every range', async () => {
    for (const qty of [
      '1e400',
      '-1e400',
      '9007199254740993',
      '1e-400',
      '0.0000001',
      `1${'0'.repeat(400)}`,
    ]) {
      const body = JSON.stringify(draft()).replace('"qty":1', `"qty":${qty}`)
      assertRefused(await post(body), 'validation_error', 'items[0].qty')
    }
  })

  test('a text with NUL or half of a surrogate pair', async () => {
    for (const bad of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud83dx\\ude00']) {
      for (const field of ['comment', 'external_ref', 'planned_date', 'cabinet_id']) {
        const body = JSON.stringify(draft({ [field]: '!!' })).replace('!!', bad)
        assertRefused(await post(body), 'validation_error', field)
      }
      for (const field of ['barcode', 'name', 'article']) {
        const body = JSON.stringify(draft({ items: [line({ [field]: '!!' })] })).replace('!!', bad)
        assertRefused(await post(body), 'validation_error', `items[0].${field}`)
      }
    }
  })

  test('the second line of one barcode', async () => {
    const items = [line(), line({ barcode: 'НОВ-2' }), line({ barcode: ' НОВ-1 ', qty: 5 })]
    assertRefused(await post(draft({ items })), 'validation_error', 'items[2].barcode')
  })

  test('a missing name of unregistered products', async () => {
    const items = [line(), line({ barcode: 'НЕИЗВЕСТНЫЙ', name: undefined })]
    assertRefused(await post(draft({ items })), 'validation_error', 'items[1].name')
  })
})

test('lengths are counted in code points', async () => {
  const receipt = await create(
    draft({
      external_ref: '😀'.repeat(50) + newRef().slice(-14),
      comment: '𝄞'.repeat(500),
      items: [line({ barcode: '🧦'.repeat(64), name: '🛏'.repeat(500) })],
    }),
  )
  assert.equal(receipt.items[0]?.barcode, '🧦'.repeat(64))
})

suite('a bad request', { concurrency: true }, () => {
  const bodies: Readonly<Record<string, string | Uint8Array>> = {
    empty: '',
    'white space': ' \n ',
    null: 'null',
    'an array': '[]',
    'an array with a request': JSON.stringify([draft()]),
    'a string': '"x"',
    'a number': '5',
    'broken off': '{"items":[{"barcode":"1"',
    'followed by more': `${JSON.stringify(draft())}{}`,
    'with comments': '{/*x*/}',
    'with single quotes': "{'items':[]}",
    NaN: '{"items":NaN}',
    'with a trailing comma': '{"items":[],}',
    'no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    'with a text that is no UTF-8': Buffer.concat([
      Buffer.from('{"comment":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
    'an encoded surrogate': Buffer.concat([
      Buffer.from('{"comment":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
    'UTF-16': Buffer.from(JSON.stringify(draft()), 'utf16le'),
    'with a control character': '{"comment":"a\u0001b"}',
    'a deep array': '['.repeat(100_000),
    'a deep closed array': `{"items":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'a deep object': '{"items":'.repeat(20_000),
    'a form': 'items=1',
  }
  for (const [name, body] of Object.entries(bodies)) {
    test(name, async () => assertRefused(await post(body), 'bad_request'))
  }

  test('larger than 2 MiB', async () => {
    const large = JSON.stringify(draft({ comment: 'x'.repeat(3 * 1024 * 1024) }))
    assertRefused(await post(large), 'bad_request')
  })

  test('with an unknown field, named in the message', async () => {
    for (const field of ['foo', 'Items', 'items ', 'id', 'status', '', '\u0000', 'toString', 'é']) {
      const answer = await post(draft({ [field]: 1 }))
      assertRefused(answer, 'bad_request', field === '\u0000' ? /./ : field)
      const inner = await post(draft({ items: [line({ [field]: 1 })] }))
      assertRefused(inner, 'bad_request', field === '\u0000' ? /./ : `items[0].${field}`)
    }
  })

  test('with a field of the object prototype', async () => {
    for (const field of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
      const outer = JSON.stringify(draft()).replace('{', `{"${field}":{"qty":1},`)
      assertRefused(await post(outer), 'bad_request')
      const inner = JSON.stringify(draft()).replace('[{', `[{"${field}":null,`)
      assertRefused(await post(inner), 'bad_request')
    }
  })

  test('with a field given twice', async () => {
    const body = JSON.stringify(draft())
    assertRefused(
      await post(body.replace('{', '{"comment":"a","comment":"a",')),
      'bad_request',
      'comment',
    )
    assertRefused(await post(body.replace('[{', '[{"qty":2,')), 'bad_request', 'qty')
    assertRefused(await post(body.replace('[{', '[{"q\\u0074y":2,')), 'bad_request', 'qty')
  })

  test('of another media type', async () => {
    const body = JSON.stringify(draft())
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=windows-1251',
      'multipart/form-data; boundary=x',
      'application/merge-patch+json',
      'json',
      ';;;',
      'application/jsonx',
      'text/json',
      '*/*',
    ]
    for (const type of types) {
      const answer = await sandbox.call('/v1/receipts', { body, headers: { 'Content-Type': type } })
      assertRefused(answer, 'bad_request', /application\/json/)
    }
  })
})

test('every usual spelling of JSON and its media type is accepted', async () => {
  const body = JSON.stringify(draft())
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=Utf-8',
  ]
  for (const type of types) {
    const answer = await sandbox.call('/v1/receipts', { body, headers: { 'Content-Type': type } })
    assert.equal(answer.status, 201, type)
  }
  assert.equal((await post(`\ufeff${body}`)).status, 201)
  assert.equal((await post(`\r\n\t ${JSON.stringify(draft(), null, 4)}\n`)).status, 201)
  assert.equal((await post(body.replace('"qty":1', '"qty":1.0e0'))).status, 201)
})

suite('the order of the checks', { concurrency: true }, () => {
  const mixed = [line(), line({ barcode: 'НОВ-2', honest_mark: true })]

  test('unknown fields before the rules of fields', async () => {
    assertRefused(await post({ items: [], foo: 1 }), 'bad_request', 'foo')
    assertRefused(
      await post(draft({ items: [line({ qty: 0 }), line({ foo: 1 })] })),
      'bad_request',
      'items[1].foo',
    )
  })

  test('the rules of fields before mixed marking', async () => {
    const items = [...mixed, line({ barcode: 'НОВ-3', qty: 0 })]
    assertRefused(await post(draft({ items })), 'validation_error', 'items[2].qty')
    assertRefused(
      await post(draft({ items: mixed, planned_date: 'x' })),
      'validation_error',
      'planned_date',
    )
    assertRefused(
      await post(draft({ items: [...mixed, line()] })),
      'validation_error',
      'items[2].barcode',
    )
  })

  test('mixed marking before the cabinet', async () => {
    assertRefused(
      await post(draft({ items: mixed })),
      'mixed_marking',
      'honest_mark true — items[1]; false — items[0]',
    )
    const many = Array.from({ length: 30 }, (_, at) => line({ barcode: `М-${at}` }))
    const answer = await post(draft({ items: [...mixed, ...many] }))
    assertRefused(answer, 'mixed_marking', /items\[1\]; .*items\[10\] и ещё 21$/)
    assertRefused(await post({ items: mixed }), 'mixed_marking')
    assertRefused(await post(draft({ items: mixed, cabinet_id: 'x' })), 'mixed_marking')
  })

  test('the cabinet before a repeat', async () => {
    const ref = newRef()
    await create(draft({ external_ref: ref }))
    assertRefused(await post({ external_ref: ref, items: [line()] }), 'cabinet_required')
    assertRefused(
      await post(draft({ external_ref: ref, cabinet_id: 'x' })),
      'validation_error',
      'cabinet_id',
    )
    assertRefused(await post(draft({ external_ref: ref, items: [] })), 'validation_error', 'items')
  })

  test('the right to write before the body', async (t) => {
    if (target.live === undefined) return t.skip('no live keys')
    const reader = target.client(target.live.reading)
    for (const body of ['', 'no JSON', '{}', JSON.stringify({ items: [line()] })]) {
      assertRefused(await post(body, reader), 'write_disabled')
    }
    const answer = await reader.call('/v1/receipts', {
      body: 'x',
      headers: { 'Content-Type': 'x' },
    })
    assertRefused(answer, 'write_disabled')
  })
})

suite('a repeat', { concurrency: true }, () => {
  test('of a pending request is answered with its receipt', async () => {
    const ref = newRef()
    const first = await create(draft({ external_ref: ref }))
    const repeated = await post(draft({ external_ref: ref }))
    assert.equal(repeated.status, 200)
    assert.deepEqual(repeated.body, first)
    assert.equal(repeated.headers.get('X-Ignored-Changes'), null)
    const different = await post(
      draft({ external_ref: ref, comment: 'другое', items: [line({ qty: 9 })] }),
    )
    assert.equal(different.status, 200)
    assert.deepEqual(different.body, first)
  })

  test('names in a header what it says otherwise than the first request', async () => {
    const ref = newRef()
    const [one, two] = [line({ barcode: 'Р-1', article: 'A' }), line({ barcode: 'Р-2' })]
    const sent = draft({ external_ref: ref, planned_date: '2027-01-15', items: [one, two] })
    const first = await post(sent)
    assert.equal(first.status, 201)
    assert.equal(first.headers.get('X-Ignored-Changes'), null)
    const { name: _, article: __, ...known } = one
    const same = [sent, { ...sent, items: [two, known] }]
    same.push({ ...sent, planned_date: '2027-01-15T00:00:00+03:00' })
    for (const body of same) {
      assert.equal((await post(body)).headers.get('X-Ignored-Changes'), null, JSON.stringify(body))
    }
    for (const [change, named] of [
      [{ comment: 'x' }, 'comment'],
      [{ planned_date: '2027-01-16' }, 'planned_date'],
      [{ planned_date: null, comment: 'x' }, 'comment, planned_date'],
      [{ items: [one] }, 'items'],
      [{ items: [one, { ...two, qty: 2 }] }, 'items'],
      [{ items: [one, { ...two, name: 'Иначе' }] }, 'items'],
      [{ items: [one, { ...two, barcode: 'Р-3' }] }, 'items'],
    ] as const) {
      const answer = await post({ ...sent, ...change })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('X-Ignored-Changes'), named, JSON.stringify(change))
      assert.deepEqual(answer.body, first.body)
    }
  })

  test('sent forty times at once creates one receipt', async () => {
    const body = draft({ external_ref: newRef() })
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(body)))
    const statuses = answers.map((answer) => answer.status).sort()
    assert.deepEqual(statuses, [...Array<number>(39).fill(200), 201])
    const receipts = answers.map((answer) => read(receiptWithItems, answer.body))
    for (const receipt of receipts) assert.deepEqual(receipt, receipts[0])
    const listed = await readAll(sandbox, '/v1/receipts', {}, receiptShape)
    const own = listed.filter((each) => each.external_ref === body.external_ref)
    assert.equal(own.length, 1)
  })

  test('is recognised by the exact document number', async () => {
    const ref = newRef()
    const ids = new Set<string>()
    for (const each of [ref, ref.toLowerCase(), ` ${ref}`, `${ref} `]) {
      ids.add((await create(draft({ external_ref: each }))).id)
    }
    assert.equal(ids.size, 4)
  })

  test('without a document number is a new request', async () => {
    const [one, other] = [await create(draft()), await create(draft())]
    assert.notEqual(one.id, other.id)
    assert.notEqual(one.number, other.number)
  })

  test('of a refused request is a new request', async () => {
    const ref = newRef()
    assertRefused(await post(draft({ external_ref: ref, items: [] })), 'validation_error')
    await create(draft({ external_ref: ref }))
  })

  test('by another client is a new request', async () => {
    const ref = newRef()
    const other = await target.emptySandbox()
    const me = read(meShape, (await other.get('/v1/me')).body)
    const theirs = draft({ external_ref: ref, cabinet_id: me.cabinets[0]?.id })
    const [mine, its] = [await create(draft({ external_ref: ref })), await create(theirs, other)]
    assert.notEqual(mine.id, its.id)
  })
})

test('no two receipts have the same number', async () => {
  await Promise.all(Array.from({ length: 20 }, () => create(draft())))
  const numbers = (await readAll(sandbox, '/v1/receipts', {}, receiptShape)).map(
    (each) => each.number,
  )
  assert.equal(new Set(numbers).size, numbers.length)
})

suite('an Idempotency-Key', { concurrency: true }, () => {
  const under = (key: string, body: unknown, client = sandbox) =>
    client.call('/v1/receipts', { body, headers: { 'Idempotency-Key': key } })
  const idOf = (answer: Answer) => read(receiptWithItems, answer.body).id

  test('names a request without external_ref: its repeat answers the same receipt', async () => {
    const key = crypto.randomUUID()
    const body = draft({ comment: 'К воротам 3' })
    const first = await under(key, body)
    assert.equal(first.status, 201, first.text)
    const { items, comment, cabinet_id } = body
    const repeat = await under(key, { comment, items, cabinet_id })
    assert.equal(repeat.status, 200, 'the order of fields does not matter')
    assert.deepEqual(repeat.body, first.body)
    assert.equal(repeat.headers.get('X-Ignored-Changes'), null)
    assert.notEqual(idOf(await under(`${key}-2`, body)), idOf(first))
  })

  test('of another body is refused, and a refused request takes no key', async () => {
    const key = crypto.randomUUID()
    assertRefused(await under(key, draft({ items: [] })), 'validation_error')
    const first = await under(key, draft())
    assert.equal(first.status, 201, first.text)
    assertRefused(await under(key, draft({ comment: 'иначе' })), 'bad_request', 'Idempotency-Key')
    assertRefused(await under(key, draft({ items: [line({ qty: 2 })] })), 'bad_request')
    assert.equal(idOf(await under(key, draft())), idOf(first))
  })

  test('makes one receipt of requests at once', async () => {
    const key = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => under(key, draft())))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
    assert.equal(new Set(answers.map(idOf)).size, 1)
    const other = crypto.randomUUID()
    const [one, two] = await Promise.all([
      under(other, draft({ comment: 'первая' })),
      under(other, draft({ comment: 'вторая' })),
    ])
    assert.deepEqual([one?.status, two?.status].sort(), [201, 400])
  })

  test('is not looked at beside external_ref', async () => {
    const key = crypto.randomUUID()
    const first = await under(key, draft({ external_ref: newRef() }))
    const second = await under(key, draft({ external_ref: newRef() }))
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal((await under('two words', draft({ external_ref: newRef() }))).status, 201)
    const third = await under(key, draft())
    assert.equal(third.status, 201, 'the key is free')
  })

  test('has 1 to 255 visible characters', async () => {
    for (const key of ['', 'a b', 'a'.repeat(256), 'é']) {
      assertRefused(await under(key, draft()), 'bad_request', 'Idempotency-Key')
    }
    const longest = `${crypto.randomUUID()}${'~'.repeat(219)}`
    assert.equal((await under(longest, draft())).status, 201)
  })

  test('is of one client: another one may use the same', async () => {
    const key = crypto.randomUUID()
    const first = await under(key, draft())
    const stranger = await target.emptySandbox()
    const cabinet = read(meShape, (await stranger.get('/v1/me')).body).cabinets[0]?.id
    const second = await under(key, draft({ cabinet_id: cabinet, comment: 'иначе' }), stranger)
    assert.equal(second.status, 201, second.text)
    assert.notEqual(idOf(second), idOf(first))
  })
})
