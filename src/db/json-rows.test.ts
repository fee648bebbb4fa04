import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import Type from 'typebox'
import { serverRow } from '../../tests/support/server-rows.ts'
import { moment, momentOrNull, textOrNull } from '../kernel/schema.ts'
import { planJson } from './json-plan.ts'
import { JsonRows } from './json-rows.ts'
import { jsonShape, type Sources, withList } from './json-shape.ts'

function written(schema: Type.TObject, rows: readonly Record<string, unknown>[], from?: Sources) {
  const columns = Object.keys(rows[0] ?? {})
  const json = new JsonRows(planJson(jsonShape(schema, from), columns))
  for (const row of rows)
    json.take(Buffer.concat([Buffer.from('?'), serverRow(Object.values(row))]), 1)
  return json
}

const textOf = (json: JsonRows, rows = json.count) => json.first(rows).toString()

test('what stands before and behind the rows is written around them, also where there are none', () => {
  const schema = Type.Object({ name: Type.String() })
  const rows = ['а', 'b', 'c'].map((name) => ({ name }))
  const behind = `]${' '.repeat(2_000)}`
  for (const count of [0, 1, 3]) {
    const shown = rows.slice(0, count).map((row) => JSON.stringify(row))
    const json = written(schema, rows)
    assert.equal(json.first(count, '["ё",', behind).toString(), `["ё",${shown.join(',')}${behind}`)
  }
  assert.throws(() => written(schema, rows).first(3, '', ' '.repeat(3_000)), RangeError)
})

suite('a value', () => {
  test('text is escaped as JSON.stringify does, for every character of one byte and of several', () => {
    const schema = Type.Object({ name: Type.String() })
    const codes = [...Array(0x250).keys(), 0x2028, 0x2029, 0x1f600, 0xfeff].slice(1)
    const name = codes.map((code) => String.fromCodePoint(code)).join('')
    assert.equal(textOf(written(schema, [{ name }])), JSON.stringify({ name }))
  })

  test('a moment has three digits, and none is read that is not of a session at +03', () => {
    const schema = Type.Object({ at: moment('') })
    const cases = {
      '2026-11-20 18:25:02+03': '2026-11-20T18:25:02.000+03:00',
      '2026-11-20 18:25:02.1+03': '2026-11-20T18:25:02.100+03:00',
      '2026-11-20 18:25:02.129999+03': '2026-11-20T18:25:02.129+03:00',
    }
    for (const [at, shown] of Object.entries(cases)) {
      assert.equal(textOf(written(schema, [{ at }])), JSON.stringify({ at: shown }))
    }
    for (const at of [
      '2026-11-20 18:25:02+00',
      '2026-11-20',
      'infinity',
      '2026-11-20 18:25:02+03:30',
    ]) {
      assert.throws(() => written(schema, [{ at }]), RangeError, at)
    }
  })

  test('numbers stay as they are, and one that JavaScript would round is refused', () => {
    const schema = Type.Object({ qty: Type.Integer() })
    for (const qty of ['0', '-7', '9007199254740991']) {
      assert.equal(textOf(written(schema, [{ qty }])), `{"qty":${qty}}`)
    }
    assert.throws(() => written(schema, [{ qty: '9007199254740992' }]), RangeError)
  })
})

suite('a row', () => {
  test('NULL leaves out an optional field, first or last, and is null elsewhere', () => {
    const schema = Type.Object({
      first: Type.Optional(Type.String()),
      second: textOrNull(''),
      third: Type.Optional(Type.Boolean()),
      fourth: momentOrNull(''),
      fifth: Type.Optional(Type.Array(Type.String())),
    })
    const row = { first: null, second: null, third: null, fourth: null, fifth: null }
    assert.equal(textOf(written(schema, [row])), '{"second":null,"fourth":null}')
    const full = { first: 'a', second: 'b', third: false, fourth: null, fifth: ['c'] }
    assert.equal(textOf(written(schema, [full])), JSON.stringify(full))
  })

  test('objects inside, labels and columns of other names', () => {
    const schema = Type.Object({
      inner: Type.Object({
        left: Type.Optional(Type.Integer()),
        right: Type.Optional(Type.Integer()),
      }),
      label: Type.String(),
    })
    const from = {
      inner: { left: 'l', right: 'r' },
      label: { of: 'code', labels: { A: 'Один "A"' } },
    }
    const text = (l: number | null, r: number | null) =>
      textOf(written(schema, [{ code: 'A', r, l }], from))
    assert.equal(text(null, null), '{"inner":{},"label":"Один \\"A\\""}')
    assert.equal(text(null, 2), '{"inner":{"right":2},"label":"Один \\"A\\""}')
    assert.equal(text(1, 2), '{"inner":{"left":1,"right":2},"label":"Один \\"A\\""}')
    assert.throws(() => written(schema, [{ code: 'B', r: 1, l: 1 }], from), RangeError)
  })

  test('many rows: the first of them, each one alone, and their total', () => {
    const schema = Type.Object({ id: Type.Integer(), text: Type.String() })
    const rows = Array.from({ length: 500 }, (_, id) => ({
      id,
      text: '\u0001'.repeat(id),
      total: 500,
    }))
    const json = written(schema, rows)
    const shown = rows.map(({ id, text }) => ({ id, text }))
    assert.deepEqual(JSON.parse(`[${textOf(json)}]`), shown)
    assert.deepEqual(JSON.parse(`[${textOf(json, 3)}]`), shown.slice(0, 3))
    assert.equal(textOf(json, 0), '')
    assert.deepEqual(
      [0, 1, 499].map((row) => json.parse(row)),
      [shown[0], shown[1], shown[499]],
    )
    assert.equal(json.total, 500)
    assert.equal(written(schema, [{ id: 1, text: '' }]).total, undefined)
  })

  test('a field without a column, or of a type that no column can fill, is refused', () => {
    assert.throws(() => written(Type.Object({ id: Type.String() }), [{ other: '' }]), TypeError)
    assert.throws(() => jsonShape(Type.Object({ id: Type.Null() })), TypeError)
  })
})

suite('an object with a list', () => {
  const holder = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) })
  const item = Type.Object({ id: Type.Integer(), text: Type.Optional(Type.String()) })
  const shape = withList(jsonShape(holder), 'items', jsonShape(item))
  const columns = ['name', 'id', 'item', 'id', 'text']
  const objectOf = (...rows: readonly (readonly unknown[])[]) => {
    const json = new JsonRows(planJson(shape, columns))
    for (const row of rows) json.take(serverRow(row), 0)
    return json.object()?.toString()
  }

  test('takes its own columns from before those of the items, whatever their names', () => {
    const rows = [
      ['ё', 1, true, 10, 'a'],
      ['ё', 1, true, 11, null],
    ]
    assert.equal(objectOf(...rows), '{"id":1,"name":"ё","items":[{"id":10,"text":"a"},{"id":11}]}')
    const long = 'ж'.repeat(100_000)
    const items = Array.from({ length: 1_000 }, (_, id) => ({ id, text: `${id}` }))
    assert.equal(
      objectOf(...items.map(({ id, text }) => [long, 1, id, id, text])),
      JSON.stringify({ id: 1, name: long, items }),
    )
  })

  test('is there where the list is empty, and is not without a row', () => {
    assert.equal(objectOf([null, 1, null, null, null]), '{"id":1,"items":[]}')
    assert.equal(objectOf(), undefined)
  })

  test('is refused of a statement that does not part its columns, or parts them elsewhere', () => {
    assert.throws(() => planJson(shape, ['id', 'name', 'text']), TypeError)
    assert.throws(() => planJson(shape, ['id', 'name', 'text', 'item', 'id']), TypeError)
    assert.throws(() => planJson(shape, ['item', 'id', 'name', 'text']), TypeError)
  })
})
