import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReturn } from './returns.ts'

const row = {
  id: 1000293099,
  return_reason_name: 'Не подошёл размер',
  type: 'ClientReturn',
  schema: 'Fbs',
  place: { id: 1, name: 'ПВЗ 7', address: 'Ладожская, 3' },
  target_place: { id: 2, name: 'ПВЗ 9', address: 'Невский, 1' },
  storage: { utilization_forecast_date: '2026-12-20T00:00:00Z' },
  product: { sku: 18731, offer_id: 'PL-1', name: 'Плед', quantity: 2 },
  logistic: { return_date: '2026-11-01T10:00:00Z', barcode: '%101%31726563385' },
  visual: {
    status: { id: 30, display_name: 'В пункте выдачи', sys_name: 'ArrivedAtReturnPlace' },
    change_moment: '2026-11-09T12:00:00.5Z',
  },
  posting_number: '0185183545-0013-1',
}
const inState = (name: string | undefined) => ({
  ...row,
  visual: { ...row.visual, status: { sys_name: name } },
})

test('a return has its goods, order, place and codes', () => {
  assert.deepEqual(parseReturn(row), {
    externalId: '1000293099',
    kind: 'BUYER_RETURN',
    state: 'READY',
    remoteState: 'ArrivedAtReturnPlace',
    reason: 'Не подошёл размер',
    orderNumber: '0185183545-0013-1',
    itemId: 18731,
    article: 'PL-1',
    name: 'Плед',
    units: 2,
    since: Date.parse('2026-11-01T10:00:00Z'),
    changedAt: Date.parse('2026-11-09T12:00:00.5Z'),
    place: { name: 'ПВЗ 7', address: 'Ладожская, 3' },
    labelCode: '%101%31726563385',
    disposalAt: Date.parse('2026-12-20T00:00:00Z'),
  })
})

test('the state says whether the goods come, and where to', () => {
  const shown = (name?: string) => parseReturn(inState(name))
  assert.equal(shown('MovingToSeller')?.state, 'ON_THE_WAY')
  assert.equal(shown('MovingToSeller')?.place.name, 'ПВЗ 9')
  assert.equal(shown('ReceivedBySeller')?.state, 'RECEIVED')
  for (const name of ['MovingToOzon', 'ReturnedToOzon', 'Utilized', 'Rejected', 'WriteOff']) {
    assert.equal(shown(name)?.state, 'NOT_COMING', name)
  }
  assert.equal(shown('PotentiallyLost')?.state, 'OTHER')
  assert.equal(shown(undefined)?.state, 'OTHER')
})

test('types have their kinds, under both names of the field', () => {
  const kind = (given: object) => parseReturn({ ...row, ...given })?.kind
  assert.equal(kind({ type: 'Cancellation' }), 'CANCELLATION')
  assert.equal(kind({ type: 'FullReturn' }), 'REFUSAL')
  assert.equal(kind({ type: undefined, type_: 'PartialReturn' }), 'REFUSAL')
  assert.equal(kind({ type: 'Unknown' }), 'OTHER')
})

test('goods of OZON’s own warehouse are left out, and missing parts cost no return', () => {
  assert.equal(parseReturn({ ...row, schema: 'Fbo' }), undefined)
  const bare = parseReturn({ id: 7 })
  assert.deepEqual([bare?.units, bare?.state, bare?.orderNumber], [1, 'OTHER', undefined])
  assert.throws(() => parseReturn({ ...row, id: null }), /поле id/)
  assert.throws(() => parseReturn({ ...row, product: { quantity: 0 } }), /поле quantity/)
})
