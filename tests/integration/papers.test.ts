import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawing } from '../../src/documents/papers/drawing.ts'
import type { ReturnBatch } from '../../src/warehouse/returns/batch-view.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { type Floor, good, nobody, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const hostile = '<b>Плед & "шарф"</b>'

async function get(floor: Floor, path: string, accept?: string) {
  const answer = await fetch(`${service.baseUrl}/staff/v1/documents/${path}`, {
    headers: {
      Authorization: `Bearer ${floor.worker.token}`,
      ...(accept === undefined ? {} : { Accept: accept }),
    },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('Content-Type'), bytes, answer }
}

test('each kind of paper is a PDF, and a page for a browser, with what the object holds', async () => {
  const floor = await openFloor(service, { A: 4 })
  await service.db`update products set name = ${hostile} where client_id = ${floor.client}`
  const receipt = await stockUp(service.db, floor.client, { B: 2 })
  const [left, open] = await floor.orders({ 'paper-1': 'A', 'paper-2': 'A' })
  assert.ok(left && open)
  const shipment = await floor.filled([left])
  good(
    await floor.pick(shipment.picking_task_id, { scan_id: 'x', order_id: left.id, barcode: 'A' }),
  )
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const task = await floor.filled([open])
  const batch = good<ReturnBatch>(
    await floor.worker.post('/returns', { client_id: floor.client }),
    201,
  )
  const scan = { scan_id: 's', code: 'paper-1', condition: 'damaged' }
  good(await floor.worker.post(`/returns/${batch.id}/scans`, scan))
  const draft = { client_id: floor.client, scope: { barcodes: ['A'] } }
  const counted = good<{ id: string }>(await floor.manager.post('/counts', draft), 201)
  good(await floor.manager.post(`/counts/${counted.id}/start`))
  const two = { scan_id: 'c', code: 'A', qty: 2 }
  good(await floor.worker.post(`/counts/${counted.id}/scans`, two))
  const holds: readonly (readonly [path: string, texts: readonly string[]])[] = [
    [`receipt/${receipt}`, ['Акт о расхождениях', 'Расхождений нет', 'ООО «Проверка»']],
    [`return/${batch.id}`, ['Акт о возврате RT-000001', 'paper-1', 'повреждён', 'Товар повреждён']],
    [`count/${counted.id}`, ['Результат пересчёта', '<td class="number">2</td>']],
    [`shipment/${shipment.id}`, ['Акт приёма-передачи', 'paper-1']],
    [`picking-task/${task.picking_task_id}`, ['Лист сборки', 'paper-2']],
  ]
  for (const [path, texts] of holds) {
    const page = await get(floor, path, 'text/html,application/xhtml+xml,*/*;q=0.8')
    assert.deepEqual([page.status, page.type], [200, 'text/html; charset=utf-8'], path)
    const html = page.bytes.toString()
    for (const text of texts) assert.ok(html.includes(text), `${path}: ${text}\n${html}`)
    assert.ok(!html.includes('<b>'), path)
    assert.match(page.answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/)
    const pdf = await get(floor, path)
    assert.deepEqual([pdf.status, pdf.type], [200, 'application/pdf'], path)
    assert.match(pdf.bytes.subarray(0, 5).toString(), /^%PDF-/)
    assert.match(pdf.bytes.subarray(-8).toString(), /%%EOF/)
    assert.equal((await get(floor, `${path}?format=html`)).type, 'text/html; charset=utf-8')
  }
  assert.equal((await get(floor, `return/${nobody}`)).status, 404)
  assert.equal((await get(floor, `passport/${batch.id}`)).status, 404)
  assert.equal((await get(floor, `return/${batch.id}?format=doc`)).status, 400)
})

test('a large document that waits too long behind others is refused by a declared error; a small one does not wait', async () => {
  const many = 21
  const floor = await openFloor(service, { A: many })
  const numbers = Array.from({ length: many }, (_, n) => `drawn-${n}`)
  const orders = await floor.orders(Object.fromEntries(numbers.map((number) => [number, 'A'])))
  const shipment = await floor.filled(orders)
  const warehouse_code = 'DRAWN'
  good(
    await (await staffClient(service, 'administrator')).post('/warehouses', {
      code: warehouse_code,
      name: 'Бумаги',
    }),
    201,
  )
  const places = { warehouse_code, pattern: `L-{01..${many}}` }
  good(await floor.manager.post('/locations/bulk', { ...places, zone: 'Этикетки' }), 201)
  const own = { client_id: floor.client }
  const box = good<{ id: string }>(await floor.worker.post('/boxes', own), 201).id
  const pallet = good<{ id: string }>(await floor.worker.post('/pallets', own), 201).id
  const goods = (copies: number) => ({ ...own, items: [{ barcode: 'A', copies }] })

  const { promise: held, resolve: end } = Promise.withResolvers<void>()
  const inTheMaking = [drawing(many, () => held), drawing(many, () => held)]
  const refused = await Promise.all([
    floor.worker.post('/labels/goods', goods(many)),
    floor.worker.post('/labels/boxes', { boxes: Array(many).fill(box) }),
    floor.worker.post('/labels/pallets', { pallets: Array(many).fill(pallet) }),
    floor.worker.post('/labels/locations', places),
    floor.worker.get(`/documents/shipment/${shipment.id}`),
  ])
  for (const answer of refused) {
    assertRefused(answer, 'rate_limited', 'через 3 с')
    assert.equal(answer.headers.get('Retry-After'), '3')
  }
  const drawn = async (copies: number) => {
    const headers = {
      Authorization: `Bearer ${floor.worker.token}`,
      'Content-Type': 'application/json',
    }
    const sent = { method: 'POST', headers, body: JSON.stringify(goods(copies)) }
    const answer = await fetch(`${service.baseUrl}/staff/v1/labels/goods`, sent)
    return (await answer.text()).slice(0, 5)
  }
  assert.equal(await drawn(many - 1), '%PDF-')
  end()
  await Promise.all(inTheMaking)
  assert.equal(await drawn(many), '%PDF-')
})
