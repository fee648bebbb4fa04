import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as byHandVerbs from '../../src/exchange/marketplaces/intake/manual-orders.ts'
import { readWildberriesStatus } from '../../src/exchange/marketplaces/wildberries/status.ts'
import { reconcile } from '../../src/operations/maintenance.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import * as intakeVerbs from '../../src/warehouse/orders/intake.ts'
import { findOrder } from '../../src/warehouse/orders/queries.ts'
import * as readingVerbs from '../../src/warehouse/orders/readings.ts'
import * as missVerbs from '../../src/warehouse/picking/misses.ts'
import * as pickVerbs from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import * as countingVerbs from '../../src/warehouse/receipts/counting.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import * as registerVerbs from '../../src/warehouse/receipts/register.ts'
import * as requestVerbs from '../../src/warehouse/receipts/request.ts'
import * as undoingVerbs from '../../src/warehouse/receipts/undoing.ts'
import * as receiptVerbs from '../../src/warehouse/receipts/verbs.ts'
import * as walkInVerbs from '../../src/warehouse/receipts/walk-in.ts'
import { findShipment } from '../../src/warehouse/shipments/queries.ts'
import { cancelShipment } from '../../src/warehouse/shipments/removal.ts'
import { bringBackOrders } from '../../src/warehouse/shipments/reshipment.ts'
import { followSplit, splitOrder } from '../../src/warehouse/shipments/splitting.ts'
import * as shipmentVerbs from '../../src/warehouse/shipments/verbs.ts'
import { testDatabase } from '../support/database.ts'
import { addSubscription } from '../support/subscription.ts'
import { at, makeClient, newOrder, noon, orderIds, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })

const verbs = {
  ...requestVerbs,
  ...registerVerbs,
  ...countingVerbs,
  ...undoingVerbs,
  ...receiptVerbs,
  ...walkInVerbs,
  ...shipmentVerbs,
  bringBackOrders,
  cancelShipment,
  splitOrder,
  followSplit,
  ...intakeVerbs,
  ...readingVerbs,
  ...pickVerbs,
  ...missVerbs,
  pickingTaskOf,
  ...byHandVerbs,
}

/** Exports of the verbs' files that change nothing. */
const reads = ['observedMessage', 'withBarcodesOfArticles']

interface EventRow {
  id: string
  type: string
  occurred_at: string
  body: string
  webhooks: string[]
}

async function eventsOf(clientId: string): Promise<EventRow[]> {
  const rows = await db<EventRow[]>`
    select e.id, e.type, e.occurred_at, e.body,
      array(select d.webhook_id::text from webhook_deliveries d
        where d.client_id = e.client_id and d.event_id = e.id) as webhooks
    from events e where e.client_id = ${clientId} order by e.number`
  return [...rows]
}

async function unannounced(): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from (
      select 1 from receipts where announced_status is distinct from status
      union all select 1 from shipments where announced_status is distinct from status
      union all select 1 from orders where announced_status is distinct from status) as each`
  return row.count
}

/** An expected event: its type, the object and, for a changed status, the status before. */
type Expected = readonly [type: string, id: string, previous?: string]

/** The expected body, made from the object that GET shows now. */
async function expectedBody(clientId: string, event: EventRow, [type, id, previous]: Expected) {
  const find = { receipt: findReceipt, shipment: findShipment, order: findOrder }[
    type.split('.')[0] ?? ''
  ]
  assert.ok(find, type)
  const object = await find(db, clientId, id)
  assert.ok(object)
  const data = previous === undefined ? object : { object, previous_status: previous }
  return JSON.stringify({ id: event.id, type, occurred_at: event.occurred_at, data })
}

async function assertEvents(
  clientId: string,
  events: readonly EventRow[],
  expected: readonly Expected[],
  what: string,
): Promise<void> {
  assert.deepEqual(
    events.map(({ type }) => type).sort(),
    expected.map(([type]) => type).sort(),
    what,
  )
  const left = new Set(events)
  for (const each of expected) {
    const event = [...left].find(({ type, body }) => type === each[0] && body.includes(each[1]))
    assert.ok(event, `${what}: no ${each[0]} of ${each[1]}`)
    assert.equal(event.body, await expectedBody(clientId, event, each), what)
    left.delete(event)
  }
}

// Guarantee (events): Every change of status has its event, in the transaction of the change.
test('each verb that changes a status writes its event, with the object as GET shows it', async () => {
  const { id: client, cabinets } = await makeClient(db)
  const cabinet = cabinets[0] ?? ''
  await stockUp(db, client, { A: 10 })
  const { id: subscription } = await addSubscription(db, client)
  const disabled = await addSubscription(db, client)
  await db`update webhook_subscriptions set disabled_at = now() where id = ${disabled.id}`
  const other = await makeClient(db)
  await addSubscription(db, other.id)

  let now = noon
  const played = new Set<string>()
  /** Runs one verb and compares its events with the expected ones. */
  async function play<Name extends keyof typeof verbs, T>(
    name: Name,
    run: (verb: (typeof verbs)[Name], work: Parameters<Parameters<typeof at>[2]>[0]) => Promise<T>,
    expected: (result: T) => readonly Expected[],
  ): Promise<T> {
    played.add(name)
    now += 1000
    const before = new Set((await eventsOf(client)).map(({ id }) => id))
    const result = await at(db, now, (work) => run(verbs[name], work))
    const events = (await eventsOf(client)).filter(({ id }) => !before.has(id))
    await assertEvents(client, events, expected(result), name)
    for (const event of events) {
      assert.deepEqual(event.webhooks, [subscription], 'one delivery, for the active subscription')
      assert.equal(event.occurred_at, toTimestamp(now))
    }
    assert.equal(await unannounced(), 0, name)
    return result
  }

  const requester = { clientId: client, keyId: newId(), requestId: newId() }
  const items = [
    { barcode: 'Ж-1', name: 'Плед «Ёлка» 🎄', qty: 2, honest_mark: false },
    { barcode: 'Ж-2', name: 'Кружка', article: 'M/1', qty: 1, honest_mark: false },
  ]
  const draft = { external_ref: 'УПД "1"', comment: 'Строка\n\u2028вторая', items }
  const { receipt } = await play(
    'requestReceipt',
    (verb, work) => verb(work, requester, draft),
    (made) => [['receipt.created', made.receipt.id]],
  )
  await play(
    'requestReceipt',
    (verb, work) => verb(work, requester, draft),
    () => [],
  )
  await play(
    'requestReceipts',
    (verb, work) =>
      verb(
        work,
        ['УПД 2', 'УПД 3'].map((external_ref) => ({
          requester,
          draft: { ...draft, external_ref },
        })),
      ),
    (verdicts) =>
      verdicts.flatMap((verdict) =>
        verdict.kind === 'done' ? [['receipt.created', verdict.result.receipt.id]] : [],
      ),
  )
  const manual = await play(
    'registerReceipt',
    (verb, work) =>
      verb(work, client, { source: 'manual', items: [{ barcode: 'B', name: 'Б', qty: 4 }] }),
    (id) => [['receipt.created', id]],
  )
  await play(
    'confirmReceipt',
    (verb, work) => verb(work, client, receipt.id),
    () => [['receipt.confirmed', receipt.id]],
  )
  for (const id of [receipt.id, manual]) {
    await play(
      'startReceiving',
      (verb, work) => verb(work, client, id),
      () => [['receipt.status_changed', id, 'EXPECTED']],
    )
  }
  for (const scan of [
    { scanId: '1', barcode: 'Ж-1', units: 2 },
    { scanId: '2', barcode: 'Ж-2', units: 1 },
    { scanId: '3', barcode: 'Ж-2', units: 1 },
  ]) {
    await play(
      'countScan',
      (verb, work) => verb(work, client, receipt.id, scan),
      () => [],
    )
  }
  await play(
    'countScans',
    (verb, work) =>
      verb(work, [
        {
          clientId: client,
          receiptId: receipt.id,
          actor: work.actor,
          scanId: '4',
          barcode: 'Ж-1',
        },
      ]),
    () => [],
  )
  await play(
    'undoScan',
    (verb, work) => verb(work, client, receipt.id, '3'),
    () => [],
  )
  await play(
    'finishReceiving',
    (verb, work) => verb(work, client, receipt.id, new Map()),
    () => [['receipt.completed', receipt.id]],
  )
  await play(
    'finishReceiving',
    (verb, work) => verb(work, client, manual, new Map([['B', 'DAMAGED']])),
    () => [['receipt.completed', manual]],
  )
  const unexpected = await play(
    'openWalkIn',
    (verb, work) => verb(work, client, {}),
    ({ id }) => [['receipt.created', id]],
  )
  await play(
    'countScan',
    (verb, work) => verb(work, client, unexpected.id, { scanId: '1', barcode: 'Ж-1' }),
    () => [],
  )
  await play(
    'approveReceipt',
    (verb, work) => verb(work, client, unexpected.id),
    () => [],
  )
  const late = await at(db, now, (work) =>
    registerVerbs.registerReceipt(work, client, {
      source: 'manual',
      items: [{ barcode: 'B', qty: 4 }],
    }),
  )
  await play(
    'cancelReceipt',
    (verb, work) => verb(work, client, late),
    () => [['receipt.completed', late]],
  )

  const drafts = [1, 2, 3, 4].map((n) => newOrder(`A${n}`, 'A'))
  await play(
    'takeInOrders',
    (verb, work) => verb(work, client, cabinet, drafts),
    () => [],
  )
  const [first = '', second = '', third = '', fourth = ''] = await orderIds(db, client)
  const cancelled = readWildberriesStatus({ supplier: 'new', buyer: 'canceled' })
  await play(
    'takeInOrders',
    (verb, work) => verb(work, client, cabinet, [{ ...newOrder('A4', 'A'), reading: cancelled }]),
    () => [['order.status_changed', fourth, 'NEW']],
  )
  const shipment = await play(
    'openShipment',
    (verb, work) => verb(work, client, { cabinetId: cabinet, externalId: 'WB-GI-1' }),
    () => [],
  )
  await play(
    'addOrders',
    (verb, work) => verb(work, client, shipment, [first, second, third]),
    () => [first, second, third].map((id) => ['order.status_changed', id, 'NEW'] as const),
  )
  await play(
    'removeOrder',
    (verb, work) => verb(work, client, shipment, third),
    () => [['order.status_changed', third, 'ASSEMBLING']],
  )
  await play(
    'addOrders',
    (verb, work) => verb(work, client, shipment, [third]),
    () => [['order.status_changed', third, 'NEW']],
  )
  const task = await play(
    'pickingTaskOf',
    (verb, work) => verb(work, client, shipment),
    () => [],
  )
  await play(
    'reportNotFound',
    (verb, work) => verb(work, client, task, { orderId: third, reason: 'EMPTY_LOCATION' }),
    () => [],
  )
  const report = (number: string, supplier: string, buyer: string, expected: readonly Expected[]) =>
    play(
      'applyReadings',
      (verb, work) =>
        verb(work, client, cabinet, [
          { externalId: number, reading: readWildberriesStatus({ supplier, buyer }) },
        ]),
      () => expected,
    )
  await report('A3', 'confirm', 'canceled', [['order.status_changed', third, 'ASSEMBLING']])
  await report('A3', 'confirm', 'canceled', [])
  const picks = [first, second].map((orderId) => ({ scanId: orderId, orderId, barcode: 'A' }))
  await play(
    'pickUnits',
    (verb, work) => verb(work, client, task, picks),
    () => [],
  )
  await play(
    'pickTogether',
    (verb, work) =>
      verb(
        work,
        picks.map((pick) => ({ ...pick, clientId: client, taskId: task, actor: work.actor })),
      ),
    () => [],
  )
  await play(
    'closeShipment',
    (verb, work) => verb(work, client, shipment),
    () => [
      ['shipment.status_changed', shipment, 'ASSEMBLING'],
      ['order.status_changed', first, 'ASSEMBLING'],
      ['order.status_changed', second, 'ASSEMBLING'],
    ],
  )
  await play(
    'acceptShipment',
    (verb, work) => verb(work, client, shipment),
    () => [['shipment.status_changed', shipment, 'HANDED_OVER']],
  )
  await play(
    'bringBackOrders',
    (verb, work) => verb(work, client, cabinet, [{ externalId: 'A2', supply: 'WB-GI-1' }]),
    () => [['order.status_changed', second, 'IN_DELIVERY']],
  )
  const [fifth = ''] = await play(
    'takeInOrders',
    (verb, work) => verb(work, client, cabinet, [newOrder('A6', 'A')]),
    () => [],
  ).then(() => orderIds(db, client).then((ids) => ids.slice(-1)))
  const cancelledShipment = await play(
    'openShipment',
    (verb, work) =>
      verb(work, client, { cabinetId: cabinet, externalId: 'NEW-2', awaitsCreation: true }),
    () => [],
  )
  await play(
    'nameCreatedShipment',
    (verb, work) => verb(work, client, cancelledShipment, 'WB-GI-2'),
    () => [],
  )
  await play(
    'addOrders',
    (verb, work) => verb(work, client, cancelledShipment, [fifth]),
    () => [['order.status_changed', fifth, 'NEW']],
  )
  await play(
    'cancelShipment',
    (verb, work) => verb(work, client, cancelledShipment),
    () => [['order.status_changed', fifth, 'ASSEMBLING']],
  )
  const [sixth = ''] = (await orderIds(db, client)).slice(-1)
  const ofFirst = { facts: { parentNumber: 'A6-1' } }
  const halves = [newOrder('A6-1', 'A'), { ...newOrder('A6-2', 'A'), ...ofFirst }]
  await play(
    'splitOrder',
    (verb, work) => verb(work, client, { cabinetId: cabinet, orderId: sixth, parts: halves }),
    () => [['order.status_changed', sixth, 'NEW']],
  )
  const [one = '', two = ''] = (await orderIds(db, client)).slice(-2)
  const followed = await play(
    'openShipment',
    (verb, work) => verb(work, client, { cabinetId: cabinet, externalId: 'WB-GI-3' }),
    () => [],
  )
  await play(
    'addOrders',
    (verb, work) => verb(work, client, followed, [one]),
    () => [['order.status_changed', one, 'NEW']],
  )
  await play(
    'followSplit',
    (verb, work) => verb(work, client, { orderId: one, shipmentId: followed, parts: [two] }),
    () => [
      ['order.status_changed', one, 'ASSEMBLING'],
      ['order.status_changed', two, 'NEW'],
    ],
  )
  await report('A1', 'complete', 'sorted', [])
  await report('A1', 'complete', 'sold', [['order.status_changed', first, 'IN_DELIVERY']])
  await play(
    'setStatusManually',
    (verb, work) => verb(work, client, second, { supplier: 'complete', buyer: 'sold' }),
    () => [['order.status_changed', second, 'ASSEMBLING']],
  )
  await play(
    'takeInManualOrders',
    (verb, work) => {
      const reported = { supplier: 'new', buyer: 'waiting' }
      const { reading: _, ...order } = newOrder('A5', 'A')
      return verb(work, client, [{ ...order, cabinetId: cabinet, reported }])
    },
    () => [],
  )

  const due = Object.keys(verbs).filter((name) => !reads.includes(name))
  assert.deepEqual([...played].sort(), due.sort(), 'every verb is played')
  assert.deepEqual(await eventsOf(other.id), [], 'nothing for another client')
})

test('without a subscription to the type there is no event', async () => {
  const { id: client } = await makeClient(db)
  const goods = { source: 'manual', items: [{ barcode: 'B', name: 'Б', qty: 1 }] } as const
  const register = () => at(db, noon, (work) => verbs.registerReceipt(work, client, goods))
  const id = await register()
  assert.deepEqual(await eventsOf(client), [])
  const { id: webhook } = await addSubscription(db, client, { events: ['receipt.status_changed'] })
  await register()
  assert.deepEqual(await eventsOf(client), [])
  await at(db, noon, (work) => verbs.startReceiving(work, client, id))
  await db`update webhook_subscriptions set disabled_at = now() where id = ${webhook}`
  const reasons = new Map([['B', 'DAMAGED']])
  await at(db, noon, (work) => verbs.finishReceiving(work, client, id, reasons))
  const events = await eventsOf(client)
  assert.deepEqual(
    events.map(({ type, webhooks }) => [type, webhooks]),
    [['receipt.status_changed', [webhook]]],
  )
})

test('two subscriptions share an event, and each has its own delivery', async () => {
  const { id: client } = await makeClient(db)
  const ids = [await addSubscription(db, client), await addSubscription(db, client)]
  const items = [{ barcode: 'B', name: 'Б', qty: 1 }]
  await at(db, noon, (work) => verbs.registerReceipt(work, client, { source: 'file', items }))
  const [event, ...more] = await eventsOf(client)
  assert.deepEqual(event?.webhooks.sort(), ids.map(({ id }) => id).sort())
  assert.deepEqual(more, [])
})

// Guarantee (events): No event tells of a change that was rolled back.
test('a change that is rolled back writes no event', async () => {
  const { id: client } = await makeClient(db)
  await addSubscription(db, client)
  const items = [{ barcode: 'B', name: 'Б', qty: 1 }]
  const failing = at(db, noon, async (work) => {
    await verbs.registerReceipt(work, client, { source: 'file', items })
    throw new Error('on purpose')
  })
  await assert.rejects(failing, /on purpose/)
  assert.deepEqual(await eventsOf(client), [])
})

/** Runs three reconciliations at the same time until none finds anything. */
async function reconcileAll(now: Instant): Promise<number> {
  const clock = new ManualClock(now)
  let all = 0
  for (;;) {
    const found = await Promise.all([1, 2, 3].map(() => reconcile(db, clock)))
    const sum = found.reduce((a, b) => a + b, 0)
    if (sum === 0) return all
    all += sum
  }
}

test('reconciliation announces statuses changed by hand once, with their new value', async () => {
  const { id: client, cabinets } = await makeClient(db)
  const cabinet = cabinets[0] ?? ''
  const drafts = Array.from({ length: 250 }, (_, n) => newOrder(`H${n}`, 'H'))
  await at(db, noon, (work) => verbs.takeInOrders(work, client, cabinet, drafts))
  const shipment = await at(db, noon, (work) =>
    verbs.openShipment(work, client, { cabinetId: cabinet, externalId: 'S' }),
  )
  const items = [{ barcode: 'B', name: 'Б', qty: 1 }]
  const receipts = [1, 2].map(() =>
    at(db, noon, (work) => verbs.registerReceipt(work, client, { source: 'file', items })),
  )
  const [counted = '', done = ''] = await Promise.all(receipts)
  await addSubscription(db, client)
  await reconcileAll(noon)
  assert.deepEqual(await eventsOf(client), [], 'nothing was unannounced')

  await db`update orders set status = 'OTHER' where client_id = ${client}`
  await db`
    update shipments set status = 'HANDED_OVER', closed_at = ${toTimestamp(noon)}
    where client_id = ${client} and id = ${shipment}`
  await db`update receipts set status = 'RECEIVING' where client_id = ${client} and id = ${counted}`
  await db`
    update receipts set status = 'RECEIVED', completed_at = ${toTimestamp(noon)}
    where client_id = ${client} and id = ${done}`
  assert.equal(await reconcileAll(noon + 1000), 253)
  const orders = (await orderIds(db, client)).map(
    (id) => ['order.status_changed', id, 'NEW'] as const,
  )
  const events = await eventsOf(client)
  await assertEvents(
    client,
    events,
    [
      ...orders,
      ['shipment.status_changed', shipment, 'ASSEMBLING'],
      ['receipt.status_changed', counted, 'EXPECTED'],
      ['receipt.completed', done],
    ],
    'reconciliation',
  )
  assert.equal(await unannounced(), 0)
  assert.equal(await reconcileAll(noon + 2000), 0)
  assert.equal((await eventsOf(client)).length, events.length)
})
