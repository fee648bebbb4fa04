import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { inTransaction, openBeside } from '../../src/platform/db/connection.ts'
import { readKey } from '../../src/platform/kernel/api-key.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import {
  type Answer,
  assertRefused,
  type Client,
  newSandbox,
  newSandboxKey,
  openClient,
} from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'
import { at } from '../support/warehouse.ts'

/** Whoever floods the service waits alone: other clients get their answers. */

const service = await startService()
const { db } = service
/** The pool of the service is its own, so the tests ask on connections of theirs. */
const beside = openBeside(db, 2)
test.after(() => beside.end())

async function openLive(): Promise<{ clientId: string; client: Client }> {
  const made = await at(db, Date.now(), async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'ООО «Сосед»' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'WB' })
    const key = await issueApiKey(work, clientId, { name: '1С', receiptsEnabled: true })
    return { clientId, key }
  })
  return { clientId: made.clientId, client: openClient(service.baseUrl, made.key.key) }
}

async function openSandboxOf(): Promise<{ clientId: string; client: Client }> {
  const key = await newSandboxKey(service)
  const client = openClient(service.baseUrl, key)
  assert.equal((await client.get('/v1/me')).status, 200)
  const [row] = await db<{ client_id: string }[]>`
    select client_id from key_hashes where hash = ${readKey(key)?.hash ?? null}`
  return { clientId: row?.client_id ?? '', client }
}

const draft = (cabinetId: string | undefined) => ({
  external_ref: newId(),
  cabinet_id: cabinetId,
  items: [{ barcode: '2000000010014', name: 'Товар', qty: 1, honest_mark: false }],
})
/** Requests of receipts, whose cabinet is looked up before. */
async function requester(client: Client): Promise<() => Promise<Answer>> {
  const { cabinets } = (await client.get('/v1/me')).body as { cabinets: { id: string }[] }
  return () => client.post('/v1/receipts', draft(cabinets[0]?.id))
}

/** Runs `meanwhile` while somebody else holds what every change of the client needs. */
async function whileLocked(clientId: string, meanwhile: () => Promise<void>): Promise<void> {
  await inTransaction(beside, async (tx) => {
    await tx`select from client_counters where client_id = ${clientId} for update`
    await tx`select from sandboxes where client_id = ${clientId} for update`
    await meanwhile()
  })
}

async function waitersForLocks(): Promise<number> {
  const [row] = await beside<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row.count
}

const times = (count: number, call: () => Promise<Answer>) => Array.from({ length: count }, call)

// Guarantee (keys): A sandbox that floods the service leaves connections to live clients.
test('twenty calls of a sandbox that wait for its lock hold one connection, and a live client is answered', async () => {
  const { clientId, client } = await openSandboxOf()
  const { client: live } = await openLive()
  const request = await requester(client)
  const requestLive = await requester(live)
  let flood: Promise<Answer>[] = []
  await whileLocked(clientId, async () => {
    flood = [
      ...times(20, () => client.post('/v1/sandbox/reset')),
      ...times(6, request),
      ...times(4, () => client.post('/v1/sandbox/triggers/order_new')),
      ...times(2, () => client.post('/v1/sandbox/advance', { hours: 1 })),
      ...times(4, () => client.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: [] })),
    ]
    await eventually('a call waits', async () => (await waitersForLocks()) > 0)
    assert.equal((await live.get('/v1/stock')).status, 200)
    assert.equal((await requestLive()).status, 201)
    assert.ok((await waitersForLocks()) <= 1)
  })
  for (const { status } of await Promise.all(flood)) assert.ok([200, 201, 400].includes(status))
})

test('calls of a sandbox that wait for too long are refused with rate_limited, and change nothing', async () => {
  const { clientId, client } = await openSandboxOf()
  const impatient = openClient(service.baseUrl, client.key, false)
  const request = await requester(impatient)
  await whileLocked(clientId, async () => {
    for (const refused of [await impatient.post('/v1/sandbox/reset'), await request()]) {
      assertRefused(refused, 'rate_limited')
      assert.equal(refused.headers.get('Retry-After'), '2')
    }
  })
  assert.equal((await client.post('/v1/sandbox/reset')).status, 200)
})

test('receipt requests beside six resets of their sandbox are taken', async () => {
  const { client } = await openSandboxOf()
  const request = await requester(client)
  const resets = times(6, () => client.post('/v1/sandbox/reset'))
  const requests = times(10, request)
  for (const { status } of await Promise.all(resets)) assert.equal(status, 200)
  for (const { status } of await Promise.all(requests)) assert.equal(status, 201)
})

// Guarantee (keys): A live client that floods the service leaves connections to the others.
test('changes of a live client that wait for its lock hold a connection or two, and others are answered', async () => {
  const { clientId, client } = await openLive()
  const { client: other } = await openLive()
  const request = await requester(client)
  const requestOther = await requester(other)
  let flood: Promise<Answer>[] = []
  await whileLocked(clientId, async () => {
    flood = times(20, request)
    await eventually('a call waits', async () => (await waitersForLocks()) > 0)
    for (let call = 0; call < 5; call += 1) {
      assert.equal((await other.get('/v1/stock')).status, 200)
      assert.equal((await requestOther()).status, 201)
      // One that was tried alone, and the transaction that all share.
      assert.ok((await waitersForLocks()) <= 2)
    }
  })
  for (const { status } of await Promise.all(flood)) assert.equal(status, 201)
})

test('first calls of a key that come together make its copy once', async () => {
  const client = await newSandbox(service)
  const answers = await Promise.all(times(60, () => client.get('/v1/me')))
  for (const { status } of answers) assert.equal(status, 200)
})
