import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../support/shape.ts'
import { openTarget } from '../support/target.ts'
import { meShape } from './resources.ts'

const opened = Date.now()
const target = await openTarget()
const sandbox = await target.sandbox()

async function readMe(client = sandbox) {
  const answer = await client.get('/v1/me')
  assert.equal(answer.status, 200)
  return read(meShape, answer.body)
}

test('last_used_at is the last successful request before this one', async () => {
  const client = await target.emptySandbox()
  const started = Date.now()
  assert.equal((await readMe(client)).key.last_used_at, null)
  const first = Date.parse((await readMe(client)).key.last_used_at ?? '')
  const beforeRefusal = Date.now()
  assert.equal((await client.get('/v1/orders?limit=x')).status, 400)
  const second = Date.parse((await readMe(client)).key.last_used_at ?? '')
  assert.ok(first <= second)
  if (!target.own) return
  assert.ok(started <= first && first <= second && second <= beforeRefusal)
})

test('a sandbox belongs to a seller with a cabinet on each marketplace', async () => {
  const me = await readMe()
  assert.deepEqual(me.cabinets.map((cabinet) => cabinet.marketplace).sort(), ['OZON', 'WB'])
  assert.equal(new Set(me.cabinets.map((cabinet) => cabinet.id)).size, 2)
  assert.ok(me.cabinets.some((cabinet) => cabinet.sync_error === undefined))
})

test('the preview is the first eight and the last four characters of the key', async () => {
  const { key = '' } = sandbox
  const { preview, created_at: createdAt } = (await readMe()).key
  assert.ok(preview.startsWith(key.slice(0, 8)) && preview.endsWith(key.slice(-4)), preview)
  assert.ok(!preview.includes(key.slice(8, 20)))
  if (!target.own) return
  const created = Date.parse(createdAt)
  assert.ok(opened <= created && created <= Date.now(), createdAt)
})

test('the identity is the same in every call', async () => {
  const [one, other] = [await readMe(), await readMe()]
  assert.deepEqual(one.client, other.client)
  assert.deepEqual(one.cabinets, other.cabinets)
  assert.equal(one.key.id, other.key.id)
})

test('a live client without an INN has no such field', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const me = await readMe(target.client(target.live.reading))
  assert.equal(me.client.inn, undefined)
  assert.deepEqual(
    me.cabinets.map(({ marketplace, synced_at, active }) => [marketplace, synced_at, active]),
    [['WB', null, true]],
  )
})
