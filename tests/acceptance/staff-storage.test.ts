import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { isSscc } from '../../src/platform/kernel/codes/gs1.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffCalls, staffClient } from '../support/staff.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const worker = await staffClient(service, 'worker')

interface Box {
  id: string
  client_id: string
  sscc: string
  pallet_id: string | null
  units: number
  sku_count: number
  contents?: { barcode: string; name: string; qty: number }[]
}
interface Pallet extends Omit<Box, 'pallet_id'> {
  boxes_count: number
  boxes?: Box[]
}

function made<T>(answer: Answer, status = 201): T {
  assert.equal(answer.status, status, answer.text)
  return answer.body as T
}

/** A client with units of each product, none of them in a box. */
async function seller(units: Readonly<Record<string, number>> = { A: 10, B: 5 }) {
  const { id } = await makeClient(db)
  await stockUp(db, id, units)
  const box = async (pallet_id?: string) =>
    made<Box>(await worker.post('/boxes', { client_id: id, ...(pallet_id && { pallet_id }) }))
  const pallet = async () => made<Pallet>(await worker.post('/pallets', { client_id: id }))
  return { id, box, pallet }
}

test('a new box and a new pallet are empty and have their own SSCCs', async () => {
  const { id, box, pallet } = await seller()
  const on = await pallet()
  const one = await box(on.id)
  const other = await box()
  assert.equal(one.client_id, id)
  assert.equal(one.pallet_id, on.id)
  assert.equal(other.pallet_id, null)
  assert.deepEqual(one.contents, [])
  assert.deepEqual([on.boxes, on.boxes_count, on.units], [[], 0, 0])
  for (const { sscc } of [on, one, other]) assert.ok(isSscc(sscc) && sscc.startsWith('09520000'))
  assert.equal(new Set([on.sscc, one.sscc, other.sscc]).size, 3)
})

test('units are put, taken and moved, and public stock counts boxes and pallets', async () => {
  const { id, box, pallet } = await seller()
  const key = await at(db, noon, (work) =>
    issueApiKey(work, id, { name: 'Чтение', receiptsEnabled: false }),
  )
  const reader = openClient(service.baseUrl, key.key)
  const stored = async () => {
    const [item, metrics] = await Promise.all([
      reader.get('/v1/stock/A'),
      reader.get('/v1/metrics'),
    ])
    const { boxes, pallets, quantity } = item.body as Record<string, number>
    const { storage } = metrics.body as { storage: Record<string, number> }
    return [quantity, boxes, pallets, storage.boxes, storage.pallets]
  }
  const on = await pallet()
  const one = await box(on.id)
  const two = await box()
  assert.deepEqual(await stored(), [10, 0, 0, 0, 0])
  const put = (where: Box, barcode: string, qty: number) =>
    worker.post(`/boxes/${where.id}/put`, { barcode, qty })
  made(await put(one, 'A', 6), 200)
  const full = made<Box>(await put(one, 'B', 5), 200)
  assert.deepEqual(full.contents, [
    { barcode: 'A', name: 'Товар A', article: null, qty: 6 },
    { barcode: 'B', name: 'Товар B', article: null, qty: 5 },
  ])
  assert.deepEqual([full.units, full.sku_count], [11, 2])
  assert.deepEqual(await stored(), [10, 1, 1, 1, 1])
  assertRefused(await put(two, 'A', 5), 'conflict', 'только 4 шт')
  made(await worker.post(`/boxes/${one.id}/move`, { barcode: 'A', qty: 2, to_box_id: two.id }), 200)
  assert.deepEqual(await stored(), [10, 2, 1, 2, 1])
  assertRefused(
    await worker.post(`/boxes/${one.id}/take`, { barcode: 'A', qty: 5 }),
    'conflict',
    'только 4 шт',
  )
  const shown = made<Pallet>(await worker.get(`/pallets/${on.id}`), 200)
  assert.deepEqual([shown.boxes_count, shown.units, shown.sku_count], [1, 9, 2])
  assert.deepEqual(shown.boxes?.[0]?.contents, shown.contents)
  made(await worker.post(`/boxes/${one.id}/take`, { barcode: 'A', qty: 4 }), 200)
  made(await worker.post(`/boxes/${one.id}/take`, { barcode: 'B', qty: 5 }), 200)
  assert.deepEqual(await stored(), [10, 1, 0, 1, 0])
})

test('the refusal of an unknown barcode shows no control character of it', async () => {
  const { box } = await seller()
  const { id } = await box()
  for (const verb of ['put', 'take']) {
    const refused = await worker.post(`/boxes/${id}/${verb}`, { barcode: 'X\u0007\u001bY', qty: 1 })
    assertRefused(refused, 'validation_error', 'нет товара X\ufffd\ufffdY')
  }
})

test('a barcode is recognised in every spelling of a scanner', async () => {
  const ean = '4600000000015'
  const { box } = await seller({ [ean]: 5, A: 5 })
  const [one, two] = [await box(), await box()]
  const held = async (asked: Promise<Answer>) =>
    made<Box>(await asked, 200).contents?.map(({ barcode, qty }) => `${barcode} ${qty}`)
  const put = `/boxes/${one.id}/put`
  assert.deepEqual(await held(worker.post(put, { barcode: `]E0${ean}\r\n`, qty: 3 })), [`${ean} 3`])
  const take = { barcode: `0${ean}`, qty: 1, scan_id: null }
  assert.deepEqual(await held(worker.post(`/boxes/${one.id}/take`, take)), [`${ean} 2`])
  const move = { barcode: ` ${ean}\t`, qty: 2, to_box_id: two.id }
  assert.deepEqual(await held(worker.post(`/boxes/${one.id}/move`, move)), [])
  assertRefused(await worker.post(put, { barcode: ' B', qty: 1 }), 'validation_error', 'B')
})

// Guarantee (storage): A repeated scan of a place changes nothing.
test('a repeated scan changes nothing', async () => {
  const { box } = await seller()
  const one = await box()
  const two = await box()
  const put = { barcode: 'A', qty: 2, scan_id: 's1' }
  await Promise.all(Array.from({ length: 5 }, () => worker.post(`/boxes/${one.id}/put`, put)))
  const move = { barcode: 'A', qty: 1, scan_id: 's2', to_box_id: two.id }
  made(await worker.post(`/boxes/${one.id}/move`, move), 200)
  const again = made<Box>(await worker.post(`/boxes/${one.id}/move`, move), 200)
  assert.equal(again.units, 1)
  assert.equal(made<Box>(await worker.get(`/boxes/${two.id}`), 200).units, 1)
  const journal = await db`
    select before, after from staff_journal where object_id = ${one.id} order by id`
  assert.deepEqual(
    journal.map((row) => ({ ...row })),
    [
      { before: null, after: { ...one } },
      { before: { barcode: 'A', units: 0 }, after: { barcode: 'A', units: 2 } },
      {
        before: { barcode: 'A', units: 2 },
        after: { barcode: 'A', units: 1, to_box_id: two.id },
      },
    ],
  )
})

test('a refused scan may be sent again', async () => {
  const { id, box } = await seller({ A: 1 })
  const one = await box()
  const put = { barcode: 'A', qty: 2, scan_id: 's1' }
  assertRefused(await worker.post(`/boxes/${one.id}/put`, put), 'conflict')
  await stockUp(db, id, { A: 1 })
  assert.equal(made<Box>(await worker.post(`/boxes/${one.id}/put`, put), 200).units, 2)
})

test('the path takes the SSCC of the label instead of the id', async () => {
  const { box, pallet } = await seller()
  const on = await pallet()
  const one = await box(`(00)${on.sscc}`)
  assert.equal(one.pallet_id, on.id)
  for (const scan of [one.sscc, `00${one.sscc}`, `(00)${one.sscc}`, `]C100${one.sscc}`]) {
    const found = made<Box>(await worker.get(`/boxes/${encodeURIComponent(scan)}`), 200)
    assert.equal(found.id, one.id)
  }
  const path = `/boxes/${encodeURIComponent(`]C100${one.sscc}`)}`
  assert.equal(made<Box>(await worker.post(`${path}/put`, { barcode: 'A', qty: 1 }), 200).units, 1)
  assertRefused(await worker.get(`/boxes/${on.sscc}`), 'not_found')
  assertRefused(await worker.get(`/pallets/${one.sscc}`), 'not_found')
  assertRefused(await worker.get('/boxes/095200000000000999'), 'not_found')
})

test('a box is placed on another pallet or on the floor', async () => {
  const { box, pallet } = await seller()
  const [first, second] = [await pallet(), await pallet()]
  const one = await box(first.id)
  const place = async (pallet_id: string | null) =>
    made<Box>(await worker.patch(`/boxes/${one.id}`, { pallet_id }), 200).pallet_id
  assert.equal(await place(second.id), second.id)
  assert.equal(await place(second.id), second.id)
  assert.equal(await place(null), null)
  const journal = await db`
    select before, after from staff_journal
    where object_id = ${one.id} and action = 'placeBox' order by id`
  assert.deepEqual(
    journal.map((row) => ({ ...row })),
    [
      { before: { pallet_id: first.id }, after: { pallet_id: second.id } },
      { before: { pallet_id: second.id }, after: { pallet_id: null } },
    ],
  )
})

test('boxes, pallets and products of another client are not found', async () => {
  const own = await seller()
  const others = await seller({ A: 3, C: 3 })
  const [box, otherBox] = [await own.box(), await others.box()]
  const otherPallet = await others.pallet()
  const post = (path: string, body: object) => worker.post(path, body)
  assertRefused(
    await post('/boxes', { client_id: own.id, pallet_id: otherPallet.id }),
    'validation_error',
    'pallet_id',
  )
  assertRefused(
    await worker.patch(`/boxes/${box.id}`, { pallet_id: otherPallet.sscc }),
    'validation_error',
    'pallet_id',
  )
  for (const verb of ['put', 'take']) {
    assertRefused(
      await post(`/boxes/${box.id}/${verb}`, { barcode: 'C', qty: 1 }),
      'validation_error',
      'barcode',
    )
  }
  for (const to_box_id of [otherBox.id, box.id, 'нет']) {
    assertRefused(
      await post(`/boxes/${box.id}/move`, { barcode: 'A', qty: 1, to_box_id }),
      'validation_error',
      'to_box_id',
    )
  }
})

test('bad input is refused, naming the wrong field', async () => {
  const { id, box } = await seller()
  const one = await box()
  for (const [path, body, code, names] of [
    ['/pallets', {}, 'validation_error', 'client_id'],
    ['/pallets', { client_id: 'нет' }, 'validation_error', 'client_id'],
    ['/pallets', { client_id: one.id }, 'validation_error', 'client_id'],
    ['/pallets', { client_id: id, color: 'red' }, 'bad_request', 'color'],
    ['/boxes', { client_id: id, pallet_id: 7 }, 'validation_error', 'pallet_id'],
    ['/boxes', { client_id: id, pallet_id: 'a\0' }, 'validation_error', 'pallet_id'],
    [`/boxes/${one.id}/put`, { barcode: 'A', qty: 0 }, 'validation_error', 'qty'],
    [`/boxes/${one.id}/put`, { barcode: 'A', qty: 1e18 }, 'validation_error', 'qty'],
    [`/boxes/${one.id}/put`, { barcode: 'A', qty: '1' }, 'validation_error', 'qty'],
    [`/boxes/${one.id}/put`, { barcode: '\ud800', qty: 1 }, 'validation_error', 'barcode'],
    [`/boxes/${one.id}/put`, { barcode: 'A', qty: 1, scan_id: '' }, 'validation_error', 'scan_id'],
    ['/boxes/%00/put', { barcode: 'A', qty: 1 }, 'not_found', undefined],
    [`/boxes/${id}/put`, { barcode: 'A', qty: 1 }, 'not_found', undefined],
    [`/boxes/${one.id}/drop`, { barcode: 'A', qty: 1 }, 'not_found', undefined],
  ] as const) {
    assertRefused(await worker.post(path, body), code, names)
  }
  for (const path of ['/boxes/%00', '/boxes/x/label', '/pallets/%EF%BF%BD', `/pallets/${id}`]) {
    assertRefused(await worker.get(path), 'not_found')
  }
  assertRefused(await worker.get('/boxes?limit=x'), 'bad_request', 'limit')
  assertRefused(await worker.get('/boxes?cursor=x'), 'bad_cursor')
  assertRefused(await staffCalls(service.baseUrl).post('/boxes', {}), 'unauthorized')
})

test('lists are newest first, filtered by client, by pallet and by product', async () => {
  const { id, box, pallet } = await seller()
  const on = await pallet()
  const boxes = [await box(on.id), await box(), await box(on.id)]
  const [first] = boxes
  assert.ok(first)
  made(await worker.post(`/boxes/${first.id}/put`, { barcode: 'A', qty: 3 }), 200)
  const listed = async (path: string) => {
    const ids: string[] = []
    let cursor = ''
    do {
      const page = made<{ items: Box[]; total: number; next_cursor: string | null }>(
        await worker.get(`${path}${cursor}`),
        200,
      )
      ids.push(...page.items.map((item) => item.id))
      assert.ok(page.items.every((item) => item.contents === undefined))
      cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
      if (cursor === '') assert.equal(page.total, ids.length)
    } while (cursor !== '')
    return ids
  }
  const newest = boxes.map((each) => each.id).reverse()
  assert.deepEqual(await listed(`/boxes?client_id=${id}&limit=2`), newest)
  assert.deepEqual(await listed(`/boxes?pallet_id=${on.id}`), [newest[0], newest[2]])
  assert.deepEqual(await listed(`/boxes?client_id=${id}&barcode=A`), [first.id])
  assert.deepEqual(await listed('/boxes?client_id=x'), [])
  assert.deepEqual(await listed(`/pallets?client_id=${id}`), [on.id])
  const everything = await listed('/boxes?limit=3')
  assert.deepEqual(everything.slice(0, 3), newest)
  assert.equal(new Set(everything).size, everything.length)
})

test('labels are pages of SVG, and a box without an SSCC has none', async () => {
  const { id, box, pallet } = await seller()
  for (const path of [
    `/boxes/${(await box()).id}/label`,
    `/boxes/${(await box()).sscc}/label?size=100x150`,
    `/pallets/${(await pallet()).id}/label`,
  ]) {
    const answer = await fetch(`${service.baseUrl}/staff/v1${path}`, {
      headers: { Authorization: `Bearer ${worker.token}` },
    })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('Content-Type') ?? '', /^image\/svg\+xml/)
    assert.match(await answer.text(), /^<svg .*<\/svg>\s*$/s)
  }
  assertRefused(
    await worker.get(`/boxes/${(await box()).id}/label?size=1x1`),
    'bad_request',
    'size',
  )
  const bare = await at(db, noon, (work) => addBox(work, id))
  assert.equal(made<{ sscc: null }>(await worker.get(`/boxes/${bare}`), 200).sscc, null)
  assertRefused(await worker.get(`/boxes/${bare}/label`), 'conflict', 'SSCC')
})
