import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Marketplace } from '../../src/warehouse/clients/marketplace.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import type { PickingTask, PickResult } from '../../src/warehouse/picking/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { at, newOrder, noon } from '../support/warehouse.ts'

/** What a marketplace requires of each unit, given and refused at the pick. */
const service = await startService()
const { db } = service
const ring = ean13('460000000071')

/** Fifteen digits of an IMEI that no other test uses. */
let imeis = 0
function newImei(): string {
  const body = String(35_000_000_000_000 + ++imeis)
  const sum = [...body].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}
let uins = 0
const newUin = () => String(10_000_000_000_000 + ++uins).padStart(16, '7')

interface Marked extends Floor {
  readonly shipment: StaffShipment
  /** Order ids by number. */
  readonly ids: ReadonlyMap<string, string>
  require(number: string, required: readonly string[], optional?: readonly string[]): Promise<void>
  take(number: string, scanId: string, given?: object): ReturnType<Floor['pick']>
  give(scanId: string, marks: object): ReturnType<Floor['pick']>
  close(): ReturnType<Floor['pick']>
  line(number: string): Promise<NonNullable<PickingTask['lines']>[number]>
}

/** An open shipment of orders whose units need these marks. */
async function openMarked(
  orders: Readonly<Record<string, readonly string[]>>,
  marketplace: Marketplace = 'WB',
  units = 1,
): Promise<Marked> {
  const floor = await openFloor(service, { [ring]: 20 }, [marketplace])
  const require = (number: string, required: readonly string[], optional: readonly string[] = []) =>
    at(db, noon + 1, async (work) => {
      const line = { barcode: ring, quantity: units, requiredMarks: required }
      const lines = [{ ...line, optionalMarks: optional }]
      await takeInOrders(work, floor.client, floor.cabinet, [{ ...newOrder(number, ring), lines }])
    })
  for (const [number, required] of Object.entries(orders)) await require(number, required)
  const rows = await db<{ id: string; external_id: string }[]>`
    select id, external_id from orders where client_id = ${floor.client}`
  const ids = new Map(rows.map((row) => [row.external_id, row.id]))
  const { id } = await floor.open()
  const shipment = good<StaffShipment>(await floor.add(id, [...ids.values()]))
  const task = shipment.picking_task_id
  return {
    ...floor,
    shipment,
    ids,
    require,
    take: (number, scan_id, given = {}) =>
      floor.pick(task, { scan_id, order_id: ids.get(number), barcode: ring, ...given }),
    give: (scanId, marks) =>
      floor.worker.put(`/picking-tasks/${task}/picks/${scanId}/marks`, marks),
    close: () => floor.worker.post(`/shipments/${id}/close`),
    async line(number) {
      const { lines = [] } = await floor.task(shipment)
      const line = lines.find(({ order_external_id }) => order_external_id === number)
      assert.ok(line)
      return line
    },
  }
}

// Guarantee (picking): A unit is picked with every mark that its marketplace requires.
test('a pick without required marks is refused with the goods, every mark and what to do', async () => {
  const floor = await openMarked({ '501': ['uin', 'expiration'] })
  const all = await floor.take('501', 's')
  for (const mark of ['marks.uin', 'marks.expiration']) {
    assertRefused(all, 'validation_error', mark)
  }
  assert.match(all.message, /требует УИН .* в заказе 501.* требует и срок годности/)
  const refused = await floor.take('501', 's', { marks: { uin: newUin() } })
  assertRefused(refused, 'validation_error', 'marks.expiration')
  assert.match(
    refused.message,
    /WB требует срок годности .*«Товар \d+» .* в заказе 501: отсканируйте/,
  )
  assert.deepEqual((await floor.line('501')).picks, [])

  const marks = { uin: newUin(), expiration: '31.12.2099' }
  const stored = { uin: marks.uin, expiration: '2099-12-31' }
  const picked = good<PickResult>(await floor.take('501', 's', { marks }))
  assert.deepEqual([picked.order_packed, picked.marks, picked.notes], [true, stored, []])
  assert.deepEqual(good(await floor.take('501', 's', { marks })), { ...picked, repeated: true })
  const other = { marks: { uin: newUin() } }
  assert.deepEqual(good<PickResult>(await floor.take('501', 's', other)).marks, stored)
  const line = await floor.line('501')
  assert.deepEqual(line.required_marks, ['uin', 'expiration'])
  assert.deepEqual(line.picks, [{ scan_id: 's', marking_code: false, marks: stored }])
  good(await floor.close())
  assert.deepEqual((await audit(db)).findings, [])
})

test('a malformed mark is refused by its field and picks nothing', async () => {
  const floor = await openMarked({ '1': [] }, 'OZON')
  const wrong = {
    uin: '123',
    imei: '490154203237519',
    gtin: '4600000000038',
    expiration: '31.02.2099',
    customs_declaration: '10704010',
    rnpt: '10704010/010624/0000302',
    country: 'Китай',
    weight: '0',
  }
  for (const [kind, text] of Object.entries(wrong)) {
    const refused = await floor.take('1', 's', { marks: { [kind]: text } })
    assertRefused(refused, 'validation_error', `marks.${kind}`)
  }
  for (const marks of [{ uin: 5 }, { imei: '\u0000' }, 'uin']) {
    assertRefused(await floor.take('1', 's', { marks }), 'validation_error', 'marks')
  }
  const unknown = { marks: { blessing: 'x' } }
  assertRefused(await floor.take('1', 's', unknown), 'bad_request', 'marks.blessing')
  assert.equal((await floor.line('1')).picked, 0)
})

test('an order asks for the marking code of goods that our card does not call marked', async () => {
  const floor = await openMarked({ '1': ['marking_code'] })
  assertRefused(await floor.take('1', 's'), 'validation_error', 'marking_code')
  good(await floor.take('1', 's', { marking_code: markingCode(ring, 1) }))
  assert.deepEqual((await floor.line('1')).picks[0]?.marking_code, true)
  good(await floor.close())
})

test('a kind that nobody here knows blocks nothing and is named', async () => {
  const floor = await openMarked({ '1': ['blessing'] })
  const picked = good<PickResult>(await floor.take('1', 's'))
  assert.match(picked.notes[0] ?? '', /требует ещё «blessing».*в его кабинете/)
  assert.deepEqual(good<PickResult>(await floor.take('1', 's')).notes, picked.notes)
  assert.deepEqual((await floor.line('1')).notes, picked.notes)
  good(await floor.close())
})

test('OZON takes the word that goods have no declaration, WB does not', async () => {
  const marks = { customs_declaration: null, rnpt: null }
  const required = { '1': ['customs_declaration', 'rnpt'] }
  const ozon = await openMarked(required, 'OZON')
  assert.deepEqual(good<PickResult>(await ozon.take('1', 's', { marks })).marks, marks)
  good(await ozon.close())
  const wb = await openMarked(required)
  assertRefused(await wb.take('1', 's', { marks }), 'validation_error', 'customs_declaration')
})

// Guarantee (picking): A UIN or IMEI is in one order of the whole warehouse.
test('a mark that names one unit goes into one order of the whole warehouse', async () => {
  const imei = newImei()
  const marks = { imei }
  const floor = await openMarked({ '1': ['imei'], '2': ['imei'] })
  const other = await openMarked({ '1': ['imei'] })
  const tries = [
    floor.take('1', 'a', { marks }),
    floor.take('2', 'b', { marks }),
    other.take('1', 'c', { marks }),
  ]
  const answers = await Promise.all(tries)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409)) {
    assertRefused(answer, 'conflict', imei)
  }
  assert.deepEqual((await audit(db)).findings, [])
})

test('a mark is free again when its order leaves the shipment or is cancelled', async () => {
  const marks = { imei: newImei() }
  const floor = await openMarked({ '1': ['imei'], '2': ['imei'], '3': ['imei'] })
  good(await floor.take('1', 'a', { marks }))
  const path = `/shipments/${floor.shipment.id}/orders/${floor.ids.get('1')}`
  assert.equal((await floor.worker.delete(path)).status, 204)
  good(await floor.take('2', 'b', { marks }))
  assertRefused(await floor.take('3', 'c', { marks }), 'conflict', marks.imei)
  const cancelled = { marketplace_status: { supplier: 'cancel', buyer: 'canceled' } }
  good(await floor.manager.patch(`/orders/${floor.ids.get('2')}`, cancelled))
  good(await floor.take('3', 'c', { marks }))
  good(await floor.close())
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (shipments): A shipment with a unit that lacks a required mark is not handed over.
test('closing names the units whose mark was asked for after the pick, and takes it afterwards', async () => {
  const floor = await openMarked({ '1': [], '2': [], '3': [] })
  for (const number of ['1', '2', '3']) good(await floor.take(number, `s${number}`))
  await floor.require('1', ['uin', 'marking_code'])
  await floor.require('2', ['imei', 'blessing'])
  const refused = await floor.close()
  assertRefused(refused, 'conflict', 'заказ 1')
  assert.match(
    refused.message,
    /заказ 1, «Товар .*» — код маркировки, УИН; заказ 2, .* — IMEI\. Добавьте/,
  )
  assert.doesNotMatch(refused.message, /заказ 3/)

  const marks = { uin: newUin(), marking_code: markingCode(ring, 2) }
  const given = good<PickResult>(await floor.give('s1', marks))
  assert.deepEqual([given.marks, given.repeated], [{ uin: marks.uin }, false])
  assert.equal(good<PickResult>(await floor.give('s1', marks)).repeated, true)
  const imei = newImei()
  good(await floor.give('s2', { imei: newImei() }))
  good(await floor.give('s2', { imei }))
  assert.deepEqual((await floor.line('2')).picks[0]?.marks, { imei })
  assertRefused(await floor.give('s3', { imei }), 'conflict', imei)
  assertRefused(
    await floor.give('s1', { marking_code: markingCode(ring, 3) }),
    'conflict',
    'другой',
  )
  assertRefused(await floor.give('s1', { uin: 'x' }), 'validation_error', 'marks.uin')
  assertRefused(await floor.give('nobody', { uin: newUin() }), 'not_found', '')
  good(await floor.close())
  assertRefused(await floor.give('s2', { imei: newImei() }), 'conflict', 'Сборка закончена')
  const entries = await db<{ action: string }[]>`
    select action from staff_journal
    where object_id = ${floor.shipment.picking_task_id} and action = 'setMarks'`
  assert.equal(entries.length, 3, 'a repeat is not journalled')
  assert.deepEqual((await audit(db)).findings, [])
})

test('a unit for an order that the seller delivers himself by now is refused, and one before can be put back', async () => {
  const floor = await openMarked({ 'R-1': [], 'R-2': [] }, 'OZON')
  good(await floor.take('R-1', 's1'))
  await at(db, noon + 2, async (work) => {
    const drafts = ['R-1', 'R-2'].map((number) => {
      return { ...newOrder(number, ring), facts: { scheme: 'hybrid_3pl_tracking' } }
    })
    await takeInOrders(work, floor.client, floor.cabinet, drafts)
  })
  const words =
    /Заказ R-2 теперь доставляет сам продавец \(схема hybrid_3pl_tracking\): не собирайте/
  assertRefused(await floor.take('R-2', 's2'), 'conflict', words)
  const { id: shipment, picking_task_id: task } = floor.shipment
  const check = { scan_id: 'c1', order_id: floor.ids.get('R-1'), code: ring }
  assertRefused(await floor.worker.post(`/shipments/${shipment}/checks`, check), 'conflict', 'R-1')
  good(await floor.worker.post(`/picking-tasks/${task}/picks/s1/undo`))
  for (const id of floor.ids.values()) {
    good(await floor.worker.delete(`/shipments/${shipment}/orders/${id}`), 204)
  }
  assert.deepEqual((await audit(db)).findings, [])
})
