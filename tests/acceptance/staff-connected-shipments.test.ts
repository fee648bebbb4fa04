import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import type { RemoteCommandView } from '../../src/exchange/marketplaces/coordination/command-list.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import type { CodeLookup } from '../../src/warehouse/lookup/view.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { ReturnBatch } from '../../src/warehouse/returns/batch-view.ts'
import type { ReturnScanResult } from '../../src/warehouse/returns/return-scans.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import type { Fake, FakeAccount } from '../support/marketplaces/fake.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { startService } from '../support/service.ts'
import { chooseUsualPoint, good, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import { awaitQuiet } from '../support/waiting.ts'

/** Workers handle shipments of connected cabinets over HTTP; fakes of both marketplaces answer. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings, 'all')
const { db } = service

/** The orders and boxes on the pages of a PDF of labels; empty for a page of ours. */
async function labelsIn(bytes: Uint8Array): Promise<string[]> {
  const pages = (await PDFDocument.load(bytes)).getPages()
  return pages.map(({ node }) => {
    const label = node.get(PDFName.of('Label'))
    return label instanceof PDFString ? label.asString() : ''
  })
}

async function openConnected(fake: Fake, units = 5, shipments = 'ours') {
  const barcode = '4600000000017'
  const floor = await openFloor(service, { [barcode]: units })
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const { marketplace } = fake
  const draft = { marketplace, name: marketplace, credentials: account.credentials, shipments }
  const made = await floor.manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  if (marketplace === 'WB') await chooseUsualPoint(floor.manager, cabinet)
  const chosen = await floor.manager.patch(`/cabinets/${cabinet}`, {
    warehouses: [fake.ownWarehouse],
  })
  assert.equal(chosen.status, 200, chosen.text)
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }

  async function sync(): Promise<void> {
    const state = async () =>
      good<{ synced_at: string | null; sync_error?: string }>(
        await floor.manager.get(`/cabinets/${cabinet}`),
      )
    await awaitQuiet(db, cabinet)
    const before = await state()
    const requested = await floor.manager.post(`/cabinets/${cabinet}/sync`)
    assert.equal(requested.status, 202)
    await eventually(
      'the cabinet is synced',
      async () => (await state()).synced_at !== before.synced_at,
    )
  }

  async function orders(count: number): Promise<StaffOrder[]> {
    const numbers = Array.from({ length: count }, () => fake.addOrder(account, { lines: [line] }))
    await sync()
    const page = good<{ items: StaffOrder[] }>(
      await floor.worker.get(`/orders?client_id=${floor.client}&limit=100`),
    )
    return page.items.filter(({ external_id }) => numbers.includes(external_id))
  }

  let asked = 0
  const open = (body: object) => {
    const external_id = `заявка без повтора ${++asked}`
    return floor.worker.post('/shipments', { cabinet_id: cabinet, external_id, ...body })
  }

  async function pick(shipment: StaffShipment, picked: readonly StaffOrder[]): Promise<void> {
    for (const { id } of picked) {
      const scan = { scan_id: `pick ${id}`, order_id: id, barcode }
      good(await floor.pick(shipment.picking_task_id, scan))
    }
  }
  return { ...floor, fake, account, cabinet, barcode, sync, orders, open, pick }
}

/** A response that is not JSON. */
function print({ token }: StaffClient, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${service.baseUrl}/staff/v1${path}`, { headers })
}

const ids = (orders: readonly StaffOrder[]) => orders.map(({ id }) => id)
const numbers = (orders: readonly StaffOrder[]) =>
  orders.map(({ external_id }) => external_id).toSorted()
const remote = (fake: Fake, account: FakeAccount) => fake.shipments(account)

/** What WB prints on the sticker of an order that has left names the order, and no other client's. */
async function findBySticker(
  { client, worker }: Awaited<ReturnType<typeof openConnected>>,
  order: StaffOrder | undefined,
): Promise<void> {
  assert.ok(order)
  const codes = [`!${order.external_id}`, `${order.external_id} 0001`, `${order.external_id}0001`]
  assert.deepEqual(good<StaffOrder>(await worker.get(`/orders/${order.id}`)).label_codes, codes)
  for (const code of codes) {
    const path = `/lookup?code=${encodeURIComponent(code)}`
    const { matches } = good<CodeLookup>(await worker.get(path))
    assert.deepEqual(
      matches.map(({ kind, id }) => [kind, id]),
      [['order', order.id]],
    )
  }
  const other = await openFloor(service, { '4600000000017': 1 })
  const scan = { scan_id: `back ${order.id}`, code: codes[0], condition: 'sellable' }
  const refused = await worker.post('/returns/scans', { ...scan, client_id: other.client })
  assertRefused(refused, 'conflict', 'другого клиента')
  const taken = good<ReturnScanResult>(await worker.post('/returns/scans', scan))
  assert.equal(taken.order_id, order.id)
  const batch = good<ReturnBatch>(await worker.get(`/returns/${taken.return_id}`))
  assert.equal(batch.client_id, client)
  const path = `/returns/${taken.return_id}/scans/${encodeURIComponent(scan.scan_id)}/undo`
  good(await worker.post(path))
}

for (const fake of [wb, ozon] as const) {
  test(`${fake.marketplace}: a cancelled shipment is gone on both sides, and its orders may join another one`, async () => {
    const floor = await openConnected(fake)
    const { account, manager, worker } = floor
    const orders = await floor.orders(3)
    const shipment = good<StaffShipment>(
      await floor.open({ external_id: 'заявка', order_ids: ids(orders) }),
      201,
    )
    await floor.pick(shipment, orders.slice(0, 2))
    assert.equal((await worker.delete(`/shipments/${shipment.id}`)).status, 403)
    good(await manager.delete(`/shipments/${shipment.id}`), 204)
    assert.equal((await worker.get(`/shipments/${shipment.id}`)).status, 404)
    const there = () => remote(fake, account).filter(({ name }) => !name.startsWith('SK-REST'))
    assert.deepEqual(
      there().filter(({ cancelled }) => !cancelled),
      [],
    )
    assert.deepEqual(await floor.stock(floor.barcode), [5, 0])
    for (const { id } of orders) {
      const { shipment_id, packed_at } = await floor.order(id)
      assert.deepEqual([shipment_id, packed_at], [null, null])
    }
    assert.equal((await manager.delete(`/shipments/${shipment.id}`)).status, 404)
    // The number of the request may be used again.
    const again = good<StaffShipment>(
      await floor.open({ external_id: 'заявка', order_ids: ids(orders) }),
      201,
    )
    assert.notEqual(again.id, shipment.id)
    await floor.sync()
    await floor.pick(again, orders)
    good(await worker.post(`/shipments/${again.id}/close`))
    assert.equal((await manager.delete(`/shipments/${again.id}`)).status, 409)
    const { items } = good<{ items: RemoteCommandView[] }>(
      await manager.get(`/cabinets/${floor.cabinet}/tasks`),
    )
    const kinds = items.map(({ kind, state }) => `${kind} ${state}`)
    assert.ok(kinds.includes('cancel done'), kinds.join())
  })

  test(`${fake.marketplace}: a shipment from before the connection of its cabinet can be cancelled`, async () => {
    const { manager, worker, client } = await openFloor(service, { '4600000000017': 1 })
    const draft = { marketplace: fake.marketplace, name: 'Позже' }
    const made = await manager.post(`/clients/${client}/cabinets`, draft)
    const { id: cabinet } = good<{ id: string }>(made, 201)
    const body = { cabinet_id: cabinet, external_id: '77' }
    const { id } = good<StaffShipment>(await worker.post('/shipments', body), 201)
    const { credentials } = fake.account()
    good(await manager.patch(`/cabinets/${cabinet}`, { credentials, shipments: 'ours' }))
    good(await manager.delete(`/shipments/${id}`), 204)
    assert.equal((await worker.get(`/shipments/${id}`)).status, 404)
    const { findings } = await audit(db)
    assert.deepEqual(
      findings.filter((finding) => finding.client === client),
      [],
    )
  })

  test(`${fake.marketplace}: a shipment opened with orders has them on both sides, and a refused order creates nothing there`, async () => {
    const floor = await openConnected(fake, 2)
    const orders = await floor.orders(3)
    const open = (order_ids: readonly string[]) =>
      floor.open({ external_id: 'одна и та же заявка', order_ids })
    const greedy = await open(ids(orders))
    assert.equal(greedy.status, 409, greedy.text)
    assert.match(greedy.message, /свободно только 2 шт/)
    assert.deepEqual(remote(fake, floor.account), [])
    const two = orders.slice(0, 2)
    const shipment = good<StaffShipment>(await open(ids(two)), 201)
    assert.equal(shipment.orders_count, 2)
    assert.deepEqual(remote(fake, floor.account)[0]?.orders.toSorted(), numbers(two))
    assert.deepEqual(good<StaffShipment>(await open(ids(two)), 200), shipment)
    assert.equal(remote(fake, floor.account).length, 1)
  })

  test(`${fake.marketplace}: a shipment created, filled and closed here is so at the marketplace too, and is accepted when the marketplace scans it`, async () => {
    const floor = await openConnected(fake)
    const { account, worker } = floor
    const orders = await floor.orders(3)
    assert.equal(orders.length, 3)
    const shipment = good<StaffShipment>(await floor.open({ name: 'Утренняя' }), 201)
    const [made, ...others] = remote(fake, account)
    assert.equal(others.length, 0)
    assert.equal(shipment.external_id, made?.id)
    assert.equal(shipment.name, 'Утренняя')
    const filled = good<StaffShipment>(await floor.add(shipment.id, ids(orders)))
    assert.equal(filled.orders_count, 3)
    assert.deepEqual([...(remote(fake, account)[0]?.orders ?? [])].toSorted(), numbers(orders))
    // The repeated request changes nothing on either side.
    good(await floor.add(shipment.id, ids(orders)))
    assert.deepEqual(await floor.stock(floor.barcode), [5, 3])
    await floor.pick(shipment, orders)
    const closed = good<StaffShipment>(await worker.post(`/shipments/${shipment.id}/close`))
    assert.equal(closed.status, 'HANDED_OVER')
    assert.ok(remote(fake, account)[0]?.closedAt !== undefined)
    assert.deepEqual(await floor.stock(floor.barcode), [2, 0])
    const sticker = await print(worker, `/orders/${orders[0]?.id}/sticker`)
    assert.equal(sticker.status, 200)
    assert.match(sticker.headers.get('content-type') ?? '', /svg|png|pdf/)
    assert.match(sticker.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.ok((await sticker.bytes()).length > 0)
    const all = await print(worker, `/shipments/${shipment.id}/stickers`)
    assert.equal(all.status, 200)
    assert.equal(all.headers.get('x-missing-labels'), null)
    if (fake === ozon) {
      assert.deepEqual(
        await labelsIn(await all.bytes()),
        orders.toReversed().map((order) => `${order.external_id}-1/1`),
      )
      ozon.injectFaults(account, orders[0]?.external_id ?? '', { pendingPolls: 3 })
      const some = await print(worker, `/shipments/${shipment.id}/stickers`)
      assert.equal(some.headers.get('x-missing-labels'), orders[0]?.external_id)
      const labels = await labelsIn(await some.bytes())
      assert.deepEqual(labels.map((label) => label === '').sort(), [false, false, true])
      ozon.injectFaults(account, orders[0]?.external_id ?? '', { pendingPolls: 3 })
      const early = await print(worker, `/orders/${orders[0]?.id}/sticker`)
      assert.equal(early.status, 409)
      assert.match(early.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
    }
    if (fake === wb) await findBySticker(floor, orders[0])
    const pass = await print(worker, `/shipments/${shipment.id}/pass`)
    assert.equal(pass.status, 200)
    assert.ok((await pass.bytes()).length > 0)
    const papers = await print(worker, `/shipments/${shipment.id}/papers`)
    assert.equal(papers.status, fake === ozon ? 200 : 409)
    if (fake === ozon) assert.equal(papers.headers.get('content-type'), 'application/pdf')
    fake.acceptShipment(account, shipment.external_id)
    await floor.sync()
    const accepted = good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`))
    assert.equal(accepted.status, 'ACCEPTED')
    assert.ok(accepted.accepted_at !== null)
    const again = await worker.post(`/shipments/${shipment.id}/close`)
    assert.equal(again.status, 409)
    const { items: tasks } = good<{ items: RemoteCommandView[] }>(
      await floor.manager.get(`/cabinets/${floor.cabinet}/tasks`),
    )
    assert.equal(tasks.find(({ kind }) => kind === 'create')?.shipment_id, shipment.id)
    assert.equal(tasks.find(({ kind }) => kind === 'fill')?.orders_count, 3)
    assert.match(tasks.find(({ state }) => state === 'refused')?.message ?? '', /[а-я]/)
    const path = `/cabinets/${floor.cabinet}/tasks?limit=2`
    const first = good<{ items: RemoteCommandView[]; next_cursor: string; total: number }>(
      await floor.manager.get(path),
    )
    const rest = good<{ items: RemoteCommandView[] }>(
      await floor.manager.get(`${path}&cursor=${first.next_cursor}`),
    )
    assert.equal(first.total, tasks.length)
    assert.deepEqual([...first.items, ...rest.items], tasks.slice(0, 4))
    assert.deepEqual(tasks.map(({ kind, state }) => `${kind} ${state}`).toSorted(), [
      'create done',
      'deliver done',
      'deliver refused',
      'fill done',
      'fill done',
    ])
  })

  test(`${fake.marketplace}: a refusal shows the marketplace's words and changes nothing here`, async () => {
    const floor = await openConnected(fake)
    const { account, worker } = floor
    const [order, late] = await floor.orders(2)
    assert.ok(order !== undefined && late !== undefined)
    const shipment = good<StaffShipment>(await floor.open({ name: 'Вторая' }), 201)
    const cancelled =
      fake === wb
        ? { supplier: 'cancel', buyer: 'declined_by_client' }
        : { supplier: 'cancelled', buyer: 'posting_canceled' }
    fake.setStatus(account, late.external_id, cancelled)
    const refused = await floor.add(shipment.id, ids([late]))
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.code, 'conflict')
    assert.match(refused.message, fake === wb ? /на WB отменён/ : /OZON/)
    assert.equal((await floor.order(late.id)).shipment_id, null)
    assert.deepEqual(await floor.stock(floor.barcode), [5, 0])
    assert.deepEqual(remote(fake, account)[0]?.orders, [])
    good(await floor.add(shipment.id, ids([order])))
    await floor.pick(shipment, [order])
    const path = fake === wb ? '/deliver' : '/approve'
    fake.failNext(1, { status: 409, body: { code: 'NotToday', message: 'Склад закрыт' } }, path)
    const notTaken = await worker.post(`/shipments/${shipment.id}/close`)
    assert.equal(notTaken.status, 409, notTaken.text)
    assert.match(notTaken.message, /Склад закрыт/)
    const kept = good<StaffShipment>(await worker.get(`/shipments/${shipment.id}`))
    assert.equal(kept.status, 'ASSEMBLING')
    assert.deepEqual(await floor.stock(floor.barcode), [5, 1])
    good(await worker.post(`/shipments/${shipment.id}/close`))
    assert.deepEqual(await floor.stock(floor.barcode), [4, 0])
  })

  test(`${fake.marketplace}: without an answer of the marketplace the call answers 502, and the repeated call continues`, async () => {
    const floor = await openConnected(fake)
    const { account, worker } = floor
    const orders = await floor.orders(1)
    // The marketplace carries the call out, and only the answer is lost.
    const creation = fake === wb ? '/api/v3/supplies' : '/carriage/create'
    fake.failNext(1, { status: 504, done: true }, creation)
    const lost = await floor.open({ external_id: 'заявка 1', name: 'Третья' })
    assert.equal(lost.status, 502, lost.text)
    assert.equal(lost.code, 'marketplace_unavailable')
    assert.equal(remote(fake, account).length, 1)
    const shipment = good<StaffShipment>(
      await floor.open({ external_id: 'заявка 1', name: 'Третья' }),
      201,
    )
    assert.equal(remote(fake, account).length, 1)
    assert.equal(shipment.external_id, remote(fake, account)[0]?.id)
    const twice = await floor.open({ external_id: 'заявка 1', name: 'Третья' })
    assert.equal(good<StaffShipment>(twice, 200).id, shipment.id)
    assert.equal(remote(fake, account).length, 1)
    fake.refuse(account, 403)
    const refused = await floor.add(shipment.id, ids(orders))
    assert.equal(refused.status, 502)
    assert.match(refused.message, /ключ/i)
    fake.refuse(account, undefined)
    good(await floor.add(shipment.id, ids(orders)))
    await floor.pick(shipment, orders)
    const path = fake === wb ? '/deliver' : '/approve'
    fake.failNext(1, { status: 504, done: true }, path)
    // The connector may repeat WB's hand-over call, and does so at once.
    const closed = await worker.post(`/shipments/${shipment.id}/close`)
    if (closed.status !== 200) good(await worker.post(`/shipments/${shipment.id}/close`))
    assert.deepEqual(await floor.stock(floor.barcode), [4, 0])
  })
}

test('WB: the good orders of a request join, and the answer and the journal name the refused one', async () => {
  const floor = await openConnected(wb)
  const orders = await floor.orders(3)
  const [bad, ...others] = orders
  assert.ok(bad !== undefined)
  wb.holdBack(floor.account, bad.external_id)
  const shipment = good<StaffShipment>(await floor.open({ name: 'Вечер' }), 201)
  type Filled = StaffShipment & { refused_orders?: { external_id: string; reason: string }[] }
  const filled = good<Filled>(await floor.add(shipment.id, ids(orders)))
  const refused = filled.refused_orders ?? []
  assert.deepEqual(
    refused.map(({ external_id }) => external_id),
    [bad.external_id],
  )
  assert.match(refused[0]?.reason ?? '', /Не удалось закрепить/)
  assert.equal(filled.orders_count, 2)
  assert.deepEqual([...(remote(wb, floor.account)[0]?.orders ?? [])].toSorted(), numbers(others))
  assert.equal((await floor.order(bad.id)).shipment_id, null)
  assert.deepEqual(await floor.stock(floor.barcode), [5, 2])
  const administrator = await staffClient(service, 'administrator')
  const { items } = good<{ items: { after: { added?: string[]; refused?: unknown } }[] }>(
    await administrator.get(`/journal/staff?object_id=${shipment.id}&limit=1`),
  )
  assert.deepEqual(items[0]?.after.added?.toSorted(), numbers(others))
  assert.deepEqual(items[0]?.after.refused, refused)
  // A repeat names it again; the field is absent once nothing is refused.
  const again = good<Filled>(await floor.add(shipment.id, ids(orders)))
  assert.deepEqual(again.refused_orders, refused)
  const repeated = good<Filled>(await floor.add(shipment.id, ids(others)))
  assert.equal(repeated.refused_orders, undefined)
})

test('shipments of a mirrored cabinet cannot be created here, and their shortages are listed', async () => {
  const floor = await openConnected(wb, 1, 'mirrored')
  const { account, worker, manager } = floor
  const orders = await floor.orders(2)
  const refused = await floor.open({ name: 'Своя' })
  assert.equal(refused.status, 409)
  assert.deepEqual(
    orders.map((order) => order.shipped_elsewhere),
    [true, true],
  )
  for (const { external_id } of orders) {
    wb.setStatus(account, external_id, { supplier: 'confirm', buyer: 'waiting' })
  }
  const id = wb.addShipment(account, { orders: numbers(orders) })
  await floor.sync()
  const list = good<{ items: StaffShipment[] }>(
    await worker.get(`/shipments?client_id=${floor.client}`),
  )
  const [shown] = list.items
  assert.equal(shown?.external_id, id)
  assert.equal(shown?.picking_task_id, null)
  for (const verb of ['close', 'orders']) {
    const body = verb === 'orders' ? { order_ids: ids(orders) } : undefined
    assert.equal((await worker.post(`/shipments/${shown?.id}/${verb}`, body)).status, 409)
  }
  wb.acceptShipment(account, id)
  await floor.sync()
  const gone = good<StaffShipment>(await worker.get(`/shipments/${shown?.id}`))
  assert.equal(gone.status, 'ACCEPTED')
  assert.equal(gone.shortage_units, 1)
  assert.equal((await worker.get(`/shipments/${shown?.id}/shortages`)).status, 403)
  const { items } = good<{ items: { external_id: string; barcode: string; units: number }[] }>(
    await manager.get(`/shipments/${shown?.id}/shortages`),
  )
  assert.equal(items.length, 1)
  assert.ok(numbers(orders).includes(items[0]?.external_id ?? ''))
  assert.deepEqual([items[0]?.barcode, items[0]?.units], [floor.barcode, 1])
  assert.deepEqual(await floor.stock(floor.barcode), [0, 0])
  // After the cabinet is disconnected the shipment still cannot be changed here.
  good(await manager.patch(`/cabinets/${floor.cabinet}`, { credentials: null }))
  const [order] = orders
  const left = good<StaffOrder>(await worker.get(`/orders/${order?.id}`))
  assert.equal(left.shipped_elsewhere, undefined)
  assert.equal((await worker.post(`/shipments/${shown?.id}/close`)).status, 409)
})

for (const fake of [wb, ozon] as const) {
  test(`${fake.marketplace}: a shipment created here is closed here, even after the cabinet becomes mirrored`, async () => {
    const floor = await openConnected(fake)
    const { account, worker, manager, cabinet } = floor
    const [first, second] = await floor.orders(2)
    assert.ok(first && second)
    const shipment = good<StaffShipment>(await floor.open({ name: 'Прежняя' }), 201)
    good(await floor.add(shipment.id, [first.id]))
    good(await manager.patch(`/cabinets/${cabinet}`, { shipments: 'mirrored' }))
    await floor.sync()
    assert.equal((await floor.open({ name: 'Новая' })).status, 409)
    good(await floor.add(shipment.id, [second.id]))
    const removed = await worker.delete(`/shipments/${shipment.id}/orders/${second.id}`)
    assert.equal(removed.status, 204)
    await floor.pick(shipment, [first])
    const closed = good<StaffShipment>(await worker.post(`/shipments/${shipment.id}/close`))
    assert.deepEqual([closed.status, closed.orders_count], ['HANDED_OVER', 1])
    const made = remote(fake, account).find(({ id }) => id === shipment.external_id)
    assert.deepEqual([made?.orders, made?.closedAt !== undefined], [[first.external_id], true])
    await floor.sync()
    assert.deepEqual(await floor.stock(floor.barcode), [4, 0])
  })
}

test('OZON: an order removed here is removed there too, and the worker reads a refusal', async () => {
  const floor = await openConnected(ozon)
  const { account, worker, manager, cabinet } = floor
  const [first, second] = await floor.orders(2)
  assert.ok(first && second)
  const { id } = good<StaffShipment>(await floor.open({ name: 'С лишним' }), 201)
  good(await floor.add(id, ids([first, second])))
  const remove = () => worker.delete(`/shipments/${id}/orders/${first.id}`)
  const setting = '/carriage/set-postings'
  const body = { code: 3, message: 'Состав отгрузки сейчас не изменить' }
  ozon.failNext(1, { status: 400, body }, setting)
  const refused = await remove()
  assert.deepEqual([refused.status, refused.code], [409, 'conflict'])
  assert.match(refused.message, /сейчас не изменить/)
  assert.equal((await floor.order(first.id)).shipment_id, id)
  assert.equal(remote(ozon, account)[0]?.orders.length, 2)
  assert.equal((await remove()).status, 204)
  assert.equal((await floor.order(first.id)).shipment_id, null)
  assert.deepEqual(remote(ozon, account)[0]?.orders, [second.external_id])
  assert.equal((await remove()).status, 404)
  const { items } = good<{ items: RemoteCommandView[] }>(
    await manager.get(`/cabinets/${cabinet}/tasks`),
  )
  const removals = items.filter(({ kind }) => kind === 'remove')
  assert.ok(removals.some(({ state, orders_count }) => state === 'done' && orders_count === 1))
  assert.ok(removals.some(({ message }) => message?.includes('сейчас не изменить')))
  // The connector repeats the call by itself.
  ozon.failNext(4, { status: 503 }, setting)
  const lost = await worker.delete(`/shipments/${id}/orders/${second.id}`)
  ozon.heal()
  assert.deepEqual([lost.status, lost.code], [502, 'marketplace_unavailable'])
  assert.equal((await floor.order(second.id)).shipment_id, id)
})

test('managers see which cabinets have refused or expiring credentials', async () => {
  const floor = await openConnected(wb)
  const { manager, account, cabinet } = floor
  await floor.sync()
  const state = async () =>
    good<{ credentials_state: string; sync_error?: string }>(
      await manager.get(`/cabinets/${cabinet}`),
    )
  assert.equal((await state()).credentials_state, 'good')
  await db`
    update cabinet_syncs set credentials_expire_at = now() + interval '3 days'
    where cabinet_id = ${cabinet}`
  assert.equal((await state()).credentials_state, 'expiring')
  wb.refuse(account, 401)
  good(await manager.post(`/cabinets/${cabinet}/sync`), 202)
  await eventually(
    'the key is refused',
    async () => (await state()).credentials_state === 'refused',
  )
  assert.match((await state()).sync_error ?? '', /ключ/i)
  const { items } = good<{ items: { id: string; credentials_state: string }[] }>(
    await manager.get('/cabinets?credentials_state=refused'),
  )
  assert.ok(items.some(({ id }) => id === cabinet))
  assert.ok(items.every(({ credentials_state }) => credentials_state === 'refused'))
  wb.refuse(account, undefined)
  good(await manager.patch(`/cabinets/${cabinet}`, { credentials: account.credentials }))
  await eventually('the new key is good', async () => (await state()).credentials_state === 'good')
  assert.equal((await state()).sync_error, undefined)
})

test('a slow marketplace delays no other calls', async () => {
  const floor = await openConnected(wb)
  await floor.sync()
  const shipments = 12
  const held = Array.from({ length: shipments }, () => wb.holdNext('/api/v3/supplies'))
  const asked = held.map((_, index) => floor.open({ name: `Медленная ${index}` }))
  await held[0]?.reached
  good(await floor.worker.get(`/shipments?client_id=${floor.client}`))
  for (const { release } of held) release()
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 201, answer.text)
  assert.equal(remote(wb, floor.account).length, shipments)
})
