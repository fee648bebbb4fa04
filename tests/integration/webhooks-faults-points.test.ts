// Processes that are killed, or sleep, at a named point between a change and the record of its delivery.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Timestamp } from '../../src/kernel/moscow-time.ts'
import { switchWebhooks } from '../../src/webhooks/switch.ts'
import { countUnrecorded, deliveriesOf } from '../support/deliveries.ts'
import { eventually, faultScene, type HoldingPoint, hold, holdReading } from '../support/faults.ts'
import { openReceiver, type Received } from '../support/receiver.ts'

interface Fault {
  readonly name: string
  /** Where the process is held when it is killed: by the database, or by a receiver. */
  readonly at: HoldingPoint | 'reading' | 'sent'
  /** The seller has had the answer. */
  readonly acknowledged: boolean
  /** The change is there afterwards. */
  readonly written: boolean
  /** Attempts that the receiver got and the log does not have. */
  readonly unrecorded: number
}

const faults: readonly Fault[] = [
  {
    name: 'before the commit',
    at: { table: 'deliveries', on: 'insert' },
    acknowledged: false,
    written: false,
    unrecorded: 0,
  },
  {
    name: 'during the commit, before anything is sent or answered',
    at: { table: 'events', on: 'insert', atCommit: true },
    acknowledged: false,
    written: true,
    unrecorded: 0,
  },
  {
    name: 'after the commit, while it takes the lease',
    at: {
      table: 'webhooks',
      on: 'update',
      when: 'old.lease is null and new.lease is not null',
    },
    acknowledged: true,
    written: true,
    unrecorded: 0,
  },
  {
    name: 'after it took the lease, before it sends',
    at: 'reading',
    acknowledged: true,
    written: true,
    unrecorded: 0,
  },
  {
    name: 'after it sent, before an answer',
    at: 'sent',
    acknowledged: true,
    written: true,
    unrecorded: 1,
  },
  {
    name: 'after the answer, before it is recorded',
    at: { table: 'delivery_attempts', on: 'insert' },
    acknowledged: true,
    written: true,
    unrecorded: 1,
  },
  {
    name: 'while it commits the record',
    at: { table: 'delivery_attempts', on: 'insert', atCommit: true },
    acknowledged: true,
    written: true,
    unrecorded: 0,
  },
  {
    name: 'after the record, before it gives the lease back',
    at: { table: 'webhooks', on: 'update', when: 'old.lease is not null and new.lease is null' },
    acknowledged: true,
    written: true,
    unrecorded: 0,
  },
]

const receiptOf = ({ event }: Received) => (event.data as { id?: string }).id
/** For a look every second and a slow machine. */
const slackMs = 10_000

describe('killed', { concurrency: 2 }, () => {
  for (const { name, at, acknowledged, written, unrecorded } of faults) {
    test(name, async (t) => {
      const { db, start, subscribe, request } = await faultScene(t)
      const receiver = await openReceiver()
      const service = await start()
      const webhook = await subscribe(service, receiver.url)

      let fault = typeof at === 'object' ? await hold(db, at) : undefined
      if (at === 'sent') receiver.reply = () => 'hang'
      if (at === 'reading') await switchWebhooks(db, false)
      const answer = request(service)
      if (acknowledged) await answer
      if (at === 'reading') {
        fault = await holdReading(db)
        await switchWebhooks(db, true)
      }
      if (at === 'sent') await receiver.until(({ length }) => length === 2)
      await fault?.reached()
      await service.end('SIGKILL')
      await fault?.release()
      await fault?.over()
      receiver.reply = () => 200
      const first = await answer
      assert.equal(first !== undefined, acknowledged)
      const [lane] = await db<{ leased_until: Timestamp | null }[]>`
        select leased_until from webhooks where id = ${webhook}`
      const [change] = await db<[{ receipts: number; events: number }]>`
        select (select count(*)::int from receipts r join events e on e.client_id = r.client_id
            and e.body::json -> 'data' ->> 'id' = r.id::text) as receipts,
          (select count(*)::int from events where type = 'receipt.created') as events`
      assert.deepEqual(change, written ? { receipts: 1, events: 1 } : { receipts: 0, events: 0 })

      const again = await start()
      const freeAt = Math.max(Date.now(), Date.parse(lane?.leased_until ?? '') || 0)
      const second = await request(again)
      const expected = written ? 3 : 2
      await eventually('all is delivered', async () => {
        const deliveries = await deliveriesOf(db, webhook)
        const delivered = deliveries.filter(({ status }) => status === 'DELIVERED')
        return delivered.length === deliveries.length && deliveries.length === expected
      })
      const deliveries = await deliveriesOf(db, webhook)
      assert.equal(countUnrecorded(deliveries, receiver.requests), unrecorded)
      assert.deepEqual(new Set(deliveries.map(({ attempts }) => attempts)), new Set([1]))
      const arrived = new Set(receiver.requests.map(receiptOf))
      for (const id of [first, second]) assert.ok(id === undefined || arrived.has(id))
      const [last] = await db<[{ at: Timestamp }]>`select max(at) as at from delivery_attempts`
      assert.ok(Date.parse(last.at) <= freeAt + slackMs, 'taken on when the lease was over')
      assert.equal((await again.end('SIGTERM')).code, 0)
    })
  }
})

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

  receiver.reply = () => 200
  const other = await start()
  await receiver.until(({ length }) => length === 3)
  await eventually('it is delivered', async () =>
    (await deliveriesOf(db, webhook)).every(({ status }) => status === 'DELIVERED'),
  )
  const before = await deliveriesOf(db, webhook)
  gate.resolve(500)
  process.kill(sleeper.pid, 'SIGCONT')
  // A stop first finishes and records what is under way.
  assert.equal((await sleeper.end('SIGTERM')).code, 0)
  assert.deepEqual(await deliveriesOf(db, webhook), before)
  assert.equal(countUnrecorded(before, receiver.requests), 1)
  assert.deepEqual(receiver.requests.slice(1).map(receiptOf), [receipt, receipt])
  const [lane] = await db`
    select failures_in_row, last_status_code, lease from webhooks where id = ${webhook}`
  assert.deepEqual(lane, { failures_in_row: 0, last_status_code: 200, lease: null })
  assert.equal((await other.end('SIGTERM')).code, 0)
})
