import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesInWords } from './change-words.ts'
import { fieldNames } from './field-names.ts'

const codes = (field: string, code: string) =>
  field === 'status' && code === 'COUNTING' ? 'Идёт пересчёт' : undefined
const words = (before: unknown, after: unknown) => changesInWords(before, after, codes)

test('a change names the fields that differ, with their old and new values', () => {
  const before = { id: '1', barcode: 'A', quantity: 5, available: 5, claim: null, packed_at: null }
  const after = {
    id: '1',
    barcode: 'A',
    quantity: 7,
    available: 7,
    claim: { user_id: 'x', login: 'ivan' },
    packed_at: '2026-11-20T12:05:00.000+03:00',
    deadline: '2026-11-21T12:05:00.000+03:00',
  }
  assert.deepEqual(words(before, after), [
    'остаток: 5 → 7',
    'в наличии: 5 → 7',
    'кто собирает: нет → ivan',
    'срок: 21.11.2026 12:05',
  ])
})

test('of a field that the state after does not name nothing is said, and a new field has no old value', () => {
  const before = { status: 'REVIEW', status_label: 'На проверке', undecided: 2 }
  assert.deepEqual(words(before, { number: 'A', undecided: 1 }), [
    'номер: A',
    `${fieldNames.undecided}: 2 → 1`,
  ])
  assert.deepEqual(words(before, null), [])
})

test('a status is shown as people read it, and ids and names of clients are left out', () => {
  const before = { client_id: '1', client_name: 'А', status: 'EXPECTED', status_label: 'Ожидается' }
  const after = { client_id: '1', client_name: 'Б', status: 'RECEIVING', status_label: 'Принимают' }
  assert.deepEqual(words(before, after), ['статус: ожидается → принимают'])
  assert.deepEqual(words(after, { status: 'COUNTING' }), ['статус: принимают → идёт пересчёт'])
  const orders = [{ id: '1', status: 'X', status_label: 'Новый' }]
  assert.deepEqual(words(null, { orders }), ['заказы: статус: новый'])
  const late = {
    kind: 'location_take',
    kind_label: 'Взяли с места',
    reason: 'Поздно',
    reason_label: null,
  }
  assert.deepEqual(words(null, late), ['причина: Поздно', 'вид: взяли с места'])
})

test('of a long list whole parts are shown, and the others are counted', () => {
  const ids = Array.from({ length: 8 }, (_, n) => `01a22528-ec95-7da3-8c9f-ed64bba38e4${n}`)
  const [text = ''] = words(null, { orders: ids.map((id) => ({ external_id: id })) })
  assert.match(text, / и ещё \d$/)
  for (const [part] of text.matchAll(/01a2[\w-]*/g)) assert.ok(ids.includes(part), part)
})

test('a person of a state is named by the id, which the entry replaces by the name of today', () => {
  const id = '01a22528-ec95-7da3-8c9f-ed64bba38e46'
  const claim = { user_id: id, login: 'ivan', name: 'Иван', claimed_at: '2026-11-20' }
  assert.deepEqual(words({ claim: null }, { claim }), [`кто собирает: нет → ${id}`])
})

test('a new object shows the fields that are filled, what says most first, and nothing that only machines need', () => {
  const made = {
    active: true,
    odd: [1, 2],
    empty: [],
    of: {},
    box: null,
    open: false,
    units: 0,
    scanId: '3-1',
    print_id: '7',
    created_at: '2026-11-20T12:05:00.000+03:00',
    orderId: 'N-1',
    scope: { barcodes: ['1'], box_ids: [], location_ids: null },
    login: 'ivan',
  }
  assert.deepEqual(words(null, made), [
    'логин: ivan',
    'доступ: да',
    'заказ: N-1',
    'что считают: штрихкоды: 1',
  ])
  const counted = { scope: { location_ids: ['A-1'], box_ids: [] } }
  assert.deepEqual(words(null, counted), ['что считают: места: A-1'])
  assert.deepEqual(words({ a: 1 }, { a: 1 }), [])
  assert.deepEqual(words(null, 'text'), [])
  const [long = ''] = words(null, { comment: 'x'.repeat(500) })
  assert.ok(long.length < 150)
})
