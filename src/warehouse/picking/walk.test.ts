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
  ...{ name, barcode, qty, picked, order_status, order_id: `order ${name}` },
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

test('a place without the goods comes last, and the one that a manager named for the line first', () => {
  const places = [
    place('A', 'A-1', 5),
    place('A', 'A-2', 5),
    place('A', 'A-3', 5),
    place('B', 'A-1', 1),
  ]
  const hint = (order: string, from: string | null, to: string | null) => ({
    ...{ order_id: `order ${order}`, barcode: 'A', box_id: null, to_box_id: null },
    location_id: from && `id ${from}`,
    to_location_id: to && `id ${to}`,
  })
  const walk = (...hints: ReturnType<typeof hint>[]) =>
    planWalk([line('1', 'A', 1), line('2', 'A', 1), line('3', 'B', 1)], places, hints)
      .map(({ name, from }) => `${name} ${from[0]?.location_code}`)
      .sort()
  assert.deepEqual(walk(hint('1', 'A-1', null)), ['1 A-2', '2 A-2', '3 A-1'])
  assert.deepEqual(walk(hint('1', 'A-1', 'A-3')), ['1 A-3', '2 A-2', '3 A-1'])
  assert.deepEqual(walk(hint('1', null, null)), ['1 A-1', '2 A-1', '3 A-1'])
  const again = [hint('1', 'A-1', 'A-3'), hint('1', 'A-3', null)]
  assert.deepEqual(walk(...again), ['1 A-2', '2 A-2', '3 A-1'])
})

test('of goods with expiry dates the first to expire is taken first, though the walk passes it later', () => {
  const dated = (code: string, qty: number, expires_on: string | null) => ({
    ...place('A', code, qty),
    expires_on,
  })
  const places = [
    dated('A-1', 2, '2027-06-30'),
    dated('A-2', 1, '2026-12-31'),
    dated('A-3', 1, null),
  ]
  const [planned] = planWalk([line('1', 'A', 3)], places)
  assert.deepEqual(
    planned?.from.map(({ location_code, qty, expires_on }) => [location_code, qty, expires_on]),
    [
      ['A-3', 1, undefined],
      ['A-2', 1, '2026-12-31'],
      ['A-1', 1, '2027-06-30'],
    ],
  )
})
