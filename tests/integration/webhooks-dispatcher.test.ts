import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { listDeliveries } from '../../src/exchange/webhooks/queries.ts'
import { slowMs, windowFirst, windowMax } from '../../src/exchange/webhooks/queue-attempts.ts'
import { queuePing, unsubscribe } from '../../src/exchange/webhooks/subscriptions.ts'
import { type Database, inTransaction } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { ManualClock, systemClock } from '../../src/platform/kernel/clock.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import { deliveriesChannel } from '../../src/warehouse/events/outbox.ts'
import { testDatabase } from '../support/database.ts'
import { assertLogged, deliveryScene } from '../support/deliveries.ts'
import { eventually } from '../support/faults.ts'
import { openReceiver, type Received, type Reply } from '../support/receiver.ts'
import { assertStandard } from '../support/standard-webhooks.ts'
import { addSubscription } from '../support/subscription.ts'
import { noon } from '../support/warehouse.ts'

const database = await testDatabase()
const minute = 60_000
const hour = 60 * minute
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 12 * hour, 12 * hour, 12 * hour]

type SceneOptions = Parameters<Awaited<ReturnType<typeof deliveryScene>>['open']>[0]
type Answers = (request: Received) => Reply | Promise<Reply>

/** One receiver with its subscription, and a dispatcher whose clock moves on whenever it is read. */
async function subscriptionScene(
  t: TestContext,
  answers: Answers = () => 200,
  options: SceneOptions = {},
) {
  const scene = await deliveryScene(t, database.db)
  const { db, clock, client } = scene
  const receiver = await openReceiver(answers)
  const { id, secret } = await addSubscription(db, client, { url: receiver.url })
  const movingClock = {
    now() {
      clock.advance(1)
      return clock.now()
    },
  }
  const dispatcher = scene.open({ clock: movingClock, ...options })
  return {
    ...scene,
    receiver,
    dispatcher,
    id,
    secret,
    facts: () => scene.webhook(id),
    log: () => scene.deliveries(id),
    ping: () =>
      perform(
        db,
        clock,
        { kind: 'service' },
        async (work) => (await queuePing(work, client, id)).eventId,
      ),
    unsubscribe: () =>
      perform(db, clock, { kind: 'service' }, (work) => unsubscribe(work, client, id)),
    /** Moves the clock in steps, and runs the dispatcher after each. */
    async pass(ms: number, step: number) {
      for (let left = ms; left > 0; left -= step) {
        clock.advance(step)
        await dispatcher.runOnce()
      }
    },
  }
}

const idsOf = (requests: readonly Received[]) => requests.map(({ event }) => event.id)

test('an event is posted as it is stored, signed over its bytes', async (t) => {
  const { db, dispatcher, emit, receiver, secret, log, facts, clock } = await subscriptionScene(t)
  await emit(3)
  const startedAt = clock.now()
  await dispatcher.runOnce()
  const events = await db<{ id: string; body: string }[]>`select id, body from events`
  const stored = new Map(events.map(({ id, body }) => [id, body]))
  assert.equal(receiver.requests.length, 3)
  for (const { path, headers, bytes, event } of receiver.requests) {
    assert.equal(path, '/hook')
    assert.equal(bytes.toString(), stored.get(event.id))
    assert.deepEqual(Object.keys(event), ['id', 'type', 'occurred_at', 'data'])
    assert.equal(event.occurred_at, toTimestamp(noon))
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(headers['x-svc-event'], 'receipt.created')
    const timestamp = String(headers['x-svc-timestamp'])
    assert.equal(timestamp, String(Math.floor(startedAt / 1000)))
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes)
    assert.equal(headers['x-svc-signature'], `sha256=${hmac.digest('hex')}`)
    assertStandard({ headers, bytes, event }, secret)
  }
  const deliveries = await log()
  assert.deepEqual(new Set(deliveries.map(({ status }) => status)), new Set(['DELIVERED']))
  assertLogged(deliveries, receiver.requests)
  assert.deepEqual(await facts(), {
    failures_in_row: 0,
    disabled_at: null,
    disabled_reason: null,
    last_status_code: 200,
  })
  await dispatcher.runOnce()
  assert.equal(receiver.requests.length, 3, 'a delivered event is not sent again')
})

test('a subscription whose secret was made before keeps its headers', async (t) => {
  const scene = await deliveryScene(t, database.db)
  const receiver = await openReceiver()
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  await addSubscription(scene.db, scene.client, { url: receiver.url, secret })
  await scene.emit(1)
  await scene.open().runOnce()
  const [{ headers, bytes } = assert.fail('nothing came')] = receiver.requests
  const hmac = createHmac('sha256', secret).update(`${headers['x-svc-timestamp']}.`).update(bytes)
  assert.equal(headers['x-svc-signature'], `sha256=${hmac.digest('hex')}`)
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('webhook-')),
    [],
  )
})

// Guarantee (webhooks): Every attempt of a delivery sends the same bytes.
test('a delivery is tried eight times after growing pauses, with the same bytes', async (t) => {
  const clock = new ManualClock(noon)
  const { dispatcher, emit, receiver, log, facts } = await subscriptionScene(t, () => 500, {
    clock,
  })
  await emit(1)
  await dispatcher.runOnce()
  for (const [at, pause] of pauses.entries()) {
    const [delivery] = await log()
    assert.equal(delivery?.status, 'PENDING')
    assert.equal(delivery?.attempts, at + 1)
    assert.equal(delivery?.next_attempt_at, toTimestamp(clock.now() + pause))
    assert.equal(delivery?.last_status_code, 500)
    assert.equal((await facts()).failures_in_row, at + 1)
    clock.advance(pause - 1)
    await dispatcher.runOnce()
    assert.equal(receiver.requests.length, at + 1, 'not before the pause ends')
    clock.advance(1)
    await dispatcher.runOnce()
    assert.equal(receiver.requests.length, at + 2)
  }
  const [delivery, ...more] = await log()
  assert.deepEqual([delivery?.status, delivery?.attempts, more.length], ['FAILED', 8, 0])
  assert.equal(delivery?.next_attempt_at, null)
  assertLogged(delivery === undefined ? [] : [delivery], receiver.requests)
  assert.equal(new Set(receiver.requests.map(({ bytes }) => bytes.toString())).size, 1)
  const signatures = receiver.requests.map(({ headers }) => headers['x-svc-signature'])
  assert.equal(new Set(signatures).size, 8, 'each attempt has its time and signature')
  const disabled = await facts()
  assert.equal(disabled.failures_in_row, 8)
  assert.ok(disabled.disabled_at)
  assert.match(disabled.disabled_reason ?? '', /\p{Script=Cyrillic}/u)
})

test('chance only adds to a pause, at most two seconds', async (t) => {
  const clock = new ManualClock(noon)
  const { dispatcher, emit, log } = await subscriptionScene(t, () => 500, {
    clock,
    chance: () => 0.999,
  })
  await emit(1)
  await dispatcher.runOnce()
  const [delivery] = await log()
  const due = Date.parse(delivery?.next_attempt_at ?? '') - clock.now()
  assert.equal(due, minute + 1998)
})

test('a burst in an outage does not disable before the whole schedule has passed', async (t) => {
  let status = 503
  const scene = await subscriptionScene(t, () => status)
  const { dispatcher, emit, receiver, log, facts, pass } = scene
  await emit(30)
  await dispatcher.runOnce()
  // Those that fail together count as one failure; the next attempt is alone, and a pause follows.
  assert.equal(receiver.requests.length, windowFirst + 1)
  assert.equal((await facts()).failures_in_row, 2)
  await pass(26 * hour, 5 * minute)
  const { failures_in_row: failures, disabled_at } = await facts()
  assert.deepEqual([failures, disabled_at], [7, null])
  status = 200
  await pass(13 * hour, 30 * minute)
  const deliveries = await log()
  assert.deepEqual(
    deliveries.filter((delivery) => delivery.status !== 'DELIVERED'),
    [],
  )
  assertLogged(deliveries, receiver.requests)
  assert.equal((await facts()).failures_in_row, 0)
})

test('an outage of the whole schedule disables, and pending deliveries fail with the reason', async (t) => {
  const { dispatcher, emit, receiver, log, facts, pass } = await subscriptionScene(t, () => 503)
  await emit(30)
  await dispatcher.runOnce()
  await pass(30 * hour, 5 * minute)
  const { failures_in_row: failures, disabled_at } = await facts()
  assert.equal(failures, 8)
  assert.ok(disabled_at)
  const came = receiver.requests.length
  const deliveries = await log()
  for (const { status, next_attempt_at, last_error } of deliveries) {
    assert.deepEqual([status, next_attempt_at], ['FAILED', null])
    assert.match(last_error ?? '', /\p{Script=Cyrillic}/u)
  }
  assert.ok(deliveries.some(({ last_error }) => last_error?.includes('отключена')))
  assertLogged(deliveries, receiver.requests)
  await emit(1)
  await pass(13 * hour, hour)
  assert.equal((await log()).length, 30, 'no more deliveries are made for it')
  assert.equal(receiver.requests.length, came)
})

test('a success resets the count of failures', async (t) => {
  let status = 500
  const { dispatcher, emit, facts, pass } = await subscriptionScene(t, () => status)
  await emit(1)
  await dispatcher.runOnce()
  await pass(6 * minute, minute)
  assert.equal((await facts()).failures_in_row, 3)
  status = 204
  await pass(30 * minute, minute)
  assert.equal((await facts()).failures_in_row, 0)
})

// Guarantee (webhooks): An event that its receiver always refuses holds up no other event.
test('an event that is always rejected neither delays the others nor disables', async (t) => {
  let poison = ''
  const reject: Answers = ({ event }) => (event.id === poison ? 422 : 200)
  const { db, dispatcher, emit, receiver, log, facts, pass } = await subscriptionScene(t, reject)
  await emit(1)
  const [event] = await db<{ id: string }[]>`select id from events`
  poison = event?.id ?? ''
  await emit(20)
  await dispatcher.runOnce()
  for (let n = 0; n < 45; n++) {
    await emit(1)
    await pass(hour, 20 * minute)
  }
  const deliveries = await log()
  const rejected = deliveries.filter(({ event_id }) => event_id === poison)
  assert.deepEqual(
    rejected.map(({ status, attempts }) => [status, attempts]),
    [['FAILED', 8]],
  )
  const others = deliveries.filter(({ event_id }) => event_id !== poison)
  for (const { status, attempts } of others) assert.deepEqual([status, attempts], ['DELIVERED', 1])
  assert.equal((await facts()).disabled_at, null)
  assertLogged(deliveries, receiver.requests)
})

test('while the queue pauses, no delivery shows an attempt before the end of the pause', async (t) => {
  const { dispatcher, emit, db, client, id, pass } = await subscriptionScene(t, () => 500)
  await emit(4)
  await dispatcher.runOnce()
  await pass(2 * minute, minute)
  const [webhook] = await db<{ paused_until: string }[]>`
    select paused_until from webhook_subscriptions where id = ${id} and paused_until is not null`
  assert.ok(webhook)
  const page = { limit: 10, after: undefined }
  const { items } = await listDeliveries(db, client, id, 'PENDING', page)
  assert.equal(items.length, 4)
  for (const { next_attempt_at: next } of items) {
    assert.ok(next !== null && Date.parse(next) >= Date.parse(webhook.paused_until))
  }
})

test('one event that is always rejected delays no other; a second one pauses the queue', async (t) => {
  let bad = new Set<string>()
  const { dispatcher, emit, receiver, facts, pass, db } = await subscriptionScene(t, ({ event }) =>
    bad.has(event.id) ? 500 : 200,
  )
  const newest = async () => {
    const [event] = await db<{ id: string }[]>`select id from events order by number desc limit 1`
    return event?.id ?? ''
  }
  await emit(1)
  const poison = await newest()
  bad = new Set([poison])
  await pass(40 * minute, minute)
  assert.equal((await facts()).failures_in_row, 4)
  await emit(1)
  await dispatcher.runOnce()
  assert.equal(receiver.requests.at(-1)?.event.id, await newest(), 'it is sent at once')
  assert.equal((await facts()).failures_in_row, 0)

  await pass(2 * hour, 10 * minute)
  const failures = (await facts()).failures_in_row
  assert.ok(failures > 0)
  await emit(1)
  bad.add(await newest())
  await pass(13 * hour, hour)
  await emit(2)
  bad.add(await newest())
  const came = receiver.requests.length
  await dispatcher.runOnce()
  assert.equal(receiver.requests.length, came, 'several events failed: the queue is paused')
})

test('first attempts are sent before repeats', async (t) => {
  const { dispatcher, emit, receiver, pass } = await subscriptionScene(t, () =>
    receiver.requests.length === 1 ? 500 : 200,
  )
  await emit(1)
  await dispatcher.runOnce()
  await emit(2)
  await pass(minute, minute)
  const attempts = receiver.requests.map(({ headers }) =>
    String(headers['x-svc-delivery']).includes('.'),
  )
  assert.deepEqual(attempts, [false, false, false, true])
})

test('a ping is sent at once while the queue is paused, and counts', async (t) => {
  let status = 500
  const { dispatcher, emit, receiver, facts, ping } = await subscriptionScene(t, () => status)
  await emit(20)
  await dispatcher.runOnce()
  const came = receiver.requests.length
  await ping()
  await dispatcher.runOnce()
  assert.equal(receiver.requests.length, came + 1)
  assert.equal(receiver.requests.at(-1)?.event.type, 'webhook.ping')
  assert.equal((await facts()).failures_in_row, 3)
  status = 200
  await ping()
  await dispatcher.runOnce()
  assert.equal((await facts()).failures_in_row, 0)
  const tried = new Set(idsOf(receiver.requests)).size
  assert.equal(tried, 22, 'the pause ends, and every event is tried')
})

test('a ping of a disabled subscription fails at once', async (t) => {
  const { db, dispatcher, receiver, log, ping, id } = await subscriptionScene(t)
  await db`update webhook_subscriptions set disabled_at = now() where id = ${id}`
  const eventId = await ping()
  const [delivery] = await log()
  assert.deepEqual(
    [delivery?.event_id, delivery?.status, delivery?.attempts],
    [eventId, 'FAILED', 0],
  )
  assert.match(delivery?.last_error ?? '', /отключена/)
  await dispatcher.runOnce()
  assert.equal(receiver.requests.length, 0)
})

test('a deleted subscription gets nothing more, even while attempts are running', async (t) => {
  const gate = Promise.withResolvers<void>()
  const scene = await subscriptionScene(t, () => gate.promise.then(() => 200))
  const { db, dispatcher, emit, receiver } = scene
  await emit(40)
  const run = dispatcher.runOnce()
  await receiver.until(({ length }) => length === windowFirst)
  await scene.unsubscribe()
  gate.resolve()
  await run
  await dispatcher.runOnce()
  assert.equal(receiver.requests.length, windowFirst)
  const [left] = await db<[{ count: number }]>`
    select (select count(*) from webhook_deliveries)::int + (select count(*) from webhook_attempts)::int
      as count`
  assert.equal(left.count, 0)
})

type AnswerCase = readonly [reply: Reply, status: string, code: number]

/** Sends one event to a receiver for each of the cases, and checks what is recorded. */
async function assertRecorded(t: TestContext, timeoutMs: number, cases: readonly AnswerCase[]) {
  const { db, client, emit, deliveries, webhook, open } = await deliveryScene(t, database.db)
  const subscriptions = await Promise.all(
    cases.map(async ([reply]) => {
      const { url } = await openReceiver(() => reply)
      return addSubscription(db, client, { url })
    }),
  )
  await emit(1)
  await open({ timeoutMs }).runOnce()
  for (const [index, [reply, status, code]] of cases.entries()) {
    const { id = '' } = subscriptions[index] ?? {}
    const what = JSON.stringify(reply)
    const [delivery] = await deliveries(id)
    const { last_status_code, failures_in_row } = await webhook(id)
    assert.deepEqual([delivery?.status, delivery?.last_status_code], [status, code], what)
    assert.equal(last_status_code, code, what)
    assert.equal(failures_in_row, status === 'PENDING' ? 1 : 0, what)
    if (status === 'DELIVERED') {
      assert.equal(delivery?.last_error, null)
    } else {
      assert.match(delivery?.last_error ?? '', /\p{Script=Cyrillic}/u)
      assert.doesNotMatch(delivery?.last_error ?? '', /SECRET|127\.0\.0\.1/)
    }
  }
}

test('an answer that is not 2xx is a failure, and the log quotes nothing of it', async (t) => {
  const elsewhere = await openReceiver()
  await assertRecorded(t, 60_000, [
    [200, 'DELIVERED', 200],
    [204, 'DELIVERED', 204],
    [299, 'DELIVERED', 299],
    ['endless', 'DELIVERED', 200],
    [{ location: elsewhere.url }, 'PENDING', 302],
    [304, 'PENDING', 304],
    [400, 'PENDING', 400],
    [410, 'PENDING', 410],
    [500, 'PENDING', 500],
    ['reset', 'PENDING', 0],
  ])
  assert.equal(elsewhere.requests.length, 0)
})

test('no answer in time is a failure', (t) => assertRecorded(t, 300, [['hang', 'PENDING', 0]]))

test('a receiver that is down is a failure, and gets everything when it is back', async (t) => {
  const { db, dispatcher, emit, receiver, log, pass, id } = await subscriptionScene(t)
  await receiver.close()
  await emit(5)
  await dispatcher.runOnce()
  for (const { last_status_code } of (await log()).filter(({ attempts }) => attempts > 0)) {
    assert.equal(last_status_code, 0)
  }
  const back = await openReceiver()
  await db`update webhook_subscriptions set url = ${back.url} where id = ${id}`
  await pass(10 * minute, minute)
  assert.equal(new Set(idsOf(back.requests)).size, 5)
})

test('a receiver that hangs delays no other', async (t) => {
  const { db, client, dispatcher, emit, receiver } = await subscriptionScene(t, () => 'hang', {
    timeoutMs: 60_000,
  })
  const quick = await openReceiver()
  await addSubscription(db, client, { url: quick.url })
  await emit(40)
  const run = dispatcher.runOnce()
  await receiver.until(({ length }) => length > 0)
  await quick.until(({ length }) => length === 40)
  assert.equal(receiver.requests.length, windowFirst, 'its first attempts are still running')
  await receiver.close()
  await run
})

test('while webhooks are off events wait; switched on, they are delivered', async (t) => {
  const { db, dispatcher, emit, receiver, log, pass } = await subscriptionScene(t)
  await setSwitch(db, 'webhooks', false)
  await emit(5)
  await pass(hour, 10 * minute)
  assert.equal(receiver.requests.length, 0)
  assert.deepEqual(new Set((await log()).map(({ status }) => status)), new Set(['PENDING']))
  await setSwitch(db, 'webhooks', true)
  await dispatcher.runOnce()
  assert.equal(new Set(idsOf(receiver.requests)).size, 5)
})

/** Sends events to a receiver that answers in no time; resolves with the most that were on their way at once. */
async function mostAtOnce(t: TestContext, events: number): Promise<number> {
  let waiting = 0
  let most = 0
  const take = async () => {
    waiting += 1
    most = Math.max(most, waiting)
    await setImmediate()
    waiting -= 1
    return 200
  }
  const receivers = { has: async () => true, mayBe: () => true, take }
  const { dispatcher, emit } = await subscriptionScene(t, () => 200, { receivers })
  await emit(events)
  await dispatcher.runOnce()
  return most
}

test('a fast receiver gets few requests at once, and more when its backlog is long', async (t) => {
  assert.equal(await mostAtOnce(t, 40), windowFirst)
  const most = await mostAtOnce(t, 400)
  assert.ok(most > windowFirst && most <= windowMax, `${most} at once`)
})

test('a receiver that answers slowly gets more and more requests at once, up to sixteen', async (t) => {
  let waiting = 0
  let most = 0
  const { dispatcher, emit } = await subscriptionScene(t, async () => {
    waiting += 1
    most = Math.max(most, waiting)
    await setTimeout(5 * slowMs)
    waiting -= 1
    return 200
  })
  await emit(60)
  await dispatcher.runOnce()
  assert.equal(most, windowMax)
})

const burst = 160

// Guarantee (webhooks): Nothing that was read ahead is sent after a failure.
test('what was read ahead is not sent after a failure', async (t) => {
  let answered = 0
  const scene = await subscriptionScene(t, () => (++answered <= 60 ? 200 : 500))
  await scene.emit(burst)
  await scene.dispatcher.runOnce()
  const sent = scene.receiver.requests.length
  assert.ok(sent > 60 && sent <= 60 + windowMax + 1, `${sent} of ${burst}`)
  assert.equal((await scene.log()).filter(({ status }) => status === 'DELIVERED').length, 60)
})

test('after an attempt that fails while the lease is renewed nothing new is sent before that is recorded', async (t) => {
  const [renewing, recording, counted, recorded] = Array.from({ length: 4 }, () =>
    Promise.withResolvers<void>(),
  )
  const answers: Answers = async () => {
    const number = scene.receiver.requests.length
    if (number === 1) await renewing?.promise
    else if (number === 2) await recording?.promise
    else await recorded?.promise
    return number === 2 ? 500 : 200
  }
  const scene = await subscriptionScene(t, answers, {
    onAttempt: ({ ok }) => {
      // When what follows the answer is done, too.
      if (!ok) void setImmediate().then(counted?.resolve)
    },
  })
  const { db, clock, receiver, dispatcher, id } = scene
  await scene.emit(20)
  const run = dispatcher.runOnce()
  await eventually('four attempts', async () => receiver.requests.length === windowFirst)
  await inTransaction(db, async (tx) => {
    await tx`select from webhook_subscriptions where id = ${id} for update`
    clock.advance(1_200)
    // The first answer makes room, and the lease is old: its renewal and the outcome wait for the lock.
    renewing?.resolve()
    await eventually('the renewal', async () => (await waitingForLocks(db)) === 2)
    recording?.resolve()
    await counted?.promise
  })
  await eventually('the failure', async () => (await scene.facts()).failures_in_row === 1)
  const sent = receiver.requests.length
  recorded?.resolve()
  await run
  assert.equal(sent, windowFirst)
})

async function waitingForLocks(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row?.count ?? 0
}

test('deliveries go out though each look at the database takes longer than what was read holds', async (t) => {
  const slow = { now: () => noon }
  const scene = await subscriptionScene(t, () => 200, { clock: slow })
  slow.now = () => {
    scene.clock.advance(1_200)
    return scene.clock.now()
  }
  await scene.emit(20)
  await scene.dispatcher.runOnce()
  assert.deepEqual(new Set((await scene.log()).map(({ status }) => status)), new Set(['DELIVERED']))
})

// Guarantee (webhooks): A second after webhooks are switched off nothing is sent any more.
test('what was read ahead waits when webhooks are switched off, and arrives once when they are on', async (t) => {
  let answered = 0
  let switchedOff: Promise<void> | undefined
  const switchOff = async () => {
    await setSwitch(scene.db, 'webhooks', false)
    scene.clock.advance(2_000)
  }
  const scene = await subscriptionScene(t, async () => {
    answered += 1
    if (answered === 60) switchedOff = switchOff()
    // From the sixtieth on, none is answered before the switch is off.
    await switchedOff
    return 200
  })
  await scene.emit(burst)
  await scene.dispatcher.runOnce()
  const sent = scene.receiver.requests.length
  assert.ok(sent >= 60 && sent <= 60 + windowMax, `${sent} of ${burst}`)
  await setSwitch(scene.db, 'webhooks', true)
  await scene.dispatcher.runOnce()
  const deliveries = await scene.log()
  assert.equal(deliveries.length, burst)
  assertLogged(deliveries, scene.receiver.requests)
  assert.equal(scene.receiver.requests.length, burst)
})

test('a started dispatcher is woken by each change, and a stop finishes its attempts', async (t) => {
  const gate = Promise.withResolvers<void>()
  const scene = await subscriptionScene(t, () => 200, { clock: systemClock })
  const { dispatcher, emit, receiver, log } = scene
  await dispatcher.start()
  for (let n = 1; n <= 5; n++) {
    await emit(1)
    await receiver.until(({ length }) => length === n)
  }
  receiver.reply = () => gate.promise.then(() => 200)
  await emit(1)
  await receiver.until(({ length }) => length === 6)
  const stopped = dispatcher.stop()
  gate.resolve()
  await stopped
  const deliveries = await log()
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    Array.from({ length: 6 }, () => 'DELIVERED'),
  )
  assertLogged(deliveries, receiver.requests)
})

test('a started dispatcher repeats after a short pause without waiting for a poll', async (t) => {
  const schedule = Array.from({ length: 7 }, () => 50)
  // No poll falls into this test.
  const options = { clock: systemClock, schedule, pollMs: 3_600_000 }
  const { dispatcher, emit, receiver } = await subscriptionScene(t, () => 500, options)
  await dispatcher.start()
  await emit(1)
  await receiver.until(({ length }) => length === 8)
  await dispatcher.stop()
})

test('what a clock planned that ran ahead goes out when it is set right, also under the lease of a killed process', async (t) => {
  let status = 500
  const { db, clock, emit, id, log, open } = await subscriptionScene(t, () => status)
  clock.advance(hour)
  await emit(1)
  await open().runOnce()
  await emit(1)
  assert.deepEqual(
    (await log()).map(({ attempts }) => attempts),
    [1, 0],
  )
  await db`
    update webhook_subscriptions set lease = gen_random_uuid(),
      leased_until = ${toTimestamp(clock.now() + minute)} where id = ${id}`

  clock.set(noon)
  status = 204
  const dispatcher = open({ pollMs: 20 })
  await dispatcher.start()
  clock.advance(16_000)
  await eventually('the second attempts', async () =>
    (await log()).some(({ status: state }) => state === 'DELIVERED'),
  )
  assert.deepEqual(
    (await log()).map(({ status: state, attempts }) => [state, attempts]).toSorted(),
    [
      ['DELIVERED', 1],
      ['PENDING', 1],
    ],
  )
  clock.advance(minute)
  await eventually('everything is delivered', async () =>
    (await log()).every(({ status: state }) => state === 'DELIVERED'),
  )
})

test('an event that comes while its queue gives the lease back goes out without a poll', async (t) => {
  const { db } = database
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let holding: Promise<void> | undefined
  const hold = () =>
    db.begin(async (tx) => {
      await tx`select from webhook_subscriptions for no key update`
      locked.resolve()
      await free.promise
    })
  const answer = async () => {
    holding ??= hold()
    await locked.promise
    return 200
  }
  const { dispatcher, emit, receiver } = await subscriptionScene(t, answer, { pollMs: 24 * hour })
  await dispatcher.start()
  await emit(1)
  await eventually('the outcome waits to be recorded', async () => {
    const waiting = await db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length === 1
  })
  const notified = Promise.withResolvers<void>()
  const listening = await db.listen(deliveriesChannel, () => notified.resolve())
  await emit(1)
  await notified.promise
  await listening.unlisten()
  free.resolve()
  await holding
  await receiver.until(({ length }) => length === 2)
})
