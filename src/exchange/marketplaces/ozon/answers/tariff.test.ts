import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLatenessCosts } from './tariff.ts'

const rubles = (amount: string) => ({ amount, currency: 'RUB' })
const at = (text: string) => Date.parse(text)

test('the steps of a tariff say what lateness costs; the last one has no end', () => {
  const tariffication_steps = [
    {
      min_charge: null,
      tariff_charge: rubles('0'),
      tariff_deadline_at: '2026-03-31T09:00:00Z',
      tariff_rate: 0,
      tariff_type: 'no_discount',
    },
    {
      min_charge: rubles('150'),
      tariff_charge: rubles('150'),
      tariff_deadline_at: '9999-12-31T23:59:59.999999900Z',
      tariff_rate: 3,
      tariff_type: 'commission',
    },
  ]
  assert.deepEqual(parseLatenessCosts({ tariffication: {}, tariffication_steps }), [
    {
      until: at('2026-03-31T09:00:00Z'),
      tariff: 'no_discount',
      percent: 0,
      amount: '0',
      currency: 'RUB',
    },
    { until: null, tariff: 'commission', percent: 3, amount: '150', currency: 'RUB' },
  ])
})

test('without steps the present tariff and the next one count', () => {
  const tariffication = {
    current_tariff_rate: 2,
    current_tariff_type: 'discount',
    current_tariff_charge: rubles('10'),
    next_tariff_rate: 1,
    next_tariff_type: 'commission',
    next_tariff_charge: rubles('50'),
    next_tariff_starts_at: '2026-03-31T09:00:01Z',
  }
  assert.deepEqual(parseLatenessCosts({ tariffication, tariffication_steps: [] }), [
    {
      until: at('2026-03-31T09:00:01Z'),
      tariff: 'discount',
      percent: 2,
      amount: '10',
      currency: 'RUB',
    },
    { until: null, tariff: 'commission', percent: 1, amount: '50', currency: 'RUB' },
  ])
  const apart = {
    current_tariff_type: 'commission',
    current_tariff_charge: '50',
    current_tariff_charge_currency_code: 'RUB',
  }
  assert.deepEqual(parseLatenessCosts({ tariffication: apart }), [
    { until: null, tariff: 'commission', amount: '50', currency: 'RUB' },
  ])
  const alone = { current_tariff_rate: 2, current_tariff_type: 'commission' }
  assert.deepEqual(parseLatenessCosts({ tariffication: alone }), [
    { until: null, tariff: 'commission', percent: 2 },
  ])
})

test('no tariff and no steps are none, and a posting without them says nothing', () => {
  assert.equal(parseLatenessCosts({ tariffication: null, tariffication_steps: [] }), null)
  assert.equal(parseLatenessCosts({ tariffication: null }), null)
  assert.equal(parseLatenessCosts({}), undefined)
  assert.deepEqual(parseLatenessCosts({ tariffication_steps: [7] }), [{ until: null, tariff: '' }])
})
