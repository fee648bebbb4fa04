import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PickPlace, planWalk } from './walk.ts'

const place = (barcode: string, code: string | null, qty: number): PickPlace => ({
  ...{ barcode, qty, zone: '', box_id: null, sscc: null },
  location_id: code === null ? null : `id ${code}`,
  location_code: code,
})
const line = (
  name: string,
  barcode: string,
  qty: number,
  picked = 0,
  order_status = 'ASSEMBLING',
) => ({
  ...{ name, barcode, qty, picked, order_status },
})

test('lines follow the walk, and each unit of a place is given once', () => {
  const places = [
    place('B', 'A-1', 2),
    place('A', 'A-2', 1),
    place('B', 'A-3', 5),
    place('A', null, 9),
  ]
  const planned = planWalk([line('1', 'A', 2), line('2', 'B', 3), line('3', 'B', 1)], places)
  const shown = planned.map(({ name, from }) => [
    name,
    ...from.map(({ location_code = 'nowhere', qty }) => `${location_code} ${qty}`),
  ])
  assert.deepEqual(shown, [
    ['2', 'A-1 2', 'A-3 1'],
    ['1', 'A-2 1', 'nowhere 1'],
    ['3', 'A-3 1'],
  ])
})

test('lines without a location keep their order, and what is picked or cancelled needs no place', () => {
  const places = [place('A', 'A-1', 9), place('B', null, 9)]
  const lines = [
    line('1', 'B', 1),
    line('2', 'A', 1, 1),
    line('3', 'A', 1, 0, 'CANCELLED'),
    line('4', 'A', 2, 1),
  ]
  const planned = planWalk(lines, places)
  assert.deepEqual(
    planned.map(({ name }) => name),
    ['4', '1', '2', '3'],
  )
  assert.deepEqual(
    planned.map(({ from }) => from.map(({ qty }) => qty)),
    [[1], [1], [], []],
  )
})
