import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { evidencePaper } from '../../src/http/files/evidence-paper.ts'
import { findStaffOrderWithHistory } from '../../src/warehouse/orders/staff-queries.ts'
import {
  photosOfOrder,
  scansOfOrder,
  weightsOfOrder,
} from '../../src/warehouse/photos/order-evidence.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const service = await sharedService()
const { db, baseUrl } = service
const barcode = '4600000000017'

/** An order that was picked, left, and came back damaged, with photos of both. */
async function openDispute() {
  const floor = await openFloor(service, { [barcode]: 5 })
  const { client, worker, manager } = floor
  const [order] = await floor.orders({ [`dispute-${client}`]: barcode })
  assert.ok(order)
  const shipment = await floor.filled([order])
  good(await floor.pick(shipment.picking_task_id, { scan_id: '1', order_id: order.id, barcode }))
  good(await worker.put(`/orders/${order.id}/photos/${randomUUID()}`, fakePhoto('parcel')))
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  const scan = { scan_id: randomUUID(), code: order.external_id, condition: 'damaged' }
  good(await manager.post('/returns/scans', scan))
  const path = `/returns/scans/photos/${randomUUID()}?scan_id=${scan.scan_id}`
  good(await worker.put(path, fakePhoto('broken')))
  return { ...floor, order: order.id }
}

async function pagesAt(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(baseUrl + path, { headers })
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return (await PDFDocument.load(await answer.arrayBuffer())).getPageCount()
}

test('a file for a dispute has the scans of an order by roles, and a page for each photo', async () => {
  const { client, order, manager, worker } = await openDispute()
  const whole = await findStaffOrderWithHistory(db, client, order)
  assert.ok(whole)
  const paper = evidencePaper(whole, await scansOfOrder(db, client, order), new Map())
  const scans = paper.tables.find(({ title }) => title === 'Сканы')
  assert.deepEqual(
    scans?.rows.map(([, what, goods, , who]) => [what, goods, who]),
    [
      ['собран', barcode, 'сотрудник склада'],
      ['вернулся: повреждён', barcode, 'менеджер'],
    ],
  )
  const names = await db<{ login: string }[]>`
    select login from staff_users where id in (${worker.userId}, ${manager.userId})`
  assert.equal(names.length, 2)
  for (const { login } of names) assert.equal(JSON.stringify(paper).includes(login), false)

  const staff = { Authorization: `Bearer ${manager.token}` }
  assert.equal(await pagesAt(`/staff/v1/orders/${order}/evidence`, staff), 3)
  assertRefused(await worker.get(`/orders/${order}/evidence`), 'forbidden')
  const seller = await accountUser(service, { [client]: 'viewer' })
  const path = `/account/v1/orders/${order}/evidence`
  assert.equal(await pagesAt(path, { Cookie: seller.cookie }), 3)
})

test('the acts of a receipt, a return and a count end with a page for each of their photos', async () => {
  const { client, manager, worker } = await openDispute()
  const items = [{ barcode, name: 'Чай', qty: 1 }]
  const made = [
    ['receipt', 'receipts', await manager.post(`/clients/${client}/receipts`, { items })],
    ['return', 'returns', await worker.post('/returns', { client_id: client })],
    ['count', 'counts', await manager.post('/counts', { client_id: client, scope: {} })],
  ] as const
  const staff = { Authorization: `Bearer ${manager.token}` }
  for (const [kind, path, answer] of made) {
    const { id } = good<{ id: string }>(answer, 201)
    const act = `/staff/v1/documents/${kind}/${id}?format=pdf`
    const before = await pagesAt(act, staff)
    for (const name of ['one', 'two']) {
      good(await worker.put(`/${path}/${id}/photos/${randomUUID()}`, fakePhoto(name)))
    }
    assert.equal((await pagesAt(act, staff)) - before, 2, kind)
    if (kind !== 'receipt') continue
    const seller = await accountUser(service, { [client]: 'viewer' })
    const own = `/account/v1/receipts/${id}/act?format=pdf`
    assert.equal((await pagesAt(own, { Cookie: seller.cookie })) - before, 2)
  }
})

test('a file for a dispute has the weight of the goods as they were measured when the order was packed', async () => {
  const { client, order, manager } = await openDispute()
  const measures = `/clients/${client}/products/${barcode}/measures`
  const sides = { length_cm: 10, width_cm: 10, height_cm: 10 }
  const paper = async () => {
    const whole = await findStaffOrderWithHistory(db, client, order)
    assert.ok(whole)
    const weights = await weightsOfOrder(db, client, order, '2026-11-20')
    const { facts, tables } = evidencePaper(whole, [], weights)
    const [, weight] = facts.find(([name]) => name === 'Вес товаров') ?? []
    return [weight, tables[0]?.rows[0]?.at(-1)]
  }
  assert.deepEqual(await paper(), ['не взвешены', ''])
  good(await manager.post(measures, { ...sides, weight_g: 250, first_day: '2026-01-01' }))
  good(await manager.post(measures, { ...sides, weight_g: 900, first_day: '2999-01-01' }))
  assert.deepEqual(await paper(), ['250 г без упаковки', '250'])
})

// Guarantee (photos): No other seller opens the file for a dispute of an order.
test('a seller gets no file of an order of another client', async () => {
  const [one, other] = [await openDispute(), await openFloor(service, { [barcode]: 1 })]
  const stranger = await accountUser(service, { [other.client]: 'owner' })
  assertRefused(await stranger.get(`/orders/${one.order}/evidence`), 'not_found')
  assertRefused(await stranger.get(`/orders/${one.order}/photos`), 'not_found')
  assertRefused(await stranger.get('/orders/x/evidence'), 'not_found')
  assert.deepEqual(await photosOfOrder(db, other.client, one.order), { photos: [], leftOut: 0 })
  assert.deepEqual(await scansOfOrder(db, other.client, one.order), [])
})

test('a file holds twenty photos and says how many it leaves out', async () => {
  const { client, order, worker } = await openDispute()
  for (let n = 0; n < 20; n += 1) {
    good(await worker.put(`/orders/${order}/photos/${randomUUID()}`, fakePhoto(`many-${n}`)))
  }
  const { photos, leftOut } = await photosOfOrder(db, client, order)
  assert.deepEqual([photos.length, leftOut], [20, 2])
})
