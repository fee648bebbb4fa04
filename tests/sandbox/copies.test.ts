import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import { testDatabase } from '../support/database.ts'
import { issuedTo } from '../support/scenario.ts'
import { at, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })
const clock = new ManualClock(noon)
const turns = openClientTurns(10)
const sandbox = openSandbox({ db, clock, turns, idleHours: 24 })
await sandbox.build()

const hour = 60 * 60 * 1000

const newClient = () => issuedTo(db, sandbox)

/** The fields of orders that a seller sees, except ids. */
function visible(clientId: string, move = 0) {
  return db`
    select external_id, status, supplier_status, buyer_status, barcode, is_b2b,
      created_at - ${move}::float8 * interval '1 millisecond' as created_at, packed_at is null as open
    from orders where client_id = ${clientId} order by external_id`
}

async function orderCount(clientId: string): Promise<number> {
  const [row] = await db<[{ n: number }]>`
    select count(*)::int as n from orders where client_id = ${clientId}`
  return row.n
}

test('two concurrent first requests make one copy', async () => {
  const client = await newClient()
  await Promise.all(Array.from({ length: 5 }, () => sandbox.prepare(client)))
  const [scenario] = await db<{ client_id: string }[]>`select client_id from sandbox_scenarios`
  assert.equal(await orderCount(client), await orderCount(scenario?.client_id ?? ''))
})

test('copies differ only in ids and in the moment they move to', async () => {
  const first = await newClient()
  await sandbox.prepare(first)
  clock.advance(50 * hour)
  const second = await newClient()
  await sandbox.prepare(second)
  assert.deepEqual([...(await visible(second, 50 * hour))], [...(await visible(first))])
  const shared = await db`
    select id from orders where client_id = ${first}
    intersect select id from orders where client_id = ${second}`
  assert.equal(shared.length, 0)
})

test('the days of a copy fit the day on which it is made, at any hour', async () => {
  for (const time of ['00:01', '11:59', '12:01', '23:59']) {
    const moment = new ManualClock(Date.parse(`2026-12-03T${time}:00+03:00`))
    const client = await newClient()
    await openSandbox({ db, clock: moment, turns, idleHours: 24 }).prepare(client)
    const rows = await db`
      select day::text, count(*)::int as batches from return_batches
      where client_id = ${client} and status = 'OPEN' group by day`
    assert.deepEqual([...rows], [{ day: '2026-12-03', batches: 1 }], time)
  }
})

test('a copy has the act of a month that ended, on the first and on the last day of any month', async () => {
  const then = new ManualClock(noon)
  const copied = openSandbox({ db, clock: then, turns, idleHours: 24 })
  let last = ''
  for (const moment of [
    '2026-12-01T00:00:00.000',
    '2026-12-31T23:59:59.999',
    '2027-01-01T00:00:00.500',
    '2027-02-28T12:00:00.000',
    '2027-03-01T12:00:00.000',
    '2027-03-31T00:00:30.000',
  ]) {
    then.set(Date.parse(`${moment}+03:00`))
    const client = await newClient()
    last = client
    await copied.prepare(client)
    const acts = await db<{ month: string; amount: number }[]>`
      select month, amount from acts where client_id = ${client} order by month`
    assert.ok(acts.length > 0, moment)
    for (const { month, amount } of acts) {
      assert.ok(month < moment.slice(0, 8), `${moment}: ${month}`)
      assert.ok(amount >= 500_000 || month !== acts[0]?.month, `${moment}: ${amount}`)
    }
    const [open] = await db`
      select from billing_periods where client_id = ${client} and closed_at is null
        and month = ${`${moment.slice(0, 8)}01`}`
    assert.ok(open, `${moment}: the month is not open`)
  }
  await copied.reset(last)
  // Without statistics the audit's plans are bad ones.
  await db`analyze`.affected()
  assert.deepEqual((await audit(db, then)).findings, [])
})

test('a copy is not made of a scenario that is gone, and the next call restores it', async () => {
  const [first, second] = [await newClient(), await newClient()]
  await sandbox.prepare(first)
  await db`delete from sandbox_scenarios`
  await assert.rejects(sandbox.prepare(second), /not in the database any more/)
  await sandbox.prepare(second)
  assert.equal(await orderCount(second), await orderCount(first))
})

test('the scenario has every status of every enumeration, and both kinds of goods and orders', async () => {
  const client = await newClient()
  await sandbox.prepare(client)
  const [row] = await db`
    select
      (select count(distinct status)::int from orders where client_id = ${client}) as orders,
      (select count(distinct status)::int from shipments where client_id = ${client}) as shipments,
      (select count(distinct status)::int from receipts where client_id = ${client}) as receipts,
      (select count(*)::int from receipts where client_id = ${client} and source is null) as old,
      (select count(distinct source)::int from receipts where client_id = ${client}) as sources,
      (select count(*)::int from products where client_id = ${client}) as products,
      (select count(*)::int from products where client_id = ${client} and honest_mark) > 3 as marked,
      (select count(*)::int from orders where client_id = ${client} and is_b2b) > 10 as b2b,
      (select sum(in_question)::int from stock_balances where client_id = ${client}) > 0 as questions,
      (select count(*)::int from cabinets where client_id = ${client} and sync_error is not null) as errors`
  assert.deepEqual(
    { ...row },
    {
      orders: 6,
      shipments: 3,
      receipts: 5,
      old: 1,
      sources: 3,
      products: 24,
      marked: true,
      b2b: true,
      questions: true,
      errors: 1,
    },
  )
})

test('a reset restores the scenario and deletes what the key made', async () => {
  const client = await newClient()
  await sandbox.prepare(client)
  const before = await visible(client)
  const [cabinet] = await db<{ id: string }[]>`
    select id from cabinets where client_id = ${client} limit 1`
  await at(db, clock.now(), (work) =>
    requestReceipt(
      work,
      { clientId: client, keyId: newId(), requestId: newId() },
      {
        cabinet_id: cabinet?.id ?? '',
        external_ref: 'own',
        items: [{ barcode: 'x', name: 'x', qty: 1, honest_mark: false }],
      },
    ),
  )
  await Promise.all([sandbox.reset(client), sandbox.reset(client)])
  assert.deepEqual([...(await visible(client))], [...before])
  const own = await db`select id from receipts where client_id = ${client} and external_ref = 'own'`
  assert.equal(own.length, 0)
})

test('a copy is deleted after a day without requests and made again by the next request', async () => {
  const [idle, used] = [await newClient(), await newClient()]
  await sandbox.prepare(idle)
  await sandbox.prepare(used)
  clock.advance(25 * hour)
  await db`
    update sandboxes set last_request_at = now() + interval '10 years' where client_id <> ${idle}`
  assert.equal(await sandbox.sweep(), 1)
  assert.equal(await orderCount(idle), 0)
  assert.ok((await orderCount(used)) > 0)
  await sandbox.prepare(idle)
  assert.ok((await orderCount(idle)) > 0)
})

test('a copy that a process of an older version made beside this one is deleted, and made again by the next request', async () => {
  const [before, beside, renewed] = [await newClient(), await newClient(), await newClient()]
  for (const client of [before, beside, renewed]) await sandbox.prepare(client)
  assert.equal(await sandbox.sweep(), 0)
  const [{ applied }] = await db<[{ applied: Date }]>`
    select max(applied_at) as applied from schema_migrations`
  // It says when it made the copy, and nothing of the schema. The second one was of this version once.
  await db`
    update sandboxes set copied_at = ${applied}::timestamptz - interval '1 second', made_at = null, made_schema = null
    where client_id = ${before}`.affected()
  await db`
    update sandboxes set copied_at = ${applied}::timestamptz + interval '1 second'
    where client_id = any(${[beside, renewed]})`.affected()
  // Its order of tables was another: units left before their orders were there.
  await db`
    update sales_tallies set shipped = 0 where client_id = ${beside} and shipped > 0`.affected()
  await db`update sales_days set shipped = 0 where client_id = ${beside}`.affected()
  // Those before are in the audit at the end.
  assert.notDeepEqual((await audit(db)).findings, [])
  assert.equal(await sandbox.sweep(), 2)
  assert.deepEqual((await audit(db)).findings, [])
  assert.ok((await orderCount(before)) > 0)
  assert.equal(await orderCount(beside), 0)
  await sandbox.prepare(beside)
  assert.ok((await orderCount(beside)) > 0)
  assert.equal(await sandbox.sweep(), 0)
})

test('the audit finds nothing in the scenario and its copies', async () => {
  assert.deepEqual((await audit(db)).findings, [])
})
