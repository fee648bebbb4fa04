import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ean13, markingCode } from '../../../tests/support/marking-codes.ts'
import type { PickingTask } from '../../api/staff-calls.ts'
import type { PickingLine } from '../picking/task.ts'
import { foldCheck, isComplete, parcelsOf, readCheck } from './check.ts'

const tea = ean13('460123450001')
const cup = ean13('460123450002')
const milk = ean13('460123450003')

function lineOf(order: string, barcode: string, more: Partial<PickingLine> = {}): PickingLine {
  return {
    order_id: order,
    order_external_id: `N${order}`,
    order_status: 'ASSEMBLING',
    barcode,
    name: barcode,
    qty: 1,
    picked: 1,
    checked: 0,
    required_marks: [],
    ...more,
  } as PickingLine
}

const task = {
  lines: [
    lineOf('1', tea, { qty: 2, picked: 2 }),
    lineOf('1', cup, { picked: 0 }),
    lineOf('2', milk, { required_marks: ['marking_code'] }),
    lineOf('3', cup, { order_status: 'CANCELLED' }),
  ],
} as PickingTask
const first = { orderId: '1', barcode: undefined }
const second = { orderId: '2', barcode: undefined }

const refusal = (reading: ReturnType<typeof readCheck>) =>
  reading.kind === 'wrong' ? reading.sentence : reading.kind

test('a parcel comes first, and takes the goods of its own order only', () => {
  assert.match(refusal(readCheck(task, tea, { ...first, orderId: undefined })), /Сначала/)
  assert.equal(readCheck(task, 'N1', first).kind, 'order')
  assert.match(refusal(readCheck(task, 'N3', first)), /отменён/)
  assert.equal(readCheck(task, tea, first).kind, 'unit')
  assert.match(refusal(readCheck(task, milk, first)), /не из заказа N1/)
  assert.match(refusal(readCheck(task, cup, first)), /ещё не собран/)
  assert.match(refusal(readCheck(task, ean13('460123450009'), first)), /нет в этой отгрузке/)
  assert.equal(readCheck(task, 'a sticker', first).kind, 'unknown')
})

test('marked goods are checked by their codes', () => {
  assert.equal(readCheck(task, milk, second).kind, 'marking-wanted')
  assert.equal(readCheck(task, markingCode(milk, 1), second).kind, 'unit')
  assert.match(refusal(readCheck(task, markingCode(milk, 1), first)), /не из заказа N1/)
})

test('each picked unit is checked once, and the parcel is complete when all of its units are', () => {
  const effect = { orderId: '1', barcode: tea }
  const twice = foldCheck(foldCheck(task, effect), effect)
  assert.deepEqual(foldCheck(twice, effect), twice)
  assert.match(refusal(readCheck(twice, tea, first)), /лишняя единица/)
  const [one, two] = parcelsOf(foldCheck(twice, { orderId: '2', barcode: milk }))
  assert.deepEqual([one?.checked, one?.units, one && isComplete(one)], [2, 3, false])
  assert.ok(two && isComplete(two))
})

test('a marking code with the GTIN of another barcode is of its goods', () => {
  const packed = { lines: [lineOf('1', tea, { other_barcodes: [cup] })] } as PickingTask
  const reading = readCheck(packed, markingCode(cup, 1), first)
  assert.equal(reading.kind === 'unit' && reading.line.barcode, tea)
})

test('a marking code with a GTIN that only the card of the goods has is of these goods', () => {
  const packed = { lines: [lineOf('1', tea, { card_gtins: [`0${cup}`] })] } as PickingTask
  const reading = readCheck(packed, markingCode(cup, 1), first)
  assert.equal(reading.kind === 'unit' && reading.line.barcode, tea)
})
