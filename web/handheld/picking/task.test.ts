import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ean13, markingCode } from '../../../tests/support/marking-codes.ts'
import type { PickingTask } from '../../api/staff-calls.ts'
import { readPick } from './read-pick.ts'
import { foldPicking, missOf, nextLine, type PickingLine } from './task.ts'

const tea = ean13('460123450001')
const milk = ean13('460123450003')
const nowhere = { orderId: undefined, barcode: undefined }

function lineOf(order: string, barcode: string, more: Partial<PickingLine> = {}): PickingLine {
  return {
    order_id: order,
    order_external_id: `N${order}`,
    order_status: 'ASSEMBLING',
    barcode,
    name: barcode,
    qty: 1,
    picked: 0,
    required_marks: [],
    from: [],
    boxes: [],
    ...more,
  } as PickingLine
}

function taskOf(...lines: PickingLine[]): PickingTask {
  const task: Partial<PickingTask> = { packed_count: 0, lines, misses: [] }
  return task as PickingTask
}

const place = { location_id: 'L', location_code: 'A-1', qty: 2 }
const task = taskOf(
  lineOf('1', tea, { qty: 2, from: [place] }),
  lineOf('2', milk, { required_marks: ['marking_code'] }),
  lineOf('3', tea),
  lineOf('4', ean13('460123450004'), { order_status: 'CANCELLED' }),
)

test('a unit goes into the order that is being filled, else into the nearest', () => {
  const first = readPick(task, tea, nowhere)
  assert.equal(first.kind === 'unit' && first.line.order_id, '1')
  const third = readPick(task, tea, { ...nowhere, orderId: '3' })
  assert.equal(third.kind === 'unit' && third.line.order_id, '3')
})

test('places, orders and marking codes are recognised, and wrong goods are refused', () => {
  assert.deepEqual(readPick(task, 'A-1', nowhere), { kind: 'place', place: 'A-1' })
  assert.equal(readPick(task, 'N3', nowhere).kind, 'order')
  assert.equal(readPick(task, milk, nowhere).kind, 'marking-wanted')
  const marked = readPick(task, markingCode(milk, 1), nowhere)
  assert.equal(marked.kind === 'unit' && marked.line.order_id, '2')
  assert.equal(readPick(task, ean13('460123450009'), nowhere).kind, 'wrong')
  assert.match(JSON.stringify(readPick(task, ean13('460123450004'), nowhere)), /заказ отменён/)
})

test('the last unit packs the order, undoing unpacks it, and places give what was taken', () => {
  const effect = { orderId: '1', barcode: tea, source: place }
  const once = foldPicking(task, effect, 1)
  assert.equal(nextLine(once, '1')?.order_id, '1')
  assert.deepEqual(once.lines?.[0]?.from, [{ ...place, qty: 1 }])
  const twice = foldPicking(once, effect, 1)
  assert.deepEqual([twice.packed_count, twice.lines?.[0]?.picked], [1, 2])
  assert.equal(nextLine(twice, '1')?.order_id, '2')
  const undone = foldPicking(twice, effect, -1)
  assert.deepEqual([undone.packed_count, undone.lines?.[0]?.from.length], [0, 1])
  const missed = foldPicking(undone, { missedOrderId: '1', barcode: tea }, 1)
  assert.equal(nextLine(missed, undefined)?.order_id, '2')
  assert.equal(nextLine(missed, '1')?.order_id, '2', 'a manager decides about the order first')
})

test('an order goes on once a manager has said where its goods lie', () => {
  const missed = foldPicking(task, { missedOrderId: '1', barcode: tea }, 1)
  const [miss] = missed.misses ?? []
  const look_at = { location_id: 'M', location_code: 'A-2' }
  const decided = { ...miss, status: 'DECIDED', outcome: 'look_elsewhere', look_at } as typeof miss
  const after = { ...missed, misses: decided === undefined ? [] : [decided] }
  const line = nextLine(after, undefined)
  assert.equal(line?.order_id, '1')
  assert.equal(line && missOf(after, line)?.look_at?.location_code, 'A-2')
})
