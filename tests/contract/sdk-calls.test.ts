import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { suite, test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { confirmReceipt } from '../../src/warehouse/receipts/verbs.ts'
import { flakyFetch } from '../support/flaky-fetch.ts'
import { installClient } from '../support/installed-client.ts'
import { addLiveClient, sharedService } from '../support/service.ts'

/** The calls of the installed client against the service, with everything that can go wrong between the two. */

const service = await sharedService()
const { baseUrl } = service
const live = await addLiveClient(service)
const { Sklad, SkladError, verifyWebhook } = (await installClient()).module
const key = await Sklad.sandboxKey({ baseUrl })

/** A client whose requests fail as the test says and whose pauses take no time. */
function client(given: { key?: string; retries?: number; timeoutMs?: number } = {}) {
  const flaky = flakyFetch()
  const pauses: number[] = []
  let elapsedMs = 0
  const timing = {
    random: () => 0.5,
    elapsedMs: () => elapsedMs,
    wait: async (ms: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      elapsedMs += ms
    },
  }
  const sklad = new Sklad({ key, baseUrl, fetch: flaky.fetch, timing, ...given })
  return { sklad, flaky, pauses }
}

/** The error of a call that must fail. */
async function failure(call: Promise<unknown>): Promise<InstanceType<typeof SkladError>> {
  const error = await call.then(
    () => assert.fail('the call did not fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SkladError, String(error))
  return error
}

suite('lists', () => {
  test('all reads every page once, and none before it is needed', async () => {
    const { sklad, flaky } = client()
    const { items, total, nextCursor } = await sklad.orders.list({ limit: 1 })
    assert.equal(items.length, 1)
    assert.equal(typeof nextCursor, 'string')
    flaky.sent.length = 0

    const ids = new Set<string>()
    const orders = sklad.orders.all({ limit: 50 })
    await orders.next().then(({ value }) => value && ids.add(value.id))
    assert.equal(flaky.sent.length, 1)
    for await (const order of orders) ids.add(order.id)
    assert.equal(ids.size, total)
    assert.equal(flaky.sent.length, Math.ceil(total / 50))
  })

  test('all continues with the page that failed', async () => {
    const { sklad, flaky } = client()
    const items = []
    for await (const item of sklad.stock.all({ limit: 10 })) {
      if (items.length === 5) flaky.next('rate_limited', 'lose', 'internal')
      items.push(item.barcode)
    }
    assert.equal(items.length, 24)
    assert.equal(new Set(items).size, 24)
  })

  test('one of each kind is read by id, filters are passed on', async () => {
    const { sklad } = client()
    const [item] = (await sklad.stock.list({ search: 'плед' })).items
    assert.equal((await sklad.stock.get(item?.barcode ?? '')).name, item?.name)
    for (const resource of [sklad.orders, sklad.receipts, sklad.shipments, sklad.returns]) {
      const [{ id } = { id: '' }] = (await resource.list({ limit: 1 })).items
      assert.equal((await resource.get(id)).id, id)
    }
    const [order] = (await sklad.orders.list({ limit: 1 })).items
    assert.ok(Array.isArray((await sklad.orders.details(order?.id ?? '')).lines))
    assert.ok(Array.isArray((await sklad.stock.inQuestion(item?.barcode ?? '')).items))
    const receipts = await sklad.receipts.list({ status: 'RECEIVED' })
    assert.deepEqual([...new Set(receipts.items.map(({ status }) => status))], ['RECEIVED'])
    const { period } = await sklad.metrics({ from: '2026-11-01', to: '2026-11-02' })
    assert.equal(period.from.slice(0, 10), '2026-11-01')
  })

  test('changes of stock answer undefined while nothing changed', async () => {
    const { sklad } = client()
    const first = await sklad.stock.changes({ limit: 3 })
    assert.equal(first?.items.length, 3)
    assert.equal(await sklad.stock.changes({ since: first?.etag, limit: 3 }), undefined)
    assert.equal((await sklad.stock.changes({ since: '"old"', limit: 3 }))?.etag, first?.etag)
  })

  test('what can not be an id is refused before a request', () => {
    const { sklad, flaky } = client()
    for (const id of ['', '.', '..']) assert.throws(() => sklad.orders.get(id), TypeError)
    assert.deepEqual(flaky.sent, [])
  })
})

suite('failures', () => {
  test('an error has the code, the status, the request id and a message', async () => {
    const { sklad, flaky } = client()
    const error = await failure(sklad.orders.get('no/such?order'))
    assert.equal(error.code, 'not_found')
    assert.equal(error.status, 404)
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
    assert.notEqual(error.message, '')
    assert.equal(flaky.sent.length, 1)
  })

  for (const fault of ['rate_limited', 'internal', 'refuse', 'lose']) {
    test(`reading is repeated after ${fault}`, async () => {
      const { sklad, flaky, pauses } = client()
      flaky.next(fault, fault)
      assert.equal((await sklad.me()).cabinets.length, 2)
      assert.equal(flaky.sent.length, 3)
      // Nobody is back before Retry-After, and not all at once.
      assert.deepEqual(pauses, fault === 'rate_limited' ? [1250, 1250] : [250, 500])
    })
  }

  test('an error that lasts is thrown after the last repeat', async () => {
    const { sklad, flaky } = client({ retries: 2 })
    flaky.next('internal', 'internal', 'internal')
    assert.equal((await failure(sklad.me())).code, 'internal')
    assert.equal(flaky.sent.length, 3)
  })

  test('webhooks_unavailable is repeated also for what changes something, a lost answer is not', async () => {
    const { sklad, flaky } = client()
    const draft = { url: 'http://127.0.0.1:9/hook', events: ['receipt.created' as const] }
    flaky.next('webhooks_unavailable')
    assert.equal((await failure(sklad.webhooks.create(draft))).code, 'webhook_url_unverified')
    assert.equal(flaky.sent.length, 2)
    flaky.next('lose')
    assert.equal((await failure(sklad.webhooks.create(draft))).code, 'connection_lost')
    assert.equal(flaky.sent.length, 3)
  })

  test('an answer that does not come in time is a timeout, and a held poll has time beyond it', async () => {
    const { sklad, flaky } = client({ retries: 0, timeoutMs: 30 })
    flaky.next('hang')
    assert.equal((await failure(sklad.me())).code, 'timeout')
    const { sklad: patient } = client({ retries: 0, timeoutMs: 800 })
    const { nextAfter: after } = await patient.events.list({ after: 'latest' })
    const page = await patient.events.list({ after, wait: 1 })
    assert.deepEqual(page.items, [])
  })
})

suite('aborting', () => {
  test('ends a call that waits for its answer or has not begun', async () => {
    const { sklad, flaky } = client()
    const controller = new AbortController()
    flaky.next('hang')
    const call = sklad.me({ signal: controller.signal })
    controller.abort()
    await assert.rejects(call, { name: 'AbortError' })
    await assert.rejects(sklad.me({ signal: controller.signal }), { name: 'AbortError' })
    assert.equal(flaky.sent.length, 1)
  })

  test('ends the pause before a repeat', async () => {
    const flaky = flakyFetch()
    const controller = new AbortController()
    // Asked right before the pause begins.
    const random = () => {
      queueMicrotask(() => controller.abort())
      return 1
    }
    const sklad = new Sklad({ key, baseUrl, fetch: flaky.fetch, timing: { random } })
    flaky.next('rate_limited', 'hang')
    await assert.rejects(sklad.me({ signal: controller.signal }), { name: 'AbortError' })
    assert.equal(flaky.sent.length, 1)
  })

  test('ends everything through the signal of the client, and a stream too', async () => {
    const controller = new AbortController()
    const sklad = new Sklad({ key, baseUrl, signal: controller.signal })
    const waiting = sklad.events.stream({ after: 'latest' }).next()
    controller.abort(new Error('enough'))
    await assert.rejects(waiting, { message: 'enough' })
    await assert.rejects(sklad.me(), { message: 'enough' })
  })

  test('leaves no listener behind on a signal that lives long', async () => {
    const { signal } = new AbortController()
    const { sklad, flaky } = client()
    flaky.next('internal')
    await sklad.me({ signal })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })
})

suite('announcing a receipt', () => {
  const items = [{ barcode: 'SDK-1', name: 'Товар', qty: 1, honest_mark: false }]

  /** How many receipts of the live client have the reference. */
  async function count(reference: string): Promise<number> {
    const { sklad } = client({ key: live.writing })
    return (await sklad.receipts.list({ external_ref: reference })).total
  }

  async function confirm(body: string): Promise<void> {
    const { id } = JSON.parse(body) as { id: string }
    const [row] = await service.db<{ client_id: string }[]>`
      select client_id from receipts where id = ${id}`
    await perform(service.db, systemClock, { kind: 'service' }, (work) =>
      confirmReceipt(work, row?.client_id ?? '', id),
    )
  }

  // Guarantee (sdk): The client announces a receipt once, though an answer is lost and the receipt is confirmed meanwhile.
  test('a lost answer is found by its reference, also when the receipt was confirmed meanwhile', async () => {
    const { sklad, flaky } = client({ key: live.writing })
    flaky.next('lose')
    flaky.afterLoss = confirm
    const receipt = await sklad.receipts.create({ external_ref: 'LOST-1', items })
    assert.equal(receipt.status, 'EXPECTED')
    assert.equal(receipt.items?.length, 1)
    assert.equal(await count('LOST-1'), 1)
    assert.deepEqual(flaky.sent, [
      'POST /v1/receipts',
      'GET /v1/receipts?external_ref=LOST-1&limit=200',
      `GET /v1/receipts/${receipt.id}`,
    ])
  })

  test('a request that never arrived is sent again', async () => {
    const { sklad, flaky } = client({ key: live.writing })
    flaky.next('refuse')
    const receipt = await sklad.receipts.create({ external_ref: 'LOST-2', items })
    assert.equal(receipt.external_ref, 'LOST-2')
    assert.equal(await count('LOST-2'), 1)
  })

  test('an old receipt with the same reference is no answer', async () => {
    const { sklad, flaky } = client({ key: live.writing })
    const old = await sklad.receipts.create({ external_ref: 'YEARLY', items })
    await confirm(JSON.stringify(old))
    await service.db`
      update receipts set created_at = created_at - interval '30 days' where id = ${old.id}`
    flaky.next('refuse')
    const receipt = await sklad.receipts.create({ external_ref: 'YEARLY', items })
    assert.notEqual(receipt.id, old.id)
    assert.equal(await count('YEARLY'), 2)
  })

  test('a server that does not know the filter is understood too', async () => {
    const { sklad, flaky } = client({ key: live.writing })
    const through = flaky.fetch
    const ignoring = new Sklad({
      key: live.writing,
      baseUrl,
      fetch: (input, init) => through(String(input).replace(/external_ref=[^&]*&/, ''), init),
      timing: { wait: async () => {} },
    })
    flaky.next('lose')
    flaky.afterLoss = confirm
    const receipt = await ignoring.receipts.create({ external_ref: 'LOST-3', items })
    assert.equal(receipt.external_ref, 'LOST-3')
    assert.equal((await sklad.receipts.list({ external_ref: 'LOST-3' })).total, 1)
    // Here the newest receipt is of another reference.
    flaky.next('refuse')
    const other = await ignoring.receipts.create({ external_ref: 'LOST-4', items })
    assert.equal(other.external_ref, 'LOST-4')
  })

  test('without a reference nothing is repeated', async () => {
    for (const [fault, code] of [
      ['lose', 'connection_lost'],
      ['internal', 'internal'],
    ] as const) {
      const { sklad, flaky } = client()
      flaky.next(fault)
      const { cabinets } = await client().sklad.me()
      const draft = { cabinet_id: cabinets[0]?.id, items }
      assert.equal((await failure(sklad.receipts.create(draft))).code, code)
      assert.equal(flaky.sent.length, 1)
    }
  })

  test('warehouse_unavailable is repeated without looking, write_disabled never', async () => {
    const { sklad, flaky } = client()
    const { cabinets } = await sklad.me()
    const draft = { cabinet_id: cabinets[0]?.id, external_ref: 'BUSY', items }
    flaky.sent.length = 0
    flaky.next('warehouse_unavailable')
    assert.equal((await sklad.receipts.create(draft)).external_ref, 'BUSY')
    assert.deepEqual(flaky.sent, ['POST /v1/receipts', 'POST /v1/receipts'])

    const reading = client({ key: live.reading })
    const refused = reading.sklad.receipts.create({ external_ref: 'X', items })
    assert.equal((await failure(refused)).code, 'write_disabled')
    assert.equal(reading.flaky.sent.length, 1)
  })
})

suite('webhooks and the sandbox', () => {
  test('a trigger and hours of the warehouse name what happened', async () => {
    const { sklad } = client()
    const { touched } = await sklad.sandbox.trigger('order_new')
    assert.equal(touched[0]?.object, 'order')
    assert.equal((await sklad.sandbox.advance({ hours: 2 })).hours, 2)
    assert.notEqual((await sklad.sandbox.reset()).message, '')
  })

  test('a receiver of the sandbox shows what a subscription sent, and the log every attempt', async () => {
    const { sklad } = client()
    const { id, url } = await sklad.sandbox.receivers.create({ answers: ['204'] })
    const { webhook, secret } = await sklad.webhooks.create({ url, events: ['receipt.created'] })
    assert.equal((await sklad.webhooks.get(webhook.id)).url, url)
    await sklad.webhooks.ping(webhook.id)
    const [delivery] = (await sklad.webhooks.deliveries(webhook.id, { limit: 1 })).items
    const found = await sklad.webhooks.delivery(webhook.id, delivery?.id ?? '')
    assert.equal(found.payload?.type, 'webhook.ping')
    assert.deepEqual((await sklad.webhooks.attempts(webhook.id, found.id)).items, [])

    const [request] = (await sklad.sandbox.receivers.get(id)).requests
    const headers = request?.headers ?? {}
    const body = request?.body ?? ''
    assert.equal((await verifyWebhook({ body, headers, secret })).type, 'webhook.ping')
    await sklad.webhooks.delete(webhook.id)
    assert.deepEqual((await sklad.webhooks.list()).items, [])
  })

  test('a deleted subscription whose answer was lost counts as deleted', async () => {
    const { sklad, flaky } = client()
    const { items } = await sklad.webhooks.list()
    assert.deepEqual(items, [])
    assert.equal((await failure(sklad.webhooks.delete('none'))).code, 'not_found')
    flaky.next('lose')
    await sklad.webhooks.delete('none')
  })
})
