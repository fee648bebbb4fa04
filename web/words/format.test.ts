import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactMoment, moment, moscowDay, number, plural, untilDeadline } from './format.ts'

const thin = '\u202F'

test('numbers have thin spaces, and nouns the form that goes with them', () => {
  assert.equal(number(1_118), `1${thin}118`)
  assert.equal(number(-1_234_567), `-1${thin}234${thin}567`)
  const orders = [0, 1, 2, 5, 11, 14, 21, 22, 112, 1_001]
  assert.deepEqual(
    orders.map((count) => plural(count, 'заказ', 'заказа', 'заказов').split(' ').at(-1)),
    [
      'заказов',
      'заказ',
      'заказа',
      'заказов',
      'заказов',
      'заказов',
      'заказ',
      'заказа',
      'заказов',
      'заказ',
    ],
  )
})

test('moments are said as people say them, in Moscow, also around its midnight', () => {
  const now = new Date('2026-03-17T20:30:00Z') // 23:30 in Moscow
  assert.equal(moment('2026-03-17T11:05:00Z', now), 'сегодня 14:05')
  assert.equal(moment('2026-03-17T21:30:00Z', now), 'завтра 00:30')
  assert.equal(moment('2026-03-16T20:59:00Z', now), 'вчера 23:59')
  assert.equal(moment('2026-03-01T11:05:00Z', now), '1 мар. 14:05')
  assert.equal(moment('2025-03-01T11:05:00Z', now), '1 мар. 2025 г.')
  assert.equal(moscowDay(new Date('2026-03-17T21:00:00Z')), '2026-03-18')
  assert.match(exactMoment('2026-03-17T11:05:09Z'), /17 марта 2026.*14:05:09 по Москве/)
})

test('a deadline says how long is left, or how long it is over', () => {
  const now = new Date('2026-03-17T12:00:00Z')
  assert.equal(untilDeadline('2026-03-17T12:45:00Z', now), 'через 45 мин')
  assert.equal(untilDeadline('2026-03-17T14:10:00Z', now), 'через 2 ч 10 мин')
  assert.equal(untilDeadline('2026-03-17T15:00:00Z', now), 'через 3 ч')
  assert.equal(untilDeadline('2026-03-18T11:59:00Z', now), 'через 23 ч')
  assert.equal(untilDeadline('2026-03-19T15:00:00Z', now), 'через 2 дня 3 ч')
  assert.equal(untilDeadline('2026-03-17T11:45:00Z', now), 'просрочено на 15 мин')
})
