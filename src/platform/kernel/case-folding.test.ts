import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldCase, inLatinLayout, searchForms, wordForms } from './case-folding.ts'

test('case, ё and spaces of any kind and number make no difference', () => {
  for (const text of [
    'Чёрный  плед',
    ' чёрный\u00a0плед',
    'ЧЕРНЫЙ\u202f\u2009ПЛЕД',
    'чe\u0308рный плед',
  ]) {
    const composed = text.replace('чe\u0308', 'чё')
    assert.equal(foldCase(composed), 'черный плед')
  }
})

test('a text in the other layout of the keyboard means what the keys write', () => {
  assert.ok(searchForms('ghbtvrf').includes('приемка'))
  assert.ok(searchForms('GKTL <K').includes('плед <л'))
  assert.ok(searchForms('зды-150').includes('pls-150'))
  assert.ok(searchForms('[jkjlbkmybr').includes('холодильник'))
  assert.deepEqual(searchForms('ghb'), ['ghb'])
  assert.deepEqual(searchForms('4600'), ['4600'])
})

test('a capital letter typed with Shift in the other layout is one of its word', () => {
  for (const [typed, meant] of [
    ['<ecs', 'бусы'],
    ['"vfkm <tkfz', 'эмаль белая'],
    ['~kjxrf', 'елочка'],
    ['rhe;rf', 'кружка'],
  ] as const) {
    assert.ok(wordForms(typed).includes(meant), typed)
  }
  assert.deepEqual(wordForms('PLS-150'), ['pls-150', 'зды-150'])
})

test('a code in the Russian layout is written as the keys write it in the Latin one', () => {
  assert.equal(inLatinLayout('К-000012'), 'R-000012')
  assert.equal(inLatinLayout('Ф-01-я'), 'A-01-z')
  assert.equal(inLatinLayout('LP-7 №'), 'LP-7 №')
})
