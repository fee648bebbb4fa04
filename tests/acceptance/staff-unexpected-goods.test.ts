import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import type { ScanResult } from '../../src/warehouse/receipts/scans.ts'
import type { Receipt, StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

// Receiving as it happens: goods without a line, receipts without a document, receipts that will not come.

const service = await sharedService()
const { db, baseUrl } = service
const worker = await staffClient(service, 'worker')
const manager = await staffClient(service, 'manager')

async function makeSeller() {
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    const cabinet = await addCabinet(work, id, { marketplace: 'WB', name: 'Кабинет' })
    const { key } = await issueApiKey(work, id, { name: 'Учёт', receiptsEnabled: true })
    return { id, cabinet, api: openClient(baseUrl, key) }
  })
}
type Seller = Awaited<ReturnType<typeof makeSeller>>

async function registered({ id }: Seller, items: readonly object[]): Promise<StaffReceipt> {
  const answer = await manager.post(`/clients/${id}/receipts`, { items })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as StaffReceipt
}

async function receiving(seller: Seller): Promise<string> {
  const { id } = await registered(seller, [{ barcode: 'A', name: 'Плед', qty: 5 }])
  assert.equal((await worker.post(`/receipts/${id}/start`)).status, 200)
  return id
}

const scan = (id: string, body: object) =>
  worker.post(`/receipts/${id}/scans`, { scan_id: randomUUID(), ...body })

async function walkIn({ id }: Seller, body: object = {}): Promise<StaffReceipt> {
  const answer = await worker.post('/receipts/walk-in', { client_id: id, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as StaffReceipt
}

async function stock({ api }: Seller, barcode: string) {
  const { quantity, available, in_question } = (await api.get(`/v1/stock/${barcode}`))
    .body as Record<string, number>
  return [quantity, available, in_question]
}

const actionsOf = async (id: string) => {
  const rows = await db<{ action: string; login: string }[]>`
    select action, login from staff_journal where object_id = ${id} order by id`
  return rows.map(({ action, login }) => [action, login])
}

test('goods that the receipt does not list get a line of their own and wait for a decision', async () => {
  const seller = await makeSeller()
  const id = await receiving(seller)
  assertRefused(await scan(id, { barcode: 'NEW' }), 'validation_error', /barcode.*NEW.*название/)
  const first = await scan(id, { scan_id: 's', barcode: 'NEW', qty: 3, name: 'Кружка' })
  assert.equal(first.status, 200, first.text)
  const { name, expected_qty, accepted_qty, in_question_qty } = first.body as ScanResult
  assert.deepEqual([name, expected_qty, accepted_qty, in_question_qty], ['Кружка', 0, 3, 3])
  const again = await scan(id, { scan_id: 's', barcode: 'NEW', qty: 3, name: 'Кружка' })
  assert.deepEqual(again.body, { ...(first.body as object), repeated: true })
  const second = await scan(id, { barcode: 'NEW', name: 'Другое имя' })
  assert.equal(
    (second.body as ScanResult).name,
    'Кружка',
    'goods keep the name that they got first',
  )
  assert.deepEqual(await stock(seller, 'NEW'), [4, 0, 4])
  await scan(id, { barcode: 'A', qty: 5 })

  const done = await worker.post(`/receipts/${id}/finish`)
  assert.equal((done.body as StaffReceipt).status, 'RECEIVED_WITH_DISCREPANCY')
  assert.deepEqual(
    (done.body as StaffReceipt).items?.map((item) => [item.barcode, item.unlisted]),
    [
      ['A', false],
      ['NEW', true],
    ],
  )
  const shown = (await seller.api.get(`/v1/receipts/${id}`)).body as Receipt
  assert.deepEqual([shown.expected_qty, shown.accepted_qty, shown.discrepancy_qty], [5, 9, 0])
  assert.deepEqual(shown.items?.[1], {
    barcode: 'NEW',
    name: 'Кружка',
    honest_mark: false,
    expected_qty: 0,
    accepted_qty: 4,
    discrepancy_qty: 0,
  })
  const decision = { barcode: 'NEW', qty: 4, outcome: 'found' }
  const decided = await manager.post(`/clients/${seller.id}/in-question/resolve`, decision)
  assert.equal(decided.status, 200, decided.text)
  assert.deepEqual(await stock(seller, 'NEW'), [4, 4, 0])
})

test('a worker receives goods without a document, and a manager approves them', async () => {
  const seller = await makeSeller()
  const receipt = await walkIn(seller, { comment: 'Газель у ворот 2' })
  const { id } = receipt
  assert.deepEqual(
    [receipt.status, receipt.source, receipt.walk_in, receipt.approved_at, receipt.items],
    ['RECEIVING', 'manual', true, null, []],
  )
  assert.equal(receipt.cabinet_id, seller.cabinet)
  await scan(id, { barcode: 'A', qty: 6, name: 'Плед' })
  assert.deepEqual(await stock(seller, 'A'), [6, 0, 6])
  const waiting = async () => {
    const list = await worker.get(`/receipts?client_id=${seller.id}&approval=waiting`)
    return (list.body as { items: StaffReceipt[] }).items.map((each) => each.id)
  }
  assert.deepEqual(await waiting(), [id])
  assertRefused(await worker.post(`/receipts/${id}/approve`), 'forbidden')
  assert.equal((await worker.post(`/receipts/${id}/finish`)).status, 200)
  const approved = await manager.post(`/receipts/${id}/approve`)
  assert.equal(approved.status, 200, approved.text)
  assert.notEqual((approved.body as StaffReceipt).approved_at, null)
  assert.deepEqual(await stock(seller, 'A'), [6, 6, 0])
  assert.deepEqual(await waiting(), [])
  assertRefused(await manager.post(`/receipts/${id}/approve`), 'conflict', 'уже одобрена')
  assertRefused(await manager.post(`/receipts/${randomUUID()}/approve`), 'not_found')
  assert.deepEqual(
    (await actionsOf(id)).map(([action]) => action),
    ['openWalkInReceipt', 'scanReceipt', 'finishReceipt', 'approveReceipt'],
  )
  const shown = (await seller.api.get(`/v1/receipts/${id}`)).body as Receipt
  assert.deepEqual([shown.source, shown.comment], ['manual', 'Газель у ворот 2'])
  assert.equal('walk_in' in shown, false)
})

test('a repeated opening of a handheld finds its receipt, and bad ones are refused', async () => {
  const seller = await makeSeller()
  const other = await makeSeller()
  const { id } = await walkIn(seller, { scan_id: 'ворота-1' })
  const repeat = { client_id: seller.id, scan_id: 'ворота-1' }
  const again = await worker.post('/receipts/walk-in', repeat)
  assert.deepEqual([again.status, (again.body as StaffReceipt).id], [200, id])
  assert.notEqual((await walkIn(other, { scan_id: 'ворота-1' })).id, id)
  for (const [body, field] of [
    [{}, 'client_id'],
    [{ client_id: randomUUID() }, 'client_id'],
    [{ client_id: 'x' }, 'client_id'],
    [{ client_id: seller.id, cabinet_id: other.cabinet }, 'cabinet_id'],
  ] as const) {
    assertRefused(await worker.post('/receipts/walk-in', body), 'validation_error', field)
  }
})

test('a manager cancels a receipt that will not come, before or after its confirmation', async () => {
  const seller = await makeSeller()
  const asked = await seller.api.post('/v1/receipts', {
    external_ref: 'УПД-1',
    items: [{ barcode: 'A', name: 'Плед', qty: 5, honest_mark: false }],
  })
  const pending = (asked.body as Receipt).id
  const announced = (await registered(seller, [{ barcode: 'B', name: 'Шарф', qty: 2 }])).id
  const started = await receiving(seller)
  assertRefused(await worker.post(`/receipts/${announced}/cancel`), 'forbidden')
  assertRefused(await manager.post(`/receipts/${started}/cancel`), 'conflict', 'Идёт приёмка')
  for (const [id, body] of [
    [pending, { comment: 'Продавец передумал' }],
    [announced, undefined],
  ] as const) {
    const answer = await manager.post(`/receipts/${id}/cancel`, body)
    assert.equal(answer.status, 200, answer.text)
    const cancelled = answer.body as StaffReceipt
    assert.equal(cancelled.status, 'RECEIVED_WITH_DISCREPANCY')
    assert.equal(cancelled.cancel_comment, body?.comment ?? null)
    assert.equal(cancelled.cancelled_at, cancelled.completed_at)
    assertRefused(await manager.post(`/receipts/${id}/cancel`), 'conflict', 'с расхождением')
    assertRefused(await worker.post(`/receipts/${id}/start`), 'conflict')
  }
  const shown = (await seller.api.get(`/v1/receipts/${pending}`)).body as Receipt
  assert.deepEqual(
    [shown.accepted_qty, shown.discrepancy_qty, shown.items?.[0]?.shortage_reason, shown.comment],
    [0, 5, 'Приёмка отменена', undefined],
  )
  const repeat = await seller.api.post('/v1/receipts', {
    external_ref: 'УПД-1',
    items: [{ barcode: 'A', name: 'Плед', qty: 5, honest_mark: false }],
  })
  assert.equal(repeat.status, 201, 'the reference is free again')
  const shortages = [{ barcode: 'A', reason: 'CANCELLED' }]
  const finish = await worker.post(`/receipts/${started}/finish`, { shortages })
  assertRefused(finish, 'validation_error', /CANCELLED/)
})

test('staff are warned of goods that two open receipts of a client announce', async () => {
  const seller = await makeSeller()
  const first = await registered(seller, [
    { barcode: 'A', name: 'Плед', qty: 5 },
    { barcode: 'B', name: 'Шарф', qty: 1 },
  ])
  assert.equal(
    first.items?.some((item) => 'also_expected_in' in item),
    false,
  )
  const second = await registered(seller, [{ barcode: 'A', qty: 7 }])
  const { id, number } = first
  assert.deepEqual(second.items?.[0]?.also_expected_in, [
    { id, number, status: 'EXPECTED', expected_qty: 5 },
  ])
  await registered(await makeSeller(), [{ barcode: 'B', name: 'Чужой', qty: 1 }])
  const asked = await seller.api.post('/v1/receipts', {
    items: [{ barcode: 'B', qty: 1, honest_mark: false }],
  })
  const others = async (by: typeof worker) => {
    const { items = [] } = (await by.get(`/receipts/${id}`)).body as StaffReceipt
    return items.map(({ also_expected_in: other = [] }) => other.map((each) => each.id))
  }
  const pending = (asked.body as Receipt).id
  assert.deepEqual(await others(manager), [[second.id], [pending]])
  assert.deepEqual(await others(worker), [[second.id], []], 'workers see no pending requests')
  await manager.post(`/receipts/${second.id}/cancel`)
  assert.deepEqual(await others(manager), [[], [pending]])
})

test('boxes of a pallet are found by its SSCC too', async () => {
  const { id: client_id } = await makeSeller()
  const made = await worker.post('/pallets', { client_id })
  const { id, sscc } = made.body as { id: string; sscc: string }
  const box = await worker.post('/boxes', { client_id, pallet_id: `00${sscc}` })
  for (const pallet of [id, sscc, `00${sscc}`]) {
    const list = await worker.get(`/boxes?pallet_id=${pallet}`)
    const { items } = list.body as { items: { id: string }[] }
    assert.deepEqual(
      items.map((each) => each.id),
      [(box.body as { id: string }).id],
    )
  }
  const none = await worker.get('/boxes?pallet_id=000000000000000000')
  assert.deepEqual((none.body as { items: unknown[] }).items, [])
})
