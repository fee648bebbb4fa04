import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { isNothingSealed, loadSecrets } from '../../src/platform/process/secrets.ts'
import { testDatabase } from '../support/database.ts'
import { addLiveClient } from '../support/service.ts'

const scratch = mkdtempSync(join(tmpdir(), 'secrets-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function placeOf(name: string) {
  const dataDir = join(scratch, name)
  mkdirSync(dataDir)
  return { config: readConfig({ DATA_DIR: dataDir }), dataDir, key: join(dataDir, 'secret.key') }
}

const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof StartError && message.test(error.message)

// Guarantee (secrets): Several first starts at once make one secret.
test('of several that start at once one makes the secret, and all have it from then on', async () => {
  const { config, dataDir, key } = placeOf('new')
  const made = await Promise.all(
    Array.from({ length: 8 }, () => loadSecrets(config, async () => true)),
  )
  const later = await loadSecrets(config)
  assert.equal(new Set([later, ...made].map(({ fingerprints }) => fingerprints[0])).size, 1)
  assert.equal(statSync(key).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
})

test('no secret is made without leave, nor in the place of one that cannot be read or is damaged', async () => {
  const gone = placeOf('gone')
  await assert.rejects(loadSecrets(gone.config), refusal(/there is no .*secret\.key/))
  assert.deepEqual(readdirSync(gone.dataDir), [])

  const unreadable = placeOf('unreadable')
  mkdirSync(unreadable.key)
  const asked = loadSecrets(unreadable.config, async () => true)
  await assert.rejects(asked, refusal(/secret\.key cannot be read: EISDIR/))
  assert.ok(statSync(unreadable.key).isDirectory())

  const damaged = placeOf('damaged')
  writeFileSync(damaged.key, 'c2hvcnQ=\n')
  await assert.rejects(
    loadSecrets(damaged.config, async () => true),
    refusal(/damaged/),
  )
})

test('a signing secret, credentials and the account of a cabinet, one-time codes and an unseen key need the secret', async () => {
  const service = { ...(await testDatabase()), baseUrl: '', stop: async () => {} }
  const { db } = service
  await addLiveClient(service)
  assert.equal(await isNothingSealed(db), true)
  const sealings: readonly ((tx: Transaction) => PromiseLike<unknown>)[] = [
    (tx) => tx`
      insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
      select id, ${newId()}, 'https://example.com', '{receipt.created}', '\\x00', now() from clients`,
    (tx) => tx`update cabinets set credentials = '\\x00'`,
    (tx) => tx`update cabinets set seller = '\\x00'`,
    (tx) => tx`
      insert into seller_users (id, login, password_hash, totp_secret, created_at)
      values (${newId()}, 'anna', '', '\\x00', now())`,
    (tx) => tx`
      insert into seller_users (id, login, password_hash, totp_offered, created_at)
      values (${newId()}, 'anna', '', '\\x00', now())`,
    (tx) => tx`
      with asked as (
        insert into seller_users (id, login, password_hash, created_at)
        values (${newId()}, 'anna', '', now()) returning id
      ), issued as (
        insert into api_keys (client_id, id, name, preview, receipts_enabled, created_at)
        select id, ${newId()}, '1С', 'svc_live…AbCd', false, now() from clients returning client_id, id
      )
      insert into key_requests (client_id, id, name, purpose, receipts_enabled, status, asked_by, created_at, decided_at,
        key_id, sealed_key, reveal_until)
      select k.client_id, ${newId()}, '1С', 'Остатки', false, 'ISSUED', u.id, now(), now(), k.id, '\\x00', now()
      from asked u, issued k`,
  ]
  for (const seal of sealings) {
    const undone = new Error('undone')
    await assert.rejects(
      db.begin(async (tx) => {
        await seal(tx)
        assert.equal(await isNothingSealed(tx), false, String(seal))
        throw undone
      }),
      undone,
    )
  }
})
