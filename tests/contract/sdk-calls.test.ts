import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { suite, test } from 'node:test'
import { flakyFetch } from '../support/flaky-fetch.ts'
import { installClient } from '../support/installed-client.ts'
import { sharedService } from '../support/service.ts'

/** The calls of the installed client against the service. What all clients do when something fails is in sdk/behaviours.json. */

const { baseUrl } = await sharedService()
const { Sklad, verifyWebhook } = (await installClient()).module
const key = await Sklad.sandboxKey({ baseUrl })

/** A client whose requests fail as the test says. */
function client() {
  const flaky = flakyFetch()
  const timing = { wait: async () => {} }
  return { flaky, sklad: new Sklad({ key, baseUrl, fetch: flaky.fetch, timing }) }
}

suite('lists', () => {
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
})
