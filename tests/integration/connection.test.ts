import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { rowsInBatches } from '../../src/platform/db/batches.ts'
import { checkServer } from '../../src/platform/db/check-server.ts'
import {
  type Database,
  inTransaction,
  openBeside,
  openDatabase,
  openForCopies,
} from '../../src/platform/db/connection.ts'
import { sqlStateOf } from '../../src/platform/db/connections/errors.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { databaseOn, testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'

const { db, target } = await testDatabase()
const noon = '2026-11-20T12:00:00.000+03:00'

async function first(rows: Promise<{ value: unknown }[]>): Promise<unknown> {
  return (await rows)[0]?.value
}

test('timestamps come out at +03 with exactly three digits', async () => {
  const rows = await db`
    select v::timestamptz as value
    from unnest(${[
      '2026-11-20T15:25:02Z',
      '2026-11-20T15:25:02.1Z',
      '2026-11-20T15:25:02.123Z',
      '2026-11-20T15:25:02.123999Z',
      '1985-07-01T00:00:00.05Z',
    ]}::text[]) v`
  assert.deepEqual(
    rows.map(({ value }) => value),
    [
      '2026-11-20T18:25:02.000+03:00',
      '2026-11-20T18:25:02.100+03:00',
      '2026-11-20T18:25:02.123+03:00',
      '2026-11-20T18:25:02.123+03:00',
      '1985-07-01T03:00:00.050+03:00',
    ],
  )
})

test('timestamps go in as text, epoch milliseconds and dates, also in arrays', async () => {
  const text = '2026-11-20T18:25:02.120+03:00'
  const at = Date.parse(text)
  for (const value of [text, at, new Date(at)]) {
    assert.equal(await first(db`select ${value}::timestamptz as value`), text)
  }
  assert.deepEqual(await first(db`select ${[text, text]}::timestamptz[] as value`), [text, text])
})

test('a timestamp that has no such form is an error, not a wrong value', async () => {
  await assert.rejects(async () => db`select 'infinity'::timestamptz`, RangeError)
})

test('int8 is a number, and an error where a number would be wrong', async () => {
  assert.equal(await first(db`select ${9007199254740991}::int8 as value`), 9007199254740991)
  assert.equal(await first(db`select count(*) as value from pg_class where false`), 0)
  await assert.rejects(async () => db`select 9007199254740992::int8`, RangeError)
  await assert.rejects(async () => db`select ${1.5}::int8`, RangeError)
  assert.equal(await first(db`select 1 as value`), 1)
})

test('numeric and date stay text, json is parsed', async () => {
  assert.equal(await first(db`select 12.50::numeric as value`), '12.50')
  assert.equal(await first(db`select ${'2026-11-20'}::date as value`), '2026-11-20')
  assert.deepEqual(await first(db`select ${db.json({ a: [1] })} as value`), { a: [1] })
})

test('arrays come out as they went in, with nulls, quotes and moments', async () => {
  const texts = ['NULL', null, 'a"b\\c', '{d,e}', '', 'ё\n']
  assert.deepEqual(await first(db`select ${texts}::text[] as value`), texts)
  assert.deepEqual(await first(db`select ${[1, null, 2]}::int[] as value`), [1, null, 2])
  assert.deepEqual(await first(db`select ${[1, null]}::bigint[] as value`), [1, null])
  assert.deepEqual(await first(db`select array[[1, 2], [3, 4]] as value`), [
    [1, 2],
    [3, 4],
  ])
  assert.deepEqual(await first(db`select ${[]}::uuid[] as value`), [])
  const moments = [Date.parse('2026-11-20T15:25:02Z')]
  assert.deepEqual(await first(db`select ${moments}::timestamptz[] as value`), [
    '2026-11-20T18:25:02.000+03:00',
  ])
})

test('bytes, booleans and NULL cross as they are', async () => {
  const bytes = Buffer.from([0, 1, 254, 255, 92])
  assert.deepEqual(await first(db`select ${bytes}::bytea as value`), bytes)
  assert.deepEqual(await first(db`select ${[bytes]}::bytea[] as value`), [bytes])
  assert.equal(await first(db`select ${false}::boolean as value`), false)
  assert.equal(await first(db`select ${null}::int as value`), null)
  assert.equal(await first(db`select ${db.json(null)} is null as value`), true)
})

test('rows of megabytes come whole, on connections that read at the same time', async () => {
  const sizes = [1, 70_000, 3_000_000]
  const letters = ['a', 'b', 'c', 'd']
  const asked = letters.map(
    (letter) => db<{ value: string }[]>`
      select repeat(${letter}, size) as value from unnest(${sizes}::int[]) with ordinality as s (size, n) order by n`,
  )
  const rows = await Promise.all(asked)
  assert.deepEqual(
    rows.map((each) => each.map(({ value }) => value)),
    letters.map((letter) => sizes.map((size) => letter.repeat(size))),
  )
})

test('a number where the server expects a moment is refused unless the statement casts it', async () => {
  await db`create table moments (at timestamptz(3))`
  await assert.rejects(
    async () => db`insert into moments values (${Date.now()})`,
    /out of range|invalid/,
  )
  await db`insert into moments values (${0}::timestamptz)`
  assert.equal(await first(db`select at as value from moments`), '1970-01-01T03:00:00.000+03:00')
})

test('a session is at +03 with its name, whatever the server’s settings are', async () => {
  const named = openDatabase(target, { applicationName: 'sklad named' })
  const [settings] = await named`
    select current_setting('TimeZone') as zone, current_setting('DateStyle') as dates,
      current_setting('client_min_messages') as messages,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('application_name') as name`
  await named.end()
  assert.deepEqual(settings, {
    zone: '<+03>-03',
    dates: 'ISO, MDY',
    messages: 'warning',
    idle: '2min',
    name: 'sklad named',
  })
})

test('a pool beside another has connections of its own to the same database', async () => {
  const name = 'sklad beside'
  const narrow = openDatabase(target, { max: 1, applicationName: name })
  const beside = openBeside(narrow)
  const held = await narrow.reserve()
  const query = 'select current_database() || current_setting($1) as value'
  const [mine] = await held.unsafe(query, ['application_name'])
  const [theirs] = await beside.unsafe(query, ['application_name'])
  assert.deepEqual(theirs, mine)
  held.release()
  await Promise.all([narrow.end(), beside.end()])
})

test('the rows of a query can be read in batches', async () => {
  await db.begin(async (tx) => {
    const sizes: number[] = []
    const numbers: number[] = []
    const query = tx`select n from generate_series(1, ${7}::int) n order by n`
    for await (const rows of rowsInBatches<{ n: number }>(tx, query, 3)) {
      sizes.push(rows.length)
      numbers.push(...rows.map(({ n }) => n))
    }
    assert.deepEqual(sizes, [3, 3, 1])
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7])
    for await (const rows of rowsInBatches(tx, tx`select n from generate_series(1, 9) n`, 2)) {
      assert.equal(rows.length, 2)
      break
    }
  })
})

test('statements are prepared under one name for each text, and survive a change of the schema', async () => {
  const narrow = openDatabase(target, { max: 1 })
  await narrow`create table changing (a int)`
  const read = () => narrow`select * from changing`
  await Promise.all([read(), read()])
  const prepared = await narrow<{ statement: string }[]>`
    select statement from pg_prepared_statements where statement like 'select * from ch%'`
  assert.equal(prepared.length, 1)
  await db`alter table changing add b int`
  await db`insert into changing values (1, 2)`
  assert.deepEqual(await read(), [{ a: 1, b: 2 }])
  assert.deepEqual(await read(), [{ a: 1, b: 2 }])
  await narrow.end()
})

test('a connection prepares a bounded number of statements and runs the others all the same', async () => {
  const narrow = openDatabase(target, { max: 1 })
  for (let n = 0; n < 1_010; n++) await narrow`select 1 as ${narrow(`c${n}`)}`
  const [counted] = await narrow<[{ value: number }]>`
    select count(*) as value from pg_prepared_statements`
  assert.equal(counted.value, 1_000)
  await narrow.end()
})

test('statements of one transaction that are awaited together run in their order', async () => {
  const rows = await db.begin(async (tx) => {
    await tx`create temp table steps (id int generated always as identity, step int) on commit drop`
    await Promise.all([1, 2, 3, 4].map((n) => tx`insert into steps (step) values (${n})`))
    return tx<{ step: number }[]>`select step from steps order by id`
  })
  assert.deepEqual(
    rows.map(({ step }) => step),
    [1, 2, 3, 4],
  )
})

test('a transaction fails with the first error of its statements, even a caught one', async () => {
  await db`create table kept (n int primary key)`
  const caught = db.begin(async (tx) => {
    await tx`insert into kept values (1)`
    await tx`insert into kept values (1)`.catch(() => {})
  })
  await assert.rejects(caught, { code: '23505' })
  const together = db.begin((tx) =>
    Promise.all([1, 1, 2].map((n) => tx`insert into kept values (${n})`)),
  )
  await assert.rejects(together, { code: '23505' })
  assert.equal((await db`select from kept`).length, 0)
})

test('statements that travel together answer each its own rows, and fail from the first failed one on', async () => {
  const narrow = openDatabase(target, { max: 1 })
  const read = (divisors: readonly number[]) =>
    narrow.begin((tx) =>
      Promise.allSettled([
        ...divisors.map((n) => tx<{ n: number }[]>`select 6 / ${n}::int as n`),
        tx<{ text: string; more: number[] }[]>`select 'x' as text, array[1, 2] as more`,
      ]),
    )
  const answers = await read(Array.from({ length: 40 }, (_, n) => (n % 6) + 1))
  assert.ok(answers.every(({ status }) => status === 'fulfilled'))
  const rows = answers.map((answer) =>
    answer.status === 'fulfilled' ? answer.value[0] : undefined,
  )
  assert.deepEqual(rows.slice(0, 3), [{ n: 6 }, { n: 3 }, { n: 2 }])
  assert.deepEqual(rows.at(-1), { text: 'x', more: [1, 2] })
  await assert.rejects(read([1, 2, 0, 3]), { code: '22012' })
  const states: string[] = []
  const failing = narrow.begin((tx) =>
    Promise.all(
      [1, 0, 2].map((n) =>
        tx`select 6 / ${n}::int as n`.then(
          () => states.push('answered'),
          (error: unknown) => states.push(sqlStateOf(error) ?? 'no state'),
        ),
      ),
    ),
  )
  await assert.rejects(failing, { code: '22012' })
  assert.deepEqual(states, ['answered', '22012', '22012'])
  assert.deepEqual(await narrow`select 1 as n`, [{ n: 1 }])
  await narrow.end()
})

test('a part of a transaction may fail behind a savepoint', async () => {
  await db`create table parts (n int primary key)`
  await db.begin(async (tx) => {
    await tx`insert into parts values (1)`
    const part = tx.savepoint(async (inner) => {
      await inner`insert into parts values (2)`
      await inner.savepoint((deeper) => deeper`insert into parts values (3)`)
      await inner`insert into parts values (1)`
    })
    await assert.rejects(part, { code: '23505' })
    await tx.savepoint((inner) => inner`insert into parts values (4)`)
  })
  const rows = await db<{ n: number }[]>`select n from parts order by n`
  assert.deepEqual(
    rows.map(({ n }) => n),
    [1, 4],
  )
})

test('the tag of a transaction refuses statements after its end', async () => {
  const tx = await db.begin(async (own) => ({ tag: own }))
  await assert.rejects(async () => tx.tag`select 1`, { code: 'CONNECTION_ENDED' })
})

test('a fragment of any tag fits into any statement', async () => {
  const condition = db`n > ${1}`
  const rows = await db.begin(
    (tx) =>
      tx<{ n: number }[]>`select n from generate_series(1, 3) n where ${condition} order by n`,
  )
  assert.deepEqual(
    rows.map(({ n }) => n),
    [2, 3],
  )
})

test('an error of the server shows where the statement stands', async () => {
  const error = await db`select from nowhere`.catch((reason: unknown) => reason)
  assert.ok(error instanceof Error)
  assert.match(error.stack ?? '', /in the statement at .*connection\.test\.ts/)
})

test('a deadlock runs again and both sides succeed', async () => {
  await db`create table accounts (id int primary key, amount int not null)`
  await db`insert into accounts values (1, 0), (2, 0)`
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const add = (ids: number[]) =>
    inTransaction(db, async (tx) => {
      for (const id of ids) {
        await tx`update accounts set amount = amount + 1 where id = ${id}`
        if (++holding === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
      }
    })

  await Promise.all([add([1, 2]), add([2, 1])])
  assert.deepEqual((await db`select amount from accounts`).flatMap(Object.values), [2, 2])
})

test('other errors roll back and reach the caller unchanged', async () => {
  await db`create table names (name text constraint names_key primary key)`
  const insert = inTransaction(db, async (tx) => {
    await tx`insert into names values ('a')`
    await tx`insert into names values ('a')`
  })
  await assert.rejects(insert, { constraint: 'names_key' })
  assert.equal((await db`select from names`).length, 0)
})

test('rows are copied as they are, and come out of a transaction that fails unwritten', async (t) => {
  const one = openForCopies(db)
  t.after(() => one.end())
  await one`create table copied (number int, text text, at timestamptz)`
  const texts = ['', '\\N', '\\.', 'a\tb\nc\rd\\e"f\'', 'слово'.repeat(50_000), null]
  const rows = texts.map((text, number) => [number, text, noon] as const)
  await one.begin(async (tx) => {
    await tx.copyInto('copied', ['number', 'text', 'at'], rows)
    await tx`insert into copied values (-1, 'behind', ${noon})`
  })
  const read = () =>
    one<{ number: number; text: string; at: string }[]>`select * from copied order by number`
  const written = [{ number: -1, text: 'behind', at: noon }].concat(
    rows.map(([number, text, at]) => ({ number, text: text as string, at })),
  )
  assert.deepEqual(await read(), written)
  const wrong = one.begin(async (tx) => {
    await tx`delete from copied`
    await tx.copyInto(
      'copied',
      ['number', 'text'],
      [
        [0, ''],
        ['word', 'x'],
      ],
    )
  })
  await assert.rejects(wrong, { code: '22P02' })
  await assert.rejects(one.copyInto('copied', ['no such column'], []), { code: '42703' })
  assert.deepEqual(await read(), written)
})

test('a suitable server passes the check', () => checkServer(db))

async function complaint(other: Database): Promise<string> {
  try {
    await checkServer(other)
  } catch (error) {
    assert.ok(error instanceof StartError)
    return error.message
  } finally {
    await other.end({ timeout: 0 })
  }
  return assert.fail('the check passed')
}

test('an unreachable server gives one line without the password', async () => {
  const message = await complaint(openDatabase({ url: 'postgres://me:secret@127.0.0.1:1/sklad' }))
  assert.match(message, /^DATABASE_URL: .*127\.0\.0\.1:1.*nothing listens/)
  assert.doesNotMatch(message, /secret|\n/)
})

test('a database that is not in UTF-8 is refused, with the SQL for another one', async (t) => {
  const name = `latin_${randomUUID().replaceAll('-', '')}`
  await db.unsafe(
    `create database ${name} encoding 'LATIN1' locale 'C' locale_provider libc template template0`,
  )
  t.after(() => db.unsafe(`drop database ${name} with (force)`))
  const message = await complaint(openDatabase(databaseOn(target, name)))
  assert.match(message, new RegExp(`^DATABASE_URL: the database ${name} .*LATIN1.*create database`))
})

test('a parameter of the address that nobody knows is named', async () => {
  const gate = await openDatabaseGate(target)
  const { url } = gate.target as { readonly url: string }
  const message = await complaint(openDatabase({ url: `${url}?pgbouncer=true` }))
  assert.match(message, /^DATABASE_URL: the address has a parameter .*"pgbouncer"/)
})

test('a server that does not answer is given up after a while', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  silent.on('connection', (socket) => {
    t.after(() => socket.destroy())
  })
  const message = await complaint(
    openDatabase({ url: `postgres://127.0.0.1:${port}/sklad?connect_timeout=1` }),
  )
  assert.match(message, /^DATABASE_URL: .*no answer in time/)
})

test('an address that can’t be read is refused without showing it', () => {
  for (const url of ['nonsense', 'mysql://me:secret@host/db', 'postgres://me:sec%ret@host/db']) {
    assert.throws(
      () => openDatabase({ url }),
      (error) =>
        error instanceof StartError &&
        error.message.startsWith('DATABASE_URL') &&
        !/sec/.test(error.message.replace('special', '')),
    )
  }
})
