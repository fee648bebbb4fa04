import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { assertLogged, deliveriesOf, deliveryScene, setLeaseEnd } from '../support/deliveries.ts'
import { eventually } from '../support/faults.ts'
import { runCommand, type ServiceProcess, startProcess } from '../support/process.ts'
import { openReceiver, type Received, type Reply } from '../support/receiver.ts'
import { addSubscription } from '../support/subscription.ts'

const hour = 3_600_000

// Guarantee (webhooks): One process at a time sends for a subscription.
test('three dispatchers at the same time make every delivery exactly once', async (t) => {
  const scene = await deliveryScene(t)
  const receivers = await Promise.all(Array.from({ length: 8 }, () => openReceiver()))
  const subscriptions = await Promise.all(
    receivers.map(({ url }) => addSubscription(scene.db, scene.client, { url })),
  )
  const dispatchers = [scene.open(), scene.open(), scene.open()]
  await scene.emit(20)
  const emitting = scene.emit(40)
  await Promise.all(dispatchers.map((each) => each.runOnce()))
  await emitting
  await Promise.all(dispatchers.map((each) => each.runOnce()))
  for (const [at, { id }] of subscriptions.entries()) {
    const deliveries = await scene.deliveries(id)
    assert.equal(deliveries.length, 60)
    for (const { status, attempts } of deliveries)
      assert.deepEqual([status, attempts], ['DELIVERED', 1])
    assertLogged(deliveries, receivers[at]?.requests ?? [])
  }
})

/** The answer to the process that slept past its lease, and to the one that took the queue over. */
const results: readonly [late: Reply, taken: Reply, status: string, failures: number][] = [
  [500, 200, 'DELIVERED', 0],
  [200, 500, 'PENDING', 1],
]
for (const [late, taken, status, failures] of results) {
  test(`after a lease expired, a late ${late} does not replace ${taken}`, async (t) => {
    const scene = await deliveryScene(t)
    const { clock } = scene
    const gate = Promise.withResolvers<Reply>()
    const receiver = await openReceiver(() => gate.promise)
    const { id } = await addSubscription(scene.db, scene.client, { url: receiver.url })
    const [sleeper, other] = [scene.open({ timeoutMs: 60_000 }), scene.open()]
    await scene.emit(1)
    const asleep = sleeper.runOnce()
    await receiver.until(({ length }) => length === 1)

    receiver.reply = () => taken
    await other.runOnce()
    assert.equal(receiver.requests.length, 1, 'the lease has not expired')
    clock.advance(hour)
    await other.runOnce()
    assert.equal(receiver.requests.length, 2)
    const before = await scene.deliveries(id)
    assert.deepEqual([before[0]?.status, before[0]?.attempts], [status, 1])

    gate.resolve(late)
    await asleep
    assert.deepEqual(await scene.deliveries(id), before)
    assert.equal((await scene.webhook(id)).failures_in_row, failures)
    const [first, again] = receiver.requests
    assert.equal(again?.event.id, first?.event.id, 'the repeat is the same event')
    assert.deepEqual(again?.bytes, first?.bytes)
  })
}

interface Seller {
  readonly headers: Readonly<Record<string, string>>
  readonly cabinet: string
}

async function newSeller(service: ServiceProcess): Promise<Seller> {
  const issued = await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await issued.json()) as { key: string }
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const me = await fetch(`${service.baseUrl}/v1/me`, { headers })
  const { cabinets } = (await me.json()) as { cabinets: { id: string }[] }
  return { headers, cabinet: cabinets[0]?.id ?? '' }
}

/** Requests receipts until the service is gone; returns the acknowledged ids. */
async function request(service: ServiceProcess, { headers, cabinet }: Seller): Promise<string[]> {
  const acknowledged: string[] = []
  const items = [{ barcode: 'new', name: 'Новый', qty: 1, honest_mark: false }]
  const body = JSON.stringify({ cabinet_id: cabinet, items })
  const method = 'POST'
  try {
    for (;;) {
      const answer = await fetch(`${service.baseUrl}/v1/receipts`, { method, headers, body })
      const receipt = (await answer.json()) as { id: string }
      if (answer.status === 201) acknowledged.push(receipt.id)
    }
  } catch {
    return acknowledged
  }
}

const receiptOf = ({ event }: Received) => (event.data as { id?: string }).id ?? ''

test('the event of every acknowledged receipt arrives after a kill under load', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'webhooks-'))
  const settings = { SANDBOX_ROBOT: 'off' }
  const service = await startProcess(dataDir, settings)
  const seller = await newSeller(service)
  const receiver = await openReceiver()
  const made = await fetch(`${service.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: seller.headers,
    body: JSON.stringify({ url: receiver.url, events: ['receipt.created'] }),
  })
  assert.equal(made.status, 201)
  const { webhook } = (await made.json()) as { webhook: { id: string } }
  const workers = [1, 2, 3, 4].map(() => request(service, seller))
  await receiver.until(({ length }) => length > 100)
  await service.end('SIGKILL')
  const acknowledged = (await Promise.all(workers)).flat()

  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(target, { max: 1 })
  t.after(() => db.end().then(stop))
  await setLeaseEnd(db, webhook.id, '-1 second')
  const again = await startProcess(dataDir, settings)
  const missing = () => {
    const arrived = new Set(receiver.requests.map(receiptOf))
    return acknowledged.filter((id) => !arrived.has(id))
  }
  await receiver.until(() => missing().length === 0)
  await eventually('every delivery is recorded', async () => {
    const deliveries = await deliveriesOf(db, webhook.id)
    return deliveries.every(({ status }) => status === 'DELIVERED')
  })

  const eventOf = new Map<string, Received>()
  for (const received of receiver.requests.slice(1)) {
    const first = eventOf.get(receiptOf(received)) ?? received
    eventOf.set(receiptOf(received), first)
    assert.equal(received.event.id, first.event.id, 'a repeat is the same event')
    assert.deepEqual(received.bytes, first.bytes)
  }
  for (const id of eventOf.keys()) {
    const { status } = await fetch(`${again.baseUrl}/v1/receipts/${id}`, seller)
    assert.equal(status, 200, 'every announced receipt exists')
  }
  const report = await runCommand(dataDir, ['audit'])
  assert.deepEqual(report.answer.findings, [])
  assert.equal((await again.end('SIGTERM')).code, 0)
})
