import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { gtinOf } from '../../src/platform/kernel/codes/gs1.ts'
import type { PickResult } from '../../src/warehouse/picking/view.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { openMarkedOrders, startMarkedService } from '../support/marked-orders.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { good } from '../support/shipping.ts'

/** Marks of picked units at WB, while their shipment is still being picked. */
const { wb, clock, jump, service } = await startMarkedService()
const { db } = service
const barcode = ean13('460000000082')
let units = 0
const newCode = () => markingCode(barcode, ++units)

const openOrders = (count: number) => openMarkedOrders(service, wb, barcode, count)

/** What the marketplace answered is written: nothing is due before the clock moves on. */
const written = () =>
  eventually('its answer is written', async () => {
    const now = new Date(clock.now()).toISOString()
    return (await db`select from mark_proofs where due_at <= ${now}::timestamptz`).length === 0
  })

/** Moves the clock to when the marketplace is asked again. */
function later(seconds: number) {
  jump(seconds * 1000)
}

// Guarantee (marketplaces): A mark goes to WB once, at its pick, and is proven while the shipment is picked.
test('a mark goes to WB at the pick, and WB is asked until it has proven it', async () => {
  const floor = await openOrders(2)
  wb.delayMarks(floor.account, { unseen: 1, pending: 1 })
  const codes = [newCode(), newCode()]
  await floor.take(0, codes[0] ?? '')
  await eventually('the mark is at WB', async () => floor.codesOf(0).length === 1)
  await eventually('it is known here', async () => (await floor.states())[0] === 'sent')
  await floor.take(1, codes[1] ?? '')
  await eventually('both are sent', async () => (await floor.states()).join() === 'sent,sent')
  for (const seconds of [21, 45, 185]) {
    const before = floor.reads()
    later(seconds)
    await eventually('WB is asked', async () => floor.reads() > before)
    await written()
  }
  await eventually('both are proven', async () => (await floor.states()).join() === 'proven,proven')
  assert.deepEqual([floor.codesOf(0), floor.codesOf(1)], [[codes[0]], [codes[1]]])
  good(await floor.close())
  assert.equal(floor.calls('PUT').length, 2, 'nothing is sent again when the shipment is closed')
  assert.deepEqual(floor.calls('DELETE'), [])
  assert.deepEqual(await floor.states(), [])
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (marketplaces): A unit whose mark the marketplace refuses leaves its order, which needs another unit.
test('a refused mark makes its order want another unit, whose mark replaces it', async () => {
  const floor = await openOrders(2)
  const [bad, other, next] = [newCode(), newCode(), newCode()]
  wb.refuseMark(floor.account, bad, 'sgtinNotFound')
  await floor.take(0, bad)
  await floor.take(1, other)
  await eventually('both are sent', async () => (await floor.states()).join() === 'sent,sent')
  later(21)
  await eventually('one is refused', async () => (await floor.states())[0] === 'refused')
  const [line] = (await floor.lines()).filter(({ order_id }) => order_id === floor.ids[0])
  assert.deepEqual([line?.picked, line?.packed_at], [0, null])
  assert.deepEqual(await floor.stock(barcode), [10, 2])
  const [exception] = good<{ items: { reason: string; kind: string }[] }>(
    await floor.manager.get(`/exceptions?client_id=${floor.client}`),
  ).items
  assert.equal(exception?.kind, 'pick')
  assert.match(exception?.reason ?? '', /^WB не принял код маркировки.*кода нет в Честном знаке$/)
  const shown = await floor.shown()
  assert.deepEqual(shown.marks, { proven: 1, waiting: 0, refused: 1 })
  assert.deepEqual(
    shown.refused_marks?.map(({ order_id }) => order_id),
    [floor.ids[0]],
  )
  assert.match(shown.refused_marks?.[0]?.reason ?? '', /^WB не принял код маркировки: кода нет/)
  const answer = await floor.take(0, next, 'again')
  assert.equal((answer as PickResult).refused_marks, undefined, 'another unit is in its place')
  await eventually('the next is at WB', async () => floor.codesOf(0)[0] === next)
  assert.equal(floor.calls('DELETE').length, 1)
  await eventually('it is sent', async () => (await floor.states())[0] === 'sent')
  later(21)
  await eventually('it is proven', async () => {
    return (await floor.states()).join() === 'proven,refused,proven'
  })
  good(await floor.close())
  assert.deepEqual(await floor.stock(barcode), [8, 0])
  assert.deepEqual((await audit(db)).findings, [])
})

test('a decision that is not known, and a WB that refuses or is away, are no bad verdict', async () => {
  const floor = await openOrders(1)
  const code = newCode()
  wb.refuseMark(floor.account, code, 'sgtinBrandNewWord')
  wb.failNext(1, { status: 429, body: {} }, '/meta/sgtin')
  await floor.take(0, code)
  await eventually('WB was asked', async () => floor.calls('PUT').length === 1)
  await written()
  later(31)
  await eventually('it is sent', async () => (await floor.states()).join() === 'sent')
  wb.failNext(4, { status: 500, body: {} }, '/orders/meta')
  const reads = floor.reads()
  later(21)
  await eventually('WB is asked', async () => floor.reads() > reads)
  await written()
  wb.heal()
  later(61)
  await eventually('WB is asked again', async () => floor.reads() > reads + 1)
  await written()
  assert.deepEqual(await floor.states(), ['sent'])
  wb.refuseMark(floor.account, code, 'sgtinSoldB2B')
  later(185)
  await eventually('it is proven', async () => (await floor.states()).join() === 'proven')
  assert.equal((await db`select from scan_exceptions where client_id = ${floor.client}`).length, 0)
})

test('marks of a unit that was put back or changed are dropped, and sent anew', async () => {
  const floor = await openOrders(1)
  await floor.take(0, newCode())
  await eventually('it is sent', async () => (await floor.states()).join() === 'sent')
  good(await floor.worker.post(`/picking-tasks/${floor.task}/picks/s0/undo`))
  assert.deepEqual(await floor.states(), [])
  const next = newCode()
  await floor.take(0, next, 'again')
  await eventually('the next is at WB', async () => floor.codesOf(0)[0] === next)
  assert.equal(floor.calls('DELETE').length, 1)
  const sent = { gtin: '4600000000039' }
  await eventually('it is sent', async () => (await floor.states()).join() === 'sent')
  good(await floor.worker.put(`/picking-tasks/${floor.task}/picks/again/marks`, sent))
  later(1)
  const asked = () => floor.calls('PUT').filter((path) => path.endsWith('/gtin')).length
  await eventually('the other mark is asked for', async () => asked() === 1)
  assert.deepEqual((await audit(db)).findings, [])
})

test('a mark that WB has taken and does not show for minutes is sent once more', async () => {
  const floor = await openOrders(1)
  wb.delayMarks(floor.account, { unseen: 100, pending: 0 })
  await floor.take(0, newCode())
  await eventually('it is sent', async () => (await floor.states()).join() === 'sent')
  for (const seconds of [21, 45, 185]) {
    const before = floor.reads()
    later(seconds)
    await eventually('WB is asked', async () => floor.reads() > before)
    assert.equal(floor.calls('PUT').length, 1)
    await written()
  }
  later(185)
  await eventually('it is sent again', async () => floor.calls('PUT').length === 2)
})

test('separators that a scanner spells or drops are put back before a mark is sent', async () => {
  const floor = await openOrders(3)
  const codes = [newCode(), newCode(), newCode()]
  const [spelled = '', dropped = '', kept = ''] = codes
  await floor.take(0, spelled.replaceAll('\u001d', '&lt;GS&gt;'))
  await floor.take(1, dropped.replaceAll('\u001d', ''))
  await floor.take(2, kept)
  await eventually('all are at WB', async () => floor.codesOf(2).length === 1)
  const sent = () => [0, 1, 2].flatMap(floor.codesOf)
  assert.deepEqual(sent(), codes)
  // A code that was stored as it was scanned.
  await db`
    update marking_codes set code = replace(code, ${'\u001d'}, '') where code = ${kept}`
  const sentAgain = { gtin: '4600000000039' }
  good(await floor.worker.put(`/picking-tasks/${floor.task}/picks/s2/marks`, sentAgain))
  later(1)
  await eventually('it is sent anew', async () => floor.calls('PUT').length > 3)
  assert.deepEqual(sent(), codes)
})

test('a code without separators that may be read in two ways is refused with what to set', async () => {
  const floor = await openOrders(1)
  const marking_code = `01${gtinOf(barcode)}21abcdef193dGVz`
  const scan = { scan_id: 's0', order_id: floor.ids[0], barcode, marking_code }
  const words = 'сканер не передаёт разделители GS: включите их передачу в сканере'
  assertRefused(await floor.pick(floor.task, scan), 'validation_error', words)
})
