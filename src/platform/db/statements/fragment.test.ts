import assert from 'node:assert/strict'
import test from 'node:test'
import type { Executable, Executed } from './executor.ts'
import { compose } from './fragment.ts'
import { tagOf } from './tag.ts'

const empty: Executed = { command: 'SELECT', rows: [], affected: 0 }
const unexpected = () => assert.fail('nothing is to be executed')
const sql = tagOf({ execute: unexpected })

function textOf(...given: Parameters<typeof compose>): string {
  return compose(...given).text
}

test('values become numbered parameters and never text', () => {
  const statement = compose(sql`select ${"'; drop"} where a = ${1} and b = ${true}`)
  assert.equal(statement.text, 'select $1 where a = $2 and b = $3')
  assert.deepEqual(statement.values, ["'; drop", '1', 'true'])
})

test('fragments are numbered where they stand, at any depth', () => {
  const inner = sql`b = ${'b'}`
  const outer = sql`(a = ${'a'} or ${inner})`
  const statement = compose(sql`select ${'x'} where ${outer} and c = ${'c'} and ${inner}`)
  assert.equal(statement.text, 'select $1 where (a = $2 or b = $3) and c = $4 and b = $5')
  assert.deepEqual(statement.values, ['x', 'a', 'b', 'c', 'b'])
})

test('an empty fragment leaves nothing', () => {
  assert.equal(textOf(sql`select 1 ${sql``} limit ${2}`), 'select 1  limit $1')
})

test('identifiers are quoted, and dots separate them', () => {
  assert.equal(
    textOf(sql`select ${sql('o.created_at')} from ${sql('a"b')}`),
    'select "o"."created_at" from "a""b"',
  )
})

test('JSON is a jsonb parameter, and null is NULL', () => {
  const statement = compose(sql`select ${sql.json({ a: 1 })}, ${sql.json(null)}`)
  assert.equal(statement.text, 'select $1::jsonb, $2::jsonb')
  assert.deepEqual(statement.values, ['{"a":1}', null])
  assert.throws(() => sql.json(undefined), TypeError)
})

test('statements of one shape share text and name; other shapes have others', () => {
  const find = (id: string, mine: boolean) =>
    compose(sql`select from t where id = ${id} ${mine ? sql`and mine` : sql``}`)
  assert.deepEqual({ ...find('1', true), values: [] }, { ...find('2', true), values: [] })
  assert.notEqual(find('1', true).name, find('1', false).name)
})

test('a template used with ever new fragments keeps working, and the same text has the same name', () => {
  const nameOf = (column: string) => compose(sql`select ${sql(column)}`).name
  const first = nameOf('c0')
  for (let n = 1; n < 1_100; n++) nameOf(`c${n}`)
  assert.equal(nameOf('c0'), first)
  assert.equal(new Set(Array.from({ length: 1_100 }, (_, n) => nameOf(`c${n}`))).size, 1_100)
})

test('undefined is refused when the statement is composed', () => {
  const { missing } = JSON.parse('{}') as { missing: null }
  assert.throws(() => compose(sql`select ${missing}`), TypeError)
})

test('a statement runs when it is awaited, once', async () => {
  const executed: Executable[] = []
  const db = tagOf({
    execute: async (statement) => {
      executed.push(statement)
      return { ...empty, rows: [{ n: executed.length }] }
    },
  })
  const statement = db<{ n: number }[]>`select ${'x'} as n`
  assert.equal(executed.length, 0)
  assert.deepEqual(await Promise.all([statement, statement]), [[{ n: 1 }], [{ n: 1 }]])
  assert.deepEqual(await db`select ${statement}`, [{ n: 2 }])
  assert.deepEqual(
    executed.map(({ text }) => text),
    ['select $1 as n', 'select select $1 as n'],
  )
})

test('the stack of an error names the place of the statement', async () => {
  const db = tagOf({ execute: () => Promise.reject(new Error('refused')) })
  const error: unknown = await db`select 1`.catch((reason: unknown) => reason)
  assert.ok(error instanceof Error)
  assert.match(error.stack ?? '', /in the statement at .*fragment\.test\.ts:\d+/)
})
