import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { moveWarehouse } from '../../src/operations/moving/move.ts'
import { advanceMove } from '../../src/operations/moving/moves.ts'
import { planOf } from '../../src/operations/moving/plan.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { sqlStateOf } from '../../src/platform/db/connections/errors.ts'
import { leavingRefusal } from '../../src/platform/db/leaving.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { addLocation } from '../../src/warehouse/storage/locations.ts'
import { buildScene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

/** A warehouse with several clients goes to a cell that is in use, comes back, and goes again. */

const { db } = await testDatabase()
const { db: other } = await testDatabase()
const progress = () => undefined
const there = { db, other, progress }
const back = { db: other, other: db, progress }

let warehouse = ''
let [first, second, stranger] = ['', '', '']

async function addUser(cell: Database, login: string, id = newId()): Promise<string> {
  await cell`
    insert into staff_users (id, login, role, password_hash, created_at)
    values (${id}, ${login}, 'worker', 'hash', now())`
  return id
}

let anna = ''

before(async () => {
  first = (await buildScene(db)).client
  second = (await makeClient(db)).id
  const [row] = await db<[{ code: string }]>`
    select warehouse_code as code from clients where id = ${first}`
  warehouse = row.code
  await db`update clients set warehouse_code = ${warehouse} where id = ${second}`
  await stockUp(db, second, { A: 7, Z: 1 })
  await db`insert into warehouses (code, name, created_at) values ('STAYS', 'Остаётся', now())`
  // Before this warehouse it was in the one that stays.
  await db`
    insert into client_warehouses (client_id, warehouse_code, first_day)
    values (${second}, 'STAYS', '2026-01-01') on conflict do nothing`
  anna = await addUser(db, 'anna')
  await db`insert into staff_user_warehouses (user_id, warehouse_code) values (${anna}, ${warehouse})`

  stranger = (await makeClient(other)).id
  await stockUp(other, stranger, { A: 3 })
  await other`insert into warehouses (code, name, created_at) values ('OTHER', 'Другой', now())`
  for (const login of ['anna', 'anna-new1']) await addUser(other, login)
})

async function done(cell: Database, move: { readonly id: string }): Promise<void> {
  await advanceMove(cell, move, ['ARRIVED'], 'DONE')
}

/** Rows that refer to none, by every foreign key. */
async function dangling(cell: Database): Promise<string[]> {
  const keys = await cell<{ child: string; parent: string; own: string[]; theirs: string[] }[]>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      array(select quote_ident(attname) from unnest(conkey) with ordinality k (n, place)
        join pg_attribute a on a.attrelid = conrelid and a.attnum = k.n order by place) as own,
      array(select quote_ident(attname) from unnest(confkey) with ordinality k (n, place)
        join pg_attribute a on a.attrelid = confrelid and a.attnum = k.n order by place) as theirs
    from pg_constraint where contype = 'f' and conparentid = 0`
  const found = []
  for (const { child, parent, own, theirs } of keys) {
    const set = own.map((column) => `c.${column} is not null`).join(' and ')
    const same = own.map((column, n) => `p.${theirs[n]} = c.${column}`).join(' and ')
    const rows = await cell.unsafe(
      `select from ${child} c where ${set} and not exists (select from ${parent} p where ${same}) limit 1`,
    )
    if (rows.length > 0) found.push(`${child} -> ${parent}`)
  }
  return found
}

async function agree(): Promise<void> {
  for (const cell of [db, other]) {
    assert.deepEqual((await audit(cell)).findings, [])
    assert.deepEqual(await dangling(cell), [])
  }
}

const refusedWith = (reason: RegExp) => (error: unknown) =>
  error instanceof StartError && reason.test(error.message)

/** What a cell has once. */
const once = ['marking_codes', 'unit_marks', 'storage_numbers']

/** Puts a row that leaves into the other cell, as one of the stranger. */
async function addToStranger(table: string): Promise<void> {
  const [leaving] = await db.unsafe<{ row: object }[]>(
    `select to_jsonb(t) as row from ${table} t where coalesce(to_jsonb(t) ->> 'state', '') <> 'shipped' limit 1`,
  )
  assert.ok(leaving, table)
  const row = JSON.stringify({ ...leaving.row, client_id: stranger })
  await other.unsafe(
    `insert into ${table} select * from jsonb_populate_record(null::${table}, '${row.replaceAll("'", "''")}')`,
  )
}

// Guarantee (moving): A move that would bring a second marking code, mark or box number does not begin.
test('what must be there once is looked for before anything is held', async () => {
  const wanted = { warehouse, otherCode: 'NEW1' }
  for (const table of once) {
    await addToStranger(table)
    const refused = refusedWith(new RegExp(`^${table}: both cells have 1, such as `))
    await assert.rejects(planOf(there, wanted), refused)
    await assert.rejects(moveWarehouse(there, wanted), refused)
    await other.unsafe(`delete from ${table} where client_id = '${stranger}'`)
  }
  await assert.rejects(
    moveWarehouse(there, { warehouse, otherCode: 'OTHER' }),
    refusedWith(/has a warehouse OTHER: name another code/),
  )
  for (const cell of [db, other]) {
    assert.equal((await cell`select from warehouse_moves`).length, 0)
    assert.equal((await cell`select from pg_trigger where tgname like 'leaving_%'`).length, 0)
    assert.equal((await cell`select from clients where leaving`).length, 0)
  }
})

test('a warehouse of several clients arrives in a cell that is in use', async () => {
  // The scene has a place of that code, too.
  const place = { code: 'A-01', zone: '', order: 0 }
  await at(other, noon, (work) => addLocation(work, 'OTHER', place))
  const plan = await planOf(there, { warehouse, otherCode: 'NEW1' })
  assert.deepEqual([plan.clients, plan.comes_back], [2, false])
  const { move, renamed } = await moveWarehouse(there, { warehouse, otherCode: 'NEW1' })
  assert.deepEqual([...move.clients], [first, second].sort())
  assert.deepEqual(renamed, [{ login: 'anna', renamed: 'anna-new1-2' }])
  await assert.rejects(
    moveWarehouse(back, { warehouse: 'NEW1', otherCode: warehouse }),
    refusedWith(/has not ended: repeat its command in the other cell/),
  )
  await done(db, move)
  await agree()
})

const unitsOf = async (cell: Database, client: string) => {
  const [row] = await cell<[{ units: number }]>`
    select sum(quantity)::integer as units from stock_balances where client_id = ${client}`
  return row.units
}

// Guarantee (moving): A warehouse moves back with everything that happened since.
test('it comes back with what happened there, and works', async () => {
  await stockUp(other, second, { A: 10 })
  const joined = (await makeClient(other)).id
  await other`update clients set warehouse_code = 'NEW1' where id = ${joined}`
  await stockUp(other, joined, { N: 4 })
  await other`update staff_users set password_hash = 'changed' where id = ${anna}`
  const plan = await planOf(back, { warehouse: 'NEW1', otherCode: warehouse })
  assert.deepEqual([plan.clients, plan.comes_back], [3, true])
  await assert.rejects(
    moveWarehouse(back, { warehouse: 'NEW1', otherCode: 'ELSE' }),
    refusedWith(new RegExp(`left the other cell with warehouse ${warehouse}`)),
  )
  const { move, renamed } = await moveWarehouse(back, { warehouse: 'NEW1', otherCode: warehouse })
  // The other anna, who comes along.
  assert.deepEqual(renamed, [{ login: 'anna', renamed: `anna-${warehouse.toLowerCase()}` }])
  assert.equal((await db`select from pg_trigger where tgname like 'leaving_%'`).length, 0)
  await done(other, move)
  await agree()
  assert.equal(await unitsOf(db, second), 18)
  assert.equal(await unitsOf(db, joined), 4)
  const [person] = await db`select login, password_hash as hash from staff_users where id = ${anna}`
  assert.deepEqual(person, { login: 'anna', hash: 'changed' })
  await stockUp(db, second, { A: 1 })
  await stockUp(db, first, { A: 1 })
  await at(db, noon + 3 * 60_000, (work) => computeCharges(work, first))
  assert.equal(await unitsOf(db, second), 19)
  await assert.rejects(
    stockUp(other, second, { A: 1 }),
    (error) => sqlStateOf(error) === leavingRefusal,
  )
  await stockUp(other, stranger, { A: 1 })
  await agree()
})

test('it goes again', async () => {
  const { move } = await moveWarehouse(there, { warehouse, otherCode: 'NEW1' })
  await done(db, move)
  assert.equal(await unitsOf(other, second), 19)
  await stockUp(other, second, { A: 1 })
  await agree()
})

test('a client that changed its warehouse there is brought back to it first', async () => {
  await other`update clients set warehouse_code = 'OTHER' where id = ${second}`
  await assert.rejects(
    moveWarehouse(back, { warehouse: 'NEW1', otherCode: warehouse }),
    refusedWith(/is in another one here: bring it back to NEW1 first/),
  )
  assert.equal((await other`select from warehouse_moves where side = 'leaving'`).length, 0)
})
