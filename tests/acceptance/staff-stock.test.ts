import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffCalls, staffClient } from '../support/staff.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const manager = await staffClient(service, 'manager')

async function seller(units: Readonly<Record<string, number>> = { A: 10 }) {
  const { id } = await makeClient(db)
  await stockUp(db, id, units)
  return { id, post: (path: string, body: object) => manager.post(`/clients/${id}/${path}`, body) }
}

function figures(answer: Answer, status: number) {
  assert.equal(answer.status, status, answer.text)
  const { client_id, barcode, quantity, available, in_question, reserved } = answer.body as Record<
    string,
    unknown
  >
  assert.equal(typeof client_id, 'string')
  return { barcode, quantity, available, in_question, reserved }
}

test('corrections, write-offs and investigations change the stock and answer it', async () => {
  const { post } = await seller()
  const reason = 'COUNT'
  const item = { barcode: 'A', reserved: 0 }
  assert.deepEqual(figures(await post('corrections', { barcode: 'A', delta: 3, reason }), 201), {
    ...item,
    quantity: 13,
    available: 13,
    in_question: 0,
  })
  assert.deepEqual(
    figures(await post('write-offs', { barcode: 'A', qty: 1, reason: 'DAMAGED' }), 201),
    { ...item, quantity: 12, available: 12, in_question: 0 },
  )
  assert.deepEqual(figures(await post('in-question', { barcode: 'A', qty: 5, reason }), 201), {
    ...item,
    quantity: 12,
    available: 7,
    in_question: 5,
  })
  const resolve = { barcode: 'A', qty: 2 }
  assert.deepEqual(
    figures(await post('in-question/resolve', { ...resolve, outcome: 'found' }), 200),
    { ...item, quantity: 12, available: 9, in_question: 3 },
  )
  assert.deepEqual(
    figures(await post('in-question/resolve', { ...resolve, outcome: 'written_off' }), 200),
    { ...item, quantity: 10, available: 9, in_question: 1 },
  )
})

test('a request for more units than are free is refused, naming how many are', async () => {
  const { post } = await seller({ A: 4 })
  const reason = 'OTHER'
  await post('in-question', { barcode: 'A', qty: 1, reason })
  for (const [path, body] of [
    ['corrections', { barcode: 'A', delta: -4, reason }],
    ['write-offs', { barcode: 'A', qty: 4, reason }],
    ['in-question', { barcode: 'A', qty: 4, reason }],
  ] as const) {
    assertRefused(await post(path, body), 'conflict', 'свободно только 3 шт')
  }
  for (const outcome of ['found', 'written_off']) {
    assertRefused(
      await post('in-question/resolve', { barcode: 'A', qty: 2, outcome }),
      'conflict',
      'под вопросом только 1 шт',
    )
  }
})

test('an entry with an entry_id is made once, however often it is sent', async () => {
  const { id, post } = await seller()
  const entry = { barcode: 'A', delta: 1, reason: 'FOUND', entry_id: 'doc-1' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => post('corrections', entry)))
  for (const answer of answers) assert.equal(figures(answer, 201).quantity, 11)
  const off = { barcode: 'A', qty: 20, reason: 'LOST', entry_id: 'doc-2' }
  assertRefused(await post('write-offs', off), 'conflict')
  // A refused entry leaves its entry_id free; each client has its own.
  assert.equal(figures(await post('write-offs', { ...off, qty: 1 }), 201).quantity, 10)
  const other = await seller({ A: 2 })
  assert.equal(figures(await other.post('corrections', entry), 201).quantity, 3)
  const [journal] = await db`
    select count(*)::int as entries from staff_journal where client_id = ${id}`
  assert.equal(journal?.entries, 2)
})

test('twenty write-offs of the last units take no more than there are', async () => {
  const { post } = await seller({ A: 7 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      post('write-offs', { barcode: 'A', qty: 1, reason: 'DAMAGED' }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 7)
  assert.equal(answers.filter(({ code }) => code === 'conflict').length, 13)
})

test('units in question are resolved once', async () => {
  const { post } = await seller({ A: 2 })
  await post('in-question', { barcode: 'A', qty: 2, reason: 'COUNT' })
  const answers = await Promise.all(
    ['found', 'written_off', 'found', 'written_off'].map((outcome) =>
      post('in-question/resolve', { barcode: 'A', qty: 2, outcome }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ code }) => code === 'conflict').length, 3)
})

test('bad input is refused, naming the wrong field, and changes nothing', async () => {
  const { id, post } = await seller()
  const correction = { barcode: 'A', delta: 1, reason: 'COUNT' }
  const units = { barcode: 'A', qty: 1, reason: 'COUNT' }
  for (const [path, body, code, names] of [
    ['corrections', { ...correction, barcode: 'Z' }, 'validation_error', 'barcode'],
    ['corrections', { ...correction, barcode: 'a\0' }, 'validation_error', 'barcode'],
    ['corrections', { ...correction, reason: 'NOT_DELIVERED' }, 'validation_error', 'reason'],
    ['corrections', { ...correction, delta: 0 }, 'validation_error', 'delta'],
    ['corrections', { ...correction, delta: 1.5 }, 'validation_error', 'delta'],
    ['corrections', { ...correction, delta: 1e15 }, 'validation_error', 'delta'],
    ['corrections', { ...correction, delta: 1e300 }, 'validation_error', 'delta'],
    ['corrections', { ...correction, comment: '\ud800' }, 'validation_error', 'comment'],
    ['corrections', { ...correction, entry_id: 'x'.repeat(65) }, 'validation_error', 'entry_id'],
    ['corrections', { ...correction, units: 1 }, 'bad_request', 'units'],
    ['write-offs', { ...units, qty: 0 }, 'validation_error', 'qty'],
    ['write-offs', { ...units, qty: -1 }, 'validation_error', 'qty'],
    ['write-offs', { ...units, barcode: 'Z' }, 'validation_error', 'barcode'],
    ['in-question', { ...units, reason: 'нет' }, 'validation_error', 'reason'],
    ['in-question', { ...units, barcode: 'Z' }, 'validation_error', 'barcode'],
    ['in-question/resolve', { barcode: 'A', qty: 1 }, 'validation_error', 'outcome'],
    [
      'in-question/resolve',
      { barcode: 'Z', qty: 1, outcome: 'found' },
      'validation_error',
      'barcode',
    ],
  ] as const) {
    assertRefused(await post(path, body), code, names)
  }
  const [row] = await db`
    select count(*)::int as movements from stock_movements where client_id = ${id}`
  assert.equal(row?.movements, 1)
})

test('a correction of a place changes this place, and no other one that holds fewer', async () => {
  const { id, post } = await seller({ A: 10 })
  const { warehouse_code } = good<{ warehouse_code: string }>(await manager.get(`/clients/${id}`))
  const worker = await staffClient(service, 'worker')
  const codes = [`FULL-${id.slice(-6)}`, `FEW-${id.slice(-6)}`].map((code) => code.toUpperCase())
  for (const [n, code] of codes.entries()) {
    good(await manager.post('/locations', { warehouse_code, code }), 201)
    const units = { scan_id: code, client_id: id, barcode: 'A', qty: n === 0 ? 5 : 2 }
    good(await worker.post(`/locations/${code}/put`, units))
  }
  const box = good<{ id: string; sscc: string }>(
    await worker.post('/boxes', { client_id: id }),
    201,
  )
  good(await worker.post(`/boxes/${box.id}/put`, { barcode: 'A', qty: 3 }))
  const lying = async () => {
    const places = await Promise.all(codes.map((code) => worker.get(`/locations/${code}`)))
    const boxes = good<{ units: number }>(await worker.get(`/boxes/${box.id}`))
    return [...places.map((place) => good<{ units: number }>(place).units), boxes.units]
  }
  const entry = { barcode: 'A', reason: 'COUNT' }
  const fewer = { ...entry, location_id: codes[0], delta: -2, entry_id: 'fewer' }
  for (const answer of await Promise.all([1, 2, 3].map(() => post('corrections', fewer)))) {
    assert.equal(figures(answer, 201).quantity, 8)
  }
  assert.deepEqual(await lying(), [3, 2, 3])
  assert.equal(
    figures(await post('corrections', { ...entry, location_id: codes[1], delta: 4 }), 201).quantity,
    12,
  )
  assert.deepEqual(await lying(), [3, 6, 3])
  assert.equal(
    figures(await post('corrections', { ...entry, box_id: box.sscc, delta: -3 }), 201).quantity,
    9,
  )
  assert.deepEqual(await lying(), [3, 6, 0])
  assert.equal(
    figures(await post('corrections', { ...entry, box_id: box.id, delta: 1 }), 201).quantity,
    10,
  )
  assert.deepEqual(await lying(), [3, 6, 1])
  const foreign = await makeClient(db)
  const theirs = good<{ id: string }>(await worker.post('/boxes', { client_id: foreign.id }), 201)
  const [full = '', few = ''] = codes
  const idOf = async (code: string) =>
    good<{ id: string }>(await worker.get(`/locations/${code}`)).id
  assert.deepEqual(await correctionsOf(await idOf(full)), [['A', 5, 3]])
  assert.deepEqual(await correctionsOf(await idOf(few)), [['A', 2, 6]])
  assert.deepEqual(await correctionsOf(box.id), [
    ['A', 3, 0],
    ['A', 0, 1],
  ])
  const goods = good<Journal>(await manager.get(`/journal/staff?client_id=${id}&object_id=A`))
  assert.deepEqual(
    goods.items.map(({ words }) => words.some((word) => word.startsWith('место: '))),
    [false, false, true, true],
    'the goods say which place it was',
  )
  for (const [wrong, code, names] of [
    [{ location_id: codes[0], delta: -4 }, 'conflict', 'только 3 шт'],
    [{ box_id: box.id, delta: -2 }, 'conflict', 'A'],
    [{ box_id: theirs.id, delta: 1 }, 'validation_error', 'box_id'],
    [{ location_id: 'NO-SUCH', delta: 1 }, 'validation_error', 'location_id'],
    [{ location_id: codes[0], box_id: box.id, delta: 1 }, 'validation_error', 'location_id'],
    [{ location_id: codes[0], delta: 0 }, 'validation_error', 'delta'],
    [{ location_id: codes[0], delta: -1, barcode: 'Z' }, 'validation_error', 'barcode'],
    [{ location_id: codes[0], delta: 1, barcode: 'Z' }, 'validation_error', 'barcode'],
  ] as const) {
    assertRefused(await post('corrections', { ...entry, ...wrong }), code, names)
  }
  good(await manager.patch(`/locations/${codes[1]}`, { active: false }))
  assertRefused(
    await post('corrections', { ...entry, location_id: codes[1], delta: 1 }),
    'conflict',
  )
  assert.deepEqual(await lying(), [3, 6, 1])
  const { findings } = await audit(db)
  assert.deepEqual(
    findings.filter(({ client }) => client === id),
    [],
  )
})

interface Journal {
  readonly items: readonly {
    readonly action: string
    readonly words: readonly string[]
    readonly before: { readonly barcode: string; readonly units: number }
    readonly after: { readonly units: number }
  }[]
}

/** The corrections in the journal of a place, the oldest first: goods, units before, units after. */
async function correctionsOf(place: string) {
  const { items } = good<Journal>(await manager.get(`/journal/staff?object_id=${place}`))
  return items
    .filter(({ action }) => action === 'correctStock')
    .map(({ before, after }) => [before.barcode, before.units, after.units])
    .toReversed()
}

test('only managers see and change stock, and an unknown client is not found', async () => {
  const { id } = await seller()
  const worker = await staffClient(service, 'worker')
  const nobody = staffCalls(service.baseUrl)
  const body = { barcode: 'A', delta: 1, reason: 'COUNT' }
  assertRefused(await worker.post(`/clients/${id}/corrections`, body), 'forbidden')
  assertRefused(await nobody.post(`/clients/${id}/corrections`, body), 'unauthorized')
  for (const list of ['stock', 'metrics', 'movements']) {
    assertRefused(await worker.get(`/clients/${id}/${list}`), 'forbidden')
    assertRefused(await manager.get(`/clients/x/${list}`), 'not_found')
    assertRefused(await manager.get(`/clients/%00/${list}`), 'not_found')
  }
  const sandbox = await makeClient(db, ['WB'], 'test')
  assertRefused(await manager.post(`/clients/${sandbox.id}/corrections`, body), 'not_found')
})

test('staff and the seller see the same stock and metrics', async () => {
  const { id } = await seller({ A: 1, B: 2, C: 3 })
  const { key } = await at(db, noon, (work) =>
    issueApiKey(work, id, { name: 'Чтение', receiptsEnabled: false }),
  )
  const reader = openClient(service.baseUrl, key)
  const period = 'from=2026-11-01&to=2026-12-01'
  const [seen, own] = await Promise.all([
    manager.get(`/clients/${id}/metrics?${period}`),
    reader.get(`/v1/metrics?${period}`),
  ])
  assert.equal(seen.status, 200)
  assert.deepEqual(seen.body, own.body)
  assertRefused(await manager.get(`/clients/${id}/metrics?from=x`), 'bad_request', 'from')

  type Page = { items: { barcode: string }[]; total: number; next_cursor: string }
  const page = (await manager.get(`/clients/${id}/stock?limit=2`)).body as Page
  const shown = (await reader.get('/v1/stock?limit=2')).body as Page
  assert.deepEqual(
    page.items,
    shown.items.map((item) => ({ client_id: id, ...item })),
  )
  assert.equal(page.total, 3)
  const rest = `limit=2&cursor=${encodeURIComponent(page.next_cursor)}`
  const next = (await manager.get(`/clients/${id}/stock?${rest}`)).body as Page
  assert.deepEqual(
    next.items.map((item) => item.barcode),
    ['C'],
  )
  const other = await seller()
  assertRefused(await manager.get(`/clients/${other.id}/stock?${rest}`), 'bad_cursor')
  const found = (await manager.get(`/clients/${id}/stock?search=товар%20b`)).body as Page
  assert.equal(found.total, 1)
  const turned = (await manager.get(`/clients/${id}/stock?search=b%20товар`)).body as Page
  assert.deepEqual(turned.items, found.items)
  assert.equal(((await manager.get(`/clients/${id}/stock?barcode=C`)).body as Page).total, 1)
})

interface Movements {
  items: { id: number; barcode: string; kind: string; delta: number; reason: string | null }[]
  total: number
  next_cursor: string | null
}

test('the ledger is listed newest first, filtered by product and by kind', async () => {
  const { id, post } = await seller({ A: 5, B: 5 })
  for (const barcode of ['A', 'B', 'A']) {
    await post('corrections', { barcode, delta: -1, reason: 'LOST', comment: 'Полка 7' })
  }
  const listed = async (filter: string) => {
    const items: Movements['items'] = []
    let cursor = ''
    do {
      const { body, status, text } = await manager.get(
        `/clients/${id}/movements?limit=2${filter}${cursor}`,
      )
      assert.equal(status, 200, text)
      const page = body as Movements
      items.push(...page.items)
      cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
      if (cursor === '') assert.equal(page.total, items.length)
    } while (cursor !== '')
    return items
  }
  const all = await listed('')
  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['correction', 'correction', 'correction', 'acceptance', 'acceptance'],
  )
  assert.deepEqual(
    all.map((item) => item.id),
    all.map((item) => item.id).toSorted((a, b) => b - a),
  )
  const of = (kind: string) => all.filter((item) => item.kind === kind)
  assert.deepEqual(await listed('&kind=correction'), of('correction'))
  assert.deepEqual(await listed('&kind=acceptance'), of('acceptance'))
  assert.deepEqual(
    await listed('&barcode=A'),
    all.filter((item) => item.barcode === 'A'),
  )
  assert.deepEqual(
    await listed('&barcode=A&kind=correction'),
    of('correction').filter((item) => item.barcode === 'A'),
  )
  assert.deepEqual(await listed('&barcode=Z'), [])
  assert.deepEqual(await listed('&reason=LOST'), of('correction'))
  assert.deepEqual(await listed('&reason=FOUND'), [])
  const [days] = await db<[{ first: string; after: string }]>`
    select min(moscow_day(at))::text as first, (max(moscow_day(at)) + 1)::text as after
    from stock_movements where client_id = ${id}`
  assert.deepEqual(await listed(`&from=${days.first}&to=${days.after}`), all)
  assert.deepEqual(await listed(`&from=${days.after}`), [])
  assert.deepEqual(await listed(`&to=${days.first}`), [])
  const { id: _, ...newest } = { ...all[0] }
  assert.partialDeepStrictEqual(newest, {
    client_id: id,
    barcode: 'A',
    name: 'Товар A',
    delta: -1,
    question_delta: 0,
    reason: 'LOST',
    comment: 'Полка 7',
    receipt_id: null,
    actor: `staff:${manager.userId}`,
  })
  assertRefused(await manager.get(`/clients/${id}/movements?kind=x`), 'bad_request', 'kind')
  const reversed = `/clients/${id}/movements?from=2026-11-02&to=2026-11-01`
  assertRefused(await manager.get(reversed), 'bad_request', 'from')
})

test('the ledger of all clients is one list, and a user of some warehouses sees the clients of these', async () => {
  const [first, second] = [await seller({ A: 5 }), await seller({ A: 7 })]
  const ids = [first.id, second.id]
  const clientsOf = async (query: string, by = manager) => {
    const seen = new Set<string>()
    for (let cursor = ''; ; ) {
      const answer = await by.get(`/movements?limit=200&${query}${cursor}`)
      const { items, next_cursor } = good<{
        items: { client_id: string }[]
        next_cursor: string | null
      }>(answer)
      for (const { client_id } of items) seen.add(client_id)
      if (next_cursor === null) return ids.filter((id) => seen.has(id))
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`
    }
  }
  assert.deepEqual(await clientsOf(''), ids)
  assert.deepEqual(await clientsOf(`client_id=${second.id}`), [second.id])
  assert.deepEqual(await clientsOf('client_id=nobody'), [])
  const [admin, neighbour] = [
    await staffClient(service, 'administrator'),
    await staffClient(service, 'manager'),
  ]
  good(await admin.post('/warehouses', { code: 'MOVEMENTS', name: 'Движения' }), 201)
  good(await admin.put(`/users/${neighbour.userId}/warehouses`, { warehouse_codes: ['MOVEMENTS'] }))
  await db`update clients set warehouse_code = 'MOVEMENTS' where id = ${first.id}`
  assert.deepEqual(await clientsOf('', neighbour), [first.id])
})
