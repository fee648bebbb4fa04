import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { day, midnight, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { type AccountClient, accountUser } from '../support/account.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'

/** What the console says of a client and the account of itself is the same number. */

const service = await sharedService()
const admin = await staffClient(service, 'administrator')

type Row = Readonly<Record<string, unknown>>
interface List {
  readonly items: readonly Row[]
  readonly total: number
}

/** A client alone in its warehouse, with something of everything; who sees it from both sides. */
async function furnish() {
  const floor = await openFloor(service, {})
  const { client, worker } = floor
  const code = randomUUID().slice(0, 8).toUpperCase()
  good(await admin.post('/warehouses', { code, name: code }), 201)
  good(await admin.patch(`/clients/${client}`, { warehouse_code: code }))
  const manager = await staffClient(service, 'manager')
  good(await admin.put(`/users/${manager.userId}/warehouses`, { warehouse_codes: [code] }))

  const own = { code: 'OWN_BOX', name: 'Сборка короба', unit: 'короб' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const boxes = { service: 'OWN_BOX', quantity: '2', price: '625', comment: 'Короба' }
  good(await admin.post(`/clients/${client}/manual-charges`, boxes), 201)

  const items = ['A', 'B'].map((barcode) => ({ barcode, name: barcode, qty: 9 }))
  const { id } = good<{ id: string }>(
    await admin.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await admin.post(`/receipts/${id}/start`))
  for (const [barcode, qty] of Object.entries({ A: 8, B: 9 }))
    good(await admin.post(`/receipts/${id}/scans`, { scan_id: barcode, barcode, qty }))
  const { items: reasons } = good<{ items: { code: string }[] }>(
    await admin.get('/reasons?kind=shortage'),
  )
  const shortages = [{ barcode: 'A', reason: reasons[0]?.code }]
  good(await admin.post(`/receipts/${id}/finish`, { shortages }))

  const [first, , third] = await floor.orders({ one: 'A', two: 'B', three: 'A' })
  assert.ok(first && third)
  const shipment = await floor.filled([first])
  good(
    await floor.pick(shipment.picking_task_id, { scan_id: '1', order_id: first.id, barcode: 'A' }),
  )
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  await floor.filled([third])
  const scan = { scan_id: 'r', code: first.external_id, condition: 'damaged' }
  good(await manager.post('/returns/scans', scan))
  const asked = { barcode: 'B', qty: 2, reason: 'COUNT' }
  good(await admin.post(`/clients/${client}/in-question`, asked), 201)
  return { client, manager, seller: await accountUser(service, { [client]: 'owner' }) }
}

const { client, manager, seller } = await furnish()
const today = midnight(moscowDate(Date.now()))
const month = `from=${moscowDate(today - 29 * day)}&to=${moscowDate(today + day)}`
const readFrom = async <T>(side: StaffClient | AccountClient, path: string) =>
  good<T>(await side.get(path))

/** Of each item the fields that both sides show. */
function assertAlike(
  ofStaff: List,
  ofSeller: List,
  fields: readonly string[],
  words: string,
): void {
  const shownBy = ({ items }: List) => items.map((item) => fields.map((field) => item[field]))
  assert.ok(ofSeller.total > 0, words)
  assert.deepEqual([ofStaff.total, shownBy(ofStaff)], [ofSeller.total, shownBy(ofSeller)], words)
}

// Guarantee (account): Lists, stock, metrics, curves and costs of a client are the same in the console and in the account.
test('lists of a client have the same rows and figures in the console and in the account', async () => {
  const lists = {
    orders: ['id', 'external_id', 'status', 'status_label', 'barcode', 'packed_at'],
    receipts: ['id', 'number', 'status', 'expected_qty', 'accepted_qty', 'discrepancy_qty'],
    shipments: ['id', 'external_id', 'status', 'orders_count'],
    returns: ['id', 'number', 'status', 'sellable_qty'],
  }
  for (const [list, fields] of Object.entries(lists)) {
    const ofStaff = await readFrom<List>(manager, `/${list}?client_id=${client}`)
    const ofSeller = await readFrom<List>(seller, `/${list}`)
    assertAlike(ofStaff, ofSeller, fields, list)
    for (const status of new Set(ofSeller.items.map((item) => item.status))) {
      const some = await readFrom<List>(manager, `/${list}?client_id=${client}&status=${status}`)
      assertAlike(
        some,
        await readFrom<List>(seller, `/${list}?status=${status}`),
        fields,
        `${list} ${status}`,
      )
    }
  }
  const [batch] = (await readFrom<List>(manager, `/returns?client_id=${client}`)).items
  const [shown] = (await readFrom<List>(seller, '/returns')).items
  const damaged = Number(batch?.damaged_qty) + Number(batch?.unknown_qty)
  assert.deepEqual([batch?.came_qty, damaged], [shown?.qty, shown?.in_question_qty])
  const goods = ['barcode', 'quantity', 'reserved', 'available', 'in_question']
  const shelf = await readFrom<List>(manager, `/clients/${client}/stock`)
  assertAlike(shelf, await readFrom<List>(seller, '/stock'), goods, 'stock')
})

/** Staff read beside a charge what it was for. */
function withoutObjects(read: Partial<List>): object {
  if (read.items === undefined) return read
  return { ...read, items: read.items.map(({ object: _, ...item }) => item) }
}

test('metrics, costs and what waits are the same in the console and in the account', async () => {
  assert.deepEqual(
    await readFrom(manager, `/clients/${client}/metrics?${month}`),
    await readFrom(seller, `/metrics?${month}`),
  )
  for (const path of [
    '/charges',
    '/charges/summary',
    '/charges/forecast',
    '/billing-periods',
    '/acts',
  ])
    assert.deepEqual(
      withoutObjects(await readFrom(admin, `/clients/${client}${path}`)),
      await readFrom(seller, path),
      path,
    )
  assert.ok((await readFrom<List>(seller, '/charges')).total > 0)
  const { in_question: question } = await readFrom<{
    in_question: { units: number; goods: number }
  }>(seller, '/attention')
  const { in_question: ages } = await readFrom<{ in_question: { units: number; goods: number }[] }>(
    manager,
    '/figures/now',
  )
  const sum = (of: 'units' | 'goods') => ages.reduce((all, each) => all + each[of], 0)
  assert.deepEqual([sum('units'), sum('goods')], [question.units, question.goods])
  assert.ok(question.units > 0)
})

test('curves of a warehouse with one client are those that its seller sees, and add up to the sales', async () => {
  type Flow = { readonly items: readonly (Row & { readonly at: string })[] }
  const figures = ['at', 'received', 'returned', 'shipped']
  for (const step of ['hour', 'day']) {
    const ofStaff = await readFrom<Flow>(manager, `/figures/flow?step=${step}`)
    const ofSeller = await readFrom<Flow>(seller, `/flow?step=${step}`)
    const shownBy = ({ items }: Flow) => items.map((slot) => figures.map((name) => slot[name]))
    assert.deepEqual(shownBy(ofStaff), shownBy(ofSeller), step)
    // Hours are of today: what was shipped a moment ago may have been yesterday.
    const shipped = ofSeller.items.reduce((sum, slot) => sum + Number(slot.shipped), 0)
    assert.ok(step === 'hour' || shipped > 0, step)
  }
  const { total } = await readFrom<{ total: Row }>(seller, `/sales?${month}`)
  const { shipments } = await readFrom<{ shipments: Row }>(
    manager,
    `/clients/${client}/metrics?${month}`,
  )
  assert.equal(total.shipped, shipments.units_shipped)
})
