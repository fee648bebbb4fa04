import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillOf, rackOf, shelfOf, zonesOf } from './racks.ts'

const place = (code: string, zone = '', units = 0, active = true) => ({
  id: code,
  code,
  zone,
  order: 0,
  active,
  units,
})

test('codes say which rack a place belongs to, in the order of their numbers', () => {
  const zones = zonesOf([
    place('A-10-1', 'A'),
    place('A-02-10', 'A'),
    place('A-02-9', 'A'),
    place('FLOOR'),
  ])
  assert.deepEqual(
    zones.map(({ name, racks }) => [
      name,
      racks.map((rack) => [rack.name, ...rack.places.map(({ code }) => shelfOf(code))]),
    ]),
    [
      ['', [['FLOOR', 'FLOOR']]],
      [
        'A',
        [
          ['A-02', '9', '10'],
          ['A-10', '1'],
        ],
      ],
    ],
  )
  assert.equal(rackOf('B.07.3'), 'B.07')
})

test('a place is closed, free, or fuller than half of the fullest', () => {
  assert.equal(fillOf(place('A', '', 50, false), 50), 'closed')
  assert.equal(fillOf(place('A'), 50), 'free')
  assert.equal(fillOf(place('A', '', 25), 50), 'low')
  assert.equal(fillOf(place('A', '', 26), 50), 'high')
})
