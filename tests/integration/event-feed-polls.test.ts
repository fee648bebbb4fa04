import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { issueApiKey, revokeApiKey } from '../../src/identity/keys/api-keys.ts'
import { pollsMax } from '../../src/platform/db/held-polls.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { announce } from '../../src/warehouse/events/outbox.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'
import { at } from '../support/warehouse.ts'

/** Polls that wait, beside a stop, a revocation, a hang-up and another process. */

const settings = {
  SECRET_KEY: randomBytes(32).toString('base64'),
}
// The other process must stop before the first one, whose end drops the database.
after(() => other.stop())
const service = await startService(settings, 'api', async () => (await testDatabase()).db)
const { db } = service
const openDatabase = async () => db
const other = await startService(settings, 'api', openDatabase)

interface Feed {
  readonly items: readonly { readonly data: { readonly name: string } }[]
  readonly next_after: string
}

async function openSeller() {
  const made = await at(db, Date.now(), async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'ООО «Лента»' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'WB' })
    const key = await issueApiKey(work, clientId, { name: '1С', receiptsEnabled: false })
    return { clientId, key }
  })
  const announceOne = (name: string) =>
    at(db, Date.now(), (work) =>
      announce(work, made.clientId, 'receipt.created', async () => [{ object: { name } }]),
    )
  return { ...made, client: openClient(service.baseUrl, made.key.key), announceOne }
}

/** Polls wait once their process listens. */
const listeners = async () => {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query = 'listen "sklad_events"'`
  return row.count
}

test('a revoked key gets no event that it waited for', async () => {
  const { clientId, client, key, announceOne } = await openSeller()
  const { next_after: position } = (await client.get('/v1/events')).body as Feed
  const waiting = client.get(`/v1/events?after=${position}&wait=25`)
  await eventually('the poll waits', async () => (await listeners()) > 0)
  await at(db, Date.now(), (work) => revokeApiKey(work, clientId, key.id))
  await announceOne('after the revocation')
  const answer = await waiting
  assertRefused(answer, 'key_revoked')
  assert.equal(answer.headers.get('X-RateLimit-Limit'), null)
})

test('positions hold at another process, which is woken by the event too', async () => {
  const { client, key, announceOne } = await openSeller()
  await client.get('/v1/events')
  await announceOne('first')
  const first = (await client.get('/v1/events')).body as Feed
  const there = openClient(other.baseUrl, key.key)
  const waiting = there.get(`/v1/events?after=${first.next_after}&wait=25`)
  await announceOne('second')
  assert.deepEqual(
    ((await waiting).body as Feed).items.map(({ data }) => data.name),
    ['second'],
  )
})

test('a key holds a few polls, which one event wakes; one more is refused until one has ended', async () => {
  const { client, key, announceOne } = await openSeller()
  const { next_after: position } = (await client.get('/v1/events')).body as Feed
  const path = `/v1/events?after=${position}&wait=25`
  const impatient = openClient(service.baseUrl, key.key, false)
  const asked = Array.from({ length: pollsMax + 1 }, () => impatient.get(path))
  const refused = await Promise.any(
    asked.map(async (answer) => ((await answer).status === 429 ? answer : Promise.reject())),
  )
  assertRefused(refused, 'rate_limited')
  assert.match(refused.headers.get('Retry-After') ?? '', /^[1-9]/)
  assert.equal((await impatient.get(`/v1/events?after=${position}`)).status, 200)
  await announceOne('for all')
  const answers = await Promise.all(asked)
  const names = answers.flatMap(({ body }) => (body as Partial<Feed>).items ?? [])
  assert.deepEqual(
    names.map(({ data }) => data.name),
    Array.from({ length: pollsMax }, () => 'for all'),
  )
  assert.equal((await impatient.get(path)).status, 200)
})

test('a stop answers waiting polls at once, with what there is', async () => {
  const capacity = 1_000
  const third = await startService(
    { ...settings, RATE_LIMIT_BURST: String(capacity), RATE_LIMIT_PER_MINUTE: '1' },
    'api',
    openDatabase,
  )
  const { key } = await openSeller()
  const client = openClient(third.baseUrl, key.key)
  const { next_after: position } = (await client.get('/v1/events')).body as Feed
  const polls = Array.from({ length: pollsMax }, () =>
    client.get(`/v1/events?after=${position}&wait=25`),
  )
  let calls = 1
  await eventually('the polls wait', async () => {
    calls += 1
    const { headers } = await client.get('/v1/me')
    return capacity - Number(headers.get('X-RateLimit-Remaining')) === calls + polls.length
  })
  await third.stop()
  for (const { status, body } of await Promise.all(polls)) {
    assert.equal(status, 200)
    assert.deepEqual((body as Feed).items, [])
    assert.equal((body as Feed).next_after, position)
  }
})
