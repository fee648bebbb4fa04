import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyInWords, moneyOnPaper } from './money.ts'

test('money is said in words, with the form of each noun', () => {
  const said: readonly (readonly [kopecks: number, words: string])[] = [
    [12_871, 'Сто двадцать восемь рублей 71 копейка'],
    [0, 'Ноль рублей 00 копеек'],
    [1, 'Ноль рублей 01 копейка'],
    [102, 'Один рубль 02 копейки'],
    [2_211, 'Двадцать два рубля 11 копеек'],
    [1_112, 'Одиннадцать рублей 12 копеек'],
    [100_000, 'Одна тысяча рублей 00 копеек'],
    [211_200_140, 'Два миллиона сто двенадцать тысяч один рубль 40 копеек'],
    [2_200_000, 'Двадцать две тысячи рублей 00 копеек'],
    [1_200_000, 'Двенадцать тысяч рублей 00 копеек'],
    [100_000_000_000, 'Один миллиард рублей 00 копеек'],
    [-5_003, 'Минус пятьдесят рублей 03 копейки'],
  ]
  for (const [kopecks, words] of said) assert.equal(moneyInWords(kopecks), words)
})

test('money in figures has a comma, and its thousands stand apart', () => {
  const shown = [0, 5, 12_871, 123_456_789, -150_000].map(moneyOnPaper)
  assert.deepEqual(
    shown.map((text) => text.replaceAll('\u00a0', ' ')),
    ['0,00', '0,05', '128,71', '1 234 567,89', '−1 500,00'],
  )
})
