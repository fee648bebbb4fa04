import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesInWords } from './change-words.ts'
import { fieldNames } from './field-names.ts'

test('a change names the fields that differ, with their old and new values', () => {
  const before = { id: '1', barcode: 'A', quantity: 5, available: 5, claim: null, packed_at: null }
  const after = {
    id: '1',
    barcode: 'A',
    quantity: 7,
    available: 7,
    claim: { user_id: 'x', login: 'ivan' },
    packed_at: '2026-11-20T12:05:00.000+03:00',
  }
  assert.deepEqual(changesInWords(before, after), [
    'остаток: 5 → 7',
    'в наличии: 5 → 7',
    'кто собирает: нет → ivan',
    'собран: нет → 20.11.2026 12:05',
  ])
})

test('of a field that the state after does not name nothing is said, and a new field has no old value', () => {
  const before = { status: 'REVIEW', status_label: 'На проверке', undecided: 2 }
  assert.deepEqual(changesInWords(before, { barcode: 'A', undecided: 1 }), [
    'штрихкод: A',
    `${fieldNames.undecided}: 2 → 1`,
  ])
  assert.deepEqual(changesInWords(before, null), [])
})

test('a status is shown as people read it, and ids and names of clients are left out', () => {
  const before = { client_id: '1', client_name: 'А', status: 'EXPECTED', status_label: 'Ожидается' }
  const after = { client_id: '1', client_name: 'Б', status: 'RECEIVING', status_label: 'Принимают' }
  assert.deepEqual(changesInWords(before, after), ['статус: ожидается → принимают'])
  assert.deepEqual(
    changesInWords(null, { orders: [{ id: '1', status: 'X', status_label: 'Новый' }] }),
    ['заказы: статус: новый'],
  )
  const late = {
    kind: 'location_take',
    kind_label: 'Взяли с места',
    reason: 'OTHER',
    reason_label: null,
  }
  assert.deepEqual(changesInWords(null, late), ['причина: OTHER', 'вид: взяли с места'])
})

test('a new object shows the fields that are filled, what says most first, and an unknown field keeps its name', () => {
  const made = {
    active: true,
    odd: [1, 2],
    empty: [],
    of: {},
    box: null,
    open: false,
    login: 'ivan',
  }
  assert.deepEqual(changesInWords(null, made), ['логин: ivan', 'доступ: да', 'odd: 1, 2'])
  assert.deepEqual(changesInWords({ a: 1 }, { a: 1 }), [])
  assert.deepEqual(changesInWords(null, 'text'), [])
  const [long = ''] = changesInWords(null, { comment: 'x'.repeat(500) })
  assert.ok(long.length < 150)
})
