import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  matchDeparture,
  parseCarriage,
  parseCarriagePosting,
  parseMethodCarriages,
} from './carriages.ts'

const carriage = {
  carriage_id: 15,
  created_at: '2026-11-20T07:00:00Z',
  updated_at: '2026-11-20T09:00:00Z',
  departure_date: '2026-11-20',
}
const updated = Date.parse(carriage.updated_at)
const requestedAt = Date.parse('2026-11-24T12:00:00Z')

suite('a carriage', () => {
  test('is open, handed over, accepted or cancelled according to its status', () => {
    const open = [undefined, undefined, false]
    const gone = [updated, undefined, false]
    const meanings = {
      new: open,
      in_process: open,
      beamed_up: open,
      formed: gone,
      sended: gone,
      received: gone,
      closed: [updated, updated, false],
      cancelled: [undefined, undefined, true],
    }
    for (const [status, meaning] of Object.entries(meanings)) {
      const { closedAt, acceptedAt, cancelled } = parseCarriage(
        { ...carriage, status },
        '15',
        requestedAt,
      )
      assert.deepEqual([closedAt, acceptedAt, cancelled], meaning, status)
    }
  })

  test('was handed over before its last change and the end of its departure day, after its creation', () => {
    const closedAt = (change: object) =>
      parseCarriage({ ...carriage, status: 'closed', ...change }, '15', requestedAt).closedAt
    const departed = Date.parse('2026-11-20T23:59:59+03:00')
    const created = Date.parse(carriage.created_at)
    assert.equal(closedAt({ updated_at: '2026-11-23T09:00:00Z' }), departed)
    assert.equal(closedAt({ updated_at: null }), departed)
    assert.equal(closedAt({ departure_date: '2026-11-20T00:00:00Z' }), updated)
    assert.equal(closedAt({ departure_date: 'завтра' }), updated)
    assert.equal(closedAt({ departure_date: '2026-11-01' }), created)
    assert.equal(closedAt({ updated_at: null, departure_date: null }), created)
  })

  test('needs no field but its status', () => {
    assert.deepEqual(parseCarriage({ status: 'new' }, '15', requestedAt), {
      externalId: '15',
      name: undefined,
      createdAt: requestedAt,
      closedAt: undefined,
      acceptedAt: undefined,
      cancelled: false,
      orders: undefined,
    })
    const counted = parseCarriage(
      { status: 'closed', updated_at: carriage.updated_at },
      '15',
      requestedAt,
    )
    const { createdAt, closedAt, acceptedAt } = counted
    assert.deepEqual([createdAt, closedAt, acceptedAt], [updated, updated, updated])
    assert.equal(parseCarriage({ status: 'sended' }, '15', requestedAt).closedAt, requestedAt)
    assert.throws(() => parseCarriage({}, '15', requestedAt), /status/)
  })
})

suite('lists of carriages', () => {
  test('without a positive number does not exist yet', () => {
    const drafts = [{ id: 0, status: '' }, { id: -1 }, { carriage_id: '-1' }]
    const carriages = [...drafts, { id: '15', status: 'new' }, { carriage_id: 16 }]
    assert.deepEqual(parseMethodCarriages({ delivery_method_id: 7, carriages }), [
      { id: '15', methodId: '7', status: 'new' },
      { id: '16', methodId: '7', status: '' },
    ])
    assert.deepEqual(parseMethodCarriages({ carriages: null }), [])
  })

  test('shows which of its postings were cancelled or packed', () => {
    assert.deepEqual(parseCarriagePosting({ posting_number: '1-1-1', status: 'cancelled' }), {
      number: '1-1-1',
      cancelled: true,
      packed: false,
    })
    assert.equal(
      parseCarriagePosting({ posting_number: '1-1-1', status: 'awaiting_deliver' }).packed,
      true,
    )
    assert.equal(parseCarriagePosting({ posting_number: '1-1-1' }).cancelled, false)
  })
})

test('matchDeparture is as exact as the departure that OZON reports', () => {
  const at = Date.parse('2026-11-20T10:00:07.123Z')
  const cases = [
    ['2026-11-20T10:00:07.123Z', 'yes'],
    ['2026-11-20T10:00:07.124Z', 'no'],
    ['2026-11-20T10:00:07Z', 'maybe'],
    ['2026-11-20T10:00:09Z', 'no'],
    ['2026-11-20T00:00:00Z', 'maybe'],
    ['2026-11-21T10:00:09Z', 'maybe'],
    [undefined, 'maybe'],
  ] as const
  for (const [departure_date, may] of cases) {
    assert.equal(matchDeparture({ departure_date }, at), may, String(departure_date))
  }
})
