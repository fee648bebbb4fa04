import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { missing, toolFile } from './installed.ts'

/** What the service delivers, as the published library of Standard Webhooks takes it. */

interface Library {
  readonly Webhook: new (
    secret: string,
  ) => {
    verify(body: string, headers: Readonly<Record<string, string>>): unknown
  }
}

const { baseUrl } = await startService({}, 'all')

test('the library verifies every delivery with the secret as it was shown, and no other bytes', {
  skip: missing,
}, async () => {
  const file = pathToFileURL(toolFile('standardwebhooks/dist/index.js')).href
  const { Webhook } = (await import(file)) as Library
  const receiver = await openReceiver(() => 204)
  const post = async <Answer>(path: string, key = '', body: object = {}): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const given = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${baseUrl}${path}`, given)).json() as Answer
  }
  const { key } = await post<{ key: string }>('/v1/sandbox/keys')
  const { secret } = await post<{ secret: string }>('/v1/webhooks', key, {
    url: receiver.url,
    events: ['receipt.completed', 'order.status_changed'],
  })
  await post('/v1/sandbox/triggers/receipt_completed', key)
  await post('/v1/sandbox/triggers/order_cancelled', key)
  const types = ['webhook.ping', 'receipt.completed', 'order.status_changed']
  await receiver.until((all) => types.every((type) => all.some(({ event }) => event.type === type)))

  const webhook = new Webhook(secret)
  for (const { bytes, headers, event } of receiver.requests) {
    const given = headers as Readonly<Record<string, string>>
    assert.deepEqual(webhook.verify(bytes.toString(), given), event)
    assert.throws(() => webhook.verify(`${bytes} `, given), /No matching signature/)
    const another = { ...given, 'webhook-id': 'another' }
    assert.throws(() => webhook.verify(bytes.toString(), another), /No matching signature/)
  }
})
