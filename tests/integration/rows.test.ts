import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import { testDatabase } from '../support/database.ts'

const { db, target } = await testDatabase({ plansForValues: true })

/** Rows with and without NULL, as long as wanted. */
function numbered(tag: Database, rows: number, length: number) {
  return tag`
    select n as id, case when n % 3 <> 0 then repeat('ж"', ${length}::int) end as text, n % 2 = 0 as flag
    from generate_series(1, ${rows}::int) n`
}

const expected = (rows: number, length: number) =>
  Array.from({ length: rows }, (_, index) => index + 1).map((id) => ({
    id,
    text: id % 3 === 0 ? null : 'ж"'.repeat(length),
    flag: id % 2 === 0,
  }))

test('rows are the same at the first call on a connection and later, however many and long', async (t) => {
  const one = openDatabase(target, { max: 1 })
  t.after(() => one.end())
  for (const [rows, length] of [
    [0, 1],
    [3, 1],
    [3, 1],
    [2_000, 40],
    [5, 300_000],
    [0, 1],
  ] as const) {
    assert.deepEqual(await numbered(one, rows, length), expected(rows, length))
    assert.deepEqual(await one`select 1 as id, 'x' as text`, [{ id: 1, text: 'x' }])
  }
})

test('without prepared statements the rows are the same', async (t) => {
  const unprepared = openDatabase(target, { prepared: false })
  t.after(() => unprepared.end())
  assert.deepEqual(await numbered(unprepared, 10, 5), expected(10, 5))
  assert.deepEqual(await unprepared`select 1 as id`, [{ id: 1 }])
})

test('statements that travel together have each their own rows', async () => {
  await db.begin(async (tx) => {
    for (let round = 0; round < 2; round += 1) {
      const all = await Promise.all([
        tx`select 1 as id, true as flag, 'a' as text`,
        tx`select n as id, 'c' as text from generate_series(3, 4) n`,
        tx`select 5 as id where false`,
        tx`select 6 as id`,
      ])
      assert.deepEqual(all, [
        [{ id: 1, flag: true, text: 'a' }],
        [
          { id: 3, text: 'c' },
          { id: 4, text: 'c' },
        ],
        [],
        [{ id: 6 }],
      ])
    }
  })
})

test('a statement that fails between its rows fails, and the connection goes on', async (t) => {
  const one = openDatabase(target, { max: 1 })
  t.after(() => one.end())
  for (let round = 0; round < 2; round += 1) {
    const divided = one`select 10 / (5 - n) as id from generate_series(1, 9) n`
    await assert.rejects(async () => divided, { code: '22012' })
    const tooLarge = one`select 9007199254740993 as id from generate_series(1, 9)`
    await assert.rejects(async () => tooLarge, RangeError)
    assert.deepEqual(await numbered(one, 4, 1), expected(4, 1))
    assert.deepEqual(await one`select n from generate_series(1, 2) n`, [{ n: 1 }, { n: 2 }])
  }
})

test('a change of the schema does not make the rows those of other columns', async (t) => {
  const one = openDatabase(target, { max: 1 })
  t.after(() => one.end())
  await one`create table shown (id int, text text, flag boolean)`
  await one`insert into shown values (1, 'a', true)`
  const read = () => one`select * from shown`
  assert.deepEqual(await read(), [{ id: 1, text: 'a', flag: true }])
  await one`alter table shown drop column text`
  await one`alter table shown add column text text default 'b'`
  assert.deepEqual(await read(), [{ id: 1, text: 'b', flag: true }])
  assert.deepEqual(await read(), [{ id: 1, text: 'b', flag: true }])
})

test('a statement that is planned once leaves its settings to nobody else, and reads no whole table', async (t) => {
  const one = openDatabase(target, { max: 1 })
  t.after(() => one.end())
  const mode = () =>
    one`select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`
  const planned = () => mode().planOnce()
  assert.deepEqual(await planned(), [{ mode: 'force_generic_plan', scans: 'off' }])
  assert.deepEqual(await mode(), [{ mode: 'auto', scans: 'on' }])
  await assert.rejects(async () => one`select 1 / 0`.planOnce(), { code: '22012' })
  assert.deepEqual(await Promise.all([planned(), mode()]), [
    [{ mode: 'force_generic_plan', scans: 'off' }],
    [{ mode: 'auto', scans: 'on' }],
  ])
  await one.begin(async (tx) => {
    await tx`select 1`.planOnce()
    assert.deepEqual(await tx`select current_setting('plan_cache_mode') as mode`, [
      { mode: 'auto' },
    ])
  })
  const lost = one`select pg_terminate_backend(pg_backend_pid())`.planOnce()
  await assert.rejects(async () => lost)
  assert.deepEqual(await planned(), [{ mode: 'force_generic_plan', scans: 'off' }])
})
