import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTarget } from '../support/target.ts'

const target = await openTarget(undefined, 'api')

/** Concurrent first requests, so that the service opens all its connections. */
const keys = Array.from({ length: target.own ? 20 : 2 }, () => target.sandbox())
const clients = (await Promise.all(keys)).slice(0, 2)

test('of many first requests at once every one is answered, from the same data', async () => {
  for (const client of clients) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => client.get(at % 2 === 0 ? '/v1/orders' : '/v1/stock')),
    )
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 2)
  }
})
