// A service process is killed, or stopped, at a named point between a change and the record of its delivery.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { countUnrecorded, deliveriesOf, leaseOf, setLeaseEnd } from '../support/deliveries.ts'
import { eventually, faultScene, type HoldingPoint, hold, holdReading } from '../support/faults.ts'
import { openReceiver, type Received } from '../support/receiver.ts'

interface Fault {
  readonly name: string
  /** Where the process waits when it is killed: for the database, or for a receiver. */
  readonly at: HoldingPoint | 'reading' | 'sent'
  /** The seller received the answer. */
  readonly acknowledged: boolean
  /** The change is in the database afterwards. */
  readonly written: boolean
  /** The dead process still holds the lease. */
  readonly leased: boolean
  /** Attempts that the receiver got and the log does not have. */
  readonly unrecorded: 0 | 1
}

const faults: readonly Fault[] = [
  {
    name: 'before the commit',
    at: { table: 'pending_deliveries', on: 'insert' },
    acknowledged: false,
    written: false,
    leased: false,
    unrecorded: 0,
  },
  {
    name: 'during the commit, before anything is sent or answered',
    at: { table: 'events', on: 'insert', atCommit: true },
    acknowledged: false,
    written: true,
    leased: false,
    unrecorded: 0,
  },
  {
    name: 'after the commit, while it takes the lease',
    at: {
      table: 'webhook_subscriptions',
      on: 'update',
      when: 'old.lease is null and new.lease is not null',
    },
    acknowledged: true,
    written: true,
    leased: true,
    unrecorded: 0,
  },
  {
    name: 'after it took the lease, before it sends',
    at: 'reading',
    acknowledged: true,
    written: true,
    leased: true,
    unrecorded: 0,
  },
  {
    name: 'after it sent, before an answer',
    at: 'sent',
    acknowledged: true,
    written: true,
    leased: true,
    unrecorded: 1,
  },
  {
    name: 'after the answer, while it is recorded',
    at: { table: 'ended_deliveries', on: 'insert' },
    acknowledged: true,
    written: true,
    leased: true,
    unrecorded: 0,
  },
  {
    name: 'while it commits the record',
    at: { table: 'ended_deliveries', on: 'insert', atCommit: true },
    acknowledged: true,
    written: true,
    leased: true,
    unrecorded: 0,
  },
  {
    name: 'after the record, before it releases the lease',
    at: {
      table: 'webhook_subscriptions',
      on: 'update',
      when: 'old.lease is not null and new.lease is null',
    },
    acknowledged: true,
    written: true,
    leased: false,
    unrecorded: 0,
  },
]

const receiptOf = ({ event }: Received) => (event.data as { id?: string }).id
const has = (requests: readonly Received[], receipt: string | undefined) =>
  requests.some((each) => receiptOf(each) === receipt)

describe('a killed process: its deliveries are made once its lease expires', {
  concurrency: 2,
}, () => {
  for (const { name, at, acknowledged, written, leased, unrecorded } of faults) {
    test(name, async (t) => {
      const { db, start, subscribe, request } = await faultScene(t)
      const receiver = await openReceiver()
      const service = await start()
      const webhook = await subscribe(service, receiver.url)

      let fault = typeof at === 'object' ? await hold(db, at) : undefined
      if (at === 'sent') receiver.reply = () => 'hang'
      if (at === 'reading') await setSwitch(db, 'webhooks', false)
      const answer = request(service)
      if (acknowledged) await answer
      if (at === 'reading') {
        fault = await holdReading(db)
        await setSwitch(db, 'webhooks', true)
      }
      if (at === 'sent') await receiver.until(({ length }) => length === 2)
      await fault?.reached()
      await service.end('SIGKILL')
      await fault?.release()
      await fault?.over()
      receiver.reply = () => 200
      const first = await answer
      assert.equal(first !== undefined, acknowledged)
      const [change] = await db<[{ receipts: number; events: number }]>`
        select (select count(*)::int from receipts r join events e on e.client_id = r.client_id
            and e.body::json -> 'data' ->> 'id' = r.id::text) as receipts,
          (select count(*)::int from events where type = 'receipt.created') as events`
      assert.deepEqual(change, written ? { receipts: 1, events: 1 } : { receipts: 0, events: 0 })

      const lease = await leaseOf(db, webhook)
      assert.equal(lease !== null, leased)
      if (leased) await setLeaseEnd(db, webhook, '1 hour')
      const again = await start()
      // A process that starts shortens leases that end later than any could.
      if (leased) await setLeaseEnd(db, webhook, '1 hour')
      const beside = await openReceiver()
      await subscribe(again, beside.url)
      const second = await request(again)
      await beside.until((requests) => has(requests, second))
      if (leased) {
        assert.ok(!has(receiver.requests, second), 'no process sends under a lease of another')
        assert.equal(await leaseOf(db, webhook), lease)
        await setLeaseEnd(db, webhook, '-1 second')
      }
      const expected = written ? 3 : 2
      await eventually('everything is delivered', async () => {
        const deliveries = await deliveriesOf(db, webhook)
        const delivered = deliveries.filter(({ status }) => status === 'DELIVERED')
        return delivered.length === deliveries.length && deliveries.length === expected
      })
      const deliveries = await deliveriesOf(db, webhook)
      assert.equal(countUnrecorded(deliveries, receiver.requests), unrecorded)
      assert.deepEqual(new Set(deliveries.map(({ attempts }) => attempts)), new Set([1]))
      for (const id of [first, second]) assert.ok(id === undefined || has(receiver.requests, id))
      assert.equal((await again.end('SIGTERM')).code, 0)
    })
  }
})

// Guarantee (webhooks): A process that slept past its lease records nothing.
test('a process that sleeps past its lease records nothing of what it sent', async (t) => {
  const { db, start, subscribe, request } = await faultScene(t)
  const gate = Promise.withResolvers<number>()
  const receiver = await openReceiver()
  const sleeper = await start()
  const webhook = await subscribe(sleeper, receiver.url)
  receiver.reply = () => gate.promise
  const receipt = await request(sleeper)
  await receiver.until(({ length }) => length === 2)
  process.kill(sleeper.pid, 'SIGSTOP')
  await setLeaseEnd(db, webhook, '-1 second')

  receiver.reply = () => 200
  const other = await start()
  await receiver.until(({ length }) => length === 3)
  await eventually('the event is delivered and the lease released', async () => {
    const deliveries = await deliveriesOf(db, webhook)
    const delivered = deliveries.every(({ status }) => status === 'DELIVERED')
    return delivered && (await leaseOf(db, webhook)) === null
  })
  const before = await deliveriesOf(db, webhook)
  gate.resolve(500)
  process.kill(sleeper.pid, 'SIGCONT')
  // It finishes and records its attempt before it ends.
  assert.equal((await sleeper.end('SIGTERM')).code, 0)
  assert.deepEqual(await deliveriesOf(db, webhook), before)
  assert.equal(countUnrecorded(before, receiver.requests), 1)
  assert.deepEqual(receiver.requests.slice(1).map(receiptOf), [receipt, receipt])
  const [subscription] = await db`
    select failures_in_row, last_status_code, lease from webhook_subscriptions where id = ${webhook}`
  assert.deepEqual(subscription, { failures_in_row: 0, last_status_code: 200, lease: null })
  assert.equal((await other.end('SIGTERM')).code, 0)
})
