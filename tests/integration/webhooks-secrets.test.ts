import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { resealSecrets } from '../../src/exchange/webhooks/subscriptions.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()
const [newKey, oldKey] = [randomBytes(32), randomBytes(32)]
const [older, both] = [makeSecretBox([oldKey]), makeSecretBox([newKey, oldKey])]
const newest = makeSecretBox([newKey])

interface Sealed {
  readonly id: string
  readonly secret: Buffer
}

/** Adds subscriptions, each with the secret `secret of <id>`. */
async function seal(clientId: string, count: number, box = older): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const id = newId()
    return { id, secret: box.seal(`secret of ${id}`, id).toString('hex') }
  })
  await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
    select ${clientId}, r.id, 'http://127.0.0.1:9/', '{}', decode(r.secret, 'hex'),
      ${toTimestamp(noon)}
    from jsonb_to_recordset(${db.json(rows)}) as r (id uuid, secret text)`
}

test('resealing seals every secret with the newest key, once, and in any number', async () => {
  const clients = [await makeClient(db, ['WB']), await makeClient(db, ['WB'])]
  for (const { id } of clients) await seal(id, 600)
  const [first] = clients
  await seal(first?.id ?? '', 7, both)
  const stranger = makeSecretBox([randomBytes(32)])
  await seal(first?.id ?? '', 1, stranger)

  // Two at the same time: each may find work of the other done.
  const [one, two] = await Promise.all([resealSecrets(db, both), resealSecrets(db, both)])
  assert.equal(one.resealed + two.resealed, 1200)
  for (const { resealed, current, unreadable } of [one, two]) {
    assert.equal(resealed + current, 1207)
    assert.deepEqual(
      unreadable.map(({ client }) => client),
      [first?.id],
    )
  }
  const rows = await db<Sealed[]>`select id, secret from webhook_subscriptions`
  const unopened = rows.filter(({ secret }) => !newest.isNewest(secret))
  assert.deepEqual(
    unopened.map(({ id }) => id),
    one.unreadable.map(({ webhook }) => webhook),
  )
  for (const { id, secret } of rows.filter((row) => !unopened.includes(row))) {
    assert.equal(newest.open(secret, id), `secret of ${id}`)
  }

  assert.deepEqual(
    { ...(await resealSecrets(db, both)), unreadable: [] },
    {
      resealed: 0,
      current: 1207,
      unreadable: [],
    },
  )
  const after = await db<Sealed[]>`select id, secret from webhook_subscriptions`
  const secretsOf = (sealed: readonly Sealed[]) =>
    sealed.map(({ id, secret }) => `${id} ${secret.toString('hex')}`).sort()
  assert.deepEqual(secretsOf(after), secretsOf(rows), 'a second run writes nothing')
})
