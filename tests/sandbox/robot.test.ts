import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { reconcile } from '../../src/operations/maintenance.ts'
import { perform } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { fromTimestamp, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { openRobot } from '../../src/sandbox/robot/robot.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import { preparedFor, scenarioDatabase } from '../support/scenario.ts'
import { noon } from '../support/warehouse.ts'

const { db } = await scenarioDatabase()
const clock = new ManualClock(noon)
const turns = openClientTurns(10)
const sandbox = openSandbox({ db, clock, turns, idleHours: 24 })
const failures: unknown[] = []
const log = { error: ({ err }: { err: unknown }) => failures.push(err) }
const newRobot = () => openRobot({ db, clock, log })
const robot = newRobot()

const second = 1000
const minute = 60 * second

const newClient = () => preparedFor(db, sandbox)

interface Item {
  readonly barcode: string
  readonly qty: number
}

async function request(clientId: string, ref: string, items: readonly Item[]) {
  const [cabinet] = await db<{ id: string }[]>`
    select id from cabinets where client_id = ${clientId} and marketplace = 'WB'`
  return perform(db, clock, { kind: 'service' }, (work) =>
    requestReceipt(
      work,
      { clientId, keyId: newId(), requestId: newId() },
      {
        cabinet_id: cabinet?.id ?? '',
        external_ref: ref,
        items: items.map((item) => ({ ...item, name: item.barcode, honest_mark: false })),
      },
    ),
  )
}

/** Advances the clock in steps and runs the robot in each. */
async function pass(ms: number, stepMs: number, round = robot.runOnce): Promise<void> {
  for (let gone = 0; gone < ms; gone += stepMs) {
    clock.advance(stepMs)
    await round()
  }
}

/** A request with the sandbox's key, as the call journal records it. */
function touch(...clients: string[]) {
  return db`
    update sandboxes set last_request_at = ${toTimestamp(clock.now())}
    where client_id = any(${clients})`
}

/** All receipts, and the scenario's orders and shipments except those of the open WB shipment. */
function scenarioOf(clientId: string) {
  return db`
    select 'receipt' as what, r.id, r.status, r.completed_at as at from receipts r
    where r.client_id = ${clientId} and r.external_ref is distinct from 'own'
    union all
    select 'order', o.id, o.status, o.status_changed_at from orders o
    join sandboxes b on b.client_id = o.client_id
    left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    where o.client_id = ${clientId} and o.created_at < b.copied_at
      and (s.id is null or s.marketplace = 'OZON' or s.closed_at <= b.copied_at)
    order by 1, 2`
}

async function figures(clientId: string) {
  const [row] = await db<
    [{ own: number; sold: number; closed: number; accepted: number; open: number; polled: boolean }]
  >`
    select
      count(*) filter (where o.created_at > b.copied_at)::int as own,
      count(*) filter (where o.created_at > b.copied_at and o.status = 'COMPLETED')::int as sold,
      (select count(*)::int from shipments s
        where s.client_id = b.client_id and s.closed_at > b.copied_at) as closed,
      (select count(*)::int from shipments s
        where s.client_id = b.client_id and s.accepted_at > b.copied_at
          and s.marketplace = 'WB') as accepted,
      (select count(*)::int from shipments s
        where s.client_id = b.client_id and s.status = 'ASSEMBLING'
          and s.marketplace = 'WB') as open,
      (select k.synced_at > b.copied_at from cabinets k
        where k.client_id = b.client_id and k.marketplace = 'WB') as polled
    from sandboxes b join orders o on o.client_id = b.client_id
    where b.client_id = ${clientId} group by b.client_id, b.copied_at`
  return row
}

async function assertSound(): Promise<void> {
  assert.deepEqual(failures, [])
  assert.equal(await reconcile(db, clock), 0, 'something was not announced')
  assert.deepEqual((await audit(db)).findings, [])
}

test('the robot confirms a request after a minute and counts it by the rules within three', async () => {
  const client = await newClient()
  const { receipt } = await request(client, 'own', [
    { barcode: 'rule-plain', qty: 20 },
    { barcode: 'rule-one', qty: 1 },
    { barcode: 'rule-13', qty: 113 },
    { barcode: 'rule-17', qty: 17 },
    { barcode: 'rule-19', qty: 19 },
    { barcode: 'rule-MISSING', qty: 13 },
  ])
  const statuses = new Map<string, number>()
  await pass(3 * minute, 5 * second, async () => {
    await robot.runOnce()
    const now = await findReceipt(db, client, receipt.id)
    const age = clock.now() - fromTimestamp(receipt.created_at)
    if (now !== undefined && !statuses.has(now.status)) statuses.set(now.status, age)
  })
  assert.deepEqual(
    [...statuses.keys()],
    ['PENDING_CONFIRMATION', 'EXPECTED', 'RECEIVING', 'RECEIVED_WITH_DISCREPANCY'],
  )
  assert.ok((statuses.get('EXPECTED') ?? 0) > 60 * second)
  const done = await findReceipt(db, client, receipt.id)
  assert.deepEqual(
    done?.items?.map((item) => [item.barcode, item.accepted_qty, item.shortage_reason]),
    [
      ['rule-plain', 20, undefined],
      ['rule-one', 1, undefined],
      ['rule-13', 112, 'Товар повреждён'],
      ['rule-17', 15, 'Товар не привезён'],
      ['rule-19', 20, undefined],
      ['rule-MISSING', 0, 'Товар не привезён'],
    ],
  )
  const [surplus] = await db`
    select in_question from stock_balances where client_id = ${client} and barcode = 'rule-19'`
  assert.equal(surplus?.in_question, 1)
  await assertSound()
})

test('counted goods go onto the shelves, to others of the same goods where there are some', async () => {
  const client = await newClient()
  await request(client, 'own', [
    { barcode: 'shelved-13', qty: 13 },
    { barcode: 'shelved-MISSING', qty: 5 },
  ])
  await pass(3 * minute, 10 * second)
  const shelved = () => db<{ barcode: string; units: number; location_id: string }[]>`
    select barcode, quantity as units, location_id from location_contents
    where client_id = ${client} and barcode like 'shelved%' order by barcode`
  const [line, ...others] = await shelved()
  assert.deepEqual([line?.barcode, line?.units, others], ['shelved-13', 12, []])

  await touch(client)
  await request(client, 'own', [
    { barcode: 'first', qty: 1 },
    { barcode: 'shelved-13', qty: 4 },
  ])
  await pass(3 * minute, 10 * second)
  assert.deepEqual([...(await shelved())], [{ ...line, units: 16 }])
  await assertSound()
})

test('every half hour the robot counts another shelf and finds what lies there', async () => {
  const client = await newClient()
  const counts = () => db<
    { status: string; location_ids: string[]; goods: number; differing: number }[]
  >`
    select k.status, k.location_ids, count(l.barcode)::int as goods,
      count(*) filter (where l.counted not between l.expected_min and l.expected_max)::int as differing
    from stock_counts k
    join sandboxes b on b.client_id = k.client_id and k.created_at > b.copied_at
    left join count_lines l on l.client_id = k.client_id and l.count_id = k.id
    where k.client_id = ${client} group by k.client_id, k.id order by k.created_at`
  for (let half = 0; half < 3; half++) {
    await touch(client)
    await pass(10 * minute, 30 * second)
    await touch(client)
    await pass(10 * minute, 30 * second)
    await touch(client)
    await pass(10 * minute, 30 * second)
  }
  const made = await counts()
  assert.equal(made.length, 3)
  for (const { status, goods, differing } of made) {
    assert.deepEqual([status, differing], ['CLOSED', 0])
    assert.ok(goods > 0)
  }
  assert.equal(new Set(made.flatMap(({ location_ids }) => location_ids)).size, 3)
  await assertSound()
})

test('a receipt without differences ends RECEIVED, also with many lines', async () => {
  const client = await newClient()
  const items = Array.from({ length: 150 }, (_, n) => ({ barcode: `long-${n}`, qty: 2 }))
  const { receipt } = await request(client, 'own', items)
  await pass(3 * minute, 10 * second)
  const done = await findReceipt(db, client, receipt.id)
  assert.equal(done?.status, 'RECEIVED')
  assert.equal(done.accepted_qty, 300)
  await assertSound()
})

test('a repeated request within the first minute returns the same receipt, a later one a new receipt', async () => {
  const client = await newClient()
  const items = [{ barcode: 'again', qty: 1 }]
  const first = await request(client, 'own', items)
  await pass(60 * second, 20 * second)
  const repeat = await request(client, 'own', items)
  assert.deepEqual([repeat.created, repeat.receipt.id], [false, first.receipt.id])
  await pass(15 * second, 5 * second)
  assert.ok((await request(client, 'own', items)).created)
})

test('the robot changes nothing of the scenario but the open WB shipment', async () => {
  const client = await newClient()
  const before = await scenarioOf(client)
  assert.ok(before.length > 1000)
  await request(client, 'own', [{ barcode: 'x', qty: 1 }])
  await pass(14 * minute, 30 * second)
  assert.deepEqual([...(await scenarioOf(client))], [...before])
})

test('two robots play hours of two sandboxes at once, and the audit finds nothing', async () => {
  const [one, two] = [await newClient(), await newClient()]
  const another = newRobot()
  const before = await scenarioOf(one)
  for (let tenth = 0; tenth < 13; tenth++) {
    await touch(one, two)
    await request(one, 'own', [
      { barcode: `ten-${tenth}`, qty: 19 },
      { barcode: 'ten', qty: 2 },
    ])
    if (tenth === 6) await sandbox.reset(two)
    for (let round = 0; round < 15; round++) {
      clock.advance(40 * second)
      const meanwhile =
        round % 5 === 4 ? [request(two, `own ${round}`, [{ barcode: 'y', qty: 17 }])] : []
      await Promise.all([robot.runOnce(), another.runOnce(), ...meanwhile])
    }
  }
  const life = await figures(one)
  assert.ok(life.own > 40 && life.sold > 10, JSON.stringify(life))
  assert.ok(life.closed >= 3 && life.accepted >= 2 && life.open <= 1, JSON.stringify(life))
  assert.ok(life.polled)
  assert.deepEqual([...(await scenarioOf(one))], [...before])
  const [open] = await db<[{ n: number }]>`
    select count(*)::int as n from receipts
    where client_id = ${one} and external_ref = 'own' and completed_at is null`
  assert.equal(open.n, 0)
  await assertSound()
})

test('resets during ticks break neither the sandbox nor the robot', async () => {
  const client = await newClient()
  await request(client, 'own', [{ barcode: 'x', qty: 17 }])
  clock.advance(2 * minute)
  for (let n = 0; n < 4; n++) {
    clock.advance(2 * minute)
    await Promise.all([robot.runOnce(), sandbox.reset(client), robot.runOnce()])
    await request(client, 'own', [{ barcode: 'x', qty: 17 }])
  }
  await assertSound()
})

test('an idle sandbox pauses, and continues step by step when it is used again', async () => {
  const client = await newClient()
  await pass(5 * minute, 30 * second)
  const quiet = await figures(client)
  assert.ok(quiet.own > 0)
  const { receipt } = await request(client, 'own', [{ barcode: 'x', qty: 2 }])
  clock.advance(5 * 60 * minute)
  await robot.runOnce()
  assert.deepEqual(await figures(client), quiet)
  assert.equal((await findReceipt(db, client, receipt.id))?.status, 'PENDING_CONFIRMATION')

  await touch(client)
  await robot.runOnce()
  assert.equal((await findReceipt(db, client, receipt.id))?.status, 'EXPECTED')
  assert.ok((await figures(client)).own <= quiet.own + 3)
})
