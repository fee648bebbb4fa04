import assert from 'node:assert/strict'
import test from 'node:test'
import { isInn } from './inn.ts'

/** Numbers that the registers publish: Sberbank, Gazprom, Yandex, and two of persons with computed digits. */
const good = ['7707083893', '7736050003', '7736207543', '770987654347', '500100732259']

test('numbers with right check digits are taken', () => {
  for (const inn of good) assert.ok(isInn(inn), inn)
})

test('any single wrong digit, and any other length or character, is noticed', () => {
  for (const inn of good) {
    for (let at = 0; at < inn.length; at++) {
      for (let digit = 1; digit < 10; digit++) {
        const wrong = (Number(inn[at]) + digit) % 10
        const changed = `${inn.slice(0, at)}${wrong}${inn.slice(at + 1)}`
        // 10 and 0 are one check digit, so a change by 10 of the sum may stay unseen.
        if (isInn(changed)) assert.match(changed, /0$|0\d$/)
      }
    }
    for (const other of [
      inn.slice(1),
      `${inn}0`,
      ` ${inn}`,
      `${inn.slice(1)}x`,
      '',
      '٧٧٠٧٠٨٣٨٩٣',
    ]) {
      assert.equal(isInn(other), false, other)
    }
  }
})
