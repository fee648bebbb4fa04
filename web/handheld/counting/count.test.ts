import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { ean13, markingCode } from '../../../tests/support/marking-codes.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { countedAt, foldCount, linesAt, readCount } from './count.ts'

const tea = ean13('460123450001')
const cup = ean13('460123450002')
const box = sscc('46000000', 1n)
const shelf = { kind: 'location', code: 'A-01-2' } as const

const nobody = { box_ids: [], location_ids: [], barcodes: [] }
const line = (barcode: string, settled: boolean) => ({
  ...{ barcode, name: `товар ${barcode}`, counted: 0, scans: 0, settled, places: [] },
})

function countOf(more: Partial<StockCount>): StockCount {
  return {
    ...{ id: '1', client_id: 'c', client_name: 'ООО', status: 'COUNTING', status_label: '' },
    ...{ blind: true, scope: nobody, created_at: '', created_by: '', started_at: null },
    ...{ reviewed_at: null, ended_at: null, ended_by: null, goods_count: 0, units: 0, scans: 0 },
    ...more,
  } as StockCount
}

const byPlace = countOf({
  scope: { ...nobody, location_ids: ['l'] },
  places: [
    { box_id: null, sscc: null, location_id: 'l', location_code: 'A-01-2', zone: null, scans: 0 },
  ],
})

test('places, goods and marking codes are recognised; what only the warehouse knows is asked for', () => {
  assert.deepEqual(readCount(byPlace, 'a-01-2'), { kind: 'place', place: shelf })
  assert.equal(readCount(byPlace, 'B-01').kind, 'unknown')
  assert.equal(readCount(byPlace, box).kind, 'place')
  assert.equal(readCount(byPlace, tea).kind, 'goods')
  const marked = readCount(byPlace, markingCode(tea, 1))
  assert.ok(marked.kind === 'goods' && marked.goods.isMarked)
  assert.equal(readCount(byPlace, markingCode(tea, 1).slice(0, 30)).kind, 'wrong')
})

test('goods outside of the count, goods that are counted already and foreign boxes are refused', () => {
  const count = countOf({
    scope: { barcodes: [tea], box_ids: ['b'], location_ids: [] },
    lines: [line(tea, true)],
    places: [
      {
        box_id: 'b',
        sscc: sscc('46000000', 2n),
        location_id: null,
        location_code: null,
        zone: null,
        scans: 0,
      },
    ],
  })
  assert.match(JSON.stringify(readCount(count, tea)), /уже посчитан/)
  assert.match(JSON.stringify(readCount(count, cup)), /не считают/)
  assert.match(JSON.stringify(readCount(count, box)), /не считают/)
})

test('units are added at their place, and undoing takes them back', () => {
  const effect = { barcode: tea, name: 'Чай', qty: 3, place: shelf }
  const once = foldCount(byPlace, effect, 1)
  const elsewhere = foldCount(once, { ...effect, place: { kind: 'box', code: box } }, 1)
  assert.deepEqual([elsewhere.units, elsewhere.scans, elsewhere.places?.[0]?.scans], [6, 2, 1])
  assert.deepEqual([countedAt(elsewhere, tea, shelf), countedAt(elsewhere, tea)], [3, 0])
  assert.equal(linesAt(elsewhere, shelf)[0]?.name, 'Чай')
  const undone = foldCount(elsewhere, effect, -1)
  assert.deepEqual([undone.units, countedAt(undone, tea, shelf)], [3, 0])
})

test('goods that nobody has counted yet are called by their names from the first scan on', () => {
  const count = countOf({ uncounted: [{ barcode: cup, name: 'Кружка' }] })
  const reading = readCount(count, cup)
  assert.ok(reading.kind === 'goods' && reading.goods.name === 'Кружка')
})
