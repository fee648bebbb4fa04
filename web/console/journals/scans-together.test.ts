import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StaffEntry } from '../../api/staff-calls.ts'
import { scansTogether } from './scans-together.ts'

const scan = (id: number, given: Partial<StaffEntry> = {}): StaffEntry => ({
  id,
  time: '2026-11-20T12:00:00.000+03:00',
  actor: 'staff:1',
  action: 'scanReceipt',
  title: 'Посчитано',
  goods: { barcode: 'A', name: 'Кружка', qty: 1 },
  words: [`принято единиц: ${id}`],
  mentioned: [],
  ...{ login: 'anna', client_id: 'c', object_id: 'r', before: null, after: {} },
  ...{ request_id: null, ip: null },
  ...given,
})
const shown = (entries: readonly StaffEntry[]) =>
  scansTogether(entries).map(({ goods, words }) => [goods?.qty, goods?.barcode, ...words])

test('scans of the same goods one after another are one entry, with the units of all and the words of the latest', () => {
  assert.deepEqual(shown([scan(3), scan(2), scan(1)]), [[3, 'A', 'принято единиц: 3']])
})

test('an entry of several scans names the order of each, once', () => {
  const of = (id: number, order: string): StaffEntry =>
    scan(id, {
      words: [`заказ: ${order}`, `собрано: ${id}`],
      mentioned: [{ kind: 'order', id: order, title: order }],
    })
  const [entry] = scansTogether([of(4, '18'), of(3, '17'), of(2, '17'), of(1, '16')])
  assert.deepEqual(entry?.words, ['заказ: 18, 17, 16', 'собрано: 4'])
  assert.deepEqual(new Set(entry?.mentioned.map(({ title }) => title)), new Set(['18', '17', '16']))
})

test('scans of other goods, people, receipts and kinds stay apart, and changes of what was there too', () => {
  const other = { barcode: 'B', name: 'Плед', qty: 1 }
  const entries = [
    scan(6),
    scan(5, { goods: other }),
    scan(4),
    scan(3, { actor: 'staff:2' }),
    scan(2, { object_id: 'q' }),
    scan(1, { title: 'Отменён скан' }),
  ]
  assert.equal(shown(entries).length, entries.length)
  const put = { before: { units: 1 } }
  assert.equal(shown([scan(2, put), scan(1, put)]).length, 2)
  const product = { goods: { barcode: 'A', name: 'Кружка', qty: null } }
  assert.equal(shown([scan(2, product), scan(1, product)]).length, 2)
})
