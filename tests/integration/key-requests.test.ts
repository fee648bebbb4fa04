import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findApiKey, revokeApiKey } from '../../src/identity/keys/api-keys.ts'
import {
  acceptKeyRequest,
  askForKey,
  declineKeyRequest,
  findKeyRequest,
  resealKeys,
  revealKey,
  revokeUnseenKeys,
} from '../../src/identity/keys/key-requests.ts'
import { createSellerUser } from '../../src/identity/sellers/members.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { perform, type Work, workAt } from '../../src/platform/db/work.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { testDatabase } from '../support/database.ts'
import { meanwhile } from '../support/waiting.ts'

/** Decisions, looks and the end of the term that come at once. */

const { db } = await testDatabase()
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const box = makeSecretBox([oldKey])
const start = Date.parse('2026-11-20T12:00:00+03:00')
const day = 86_400_000
const at = (now: number) => ({ now: () => now })
const run = <T>(verbs: (work: Work) => Promise<T>, now = start) =>
  perform(db, at(now), { kind: 'service' }, verbs)
const inside = (tx: Transaction, now = start) => workAt(tx, now, { kind: 'service' })

async function asked() {
  return run(async (work) => {
    const client = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    const user = await createSellerUser(work, `anna-${newId()}`, '')
    const draft = { name: '1С', purpose: 'Остатки', receipts_enabled: false }
    return { client, id: await askForKey(work, client, user, draft) }
  })
}

async function issued() {
  const { client, id } = await asked()
  await run((work) => acceptKeyRequest(work, box, client, id))
  const key = (await findKeyRequest(db, client, id))?.key_id ?? ''
  return { client, id, key }
}

async function stateOf({ client, id }: { client: string; id: string }) {
  const request = await findKeyRequest(db, client, id)
  const key = request?.key_id ? await findApiKey(db, client, request.key_id) : undefined
  return [request?.status, key && key.revoked_at !== null]
}

// Guarantee (keys): A request for a key is decided once.
test('of two managers who decide at once, the second finds it decided', async () => {
  const first = await asked()
  const accepting = await meanwhile(
    db,
    (tx) => acceptKeyRequest(inside(tx), box, first.client, first.id),
    () => run((work) => acceptKeyRequest(work, box, first.client, first.id)),
  )
  assert.deepEqual(accepting, { answer: false, waited: true })
  const second = await asked()
  await assert.rejects(
    meanwhile(
      db,
      (tx) => acceptKeyRequest(inside(tx), box, second.client, second.id),
      () => run((work) => declineKeyRequest(work, second.client, second.id, 'Нет')),
    ),
    /уже решена: ключ выпущен/,
  )
  assert.deepEqual(await stateOf(second), ['ISSUED', false])
})

test('of two owners who look at once, one gets the value', async () => {
  const { client, id } = await issued()
  const look = (work: Work) => revealKey(work, box, client, id)
  let value = ''
  await assert.rejects(
    meanwhile(
      db,
      async (tx) => {
        value = await look(inside(tx))
      },
      () => run(look),
    ),
    /уже показано/,
  )
  assert.match(value, /^svc_live_/)
})

// Guarantee (keys): A key that no owner has looked at within seven days is revoked.
test('a key that nobody looked at for seven days is revoked', async () => {
  const seen = await issued()
  const unseen = await issued()
  await run((work) => revealKey(work, box, seen.client, seen.id))
  await revokeUnseenKeys(db, at(start + 7 * day - 1))
  assert.deepEqual(await stateOf(unseen), ['ISSUED', false])
  const late = run((work) => revealKey(work, box, unseen.client, unseen.id), start + 7 * day)
  await assert.rejects(late, /вовремя не посмотрели/)
  await revokeUnseenKeys(db, at(start + 7 * day))
  assert.deepEqual(await stateOf(unseen), ['REVOKED', true])
  assert.deepEqual(await stateOf(seen), ['REVEALED', false])
  const sealed =
    await db`select from key_requests where id = ${unseen.id} and sealed_key is not null`
  assert.equal(sealed.length, 0)
})

test('a look in the last moment and the end of the term leave a valid key that is seen, or a revoked one', async () => {
  const seen = await issued()
  const { waited } = await meanwhile(
    db,
    (tx) => revealKey(inside(tx, start + 7 * day - 1), box, seen.client, seen.id),
    () => revokeUnseenKeys(db, at(start + 7 * day)),
  )
  assert.equal(waited, true)
  assert.deepEqual(await stateOf(seen), ['REVEALED', false])
  const revoked = await issued()
  await assert.rejects(
    meanwhile(
      db,
      (tx) => revokeApiKey(inside(tx), revoked.client, revoked.key),
      () => run((work) => revealKey(work, box, revoked.client, revoked.id)),
    ),
    /отозван/,
  )
  assert.deepEqual(await stateOf(revoked), ['REVOKED', true])
})

test('a value that waits is sealed anew with a new key, and one that no key opens is refused in words', async () => {
  const [kept, lost] = [await issued(), await issued()]
  await db`update key_requests set sealed_key = '\\x00' where id = ${lost.id}`
  const { resealed, unreadable } = await resealKeys(db, makeSecretBox([newKey, oldKey]))
  assert.ok(resealed >= 1)
  assert.deepEqual(unreadable, [{ client_id: lost.client, id: lost.id }])
  const newBox = makeSecretBox([newKey])
  const look = (request: { client: string; id: string }) =>
    run((work) => revealKey(work, newBox, request.client, request.id))
  assert.match(await look(kept), /^svc_live_/)
  await assert.rejects(look(lost), /больше не прочитать/)
})

test('the value of one request opens no other', async () => {
  const [one, other] = [await issued(), await issued()]
  await db`
    update key_requests r set sealed_key = o.sealed_key from key_requests o
    where r.id = ${one.id} and o.id = ${other.id}`
  await assert.rejects(
    run((work) => revealKey(work, box, one.client, one.id)),
    /больше не прочитать/,
  )
})
