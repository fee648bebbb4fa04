import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { refuseStrangers } from '../../src/operations/moving/conditions.ts'
import { cancelMove, moveWarehouse } from '../../src/operations/moving/move.ts'
import { findLeaving } from '../../src/operations/moving/moves.ts'
import { movedTables } from '../../src/operations/moving/tables.ts'
import { sqlStateOf } from '../../src/platform/db/connections/errors.ts'
import { leavingRefusal } from '../../src/platform/db/leaving.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { recordFingerprints } from '../../src/platform/process/secrets.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { buildScene, type Scene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

/** Tables of which rows are compared one by one before they are added, because the other cell may have them (merge.ts). */
const mergedTables = [
  'reasons',
  'seller_users',
  'staff_users',
  'staff_user_warehouses',
  'staff_tokens',
  'staff_devices',
  'staff_list_views',
  'notice_people',
] as const

/** Tables of which nothing is copied, each with the reason. */
const unmovedTables: Readonly<Record<string, string>> = {
  address_buckets: 'lost in a crash by design',
  rate_buckets: 'lost in a crash by design',
  marketplace_buckets: 'lost in a crash by design',
  sign_in_failures: 'lost in a crash by design',
  call_journal: 'read where the calls came; dropped after its time',
  photo_leftovers: 'deleted by the cell that removed the photos',
  notice_letters: 'leave from the cell in which they were begun',
  retention_clock: 'of the database',
  schema_migrations: 'compared',
  secret_fingerprints: 'compared',
  warehouse_moves: 'written by the move',
  service_switches: 'of the cell',
  telegram_feed: 'each cell has a bot of its own',
  seller_sessions: 'people sign in at the host of their cell',
  staff_sessions: 'people sign in at the host of their cell',
  sign_in_places: 'of the cell',
  sandboxes: 'of test clients',
  sandbox_received: 'of test clients',
  sandbox_receivers: 'of test clients',
  sandbox_scenarios: 'of test clients',
}

const { db } = await testDatabase()
const { db: other } = await testDatabase()

let scene: Scene
let warehouse = ''
let staying = ''

async function addUser(cell: typeof db, login: string, role: string): Promise<void> {
  await cell`
    insert into staff_users (id, login, role, password_hash, created_at)
    values (${newId()}, ${login}, ${role}, 'hash', now())`
}

before(async () => {
  scene = await buildScene(db)
  const [row] = await db<{ code: string }[]>`
    select warehouse_code as code from clients where id = ${scene.client}`
  warehouse = row?.code ?? ''
  await db`insert into warehouses (code, name, created_at) values ('STAYS', 'Остаётся', now())`
  staying = (await makeClient(db)).id
  await db`update clients set warehouse_code = 'STAYS' where id = ${staying}`
  await stockUp(db, staying, { A: 3 })
  await addUser(db, 'anna', 'worker')
  await addUser(db, 'boss', 'administrator')
  await addUser(other, 'anna', 'worker')
})

test('a move knows every table', async () => {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`
  const known = [...Object.keys(movedTables), ...mergedTables, ...Object.keys(unmovedTables)]
  assert.deepEqual(known.toSorted(), tables.map(({ name }) => name).sort())
})

const progress: string[] = []
const parts = { db, other, progress: (line: string) => void progress.push(line) }

test('a move that is given up leaves nothing behind', async () => {
  const broken = {
    ...parts,
    progress(line: string) {
      if (line === 'held: writes of the warehouse are refused') throw new Error('broken off')
    },
  }
  await assert.rejects(moveWarehouse(broken, { warehouse, otherCode: warehouse }), /broken off/)
  await assert.rejects(
    db`update clients set name = 'x' where id = ${scene.client}`,
    (error) => sqlStateOf(error) === leavingRefusal,
  )
  await cancelMove(parts, warehouse)
  await db`update clients set name = name where id = ${scene.client}`
  const triggers = await db`select from pg_trigger where tgname like 'leaving_%'`
  assert.equal(triggers.length, 0)
  assert.equal(await findLeaving(db, warehouse), undefined)
})

const appendOnly = '23001'

/** Moved tables with rows here that somebody could still write. */
async function unheld(): Promise<string[]> {
  const moved = { clients: [scene.client], warehouse, warehouses: [warehouse] }
  const written = []
  for (const [table, { held, rows }] of Object.entries(movedTables)) {
    const rule = held.find((each) => each.startsWith('update'))
    if (rule === undefined) continue
    const column = rule.match(/^update of (\w+)/)?.[1] ?? rows(moved).split(' ')[0]
    const write = `update ${table} set ${column} = ${column} where ${rows(moved)} returning ${column}`
    const outcome = await db.unsafe(write).then(
      (changed) => changed.length === 0,
      (error) => [leavingRefusal, appendOnly].includes(sqlStateOf(error) ?? ''),
    )
    if (!outcome) written.push(table)
  }
  return written
}

test('a warehouse arrives with all its rows, and both cells agree with themselves', async () => {
  const { move, renamed } = await moveWarehouse(parts, { warehouse, otherCode: 'NEW1' })
  assert.deepEqual(move.clients, [scene.client])
  assert.deepEqual(renamed, [{ login: 'anna', renamed: 'anna-new1' }])
  const people = await other`
    select u.login, u.active, u.password_hash is not null as signs_in, w.warehouse_code as code
    from staff_users u left join staff_user_warehouses w on w.user_id = u.id order by u.login`
  assert.deepEqual(
    people.map((person) => Object.values(person)),
    [
      ['anna', true, true, null],
      ['anna-new1', true, true, 'NEW1'],
      ['boss', false, false, 'NEW1'],
    ],
  )
  assert.ok(progress.some((line) => /^compared: \d+ rows/.test(line)))
  assert.deepEqual((await audit(other)).findings, [])
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(await unheld(), [])
  const numbers = async (rows: typeof db) => {
    const [max] = await rows<{ last: number }[]>`
      select max(id) as last from stock_movements where client_id = ${scene.client}`
    return max?.last ?? 0
  }
  const [row] = await other<{ code: string; mode: string }[]>`
    select warehouse_code as code, mode from clients where id = ${scene.client}`
  assert.deepEqual(row, { code: 'NEW1', mode: 'live' })
  await assert.rejects(
    stockUp(db, scene.client, { A: 1 }),
    (error) => sqlStateOf(error) === leavingRefusal,
  )
  await stockUp(db, staying, { A: 1 })
  const before = await numbers(other)
  assert.equal(before, await numbers(db))
  await stockUp(other, scene.client, { A: 1 })
  await at(other, noon + 3 * 60_000, (work) => computeCharges(work, scene.client))
  assert.ok((await numbers(other)) > before)
  assert.deepEqual((await audit(other)).findings, [])
})

test('cells of other secrets, and a cell itself, are refused', async () => {
  await assert.rejects(refuseStrangers({ db, other }, ['a']), /start the service/)
  await recordFingerprints(other, { fingerprints: ['new', 'a'] })
  await refuseStrangers({ db, other }, ['a'])
  await assert.rejects(refuseStrangers({ db, other }, ['a', 'b']), /add the keys/)
  await assert.rejects(refuseStrangers({ db, other: db }, ['a']), /of this cell/)
})
